package infer

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/internal/fixedpoint"
	"github.com/gcrfbc/gcrfbc/internal/special"
)

const (
	// epFloor is the share of the prior precision below which a site's
	// logarithm stops counting.
	epFloor = 1e-3
	// epPatience is how many sweeps may pass without progress before the
	// iteration counts as diverging.
	epPatience = 8
)

// solveEP iterates expectation propagation (Minka 2001) in parallel over the
// nodes. With the cavity v = S/(1−τS), c = (m−νS)/(1−τS) the update matches the
// moments of σ(±z)N(z; c, v); τ > 0 always, because σ is log-concave.
//
// Parallel updates need not contract, above all from sites left by distant
// parameters. Should they not, the sites start again from the posterior's mode
// (Newton's method, which converges from anywhere), and then twice more with
// damped updates. If that does not help either, Laplace's approximation takes
// their place for this evaluation, and the status says so.
func (po *posterior) solveEP(ctx context.Context, opts *Options, st *siteState) error {
	if !st.warm {
		for _, i := range po.labelled {
			xi := math.Sqrt(po.pr.sigma[po.pr.st.diag[i]] + po.mu[i]*po.mu[i])
			st.a[i] = 2 * special.Lambda(xi)
			st.b[i] = float64(po.labels[i]) - 0.5
		}
	}
	sweeps := 0
	for _, damp := range []float64{1, 1, 0.4, 0.1} {
		if sweeps > 0 {
			mode := st.a
			copy(mode, po.mu)
			_, n, err := po.mode(ctx, opts, mode)
			if err != nil {
				return err
			}
			sweeps += n
			for _, i := range po.labelled {
				st.a[i], st.b[i] = po.tau[i], po.nu[i]
			}
		}
		n, err := po.propagate(ctx, opts, st, damp)
		sweeps += n
		if err != nil {
			return err
		}
		if st.status == SitesConverged {
			st.sweeps = sweeps
			return nil
		}
		if sweeps >= opts.MaxSweeps {
			break
		}
	}
	copy(st.a, po.mu)
	clear(po.tau)
	clear(po.nu)
	if err := po.solveLaplace(ctx, opts, st); err != nil {
		return err
	}
	st.sweeps += sweeps
	if st.status == SitesConverged {
		st.status = SitesLaplace
	}
	return nil
}

// propagate sweeps from the state's sites until they converge, diverge or run
// into the limit, with every update damped. The sites move in coordinates
// (log(τΣ_ii + floor), ν√Σ_ii) with Anderson acceleration: a site that says next
// to nothing has no say in the extrapolation either.
func (po *posterior) propagate(ctx context.Context, opts *Options, st *siteState, damp float64) (sweeps int, err error) {
	n := len(po.labelled)
	acc := po.accelerator(2 * n)
	x, gx := po.x, po.gx
	for k, i := range po.labelled {
		po.tau[i], po.nu[i] = st.a[i], st.b[i]
		x[k], x[n+k] = po.siteCoordinates(i)
	}
	least, progress := math.Inf(1), 0
	for sweeps = 1; ; sweeps++ {
		if err := po.refresh(ctx, true); err != nil {
			return sweeps, err
		}
		c, change := 0.0, 0.0
		for _, i := range po.labelled {
			tau, nu, s := po.tau[i], po.nu[i], po.s[i]
			cm, v := po.cavity(int(i))
			t := quadrature.Moments(cm, v, 2*int(po.labels[i])-1)
			c += t.LogZ + 0.5*math.Log1p(tau*v) + 0.5*(tau*cm*cm-2*nu*cm-nu*nu*v)/(1+tau*v)
			newTau, newNu := t.Site(cm, v)
			// Changes count by how far they move the node's moments.
			change = math.Max(change, math.Abs(newTau-tau)*s)
			change = math.Max(change, math.Abs(newNu-nu)*math.Sqrt(s))
			st.a[i], st.b[i] = tau+damp*(newTau-tau), nu+damp*(newNu-nu)
		}
		po.value = c + po.gaussian()
		if change <= opts.SiteTol {
			st.status = SitesConverged
			return sweeps, nil
		}
		if change < 0.7*least {
			least, progress = change, sweeps
		}
		if sweeps >= opts.MaxSweeps || float64(sweeps-progress) > epPatience/damp || math.IsNaN(change) {
			st.status = SitesStalled
			return sweeps, nil
		}
		for k, i := range po.labelled {
			po.tau[i], po.nu[i] = st.a[i], st.b[i]
			gx[k], gx[n+k] = po.siteCoordinates(i)
		}
		if acc.Next(x, gx) == fixedpoint.Plain {
			continue // the sites are at gx already
		}
		for k, i := range po.labelled {
			v := po.pr.sigma[po.pr.st.diag[i]]
			po.tau[i] = math.Max(0, math.Exp(x[k])-epFloor) / v
			po.nu[i] = x[n+k] / math.Sqrt(v)
		}
	}
}

// siteCoordinates returns where a site stands in the accelerated iteration.
func (po *posterior) siteCoordinates(i int32) (logTau, nu float64) {
	v := po.pr.sigma[po.pr.st.diag[i]]
	return math.Log(po.tau[i]*v + epFloor), po.nu[i] * math.Sqrt(v)
}

// cavity returns node i's field without its own label: exact-in-form
// leave-one-out moments.
func (po *posterior) cavity(i int) (mean, variance float64) {
	r := 1 / (1 - po.tau[i]*po.s[i])
	return (po.m[i] - po.nu[i]*po.s[i]) * r, po.s[i] * r
}
