package infer

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/internal/special"
)

// solveEP iterates expectation propagation (Minka 2001) in parallel over the
// nodes. With the cavity v = S/(1−τS), c = (m−νS)/(1−τS) and the derivatives
// d1, d2 of log Ẑ = log ∫σ(±z)N(z; c, v)dz with respect to c, the update is
//
//	τ ← −d2/(1 + v d2),   ν ← (d1 − c d2)/(1 + v d2)
//
// τ > 0 always, because σ is log-concave. The sites move in (log τ, ν) with
// Anderson acceleration; when the change grows, steps are damped.
func (po *posterior) solveEP(ctx context.Context, opts *Options, st *siteState) error {
	n := len(po.labelled)
	acc := po.accelerator(2 * n)
	x, gx := po.x, po.gx
	for k, i := range po.labelled {
		if !st.warm {
			xi := math.Sqrt(po.pr.sigma[po.pr.st.diag[i]] + po.mu[i]*po.mu[i])
			st.a[i] = 2 * special.Lambda(xi)
			st.b[i] = float64(po.labels[i]) - 0.5
		}
		x[k] = math.Log(st.a[i])
		x[n+k] = st.b[i]
	}
	last := math.Inf(1)
	damp := 1.0
	for sweep := 1; ; sweep++ {
		for k, i := range po.labelled {
			po.tau[i] = math.Exp(x[k])
			po.nu[i] = x[n+k]
		}
		if err := po.refresh(ctx, true); err != nil {
			return err
		}
		c, change := 0.0, 0.0
		for k, i := range po.labelled {
			tau, nu, s := po.tau[i], po.nu[i], po.s[i]
			r := 1 / (1 - tau*s)
			v, cm := s*r, (po.m[i]-nu*s)*r
			t := quadrature.Moments(cm, v, 2*int(po.labels[i])-1)
			c += t.LogZ + 0.5*math.Log1p(tau*v) + 0.5*(tau*cm*cm-2*nu*cm-nu*nu*v)/(1+tau*v)
			newTau, newNu := t.Site(cm, v)
			gx[k], gx[n+k] = math.Log(newTau), newNu
			// Changes count by how far they move the node's moments.
			change = math.Max(change, math.Abs(newTau-tau)*s)
			change = math.Max(change, math.Abs(newNu-nu)*math.Sqrt(s))
		}
		po.value = c + po.gaussian()
		st.sweeps = sweep
		for k, i := range po.labelled {
			st.a[i] = math.Exp(gx[k])
			st.b[i] = gx[n+k]
		}
		if change <= opts.SiteTol {
			st.status = SitesConverged
			return nil
		}
		if sweep >= opts.MaxSweeps {
			st.status = SitesStalled
			return nil
		}
		if !(change < 2*last) { // not contracting: plain damped steps for a while
			damp = math.Max(damp/2, 1.0/64)
			acc.Reset(2 * n)
		} else if change < last {
			damp = math.Min(1, 1.5*damp)
		}
		last = change
		for k := range gx {
			gx[k] = x[k] + damp*(gx[k]-x[k])
		}
		if damp < 1 {
			copy(x, gx)
			continue
		}
		acc.Next(x, gx)
	}
}

// cavity returns node i's field without its own label: exact-in-form
// leave-one-out moments.
func (po *posterior) cavity(i int) (mean, variance float64) {
	r := 1 / (1 - po.tau[i]*po.s[i])
	return (po.m[i] - po.nu[i]*po.s[i]) * r, po.s[i] * r
}
