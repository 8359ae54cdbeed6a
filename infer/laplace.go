package infer

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/internal/special"
)

// solveLaplace finds the mode of log p(y|m) − ½(m−μ)'P(m−μ) by Newton's method:
// with τ = σ(1−σ) and ν = y − σ + τm at the present m, the next m is the mean of
// that Gaussian posterior. The target is concave; a step that lowers it is
// halved. The last factorization is at the mode, so that τ and S belong to it.
func (po *posterior) solveLaplace(ctx context.Context, opts *Options, st *siteState) error {
	m := grow(po.x, len(po.mu)) // the present point; po.m is the Newton step's end
	po.x = m
	pe := po.c
	if st.warm {
		copy(m, st.a)
	} else {
		copy(m, po.mu)
	}
	target := po.laplaceTarget(m, pe)
	for sweep := 1; ; sweep++ {
		for _, i := range po.labelled {
			p := special.Logistic(m[i])
			q := special.Logistic(-m[i])
			po.tau[i] = p * q
			r := -p
			if po.labels[i] == 1 {
				r = q
			}
			po.nu[i] = r + po.tau[i]*m[i]
		}
		if err := po.refresh(ctx, false); err != nil {
			return err
		}
		st.sweeps = sweep
		change := 0.0
		for i, v := range po.m {
			change = math.Max(change, math.Abs(v-m[i])/(1+math.Abs(v)))
		}
		done := change <= opts.SiteTol
		if !done && sweep >= opts.MaxSweeps {
			st.status = SitesStalled
		} else if done {
			st.status = SitesConverged
		}
		if done || sweep >= opts.MaxSweeps {
			copy(st.a, po.m)
			target = po.laplaceTarget(po.m, pe)
			po.value = target - 0.5*po.ratio
			return po.laplaceAdjoint(ctx)
		}
		step := 1.0
		po.gx = grow(po.gx, len(m))
		for try := 0; ; try++ {
			for i := range m {
				po.gx[i] = m[i] + step*(po.m[i]-m[i])
			}
			t := po.laplaceTarget(po.gx, pe)
			if t >= target-1e-12*math.Abs(target) || try == maxHalvings {
				copy(m, po.gx)
				target = t
				break
			}
			step /= 2
		}
	}
}

const maxHalvings = 40

// laplaceTarget returns log p(y|z) − ½(z−μ)'P(z−μ) using scratch of N entries.
func (po *posterior) laplaceTarget(z, scratch []float64) float64 {
	l := 0.0
	for _, i := range po.labelled {
		if po.labels[i] == 1 {
			l += special.LogLogistic(z[i])
		} else {
			l += special.LogLogistic(-z[i])
		}
	}
	d := po.u // free until the adjoint
	for i := range d {
		d[i] = z[i] - po.mu[i]
	}
	po.pr.st.prec.Family().MulVecTo(scratch, d, po.pr.values)
	q := 0.0
	for i, v := range d {
		q += v * scratch[i]
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
