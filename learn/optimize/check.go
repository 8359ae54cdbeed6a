package optimize

import (
	"context"
	"fmt"
	"math"
)

// GradientCheck compares a gradient with differences of values.
type GradientCheck struct {
	MaxError   float64   // largest |Grad[i] − Difference[i]| / max(1, |Grad[i]|, |Difference[i]|)
	Index      int       // where it is
	Grad       []float64 // as returned by Eval
	Difference []float64
}

// CheckGradient compares the gradient at x, a point inside the bounds, with
// central differences of values (one-sided at a bound), two evaluations per
// variable. A MaxError around 1e-6 is good; above 1e-3 the gradient is most
// likely wrong. Fixed variables are skipped. It is the first thing to try when
// a run ends with LineSearchFailed.
func CheckGradient(ctx context.Context, p Problem, x []float64) (*GradientCheck, error) {
	if ctx == nil {
		return nil, &InputError{"ctx", -1, "is nil; use context.Background()"}
	}
	if err := p.validate(x); err != nil {
		return nil, err
	}
	r := newRun(ctx, p, x, Options{MaxEvaluations: -1})
	for i := range x {
		if x[i] != r.x[i] {
			return nil, &InputError{"x", i, fmt.Sprintf("is %v, outside its bounds; check inside", x[i])}
		}
	}
	value := func(g []float64) (float64, error) {
		f, ok := r.evaluate(r.x, g)
		switch {
		case r.err != nil:
			return 0, r.err
		case !ok:
			return 0, fmt.Errorf("optimize: gradient check: %w", ErrNotFinite)
		}
		return f, nil
	}
	f0, err := value(r.g)
	if err != nil {
		return nil, err
	}
	c := &GradientCheck{Grad: r.g, Difference: make([]float64, p.Dim)}
	for i := range x {
		h := math.Cbrt(eps) * max(1, math.Abs(x[i]))
		up, down := r.clip(i, x[i]+h), r.clip(i, x[i]-h)
		if up == down {
			c.Difference[i] = r.g[i]
			continue
		}
		fu, fd := f0, f0
		if r.x[i] = up; up != x[i] {
			if fu, err = value(r.g0); err != nil {
				return nil, err
			}
		}
		if r.x[i] = down; down != x[i] {
			if fd, err = value(r.g0); err != nil {
				return nil, err
			}
		}
		r.x[i] = x[i]
		c.Difference[i] = (fu - fd) / (up - down)
		e := math.Abs(c.Difference[i]-r.g[i]) / max(1, math.Abs(r.g[i]), math.Abs(c.Difference[i]))
		if e > c.MaxError {
			c.MaxError, c.Index = e, i
		}
	}
	return c, nil
}
