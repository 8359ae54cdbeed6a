package infer

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/internal/special"
)

// setJJ sets the Jaakkola–Jordan sites of a labelled node from t = ξ²:
// τ = 2λ(ξ), ν = y − ½. It returns the node's part of the bound's constant,
// −log 2cosh(ξ/2) + λ(ξ)ξ² (Jaakkola and Jordan, Statistics and Computing 10
// (2000), eq. 12).
func (po *posterior) setJJ(i int32, t float64) float64 {
	xi := math.Sqrt(t)
	lambda, log2cosh := special.LambdaLog2Cosh(xi)
	po.tau[i] = 2 * lambda
	po.nu[i] = float64(po.labels[i]) - 0.5
	return lambda*t - log2cosh
}

// solveJJ maximises the bound over ξ. Its only stationary point is the fixed
// point ξ_i² = S_ii + m_i², since the problem is strictly concave in terms of
// (m, chol S). The map t → S_ii(t) + m_i(t)² contracts, slowly where latent
// variances are large, so Anderson acceleration works on log t; a step that
// lowers the bound is taken back.
func (po *posterior) solveJJ(ctx context.Context, opts *Options, st *siteState) error {
	dim := len(po.labelled)
	acc := po.accelerator(dim)
	x, gx := po.x, po.gx
	for k, i := range po.labelled {
		t := st.a[i]
		if !st.warm {
			t = po.pr.sigma[po.pr.st.diag[i]] + po.mu[i]*po.mu[i]
		}
		x[k] = math.Log(t)
	}
	for sweep := 1; ; sweep++ {
		c := 0.0
		for k, i := range po.labelled {
			c += po.setJJ(i, math.Exp(x[k]))
		}
		if err := po.refresh(ctx, true); err != nil {
			return err
		}
		po.value = c + po.gaussian()
		change := 0.0
		for k, i := range po.labelled {
			st.a[i] = po.s[i] + po.m[i]*po.m[i]
			gx[k] = math.Log(st.a[i])
			change = math.Max(change, math.Abs(gx[k]-x[k]))
		}
		st.sweeps = sweep
		if change <= opts.SiteTol {
			st.status = SitesConverged
			return nil
		}
		if sweep >= opts.MaxSweeps {
			st.status = SitesStalled
			return nil
		}
		if po.field.exact() {
			acc.NextMerit(x, gx, po.value)
		} else {
			acc.Next(x, gx) // the value lacks its determinant here
		}
	}
}

// evaluateXi sets the sites from given ξ and evaluates the bound there, without
// a sweep. gradXi, if not nil, receives ∂L/∂ξ_i = λ'(ξ_i)(ξ_i² − m_i² − S_ii) on
// labelled nodes, 0 elsewhere: all of them from one selected inverse.
func (po *posterior) evaluateXi(ctx context.Context, xi, gradXi []float64) error {
	po.adjoint = false
	if len(po.labelled) == 0 {
		clear(gradXi)
		return po.noLabels(ctx)
	}
	clear(po.tau)
	clear(po.nu)
	c := 0.0
	for _, i := range po.labelled {
		c += po.setJJ(i, xi[i]*xi[i])
	}
	if err := po.refresh(ctx, true); err != nil {
		return err
	}
	po.value = c + po.gaussian()
	if err := po.settle(ctx); err != nil {
		return err
	}
	if gradXi != nil {
		clear(gradXi)
		for _, i := range po.labelled {
			gradXi[i] = special.LambdaPrime(math.Abs(xi[i])) * (xi[i]*xi[i] - po.m[i]*po.m[i] - po.s[i])
			if xi[i] < 0 { // the bound is even in ξ
				gradXi[i] = -gradXi[i]
			}
		}
	}
	return invertTo(ctx, po.field, po.pr.st.prec.Family(), po.sinv, po.missing)
}
