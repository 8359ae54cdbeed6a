package infer

import (
	"math"

	"github.com/gcrfbc/gcrfbc/internal/batch"
)

// solveJJ maximises the bounds of a block's instances over t = ξ², each lane as
// posterior.solveJJ does for one, but by Newton's method for the fixed point
// t = S_ii + m_i²: with λ' < 0 and the derivative
//
//	∂(S_ii + m_i²)/∂t_j = −(S_ij² + 2 m_i m_j S_ij) λ'(ξ_j)/ξ_j
//
// the step in log t solves a symmetric system, positive definite at the
// solution. Where it is not, or after a step that lowered the bound, which is
// taken back, the plain map takes over for a sweep. Lanes that are done keep
// their sites, so that no result depends on the neighbours.
func (lw *laneWork) solveJJ(b *laneBlock, pr *lanePrior, opts *Options) {
	const V = batch.Lanes
	n, t := b.n, b.a
	k := n * V
	for q := range V {
		if !b.warm[q] {
			for i := q; i < k; i += V {
				t[i] = pr.diag[i] + lw.mu[i]*lw.mu[i]
			}
		}
		lw.status[q], lw.active[q], lw.fast[q], lw.sweeps[q] = laneRuns, -1, false, 0
		lw.before[q] = math.Inf(-1)
		switch {
		case !pr.ok[q]:
			lw.status[q], lw.active[q] = laneFailed, 0
		case !b.labelled[q]:
			lw.status[q], lw.active[q], lw.value[q] = laneConverged, 0, 0
		}
	}
	for i, s := range b.sign {
		lw.nu[i] = 0.5 * s
	}
	var value [V]float64
	for sweep := 1; ; sweep++ {
		batch.SitesJJ(n, pr.excess, t, b.mask, lw.mu, lw.nu, lw.tau, lw.r, lw.e, lw.fac, lw.root, lw.c[:])
		lw.refresh(n, pr, &value)
		batch.ChangeJJ(n, t, b.mask, lw.m, lw.s, lw.g, lw.ell, lw.change[:])
		running, newton := false, false
		for q := range V {
			if lw.status[q] != laneRuns {
				continue
			}
			v := lw.c[q] + value[q]
			lw.value[q], lw.sweeps[q] = v, sweep
			lw.active[q] = -1
			switch {
			case math.IsNaN(v-v) || math.IsNaN(lw.change[q]):
				if lw.fast[q] {
					lw.takeBack(t, q)
					break
				}
				lw.status[q] = laneFailed
			case lw.change[q] <= opts.SiteTol:
				lw.status[q] = laneConverged
			case sweep >= opts.MaxSweeps:
				lw.status[q] = laneStalled
			case lw.fast[q] && !(v >= lw.before[q]-1e-13*(math.Abs(lw.before[q])+1)):
				lw.takeBack(t, q)
			default:
				lw.before[q] = v
				lw.newton[q] = -1
				newton = true
			}
			if lw.status[q] != laneRuns {
				lw.active[q] = 0
			} else {
				running = true
			}
		}
		if !running {
			break
		}
		if newton {
			batch.Inverse(n, lw.w, lw.inv, lw.s, lw.z, lw.x)
			batch.NewtonJJ(n, lw.z, lw.s, lw.m, lw.g, lw.ell, lw.root, lw.hess, lw.x, lw.y)
			batch.SolveLDL(n, lw.hess, lw.x, lw.y, lw.least[:])
		}
		for q := range V {
			if !(lw.least[q] > 0) {
				lw.newton[q] = 0
			}
			if lw.active[q] < 0 {
				lw.fast[q] = lw.newton[q] < 0
			}
		}
		batch.StepJJ(n, lw.y, lw.root, lw.g, lw.active[:], lw.newton[:], t)
		copy(lw.back, lw.g)
		clear(lw.newton[:])
	}
	// The next evaluation starts from the image.
	for q := range V {
		b.warm[q] = lw.status[q] != laneFailed
	}
	copy(t, lw.g)
}

// takeBack puts lane q of the sites back to the last plain image and lets the
// next sweep look at it there.
func (lw *laneWork) takeBack(t []float64, q int) {
	for i := q; i < len(t); i += batch.Lanes {
		t[i] = lw.back[i]
	}
	lw.active[q], lw.newton[q], lw.fast[q] = 0, 0, false
}
