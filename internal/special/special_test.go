package special

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// functions is what the table of testdata/reference.py (80 digits, rounded
// to the nearest float64) tabulates, with the accepted relative error in units
// of 2^-53 (between half and one unit in the last place).
var functions = map[string]struct {
	f   func(float64) float64
	tol float64
}{
	"Logistic":    {Logistic, 5},
	"LogLogistic": {LogLogistic, 5},
	"Log1pExp":    {Log1pExp, 5},
	"Log2Cosh":    {Log2Cosh, 4},
	"Lambda":      {Lambda, 6},
	"LambdaPrime": {LambdaPrime, 12},
}

func TestReference(t *testing.T) {
	raw, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Columns []string
		Rows    [][]float64
	}
	if err := json.Unmarshal(raw, &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) < 200 || len(table.Columns) != 1+len(functions) {
		t.Fatalf("reference table has %d rows, %d columns", len(table.Rows), len(table.Columns))
	}
	for c, name := range table.Columns {
		if c == 0 {
			continue
		}
		fn, ok := functions[name]
		if !ok {
			t.Fatalf("no function %q", name)
		}
		var worst, at float64
		for _, row := range table.Rows {
			x, want := row[0], row[c]
			got := fn.f(x)
			// Subnormal results carry an absolute error of a few steps.
			err := math.Abs(got-want) / math.Max(math.Abs(want), 0x1p-1022) * 0x1p53
			if math.IsNaN(got) {
				err = math.Inf(1)
			}
			if err > worst {
				worst, at = err, x
			}
		}
		if worst > fn.tol {
			t.Errorf("%s(%v): error %.2f · 2^-53, want at most %v", name, at, worst, fn.tol)
		}
		t.Logf("%-12s largest error %.2f · 2^-53 at %v", name, worst, at)
	}
}

func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Logistic(+Inf)", Logistic(inf), 1},
		{"Logistic(-Inf)", Logistic(-inf), 0},
		{"LogLogistic(+Inf)", LogLogistic(inf), 0},
		{"LogLogistic(-Inf)", LogLogistic(-inf), -inf},
		{"Log1pExp(+Inf)", Log1pExp(inf), inf},
		{"Log1pExp(-Inf)", Log1pExp(-inf), 0},
		{"Log2Cosh(+Inf)", Log2Cosh(inf), inf},
		{"Log2Cosh(-Inf)", Log2Cosh(-inf), inf},
		{"Log2Cosh(0)", Log2Cosh(0), math.Ln2},
		{"Lambda(+Inf)", Lambda(inf), 0},
		{"Lambda(-Inf)", Lambda(-inf), 0},
		{"Lambda(0)", Lambda(0), 0.125},
		{"Lambda(max)", Lambda(math.MaxFloat64), 0.25 / math.MaxFloat64},
		{"LambdaPrime(+Inf)", LambdaPrime(inf), 0},
		{"LambdaPrime(-Inf)", LambdaPrime(-inf), 0},
		{"LambdaPrime(0)", LambdaPrime(0), 0},
		{"LambdaPrime(max)", LambdaPrime(math.MaxFloat64), 0},
		{"LogLogistic(-max)", LogLogistic(-math.MaxFloat64), -math.MaxFloat64},
	} {
		if c.got != c.want {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	for name, fn := range functions {
		if got := fn.f(math.NaN()); !math.IsNaN(got) {
			t.Errorf("%s(NaN) = %v", name, got)
		}
	}
}

func TestIdentities(t *testing.T) {
	near := func(t *rapid.T, what string, got, want float64) {
		if math.Abs(got-want) > 2e-15*math.Max(1, math.Abs(want)) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-800, 800).Draw(t, "x")
		near(t, "σ(x)+σ(−x)", Logistic(x)+Logistic(-x), 1)
		near(t, "log σ(x) − log σ(−x)", LogLogistic(x)-LogLogistic(-x), x)
		near(t, "log 2cosh(x/2) − x/2", Log2Cosh(x/2)-x/2, -LogLogistic(x))
		near(t, "4ξλ(ξ)", 4*x*Lambda(x), math.Tanh(x/2))
		if Lambda(x) != Lambda(-x) || LambdaPrime(x) != -LambdaPrime(-x) {
			t.Fatal("λ is not even or λ' not odd")
		}
		y := rapid.Float64Range(-800, 800).Draw(t, "y")
		if x > y {
			x, y = y, x
		}
		if Logistic(x) > Logistic(y) || LogLogistic(x) > LogLogistic(y) {
			t.Fatalf("not monotone between %v and %v", x, y)
		}
	})
}

// TestLambdaPrimeDifference compares λ' with a central difference of λ.
func TestLambdaPrimeDifference(t *testing.T) {
	for _, x := range []float64{0.01, 0.3, 0.5, 1, 1.9, 2.1, 4, 10, 40} {
		h := 1e-4 * math.Max(x, 0.3)
		want := (8*(Lambda(x+h)-Lambda(x-h)) - (Lambda(x+2*h) - Lambda(x-2*h))) / (12 * h)
		if got := LambdaPrime(x); math.Abs(got-want) > 1e-10*math.Abs(want)+1e-12 {
			t.Errorf("LambdaPrime(%v) = %v, difference quotient %v", x, got, want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	x := 0.7
	if n := testing.AllocsPerRun(10, func() {
		x = Logistic(x) + LogLogistic(x) + Log2Cosh(x) + Lambda(x) + LambdaPrime(x)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var sink float64

func BenchmarkFunctions(b *testing.B) {
	for name, fn := range functions {
		b.Run("func="+name, func(b *testing.B) {
			x := 0.3
			for b.Loop() {
				sink += fn.f(x)
				x = 3.7 - x
			}
		})
	}
}

func TestLambdaLog2Cosh(t *testing.T) {
	for _, xi := range []float64{0, 1e-300, 1e-8, 0.1, 0.5, 0.5000001, 0.7, 1, 2, 5, 36, 40, 700, 1e10, math.MaxFloat64, math.Inf(1)} {
		l, c := LambdaLog2Cosh(xi)
		wl, wc := Lambda(xi), Log2Cosh(xi/2)
		if !(math.Abs(l-wl) <= 1e-15*wl || l == wl) || !(math.Abs(c-wc) <= 1e-15*wc || c == wc) {
			t.Errorf("ξ=%v: %v, %v, want %v, %v", xi, l, c, wl, wc)
		}
	}
	if l, c := LambdaLog2Cosh(math.NaN()); !math.IsNaN(l) || !math.IsNaN(c) {
		t.Errorf("NaN gives %v, %v", l, c)
	}
}
