package infer

import (
	"context"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/special"
)

// curvature is the workspace of products with the Hessian.
type curvature struct {
	df, dv []float64 // changes of f and v, all instances
	values []float64 // Σ 2dβ_l Lap_l on the pattern
	coef   []float64
}

// OffersHessVec reports whether HessVec is there: for GCRFBCnb where all
// instances share their graphs.
func (ev *Evaluator) OffersHessVec() bool {
	return ev.opts.Variant == gcrfbc.NonBayesian && ev.shared != nil
}

// HessVec writes the product of the objective's Hessian with the direction dir,
// both on the user's scale and laid out as gradients are. The last call of
// Evaluate must have been at params, with a gradient: its factor is used again,
// so that the cost is two solves an instance. It panics unless OffersHessVec.
//
// With f the smoothed scores, P f = 2Rα, v = Σ r and d the change along dir,
//
//	P df = 2 Σ dα_k (R_k − f) − 2 Σ dβ_l Lap_l f     dμ = dg f + g df + dc + R dw
//	dr = −σ(1−σ) ∘ dμ on labelled nodes              P dv = dr − dP v
//
// and the product is the change of the gradient of addPluginGradient.
func (ev *Evaluator) HessVec(ctx context.Context, params gcrfbc.Params, dir, dst []float64) error {
	if !ev.OffersHessVec() {
		panic("infer: HessVec without shared graphs or not for nb")
	}
	if err := ev.check(params); err != nil {
		return err
	}
	K, L, M, n := ev.d.K, ev.d.NumGraphs(), len(ev.d.Instances), ev.shared.n()
	dAlpha, dBeta, dGain, dBias, dDirect := gradientParts(dir, K, L)
	sumAlpha := 0.0
	for _, a := range dAlpha {
		sumAlpha += a
	}
	fam := ev.shared.prec.Family()
	cv := &ev.curve
	cv.df, cv.dv = grow(cv.df, M*n), grow(cv.dv, M*n)
	cv.values, cv.coef = grow(cv.values, fam.Pattern().NNZ()), grow(cv.coef, 1+L)
	cv.coef[0] = 0
	for l, b := range dBeta {
		cv.coef[1+l] = 2 * b
	}
	fam.AssembleTo(cv.values, cv.coef)

	// smoothed writes f of the instance that w has entered.
	smoothed := func(w *worker) []float64 {
		f := w.gs.x
		for i, r := range w.po.rbar {
			f[i] = r + w.po.h[i]
		}
		return f
	}
	err := ev.each(ctx, func(w *worker, j int, _ []float64) error {
		if err := ev.enter(ctx, w, j, params, false); err != nil {
			return err
		}
		f, df := smoothed(w), cv.df[j*n:(j+1)*n]
		fam.MulVecTo(df, f, cv.values)
		for i := range df {
			s := -df[i]
			for k, r := range w.po.scores[i*K : i*K+K] {
				s += 2 * dAlpha[k] * (r - f[i])
			}
			df[i] = s
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := ev.prior.field.SolveManyTo(ctx, cv.df, cv.df, M); err != nil {
		return err
	}
	// residual writes dr of the instance that w has entered.
	residual := func(w *worker, j int, dr []float64) {
		clear(dr)
		df := cv.df[j*n : (j+1)*n]
		for _, i := range w.po.labelled {
			dmu := *dGain*(w.po.rbar[i]+w.po.h[i]) + params.Gain*df[i] + *dBias
			for k, r := range w.po.scores[int(i)*K : int(i)*K+K] {
				dmu += r * dDirect[k]
			}
			mu := w.po.mu[i]
			dr[i] = -special.Logistic(mu) * special.Logistic(-mu) * dmu
		}
	}
	err = ev.each(ctx, func(w *worker, j int, _ []float64) error {
		if err := ev.enter(ctx, w, j, params, false); err != nil {
			return err
		}
		v, dv := ev.adjoint[j*n:(j+1)*n], cv.dv[j*n:(j+1)*n]
		w.r = grow(w.r, n)
		residual(w, j, w.r)
		fam.MulVecTo(dv, v, cv.values)
		for i := range dv {
			dv[i] = w.r[i] - 2*sumAlpha*v[i] - dv[i]
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := ev.prior.field.SolveManyTo(ctx, cv.dv, cv.dv, M); err != nil {
		return err
	}
	err = ev.each(ctx, func(w *worker, j int, sum []float64) error {
		if err := ev.enter(ctx, w, j, params, false); err != nil {
			return err
		}
		if len(w.po.labelled) == 0 {
			return nil
		}
		ga, gb, gg, gc, gw := gradientParts(sum[1:], K, L)
		f, df, dv, v := smoothed(w), cv.df[j*n:(j+1)*n], cv.dv[j*n:(j+1)*n], ev.adjoint[j*n:(j+1)*n]
		w.r, w.v = grow(w.r, n), grow(w.v, n)
		residual(w, j, w.r)
		for i := range w.v {
			w.v[i] = *dGain*v[i] + params.Gain*dv[i]
		}
		fam.QuadTo(w.gs.quad, w.v, f)
		fam.QuadTo(w.gs.trace, v, df)
		for l := range gb {
			gb[l] -= 2*w.gs.quad[1+l] + 2*params.Gain*w.gs.trace[1+l]
		}
		for i, vi := range v {
			rho, drho := 0.0, 0.0
			for k, r := range w.po.scores[i*K : i*K+K] {
				ga[k] += 2*w.v[i]*(r-f[i]) - 2*params.Gain*vi*df[i]
				gw[k] += w.r[i] * r
				rho += 2 * params.Alpha[k] * r
				drho += 2 * dAlpha[k] * r
			}
			*gg += dv[i]*rho + vi*drho
			*gc += w.r[i]
		}
		return nil
	})
	ev.reduce(dst)
	return err
}
