package optimize

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// quadratic is ½ (x − c)ᵀ A (x − c) with A = diag(h) + u uᵀ.
type quadratic struct{ h, u, c []float64 }

func (q quadratic) mul(v, out []float64) {
	a := dot(q.u, v)
	for i := range v {
		out[i] = q.h[i]*v[i] + a*q.u[i]
	}
}

func (q quadratic) eval(_ context.Context, x, g []float64) (float64, error) {
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - q.c[i]
	}
	q.mul(d, g)
	return 0.5 * dot(d, g), nil
}

func (q quadratic) hessVec(_ context.Context, _, v, hv []float64) error {
	q.mul(v, hv)
	return nil
}

// TestConvexQuadraticsInBoxes: on a strictly convex quadratic the minimum is
// unique, so all methods must find the same point; no evaluation may leave the box.
func TestConvexQuadraticsInBoxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 15).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
		q := quadratic{make([]float64, n), make([]float64, n), make([]float64, n)}
		p := Problem{Dim: n, Eval: q.eval, Lower: make([]float64, n), Upper: make([]float64, n)}
		x0 := make([]float64, n)
		for i := range n {
			q.h[i] = math.Exp(2 * rng.NormFloat64())
			q.u[i], q.c[i], x0[i] = rng.NormFloat64(), 2*rng.NormFloat64(), 2*rng.NormFloat64()
			p.Lower[i] = rng.NormFloat64()
			p.Upper[i] = p.Lower[i] + rng.Float64()
			switch rng.IntN(8) {
			case 0:
				p.Upper[i] = p.Lower[i]
			case 1:
				p.Lower[i] = math.Inf(-1)
			case 2:
				p.Upper[i] = math.Inf(1)
			case 3:
				p.Lower[i], p.Upper[i] = math.Inf(-1), math.Inf(1)
			case 4:
				p.Upper[i] = p.Lower[i] + 1e-7
			}
		}
		outside := ""
		eval := p.Eval
		p.Eval = func(ctx context.Context, x, g []float64) (float64, error) {
			for i, v := range x {
				if !(v >= p.Lower[i] && v <= p.Upper[i]) {
					outside = fmt.Sprintf("x[%d] = %v outside [%v, %v]", i, v, p.Lower[i], p.Upper[i])
				}
			}
			return eval(ctx, x, g)
		}
		var first *Result
		for k, m := range append(methods[:4:4], methods[1]) {
			if k == 4 {
				p.HessVec = q.hessVec // TNC once more, with products
			}
			r, err := Minimize(context.Background(), p, x0, m.m, Options{GradTol: 1e-10, FuncTol: -1})
			if err != nil {
				t.Fatal(err)
			}
			if outside != "" {
				t.Fatalf("%s: %s", m.name, outside)
			}
			if !r.Status.Converged() {
				t.Fatalf("%s: %v, projected gradient %v", m.name, r.Status, r.ProjectedGradient)
			}
			if first == nil {
				first = r
			}
			// Values agree to rounding, so points to its square root.
			if math.Abs(r.F-first.F) > 1e-10*(1+math.Abs(first.F)) {
				t.Fatalf("%s (%v): F = %v, %s has %v (%v)", m.name, r.Status, r.F, methods[0].name, first.F, first.Status)
			}
			for i := range r.X {
				if math.Abs(r.X[i]-first.X[i]) > 1e-3 {
					t.Fatalf("%s (%v): x[%d] = %v, %s has %v (%v)", m.name, r.Status, i, r.X[i], methods[0].name, first.X[i], first.Status)
				}
			}
		}
	})
}

func TestTruncatedNewtonWithHessian(t *testing.T) {
	const n = 300
	q := quadratic{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n {
		q.h[i], q.u[i], q.c[i] = 1+float64(i%7), 1, 1
	}
	r, err := Minimize(context.Background(), Problem{Dim: n, Eval: q.eval, HessVec: q.hessVec}, make([]float64, n), TNC{}, Options{})
	if err != nil || r.Status != GradientConverged || r.Evaluations > 13 || r.HessVecs == 0 || r.HessVecs > 60 {
		t.Errorf("%v, %v, %d evaluations, %d products", err, r.Status, r.Evaluations, r.HessVecs)
	}
	boom := errors.New("boom")
	p := Problem{Dim: n, Eval: q.eval, HessVec: func(context.Context, []float64, []float64, []float64) error { return boom }}
	if r, err = Minimize(context.Background(), p, make([]float64, n), TNC{}, Options{}); !errors.Is(err, boom) || r.Status != Failed {
		t.Errorf("%v, %v", err, r.Status)
	}
	// A product that cannot be had is not the end.
	p.HessVec = func(context.Context, []float64, []float64, []float64) error { return ErrNotFinite }
	if r, err = Minimize(context.Background(), p, make([]float64, n), TNC{}, Options{}); err != nil {
		t.Errorf("%v, %v", err, r.Status)
	}
}

// logBarrier is Σ x_i − log x_i, undefined for x ≤ 0; the minimum is n at x = 1.
func logBarrier(how func() (float64, error)) Func {
	return func(_ context.Context, x, g []float64) (float64, error) {
		f := 0.0
		for i, v := range x {
			if v <= 0 {
				return how()
			}
			f += v - math.Log(v)
			g[i] = 1 - 1/v
		}
		return f, nil
	}
}

// TestUndefinedRegions: a step of any method into the undefined region, however
// it is reported, is shortened.
func TestUndefinedRegions(t *testing.T) {
	ways := map[string]func() (float64, error){
		"NaN":        func() (float64, error) { return math.NaN(), nil },
		"Inf":        func() (float64, error) { return math.Inf(1), nil },
		"not finite": func() (float64, error) { return 0, fmt.Errorf("pivot 3: %w", ErrNotFinite) },
		"infeasible": func() (float64, error) { return 0, ErrInfeasible },
	}
	for how, f := range ways {
		for _, m := range methods {
			undefined := 0
			p := Problem{Dim: 3, Eval: logBarrier(func() (float64, error) { undefined++; return f() })}
			r, err := Minimize(context.Background(), p, []float64{9, 3, 1e-3}, m.m, Options{})
			if err != nil || !r.Status.Converged() || math.Abs(r.F-3) > 1e-6 {
				t.Errorf("%s %s: %v, %+v", how, m.name, err, r)
			}
			// A start that cannot be evaluated is an error.
			r, err = Minimize(context.Background(), p, []float64{9, 3, -1}, m.m, Options{})
			if r == nil || r.Status != Failed || !errors.Is(err, ErrNotFinite) && !errors.Is(err, ErrInfeasible) {
				t.Errorf("%s %s: bad start: %v", how, m.name, err)
			}
			if undefined == 0 && m.name != "PerCoordinate" {
				t.Errorf("%s %s: the test never left the domain", how, m.name)
			}
		}
	}
	// A gradient that is not finite counts too.
	p := Problem{Dim: 1, Eval: func(_ context.Context, x, g []float64) (float64, error) {
		g[0] = 2 * x[0]
		if x[0] < 0 {
			g[0] = math.Inf(-1)
		}
		return x[0] * x[0], nil
	}, Lower: []float64{-3}}
	r, err := Minimize(context.Background(), p, []float64{5}, nil, Options{MaxEvaluations: 500})
	if err != nil || r.X[0] < 0 || r.X[0] > 1e-3 {
		t.Errorf("infinite gradient: %v %+v", err, r)
	}
}

func TestEarlyStops(t *testing.T) {
	x0 := slices.Repeat([]float64{-1.2, 1}, 20)
	boom := errors.New("boom")
	for _, m := range methods {
		// run counts evaluations, lets hook interfere, and checks that the
		// best point seen comes back.
		run := func(ctx context.Context, opts Options, hook func(k int) error) (*Result, error) {
			best, k := math.Inf(1), 0
			p := Problem{Dim: len(x0), Eval: func(ctx context.Context, x, g []float64) (float64, error) {
				k++
				if hook != nil {
					if err := hook(k); err != nil {
						return 0, err
					}
				}
				f, err := rosenbrock(ctx, x, g)
				best = min(best, f)
				return f, err
			}}
			r, err := Minimize(ctx, p, x0, m.m, opts)
			if r == nil {
				t.Fatalf("%s: no result (%v)", m.name, err)
			}
			if r.F != best || r.Evaluations != k || r.Status.Converged() {
				t.Errorf("%s: %v: F = %v, best seen %v; Evaluations = %d, calls %d", m.name, r.Status, r.F, best, r.Evaluations, k)
			}
			checkResult(t, Problem{Dim: len(x0), Eval: rosenbrock}, r, 1e-6)
			return r, err
		}
		bg := context.Background()
		want := func(what string, r *Result, err error, s Status, target error) {
			t.Helper()
			if r.Status != s || (target == nil) != (err == nil) || !errors.Is(err, target) {
				t.Errorf("%s %s: status %v, error %v; want %v, %v", m.name, what, r.Status, err, s, target)
			}
		}
		r, err := run(bg, Options{MaxEvaluations: 9}, nil)
		want("evaluations", r, err, EvaluationLimit, nil)
		r, err = run(bg, Options{MaxIterations: 4}, nil)
		want("iterations", r, err, IterationLimit, nil)
		if r.Iterations != 4 {
			t.Errorf("%s: %d iterations", m.name, r.Iterations)
		}

		ctx, cancel := context.WithCancelCause(bg)
		r, err = run(ctx, Options{}, func(k int) error {
			if k == 7 {
				cancel(boom)
			}
			return nil
		})
		want("canceled", r, err, Canceled, boom)
		r, err = run(bg, Options{}, func(k int) error {
			if k == 7 {
				return fmt.Errorf("wrapped: %w", context.Canceled)
			}
			return nil
		})
		want("Eval canceled", r, err, Canceled, context.Canceled)
		ctx, cancel2 := context.WithDeadline(bg, time.Now().Add(-time.Second))
		res, err := Minimize(ctx, Problem{Dim: 2, Eval: rosenbrock}, []float64{3, 4}, m.m, Options{})
		if res.Status != Canceled || !errors.Is(err, context.DeadlineExceeded) || res.Evaluations != 0 || !slices.Equal(res.X, []float64{3, 4}) {
			t.Errorf("%s: passed deadline: %+v, %v", m.name, res, err)
		}
		cancel2()

		r, err = run(bg, Options{TimeLimit: 100 * time.Millisecond}, func(k int) error {
			if k == 5 {
				time.Sleep(120 * time.Millisecond)
			}
			return nil
		})
		want("time", r, err, TimeLimit, nil)
		r, err = run(bg, Options{}, func(k int) error {
			if k == 5 {
				return boom
			}
			return nil
		})
		want("failure", r, err, Failed, boom)

		r, err = run(bg, Options{Callback: func(it Iteration) error {
			if it.Iteration == 3 {
				return ErrStop
			}
			return nil
		}}, nil)
		want("ErrStop", r, err, CallbackStop, nil)
		r, err = run(bg, Options{Callback: func(it Iteration) error {
			if it.Iteration == 0 {
				return boom
			}
			return nil
		}}, nil)
		want("callback error", r, err, CallbackStop, boom)
		if r.Iterations != 0 {
			t.Errorf("%s: stopped at iteration %d, want 0", m.name, r.Iterations)
		}
	}
}

func TestStartsThatAreDone(t *testing.T) {
	for _, m := range methods {
		// The minimum itself.
		r, err := Minimize(context.Background(), Problem{Dim: 2, Eval: rosenbrock}, []float64{1, 1}, m.m, Options{Trace: true})
		if err != nil || r.Status != GradientConverged || r.Evaluations != 1 || r.Iterations != 0 || len(r.Trace) != 1 {
			t.Errorf("%s at the minimum: %v %+v", m.name, err, r)
		}
		// All variables fixed, and the start outside.
		p := inBox(t, Problem{Dim: 3, Eval: rosenbrock, Lower: []float64{2, -3, 0}, Upper: []float64{2, -3, 0}})
		x0 := []float64{7, 7, -7}
		r, err = Minimize(context.Background(), p, x0, m.m, Options{})
		if err != nil || r.Status != GradientConverged || !slices.Equal(r.X, p.Lower) || r.Evaluations != 1 {
			t.Errorf("%s, all fixed: %v %+v", m.name, err, r)
		}
		if !slices.Equal(x0, []float64{7, 7, -7}) {
			t.Errorf("%s changed x0", m.name)
		}
		if slices.Contains(r.AtLower, false) || slices.Contains(r.AtUpper, false) {
			t.Errorf("%s: fixed variables are at both bounds: %v %v", m.name, r.AtLower, r.AtUpper)
		}
		// A corner that is the minimum.
		p = inBox(t, Problem{Dim: 2, Eval: rosenbrock, Upper: []float64{-2, 1}})
		r, err = Minimize(context.Background(), p, []float64{0, 9}, m.m, Options{})
		if err != nil || !r.Status.Converged() || !slices.Equal(r.AtUpper, []bool{true, true}) {
			t.Errorf("%s corner: %v %+v", m.name, err, r)
		}
	}
}

func TestOneVariableAndFlat(t *testing.T) {
	for _, m := range methods {
		p := Problem{Dim: 1, Eval: func(_ context.Context, x, g []float64) (float64, error) {
			g[0] = math.Sinh(x[0] - 2)
			return math.Cosh(x[0] - 2), nil
		}}
		r, err := Minimize(context.Background(), p, []float64{-20}, m.m, Options{})
		if err != nil || !r.Status.Converged() || math.Abs(r.X[0]-2) > 1e-5 {
			t.Errorf("%s: %v %+v", m.name, err, r)
		}
		// A supremum at infinity ends at the box.
		p = inBox(t, Problem{Dim: 1, Eval: func(_ context.Context, x, g []float64) (float64, error) {
			g[0] = -math.Exp(-x[0])
			return math.Exp(-x[0]), nil
		}, Upper: []float64{9}})
		r, err = Minimize(context.Background(), p, []float64{0}, m.m, Options{})
		if err != nil || !r.Status.Converged() || !r.AtUpper[0] {
			t.Errorf("%s: %v %+v", m.name, err, r)
		}
	}
}

// TestUnbounded: −∞ is said, not iterated on.
func TestUnbounded(t *testing.T) {
	for _, m := range methods {
		p := Problem{Dim: 2, Eval: func(_ context.Context, x, g []float64) (float64, error) {
			g[0], g[1] = -math.Exp(x[0]), 0
			return -math.Exp(x[0]), nil
		}}
		r, err := Minimize(context.Background(), p, []float64{0, 0}, m.m, Options{MaxEvaluations: 2000})
		if err != nil || r.Status.Converged() || math.IsInf(r.F, 0) {
			t.Errorf("%s: %v %+v", m.name, err, r)
		}
	}
}

// TestWrongGradient: an inconsistent gradient is a failed search or a wrong
// convergence of the value, never an endless run; CheckGradient finds it.
func TestWrongGradient(t *testing.T) {
	p := Problem{Dim: 4, Eval: func(ctx context.Context, x, g []float64) (float64, error) {
		f, err := rosenbrock(ctx, x, g)
		for i := range g {
			g[i] = -g[i]
		}
		return f, err
	}}
	x0 := []float64{3, -2, 1, 2}
	for _, m := range methods[:4] {
		r, err := Minimize(context.Background(), p, x0, m.m, Options{})
		if err != nil || r.Status != LineSearchFailed || r.Evaluations > 500 {
			t.Errorf("%s: %v %v after %d", m.name, err, r.Status, r.Evaluations)
		}
	}
	c, err := CheckGradient(context.Background(), p, x0)
	if err != nil || c.MaxError < 1 {
		t.Errorf("%v %+v", err, c)
	}
	p.Eval, p.Lower, p.Upper = rosenbrock, []float64{3, -9, 1, 2}, []float64{9, -2, 1, 9}
	if c, err = CheckGradient(context.Background(), inBox(t, p), x0); err != nil || c.MaxError > 1e-2 {
		t.Errorf("at bounds: %v %+v", err, c)
	}
	if _, err = CheckGradient(context.Background(), p, []float64{0, 0, 0, 0}); err == nil {
		t.Error("a point outside its bounds is accepted")
	}
}

func TestTraceAndCallback(t *testing.T) {
	for _, m := range methods {
		var seen []Iteration
		r, err := Minimize(context.Background(), Problem{Dim: 2, Eval: rosenbrock, Lower: []float64{-5, 1.5}}, []float64{-2, 1}, m.m, Options{
			Trace:    true,
			Callback: func(it Iteration) error { it.X, it.Grad = slices.Clone(it.X), nil; seen = append(seen, it); return nil },
		})
		if err != nil || len(r.Trace) != r.Iterations+1 || len(seen) != len(r.Trace) {
			t.Fatalf("%s: %v, %d iterations, trace %d, callback %d", m.name, err, r.Iterations, len(r.Trace), len(seen))
		}
		for k, it := range r.Trace {
			s := seen[k]
			if it.Iteration != k || it.X != nil || it.Grad != nil || it.F != s.F || it.Evaluations != s.Evaluations {
				t.Errorf("%s: trace %d: %+v, callback %+v", m.name, k, it, s)
			}
			if k > 0 && (it.Evaluations <= r.Trace[k-1].Evaluations || !(it.Step >= 0)) {
				t.Errorf("%s: trace %d: %+v after %+v", m.name, k, it, r.Trace[k-1])
			}
		}
		last := r.Trace[len(r.Trace)-1]
		if last.F != r.F || last.Active != 1 || !slices.Equal(seen[len(seen)-1].X, r.X) {
			t.Errorf("%s: last %+v, result %+v", m.name, last, r)
		}
	}
}

func TestInputErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ok := Problem{Dim: 2, Eval: rosenbrock}
	with := func(f func(*Problem)) Problem { p := ok; f(&p); return p }
	for _, c := range []struct {
		want string
		p    Problem
		x0   []float64
		m    Method
		o    Options
	}{
		{"Dim", Problem{Eval: rosenbrock}, nil, nil, Options{}},
		{"Eval", Problem{Dim: 1}, []float64{0}, nil, Options{}},
		{"x0", ok, []float64{0}, nil, Options{}},
		{"x0[1]", ok, []float64{0, nan}, nil, Options{}},
		{"x0[0]", ok, []float64{inf, 0}, nil, Options{}},
		{"Lower", with(func(p *Problem) { p.Lower = []float64{0} }), []float64{0, 0}, nil, Options{}},
		{"Upper", with(func(p *Problem) { p.Upper = []float64{0, 1, 2} }), []float64{0, 0}, nil, Options{}},
		{"Lower[1]", with(func(p *Problem) { p.Lower = []float64{0, nan} }), []float64{0, 0}, nil, Options{}},
		{"Lower[0]", with(func(p *Problem) { p.Lower = []float64{inf, 0} }), []float64{0, 0}, nil, Options{}},
		{"Upper[0]", with(func(p *Problem) { p.Upper = []float64{-inf, 0} }), []float64{0, 0}, nil, Options{}},
		{"Lower[1]", with(func(p *Problem) { p.Lower, p.Upper = []float64{0, 1}, []float64{0, 0.5} }), []float64{0, 0}, nil, Options{}},
		{"GradTol", ok, []float64{0, 0}, nil, Options{GradTol: nan}},
		{"FuncNoise", ok, []float64{0, 0}, nil, Options{FuncNoise: -1}},
		{"TimeLimit", ok, []float64{0, 0}, nil, Options{TimeLimit: -1}},
		{"LBFGSB.Memory", ok, []float64{0, 0}, LBFGSB{Memory: -1}, Options{}},
		{"LBFGSB.FirstStep", ok, []float64{0, 0}, LBFGSB{FirstStep: nan}, Options{}},
		{"TNC.MaxInner", ok, []float64{0, 0}, TNC{MaxInner: -1}, Options{}},
		{"TNC.DiffStep", ok, []float64{0, 0}, TNC{DiffStep: 2}, Options{}},
		{"SQP.FirstStep", ok, []float64{0, 0}, SQP{FirstStep: -1}, Options{}},
		{"SQP.MaxStep", ok, []float64{0, 0}, SQP{MaxStep: -1}, Options{}},
		{"Dim", Problem{Dim: 6000, Eval: rosenbrock}, make([]float64, 6000), SQP{}, Options{}},
		{"Gradient.Rule", ok, []float64{0, 0}, Gradient{Rule: 9}, Options{}},
		{"Gradient.Window", ok, []float64{0, 0}, Gradient{Window: -1}, Options{}},
	} {
		r, err := Minimize(context.Background(), c.p, c.x0, c.m, c.o)
		var e *InputError
		if r != nil || !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "optimize: "+c.want+" ") {
			t.Errorf("want an error about %s, got %v", c.want, err)
		}
	}
}

func TestStatusNames(t *testing.T) {
	if len(statusNames) != int(Failed)+1 {
		t.Fatalf("%d names for %d statuses", len(statusNames), Failed+1)
	}
	converged := 0
	for s := NotStarted; s <= Failed; s++ {
		if s.Converged() {
			converged++
		}
	}
	if converged != 3 || LineSearchFailed.String() != "LineSearchFailed" || Status(99).String() != "Status(99)" {
		t.Error("status names or classes")
	}
}

// TestIterationsAllocateNothing compares short and long runs.
func TestIterationsAllocateNothing(t *testing.T) {
	x0 := slices.Repeat([]float64{-1.2, 1}, 25)
	p := Problem{Dim: 50, Eval: rosenbrock, Upper: slices.Repeat([]float64{0.9}, 50)}
	for _, m := range methods {
		count := func(iterations int) float64 {
			return testing.AllocsPerRun(3, func() {
				if _, err := Minimize(context.Background(), p, x0, m.m, Options{MaxIterations: iterations, GradTol: -1, FuncTol: -1}); err != nil {
					t.Fatal(err)
				}
			})
		}
		if few, many := count(2), count(40); many != few {
			t.Errorf("%s: %v allocations in 2 iterations, %v in 40", m.name, few, many)
		}
	}
}

// TestSharedMethod runs one Method value from several goroutines; the race
// detector watches.
func TestSharedMethod(t *testing.T) {
	for _, m := range methods[:4] {
		results := make(chan *Result, 4)
		for range cap(results) {
			go func() {
				r, _ := Minimize(context.Background(), Problem{Dim: 2, Eval: rosenbrock}, []float64{-1.2, 1}, m.m, Options{})
				results <- r
			}()
		}
		first := <-results
		for range cap(results) - 1 {
			if r := <-results; !slices.Equal(r.X, first.X) {
				t.Errorf("%s: runs differ: %v, %v", m.name, r.X, first.X)
			}
		}
	}
}

func BenchmarkMinimize(b *testing.B) {
	for _, m := range methods[:4] {
		for _, n := range []int{2, 10, 100} {
			b.Run(fmt.Sprintf("method=%s/dim=%d", m.name, n), func(b *testing.B) {
				x0 := slices.Repeat([]float64{-1.2, 1}, n/2)
				p := Problem{Dim: n, Eval: rosenbrock, Upper: slices.Repeat([]float64{0.9}, n)}
				evals, iters := 0, 0
				b.ReportAllocs()
				for b.Loop() {
					r, err := Minimize(context.Background(), p, x0, m.m, Options{})
					if err != nil {
						b.Fatal(err)
					}
					evals, iters = r.Evaluations, r.Iterations
				}
				b.ReportMetric(float64(evals), "evals")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(max(iters, 1)), "ns/iter")
			})
		}
	}
}

// TestMaxStep: no variable moves by more than MaxStep at a time, and the minimum
// is found all the same.
func TestMaxStep(t *testing.T) {
	last, largest := []float64{-9, 7}, 0.0
	p := Problem{Dim: 2, Eval: func(_ context.Context, x, g []float64) (float64, error) {
		for i := range x {
			largest = max(largest, math.Abs(x[i]-last[i]))
		}
		g[0], g[1] = 2*x[0], 20*(x[1]-1)
		return x[0]*x[0] + 10*(x[1]-1)*(x[1]-1), nil
	}}
	r, err := Minimize(context.Background(), p, []float64{-9, 7}, SQP{MaxStep: 0.5, Hessian: []float64{2, 0, 0, 20}}, Options{
		Callback: func(it Iteration) error { copy(last, it.X); return nil },
	})
	if err != nil || !r.Status.Converged() || math.Abs(r.X[0]) > 1e-6 || math.Abs(r.X[1]-1) > 1e-6 {
		t.Errorf("%+v, %v", r, err)
	}
	if largest > 0.5+1e-12 {
		t.Errorf("a step of %g", largest)
	}
}
