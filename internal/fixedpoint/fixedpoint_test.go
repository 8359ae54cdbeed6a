package fixedpoint

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// iterate runs until ‖G(x) − x‖ ≤ tol and returns the evaluations used.
func iterate(g func(dst, x []float64), x []float64, acc *Accelerator, tol float64, limit int) int {
	gx := make([]float64, len(x))
	for k := 1; k <= limit; k++ {
		g(gx, x)
		if acc == nil {
			s := 0.0
			for i := range x {
				s += (gx[i] - x[i]) * (gx[i] - x[i])
			}
			copy(x, gx)
			if math.Sqrt(s) <= tol {
				return k
			}
			continue
		}
		acc.Next(x, gx)
		if acc.Residual() <= tol {
			return k
		}
	}
	return limit + 1
}

// affine is x ← x* + Q diag(λ) Qᵀ (x − x*) with λ from 0 to rate and a random
// reflection Q.
func affine(rng *rand.Rand, n int, rate float64) (g func(dst, x []float64), fixed []float64) {
	u, lam, fixed := make([]float64, n), make([]float64, n), make([]float64, n)
	nn := 0.0
	for i := range u {
		u[i] = rng.NormFloat64()
		nn += u[i] * u[i]
		lam[i] = rate * rng.Float64()
		fixed[i] = rng.NormFloat64()
	}
	lam[0] = rate
	reflect := func(v []float64) {
		c := 2 * dot(u, v) / nn
		for i := range v {
			v[i] -= c * u[i]
		}
	}
	return func(dst, x []float64) {
		for i := range dst {
			dst[i] = x[i] - fixed[i]
		}
		reflect(dst)
		for i := range dst {
			dst[i] *= lam[i]
		}
		reflect(dst)
		for i := range dst {
			dst[i] += fixed[i]
		}
	}, fixed
}

// coupled is a nonlinear contraction with rates up to about rate.
func coupled(n int, rate float64) func(dst, x []float64) {
	return func(dst, x []float64) {
		for i := range dst {
			l, r := x[(i+n-1)%n], x[(i+1)%n]
			dst[i] = rate*(0.6*math.Sin(x[i])+0.2*l+0.2*math.Tanh(r)) + math.Cos(float64(i))*(1-rate)
		}
	}
}

func TestContractions(t *testing.T) {
	type testCase struct {
		name               string
		g                  func(dst, x []float64)
		n                  int
		plain              bool // the plain map arrives within the limit
		anderson, squarems int  // most evaluations
	}
	rng := rand.New(rand.NewPCG(1, 2))
	a9, _ := affine(rng, 200, 0.9)
	a999, _ := affine(rng, 200, 0.999)
	cases := []testCase{
		{"affine 0.9", a9, 200, true, 60, 90},
		{"affine 0.999", a999, 200, false, 400, 1500},
		{"coupled 0.9", coupled(100, 0.9), 100, true, 50, 70},
		{"coupled 0.999", coupled(100, 0.999), 100, false, 300, 700},
	}
	for _, c := range cases {
		x := make([]float64, c.n)
		plain := iterate(c.g, x, nil, 1e-10, 2000)
		if c.plain != (plain <= 2000) {
			t.Errorf("%s: plain map took %d", c.name, plain)
		}
		want := make([]float64, c.n)
		iterate(c.g, want, nil, 0, 60000)
		for _, m := range []struct {
			name string
			acc  *Accelerator
			most int
		}{{"Anderson 5", NewAnderson(c.n, 5), c.anderson}, {"Anderson 8", NewAnderson(c.n, 8), c.anderson}, {"SQUAREM", NewSquarem(c.n), c.squarems}} {
			clear(x)
			k := iterate(c.g, x, m.acc, 1e-10, 20000)
			t.Logf("%s: plain %d, %s %d", c.name, plain, m.name, k)
			if k > m.most {
				t.Errorf("%s %s: %d evaluations, want at most %d", c.name, m.name, k, m.most)
			}
			for i := range x {
				if math.Abs(x[i]-want[i]) > 1e-6 {
					t.Fatalf("%s %s: x[%d] = %v, want %v", c.name, m.name, i, x[i], want[i])
				}
			}
		}
	}
}

// TestAffineInDepthSteps: on an affine map of dimension n ≤ depth, Anderson ends
// after n + 2 evaluations.
func TestAffineInDepthSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		g, _ := affine(rng, n, rapid.Float64Range(0.1, 0.99).Draw(t, "rate"))
		x := make([]float64, n)
		acc := NewAnderson(n, n)
		acc.SetPeriod(1)
		if k := iterate(g, x, acc, 1e-8, 100); k > n+4 {
			t.Fatalf("%d evaluations for dimension %d", k, n)
		}
	})
}

// TestQRStaysExact checks Q R against the differences over many drops.
func TestQRStaysExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, m = 30, 4
	a := NewAnderson(n, m)
	var fs [][]float64
	x, gx := make([]float64, n), make([]float64, n)
	for range 40 {
		f := make([]float64, n)
		for i := range x {
			x[i], gx[i] = rng.NormFloat64(), rng.NormFloat64()
			f[i] = gx[i] - x[i]
		}
		fs = append(fs, f)
		a.Next(x, gx)
		s := &a.anderson
		for j := range s.cols {
			newer := fs[len(fs)-s.cols+j]
			older := fs[len(fs)-s.cols+j-1]
			for i := range n {
				got := 0.0
				for l := 0; l <= j; l++ {
					got += s.q[l*n+i] * s.r[l*m+j]
				}
				if math.Abs(got-(newer[i]-older[i])) > 1e-12 {
					t.Fatalf("column %d of QR is off by %g", j, got-(newer[i]-older[i]))
				}
			}
			for l := range s.cols {
				want := 0.0
				if l == j {
					want = 1
				}
				if got := dot(s.q[l*n:(l+1)*n], s.q[j*n:(j+1)*n]); math.Abs(got-want) > 1e-12 {
					t.Fatalf("q%d·q%d = %v", l, j, got)
				}
			}
		}
	}
	if a.anderson.cols != m {
		t.Errorf("%d columns in use, want %d", a.anderson.cols, m)
	}
}

// TestMerit: a maximisation by a slow plain map whose acceleration overshoots.
// The merit of accepted points must never fall.
func TestMerit(t *testing.T) {
	// log of an EM-like map: merit −Σ(e^x − x) with G a short gradient step.
	g := func(dst, x []float64) (merit float64) {
		for i, v := range x {
			dst[i] = v - 0.9/(1+math.Exp(v))*(math.Exp(v)-1)*0.05
			merit -= math.Exp(v) - v
		}
		return merit
	}
	rejected := 0
	for _, acc := range []*Accelerator{NewAnderson(5, 5), NewSquarem(5)} {
		x := []float64{-9, 4, 7, -3, 5}
		gx := make([]float64, 5)
		last := math.Inf(-1)
		k := 0
		for ; k < 1000; k++ {
			m := g(gx, x)
			step := acc.NextMerit(x, gx, m)
			if step == Rejected {
				rejected++
				continue
			}
			if m < last-1e-12*(1+math.Abs(last)) {
				t.Fatalf("accepted merit fell from %v to %v", last, m)
			}
			last = m
			if acc.Residual() < 1e-11 {
				break
			}
		}
		for i, v := range x {
			if math.Abs(v) > 1e-7 {
				t.Errorf("x[%d] = %v after %d evaluations, want 0", i, v, k)
			}
		}
	}
	if rejected == 0 {
		t.Error("nothing was rejected: the test is too easy")
	}
}

func TestNotFinite(t *testing.T) {
	// G is NaN beyond 3, where extrapolation leads.
	g := func(dst, x []float64) {
		for i, v := range x {
			dst[i] = 2.9 + 0.99*(v-2.9) - 0.0005*v*v
			if v > 2.95 {
				dst[i] = math.NaN()
			}
		}
	}
	for _, acc := range []*Accelerator{NewAnderson(3, 4), NewSquarem(3)} {
		x := []float64{-10, 1, 2}
		gx := make([]float64, 3)
		for range 3000 {
			g(gx, x)
			acc.Next(x, gx)
		}
		if !finite(x) {
			t.Errorf("x = %v", x)
		}
		g(gx, x)
		for i := range x {
			if !(math.Abs(gx[i]-x[i]) < 1e-9) {
				t.Errorf("no fixed point: x = %v, G(x) = %v", x, gx)
			}
		}
	}
	// The very first image is not finite: nothing to go back to.
	acc := NewAnderson(1, 2)
	x := []float64{1}
	if s := acc.Next(x, []float64{math.Inf(1)}); s != Rejected || x[0] != 1 {
		t.Errorf("%v, x = %v", s, x)
	}
}

func TestEdges(t *testing.T) {
	a := NewAnderson(0, 3)
	if s := a.Next(nil, nil); s != Plain {
		t.Errorf("empty vectors: %v", s)
	}
	// At the fixed point nothing moves, however often.
	for _, a := range []*Accelerator{NewAnderson(2, 3), NewSquarem(2)} {
		x := []float64{1, -2}
		for range 10 {
			a.Next(x, []float64{1, -2})
		}
		if x[0] != 1 || x[1] != -2 || a.Residual() != 0 {
			t.Errorf("moved from the fixed point to %v", x)
		}
	}
	for i, f := range []func(){
		func() { NewAnderson(-1, 1) },
		func() { NewAnderson(1, 0) },
		func() { NewSquarem(-1) },
		func() { NewAnderson(1, 1).SetPeriod(0) },
		func() { NewSquarem(1).Reset(-1) },
		func() { NewSquarem(1).Next([]float64{1, 2}, []float64{1, 2}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("case %d: no panic", i)
				}
			}()
			f()
		}()
	}
}

func TestResetAndAllocations(t *testing.T) {
	g := coupled(50, 0.95)
	x, gx := make([]float64, 50), make([]float64, 50)
	for _, a := range []*Accelerator{NewAnderson(50, 6), NewSquarem(50)} {
		run := func() {
			a.Reset(50)
			clear(x)
			for range 30 {
				g(gx, x)
				a.NextMerit(x, gx, 0)
			}
		}
		run()
		first := append([]float64(nil), x...)
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%v allocations", n)
		}
		for i := range x {
			if x[i] != first[i] {
				t.Fatal("a reset accelerator takes another path")
			}
		}
		a.Reset(20)
		if a.Dim() != 20 {
			t.Errorf("Dim = %d", a.Dim())
		}
		if n := testing.AllocsPerRun(5, func() { a.Reset(50) }); n != 0 {
			t.Errorf("growing back allocates %v times", n)
		}
	}
}

// TestConcurrent runs many accelerators at once; the race detector watches.
func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x := make([]float64, 40)
			if k := iterate(coupled(40, 0.99), x, NewAnderson(40, 5), 1e-10, 1000); k > 300 {
				t.Errorf("%d evaluations", k)
			}
		}()
	}
	wg.Wait()
}

func BenchmarkNext(b *testing.B) {
	for _, c := range []struct {
		name string
		acc  *Accelerator
	}{{"method=anderson5/dim=1000", NewAnderson(1000, 5)}, {"method=anderson8/dim=100000", NewAnderson(100000, 8)}, {"method=squarem/dim=100000", NewSquarem(100000)}} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			x := make([]float64, c.acc.Dim())
			var images [16][]float64 // random: the history is always full
			for k := range images {
				images[k] = make([]float64, len(x))
				for i := range x {
					images[k][i] = rng.NormFloat64()
				}
			}
			k := 0
			b.ReportAllocs()
			for b.Loop() {
				c.acc.Next(x, images[k%len(images)])
				k++
			}
		})
	}
}
