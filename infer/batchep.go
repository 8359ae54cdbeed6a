package infer

import (
	"math"

	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/internal/batch"
	"github.com/gcrfbc/gcrfbc/internal/fixedpoint"
	"github.com/gcrfbc/gcrfbc/internal/special"
)

// dampingEP holds the factors of the updates in the successive attempts.
var dampingEP = [...]float64{1, 0.5, 0.2}

// nearEP is the change below which damped updates are accelerated.
const nearEP = 0.05

// solveEP is expectation propagation for a block, each lane as
// posterior.propagate does it for one instance. Lanes that make no progress
// start again from the maximum of Jaakkola and Jordan's bound, which is found
// from anywhere, with damped updates; should that not help they fail, and the
// ordinary way has Laplace's approximation to offer.
func (lw *laneWork) solveEP(b *laneBlock, pr *lanePrior, opts *Options) {
	const V = batch.Lanes
	k := b.n * V
	for q := range V {
		lw.status[q], lw.sweeps[q] = laneRuns, 0
		switch {
		case !pr.ok[q]:
			lw.status[q] = laneFailed
		case !b.labelled[q]:
			lw.status[q], lw.value[q] = laneConverged, 0
		case !b.warm[q]:
			for i := q; i < k; i += V {
				xi := math.Sqrt(pr.diag[i] + lw.mu[i]*lw.mu[i])
				b.a[i] = 2 * special.Lambda(xi) * b.mask[i]
				b.b[i] = 0.5 * b.sign[i]
			}
		}
		if lw.status[q] != laneRuns {
			for i := q; i < k; i += V {
				b.a[i], b.b[i] = 0, 0
			}
		}
	}
	copy(lw.tau, b.a)
	copy(lw.nu, b.b)
	for attempt, damp := range dampingEP {
		if attempt > 0 {
			if !lw.restartEP(b, pr, opts) {
				break
			}
		}
		lw.propagate(b, pr, opts, damp)
	}
	for q := range V {
		b.warm[q] = lw.status[q] == laneConverged && b.labelled[q]
	}
}

// restartEP puts the sites of lanes that have failed to the maximum of the
// bound and reports whether there are such lanes.
func (lw *laneWork) restartEP(b *laneBlock, pr *lanePrior, opts *Options) bool {
	const V = batch.Lanes
	status, sweeps, value := lw.status, lw.sweeps, lw.value
	any := false
	for q, s := range status {
		any = any || s == laneFailed && pr.ok[q] && sweeps[q] < opts.MaxSweeps
	}
	if !any {
		return false
	}
	tau, nu := lw.back[:len(lw.tau)], lw.keep[:len(lw.tau)]
	jj := *b
	jj.warm = [V]bool{}
	jj.a, jj.b = grow(lw.t, len(lw.tau)), nil
	lw.t = jj.a
	copy(nu, lw.nu)
	copy(lw.was, lw.tau)
	lw.solveJJ(&jj, pr, opts)
	copy(tau, lw.tau)
	copy(lw.tau, lw.was)
	copy(lw.nu, nu)
	bound := lw.status
	for q := range V {
		n := lw.sweeps[q]
		lw.status[q], lw.sweeps[q], lw.value[q] = status[q], sweeps[q], value[q]
		if status[q] != laneFailed || !pr.ok[q] || sweeps[q] >= opts.MaxSweeps || bound[q] == laneFailed {
			continue
		}
		lw.status[q] = laneRuns
		lw.sweeps[q] += n
		for i := q; i < len(tau); i += V {
			lw.tau[i], lw.nu[i] = tau[i], 0.5*b.sign[i]
			b.a[i], b.b[i] = lw.tau[i], lw.nu[i]
		}
	}
	return true
}

// propagate sweeps over the lanes that run from the sites in b and in tau and
// nu, which hold the same.
func (lw *laneWork) propagate(b *laneBlock, pr *lanePrior, opts *Options, damp float64) {
	const V = batch.Lanes
	n, k := b.n, b.n*V
	var least [V]float64
	var progress [V]int
	for q := range V {
		least[q], progress[q] = math.Inf(1), lw.sweeps[q]
		if lw.status[q] == laneRuns {
			lw.startEP(b, pr, q)
		}
	}
	tau, nu := lw.tau[:k], lw.nu[:k]
	for i := range lw.fac {
		lw.fac[i] = 1
	}
	var value [V]float64
	for {
		for i, t := range tau {
			lw.r[i] = pr.excess + t
			lw.e[i] = nu[i] - t*lw.mu[i]
		}
		copy(lw.ell, lw.r[:k])
		copy(lw.g, lw.e[:k])
		lw.refresh(n, pr, &value)
		// The cavities without cancellation: A1 = r and all of S is ≥ 0, so
		// 1 − τ_i S_ii = 2Σα S_ii + Σ_{j≠i} S_ij r_j, and the cavity's mean is
		// μ_i + Σ_{j≠i} S_ij (ν_j − τ_j μ_j)/(1 − τ_i S_ii).
		batch.Inverse(n, lw.w, lw.inv, lw.s, lw.z, lw.x)
		batch.Others(n, lw.z, lw.ell, lw.root)
		batch.Others(n, lw.z, lw.g, lw.y)
		running := false
		for q := range V {
			if lw.status[q] != laneRuns {
				continue
			}
			c, change := lw.matchMoments(b, pr, q, damp)
			lw.value[q] = c + value[q]
			lw.sweeps[q]++
			if change < 0.7*least[q] {
				least[q], progress[q] = change, lw.sweeps[q]
			}
			switch {
			case change <= opts.SiteTol && !math.IsNaN(lw.value[q]):
				lw.status[q] = laneConverged
			case lw.sweeps[q] >= opts.MaxSweeps || float64(lw.sweeps[q]-progress[q]) > epPatience/damp || math.IsNaN(change):
				lw.status[q] = laneFailed
			default:
				running = true
				lw.stepEP(b, pr, q, damp == 1 || change < nearEP)
			}
		}
		if !running {
			return
		}
	}
}

// matchMoments writes the updated sites of lane q to the block's and returns
// their part of the value and the largest change; see posterior.propagate.
func (lw *laneWork) matchMoments(b *laneBlock, pr *lanePrior, q int, damp float64) (c, change float64) {
	product := 1.0
	for i := q; i < len(b.mask); i += batch.Lanes {
		if b.mask[i] == 0 {
			continue
		}
		tau, nu, s := lw.tau[i], lw.nu[i], lw.s[i]
		r := 1 / (pr.excess*s + lw.root[i])
		cm, v := lw.mu[i]+lw.y[i]*r, s*r
		t := quadrature.Moments(cm, v, int(b.sign[i]))
		w := 1 + tau*v
		c += t.LogZ + 0.5*(tau*cm*cm-2*nu*cm-nu*nu*v)/w
		if product *= w; product > 1e100 {
			c += 0.5 * math.Log(product)
			product = 1
		}
		newTau, newNu := t.Site(cm, v)
		change = math.Max(change, math.Abs(newTau-tau)*s)
		change = math.Max(change, math.Abs(newNu-nu)*math.Sqrt(s))
		b.a[i], b.b[i] = tau+damp*(newTau-tau), nu+damp*(newNu-nu)
	}
	return c + 0.5*math.Log(product), change
}

// startEP puts lane q's sites into the accelerator's coordinates.
func (lw *laneWork) startEP(b *laneBlock, pr *lanePrior, q int) {
	dim := 0
	for i := q; i < len(b.mask); i += batch.Lanes {
		if b.mask[i] != 0 {
			dim += 2
		}
	}
	l := &lw.lane[q]
	if l.acc == nil {
		l.acc = fixedpoint.NewAnderson(dim, andersonDepth)
	} else {
		l.acc.Reset(dim)
	}
	l.x, l.gx = grow(l.x, dim), grow(l.gx, dim)
	coordinatesEP(l.x, b, pr, q)
}

// coordinatesEP writes lane q's sites as posterior.siteCoordinates does.
func coordinatesEP(x []float64, b *laneBlock, pr *lanePrior, q int) {
	k := 0
	for i := q; i < len(b.mask); i += batch.Lanes {
		if b.mask[i] != 0 {
			v := pr.diag[i]
			x[k], x[k+1] = math.Log(b.a[i]*v+epFloor), b.b[i]*math.Sqrt(v)
			k += 2
		}
	}
}

// stepEP moves lane q's sites on from their images in the block; extrapolation is
// left out far from the fixed point when plain updates have failed before.
func (lw *laneWork) stepEP(b *laneBlock, pr *lanePrior, q int, accelerate bool) {
	l := &lw.lane[q]
	coordinatesEP(l.gx, b, pr, q)
	plain := true
	if accelerate {
		plain = l.acc.Next(l.x, l.gx) == fixedpoint.Plain
	} else {
		copy(l.x, l.gx)
		l.acc.Reset(len(l.x))
	}
	k := 0
	for i := q; i < len(b.mask); i += batch.Lanes {
		if b.mask[i] == 0 {
			continue
		}
		if plain {
			lw.tau[i], lw.nu[i] = b.a[i], b.b[i]
		} else {
			v := pr.diag[i]
			lw.tau[i] = math.Max(0, math.Exp(l.x[k])-epFloor) / v
			lw.nu[i] = l.x[k+1] / math.Sqrt(v)
		}
		k += 2
	}
}
