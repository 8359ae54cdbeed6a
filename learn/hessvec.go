package learn

import (
	"context"
	"slices"
)

// hessVec is the optimiser's product with the Hessian, where the evaluator offers
// one: it costs two solves and no factorization. In log θ the Hessian has the
// further diagonal θ ∂/∂θ.
func (o *objective) hessVec(ctx context.Context, x, v, hv []float64) error {
	if !slices.Equal(o.at, x) {
		// The evaluator is at another point, or this one was replayed.
		if _, err := o.evaluate(ctx, x, make([]float64, len(x))); err != nil {
			return err
		}
	}
	if o.dir == nil {
		o.dir, o.product = make([]float64, len(o.grad)), make([]float64, len(o.grad))
	}
	o.sc.params(&o.params, x)
	o.sc.direction(o.dir, v, &o.params)
	if err := o.ev.HessVec(ctx, o.params, o.dir, o.product); err != nil {
		return err
	}
	sc := o.sc
	sc.gradient(hv, o.product, &o.params)
	for k, a := range o.params.Alpha {
		i := min(k, sc.A-1)
		hv[i] += a * o.grad[k] * v[i]
	}
	for l, b := range o.params.Beta {
		hv[sc.A+l] += b * o.grad[sc.K+l] * v[sc.A+l]
	}
	for i := range hv {
		hv[i] = (hv[i] - o.prior.curvature(i, x[i])*v[i]) / -o.norm
	}
	return nil
}
