package infer

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc"
)

// Sample draws the latent field exactly from N(μ, Σ), or from the Gaussian
// posterior N(m, S) given opts.Observed: count draws of every instance, draw r
// of node i of instance j at result[j][r*N+i]. The same seed gives the same
// draws for any number of threads, and the same noise whatever the parameters.
//
// A draw is m + L⁻ᵀε with A = LL': half a solve; with an approximate factor one
// solve. For nb, whose field has no
// variance, Sample still draws from the field (b's prior). Errors are those of
// [Predict].
func Sample(ctx context.Context, m *gcrfbc.Model, d *gcrfbc.Dataset, opts PredictOptions, count int, seed uint64) ([][]float64, error) {
	if count < 0 {
		return nil, &OptionError{Name: "count", Msg: fmt.Sprintf("is %d; want the number of draws", count)}
	}
	if m.Variant == gcrfbc.NonBayesian {
		b := *m
		b.Variant, b.Approx = gcrfbc.Bayesian, gcrfbc.EP
		m, opts.Observed = &b, nil
	}
	ev, err := newPredictor(ctx, m, d, opts)
	if err != nil {
		return nil, err
	}
	if err := ev.begin(ctx, m.Params, true); err != nil {
		return nil, err
	}
	out := make([][]float64, len(d.Instances))
	err = ev.each(ctx, func(w *worker, j int, _ []float64) error {
		if err := ev.enter(ctx, w, j, m.Params, true); err != nil {
			return err
		}
		if err := w.po.solve(ctx, &ev.opts, &ev.states[j], false); err != nil {
			return err
		}
		field := w.po.field
		if len(w.po.labelled) == 0 {
			// No site was solved for: the worker's own factor of P.
			if err := field.Update(ctx, w.po.pr.values); err != nil {
				return err
			}
		}
		n := len(w.po.m)
		out[j] = make([]float64, count*n)
		rng := rand.New(rand.NewPCG(seed, uint64(j)))
		for r := range count {
			if err := ctx.Err(); err != nil {
				return err
			}
			z := out[j][r*n : (r+1)*n]
			if err := field.SampleTo(ctx, z, rng); err != nil {
				return err
			}
			for i := range z {
				z[i] += w.po.m[i]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
