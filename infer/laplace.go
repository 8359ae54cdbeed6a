package infer

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/internal/special"
)

// solveLaplace brings the sites to the mode of the posterior and adds what the
// gradient needs there. The state's a is the mode.
func (po *posterior) solveLaplace(ctx context.Context, opts *Options, st *siteState) error {
	if !st.warm {
		copy(st.a, po.mu)
	}
	var err error
	if st.status, st.sweeps, err = po.mode(ctx, opts, st.a); err != nil {
		return err
	}
	po.value = po.logPosterior(st.a) - 0.5*po.ratio
	po.adjoint = true
	return po.laplaceAdjoint(ctx)
}

// mode finds the maximum of log p(y|m) − ½(m−μ)'P(m−μ) by Newton's method from
// the given point, which it replaces by the mode: with τ = σ(1−σ) and
// ν = y − σ + τm at the present m, the next m is the mean of that Gaussian
// posterior. The target is concave; a step that lowers it is halved. The last
// factorization is at the mode, so that τ, ν and A belong to it.
func (po *posterior) mode(ctx context.Context, opts *Options, m []float64) (SiteStatus, int, error) {
	target, known := 0.0, false
	po.gx = grow(po.gx, len(m))
	trial := po.gx
	for sweep := 1; ; sweep++ {
		for _, i := range po.labelled {
			p, q := special.Logistic(m[i]), special.Logistic(-m[i])
			po.tau[i] = p * q
			r := -p
			if po.labels[i] == 1 {
				r = q
			}
			po.nu[i] = r + po.tau[i]*m[i]
		}
		if err := po.refresh(ctx, false); err != nil {
			return SitesStalled, sweep, err
		}
		change, farthest := 0.0, 0.0
		for i, v := range po.m {
			d := math.Abs(v - m[i])
			farthest = max(farthest, d)
			change = max(change, d/(1+math.Abs(v)))
		}
		if change <= opts.SiteTol || sweep >= opts.MaxSweeps {
			copy(m, po.m)
			if change <= opts.SiteTol {
				return SitesConverged, sweep, nil
			}
			return SitesStalled, sweep, nil
		}
		if farthest <= safeStep {
			copy(m, po.m)
			known = false
			continue
		}
		if !known {
			target, known = po.logPosterior(m), true
		}
		step := 1.0
		for try := 0; ; try++ {
			for i := range m {
				trial[i] = m[i] + step*(po.m[i]-m[i])
			}
			t := po.logPosterior(trial)
			if t >= target-1e-12*math.Abs(target) || try == maxHalvings {
				copy(m, trial)
				target = t
				break
			}
			step /= 2
		}
	}
}

const maxHalvings = 40

// safeStep is the largest change of a node up to which a Newton step needs no test:
// |(σ')'| ≤ σ' makes the curvature change by at most e^±½ on its way, which leaves
// the target higher at its end.
const safeStep = 0.5

// logPosterior returns log p(y|z) − ½(z−μ)'P(z−μ). It uses u and c as scratch.
func (po *posterior) logPosterior(z []float64) float64 {
	l := 0.0
	for _, i := range po.labelled {
		if po.labels[i] == 1 {
			l += special.LogLogistic(z[i])
		} else {
			l += special.LogLogistic(-z[i])
		}
	}
	d, pd := po.u, po.c
	for i := range d {
		d[i] = z[i] - po.mu[i]
	}
	po.pr.st.prec.Family().MulVecTo(pd, d, po.pr.values)
	q := 0.0
	for i, v := range d {
		q += v * pd[i]
	}
	return l - 0.5*q
}

// laplaceAdjoint computes u = S ω, ω_i = −½ S_ii W_i', W' = σ(1−σ)(1−2σ): how
// log|A| moves with the mode.
func (po *posterior) laplaceAdjoint(ctx context.Context) error {
	if err := po.field.InverseDiagTo(ctx, po.s); err != nil {
		return err
	}
	clear(po.u)
	for _, i := range po.labelled {
		p, q := special.Logistic(po.m[i]), special.Logistic(-po.m[i])
		po.u[i] = -0.5 * po.s[i] * p * q * (q - p)
	}
	return po.field.SolveTo(po.u, po.u)
}
