package optimize

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// TestNonconvexInBoxes: Σ a_i cos(w_i·x + b_i) + 0.01 ‖x‖⁴ has many saddles and
// minima. Any method must end at a stationary point of the box that is not
// above the start, without leaving the box.
func TestNonconvexInBoxes(t *testing.T) {
	// The first seed once led L-BFGS-B to stall far from a minimum.
	seeds := []uint64{0x2f5df5fb}
	for s := range uint64(2000) {
		seeds = append(seeds, s)
	}
	for k, seed := range seeds {
		n := 1 + (k+2)%8
		rng := rand.New(rand.NewPCG(seed, 3))
		const waves = 6
		var a, b [waves]float64
		var w [waves][]float64
		for k := range waves {
			a[k], b[k], w[k] = rng.NormFloat64(), 6*rng.Float64(), make([]float64, n)
			for i := range n {
				w[k][i] = rng.NormFloat64()
			}
		}
		outside := false
		p := withBounds(Problem{Dim: n})
		x0 := make([]float64, n)
		for i := range n {
			x0[i] = 3 * rng.NormFloat64()
			if rng.IntN(3) > 0 {
				p.Lower[i] = x0[i] - rng.Float64()
			}
			if rng.IntN(3) > 0 {
				p.Upper[i] = x0[i] + 2*rng.Float64()
			}
		}
		p.Eval = func(_ context.Context, x, g []float64) (float64, error) {
			for i, v := range x {
				outside = outside || !(v >= p.Lower[i] && v <= p.Upper[i])
			}
			q := dot(x, x)
			f := 0.01 * q * q
			for i, v := range x {
				g[i] = 0.04 * q * v
			}
			for k := range waves {
				s, c := math.Sincos(dot(w[k], x) + b[k])
				f += a[k] * c
				axpy(-a[k]*s, w[k], g)
			}
			return f, nil
		}
		f0, _ := p.Eval(context.Background(), x0, make([]float64, n))
		for _, m := range methods {
			r, err := Minimize(context.Background(), p, x0, m.m, Options{})
			if err != nil || outside {
				t.Fatalf("seed %#x n=%d %s: %v, outside the box: %v", seed, n, m.name, err, outside)
			}
			if !r.Status.Converged() || r.ProjectedGradient > 1e-4 || r.F > f0 {
				t.Errorf("seed %#x n=%d %s: %v, projected gradient %v, value %v from %v", seed, n, m.name, r.Status, r.ProjectedGradient, r.F, f0)
			}
		}
	}
}

func TestTolerances(t *testing.T) {
	x0 := []float64{-1.2, 1}
	for _, m := range methods {
		for _, c := range []struct {
			o    Options
			want Status
		}{
			{Options{GradTol: -1, FuncTol: -1, StepTol: 1e-4}, StepConverged},
			{Options{GradTol: -1, FuncTol: 1e-2}, FunctionConverged},
			{Options{GradTol: 1e2, FuncTol: -1}, GradientConverged},
		} {
			r, err := Minimize(context.Background(), Problem{Dim: 2, Eval: rosenbrock}, x0, m.m, c.o)
			if err != nil || r.Status != c.want {
				t.Errorf("%s %+v: %v, %v", m.name, c.o, r.Status, err)
			}
		}
	}
}

// TestNoiseFloor: values with rounding far above that of the minimum do not keep
// the gradient from its tolerance, nor make the search fail.
func TestNoiseFloor(t *testing.T) {
	const offset = 1e6 // rounding 1e-10, where the gradient still is 1e-5
	p := Problem{Dim: 10, Eval: func(ctx context.Context, x, g []float64) (float64, error) {
		f, err := rosenbrock(ctx, x, g)
		return offset + f, err
	}}
	x0 := make([]float64, 10)
	for _, m := range methods[:3] {
		r, err := Minimize(context.Background(), p, x0, m.m, Options{FuncTol: -1})
		if err != nil || !r.Status.Converged() || r.ProjectedGradient > 1e-4 {
			t.Errorf("%s: %v, %v, projected gradient %v after %d evaluations", m.name, err, r.Status, r.ProjectedGradient, r.Evaluations)
		}
	}
}

func TestStartThatFails(t *testing.T) {
	boom := errors.New("boom")
	r, err := Minimize(context.Background(), Problem{Dim: 1, Eval: func(context.Context, []float64, []float64) (float64, error) { return 0, boom }}, []float64{4}, nil, Options{})
	if !errors.Is(err, boom) || r.Status != Failed || r.X[0] != 4 || !math.IsInf(r.F, 1) || !math.IsNaN(r.Grad[0]) {
		t.Errorf("%v, %+v", err, r)
	}
	var none context.Context
	if _, err = Minimize(none, Problem{}, nil, nil, Options{}); err == nil {
		t.Error("a nil context is accepted")
	}
}
