package learn

import (
	"context"
	"math"
	"slices"
)

// hessVec is the optimiser's product with the Hessian, where the evaluator offers
// one: it costs two solves and no factorization. The map from variables to
// parameters curves too; what that adds is the change of the gradient's map along
// v, a difference of smooth functions of a few numbers.
func (o *objective) hessVec(ctx context.Context, x, v, hv []float64) error {
	if !slices.Equal(o.at, x) {
		// The evaluator is at another point, or this one was replayed.
		if _, err := o.evaluate(ctx, x, make([]float64, len(x))); err != nil {
			return err
		}
	}
	if o.dir == nil {
		o.dir, o.product = make([]float64, len(o.grad)), make([]float64, len(o.grad))
		o.moved, o.ahead, o.behind = make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	}
	longest := 0.0
	for _, c := range v {
		longest = math.Max(longest, math.Abs(c))
	}
	if longest == 0 {
		clear(hv)
		return nil
	}
	h := mapStep / longest
	for _, side := range []struct {
		step float64
		dst  []float64
	}{{h, o.ahead}, {-h, o.behind}} {
		for i, c := range v {
			o.moved[i] = x[i] + side.step*c
		}
		o.sc.params(&o.params, o.moved)
		o.sc.gradient(side.dst, o.grad, &o.params)
	}
	o.sc.params(&o.params, x)
	o.sc.direction(o.dir, v, &o.params)
	if err := o.ev.HessVec(ctx, o.params, o.dir, o.product); err != nil {
		return err
	}
	o.sc.gradient(hv, o.product, &o.params)
	for i := range hv {
		hv[i] += (o.ahead[i] - o.behind[i]) / (2 * h)
		hv[i] = (hv[i] - o.prior.curvature(i, x[i])*v[i]) / -o.norm
	}
	return nil
}

// mapStep is the largest change of a variable in the difference of the map:
// rounding and truncation are both about 1e-10 of it.
const mapStep = 1e-5
