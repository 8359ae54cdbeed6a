package chol

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
)

func TestNotPositiveDefinite(t *testing.T) { eachLayout(t, testNotPositiveDefinite) }

func testNotPositiveDefinite(t *testing.T) {
	for _, m := range corpus() {
		n := m.n()
		if n < 5 {
			continue
		}
		for _, threads := range []int{1, 4} {
			s, err := analyze(t.Context(), m.p, Options{Threads: threads}, tinyTasks)
			if err != nil {
				t.Fatal(err)
			}
			f := mustFactor(t, s, m.values)
			for _, row := range []int{0, n / 2, n - 1} {
				values := append([]float64(nil), m.values...)
				at, _ := m.p.Find(row, row)
				values[at] = -3
				err := f.Refactorize(t.Context(), values)
				var npd *NotPositiveDefiniteError
				if !errors.As(err, &npd) {
					t.Fatalf("%s: got %v", m.name, err)
				}
				// Every later pivot may only shrink: rows eliminated before
				// this one are unharmed.
				if npd.Row != row || !(npd.Pivot <= -3+1e-12) {
					t.Fatalf("%s row %d: got %v", m.name, row, err)
				}
				if err := f.SolveTo(make([]float64, n), make([]float64, n)); !errors.Is(err, ErrNotFactorized) {
					t.Fatalf("solve after failure: %v", err)
				}
				if !math.IsNaN(f.LogDet()) {
					t.Fatal("log det after failure is a number")
				}
				if err := f.Refactorize(t.Context(), m.values); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestNonFinite(t *testing.T) { eachLayout(t, testNonFinite) }

func testNonFinite(t *testing.T) {
	m := corpus()[0]
	s := mustAnalyze(t, m.p, Options{})
	f := s.NewFactor()
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, pos := range []int{0, m.p.NNZ() / 2, m.p.NNZ() - 1} {
			values := append([]float64(nil), m.values...)
			values[pos] = bad
			var ve *ValueError
			if err := f.Refactorize(t.Context(), values); !errors.As(err, &ve) || ve.Pos != pos {
				t.Fatalf("value %g at %d: got %v", bad, pos, err)
			}
			if k, _ := m.p.Find(ve.Row, ve.Col); k != pos {
				t.Fatalf("named (%d, %d)", ve.Row, ve.Col)
			}
		}
	}
}

func TestErrors(t *testing.T) { eachLayout(t, testErrors) }

func testErrors(t *testing.T) {
	ctx := t.Context()
	m := corpus()[0]
	n := m.n()
	var shape *ShapeError
	var option *OptionError
	var pattern *PatternError
	var memory *MemoryError
	rect, _ := sparse.NewPattern(1, 2, []int{0, 1}, []int32{0})
	hole, _ := sparse.NewPattern(2, 2, []int{0, 1, 2}, []int32{0, 0})
	upper, _ := sparse.NewPattern(2, 2, []int{0, 2, 3}, []int32{0, 1, 1})
	for name, c := range map[string]struct {
		p    *sparse.Pattern
		opts Options
		want any
	}{
		"nil":          {nil, Options{}, &option},
		"rectangular":  {rect, Options{}, &shape},
		"no diagonal":  {hole, Options{}, &pattern},
		"upper only":   {upper, Options{}, &pattern},
		"threads":      {m.p, Options{Threads: -1}, &option},
		"max bytes":    {m.p, Options{MaxBytes: -1}, &option},
		"memory":       {m.p, Options{MaxBytes: 1000}, &memory},
		"memory work":  {m.p, Options{MaxBytes: 8 * int64(m.p.NNZ()) * 3}, &memory},
		"short perm":   {m.p, Options{Ordering: Given, Perm: []int32{0}}, &shape},
		"bad perm":     {m.p, Options{Ordering: Given, Perm: make([]int32, n)}, &option},
		"bad ordering": {m.p, Options{Ordering: 77}, &option},
	} {
		_, err := Analyze(ctx, c.p, c.opts)
		if err == nil || !errors.As(err, c.want) || err.Error() == "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if !errors.As(func() error { _, err := Analyze(ctx, hole, Options{}); return err }(), &pattern) || pattern.Row != 1 {
		t.Errorf("missing diagonal named row %d", pattern.Row)
	}

	s := mustAnalyze(t, m.p, Options{})
	f := s.NewFactor()
	x := make([]float64, n)
	for name, err := range map[string]error{
		"solve":   f.SolveTo(x, x),
		"pivots":  f.PivotsTo(x),
		"inverse": f.SelectedInverse(ctx, make([]float64, m.p.NNZ())),
		"diag":    f.InverseDiagTo(ctx, x),
	} {
		if !errors.Is(err, ErrNotFactorized) {
			t.Errorf("%s of an empty factor: %v", name, err)
		}
	}
	if err := f.Refactorize(ctx, x); !errors.As(err, &shape) {
		t.Errorf("short values: %v", err)
	}
	if err := f.Refactorize(ctx, m.values); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"rhs":     f.SolveTo(x, x[1:]),
		"dst":     f.SolveTo(x[1:], x),
		"nrhs":    f.SolveManyTo(x, x, -1),
		"many":    f.SolveManyTo(x, x, 2),
		"pivots":  f.PivotsTo(x[1:]),
		"entries": f.SelectedInverse(ctx, x[1:]),
		"diag":    f.InverseDiagTo(ctx, x[1:]),
	} {
		if !errors.As(err, &shape) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRefactorize reuses one factor for other values and compares with a
// fresh one; a clone keeps the old ones.
func TestRefactorize(t *testing.T) { eachLayout(t, testRefactorize) }

func testRefactorize(t *testing.T) {
	for _, m := range corpus() {
		s := mustAnalyze(t, m.p, Options{})
		f := mustFactor(t, s, m.values)
		clone := f.Clone()
		before := f.LogDet()
		other := append([]float64(nil), m.values...)
		for k := range other {
			other[k] *= 3
		}
		if err := f.Refactorize(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		fresh := mustFactor(t, s, other)
		if f.LogDet() != fresh.LogDet() {
			t.Fatalf("%s: %g, fresh %g", m.name, f.LogDet(), fresh.LogDet())
		}
		near(t, "scaled log det", f.LogDet(), before+float64(m.n())*math.Log(3), 1e-12)
		if clone.LogDet() != before {
			t.Fatal("clone changed")
		}
		x, y := randomVector(m.n(), 1), randomVector(m.n(), 1)
		if err := clone.SolveTo(x, x); err != nil {
			t.Fatal(err)
		}
		if err := f.SolveTo(y, y); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			near(t, "clone's solution", x[i], 3*y[i], 1e-9)
		}
	}
}

func TestNoAllocations(t *testing.T) { eachLayout(t, testNoAllocations) }

func testNoAllocations(t *testing.T) {
	ctx := context.Background()
	m := laplacian("grid", 40*40, gridEdges(40, 40, 1), 0.1, 1)
	for k := range 4 {
		tune := []tuning{defaultTuning, tinyTasks}[k/2]
		s, err := analyze(ctx, m.p, Options{Threads: 1 + k%2}, tune)
		if err != nil {
			t.Fatal(err)
		}
		f := s.NewFactor()
		z, x := make([]float64, m.p.NNZ()), make([]float64, 32*m.n())
		check := func(what string, fn func() error) {
			t.Helper()
			allocs := 1.0
			for try := 0; try < 4 && allocs != 0; try++ { // the runtime may allocate for goroutines, now and then
				allocs = testing.AllocsPerRun(5, func() {
					if err := fn(); err != nil {
						t.Fatal(err)
					}
				})
			}
			if allocs != 0 {
				t.Errorf("%s allocates %g times with %d threads", what, allocs, s.Threads())
			}
		}
		check("Refactorize", func() error { return f.Refactorize(ctx, m.values) })
		check("SelectedInverse", func() error { return f.SelectedInverse(ctx, z) })
		check("InverseDiagTo", func() error { return f.InverseDiagTo(ctx, x[:m.n()]) })
		check("SolveTo", func() error { return f.SolveTo(x[:m.n()], x[:m.n()]) })
		check("SolveManyTo", func() error { return f.SolveManyTo(x, x, 32) })
		check("HalfSolveTo", func() error { return f.HalfSolveTo(x[:m.n()], x[:m.n()]) })
	}
}

func TestCancel(t *testing.T) { eachLayout(t, testCancel) }

func testCancel(t *testing.T) {
	m := laplacian("dense", 700, denseEdges(700), 0.1, 1)
	if defaultTuning.layout == layoutSimplicial {
		m = laplacian("tree", 30000, randomTreeEdges(30000, 1), 0.1, 1)
	}
	x := make([]float64, m.n())
	for _, threads := range []int{1, 2} {
		s := mustAnalyze(t, m.p, Options{Threads: threads})
		f := mustFactor(t, s, m.values)
		done, cancel := context.WithCancel(t.Context())
		cancel()
		if err := f.Refactorize(done, m.values); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		if err := f.SolveTo(x, x); !errors.Is(err, ErrNotFactorized) {
			t.Fatalf("solve after cancellation: %v", err)
		}
		if _, err := Analyze(done, m.p, Options{}); !errors.Is(err, context.Canceled) {
			t.Fatalf("analyze: %v", err)
		}
		f = mustFactor(t, s, m.values)
		if err := f.SelectedInverse(done, make([]float64, m.p.NNZ())); !errors.Is(err, context.Canceled) {
			t.Fatalf("inverse: %v", err)
		}
		if err := f.SolveTo(x, x); err != nil {
			t.Fatal(err) // a cancelled inverse leaves the factor alone
		}
		// In the middle of the work: either it stops, or it was fast enough.
		for d := time.Microsecond; d < 50*time.Millisecond; d *= 4 {
			short, cancel := context.WithTimeout(t.Context(), d)
			err := f.Refactorize(short, m.values)
			valid := f.LogDet()
			cancel()
			if err != nil != math.IsNaN(valid) || err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("timeout %v: error %v, log det %g", d, err, valid)
			}
		}
	}
}

// TestGridLogDet compares with the closed form: the eigenvalues of the n×n grid's
// Laplacian are 4 sin²(πi/2n) + 4 sin²(πj/2n), 0 ≤ i, j < n.
func TestGridLogDet(t *testing.T) {
	const n = 150
	rows, ptr, idx, values, err := matgen.Generate("grid2d:150")
	if err != nil {
		t.Fatal(err)
	}
	p, err := sparse.NewPattern(rows, rows, ptr, idx)
	if err != nil {
		t.Fatal(err)
	}
	f := mustFactor(t, mustAnalyze(t, p, Options{}), values)
	sum, lost := 0.0, 0.0 // Neumaier 1974
	for i := range n {
		for j := range n {
			a, b := math.Sin(math.Pi*float64(i)/(2*n)), math.Sin(math.Pi*float64(j)/(2*n))
			v := math.Log(matgen.Ridge + 4*a*a + 4*b*b)
			next := sum + v
			if math.Abs(sum) >= math.Abs(v) {
				lost += sum - next + v
			} else {
				lost += v - next + sum
			}
			sum = next
		}
	}
	near(t, "log det", f.LogDet(), sum+lost, 1e-14)
}
