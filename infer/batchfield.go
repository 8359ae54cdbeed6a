package infer

import (
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/batch"
	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// update computes the prior of order n at params from the shared graphs' weights
// and a block's own. ok says which lanes came out finite; the others are set to 0.
func (pr *lanePrior) update(n int, params gcrfbc.Params, common, own [][]float64, lw *laneWork, withRes bool) {
	const V = batch.Lanes
	pr.resize(n)
	pr.excess = 2 * params.SumAlpha()
	clear(pr.weights)
	for l, w := range common {
		simd.Axpy(2*params.Beta[l], w, pr.weights)
	}
	for l, w := range own {
		simd.Axpy(2*params.Beta[len(common)+l], w, pr.weights)
	}
	copy(lw.w, pr.weights)
	for i := range n * V {
		lw.r[i] = pr.excess
	}
	batch.Factor(n, lw.w, lw.r, lw.d, pr.inv)
	batch.Invert(n, lw.w)
	batch.Inverse(n, lw.w, pr.inv, pr.diag, pr.z, lw.x)
	if withRes {
		batch.Resistances(n, lw.w, pr.inv, pr.res)
	}
	var sum [V]float64
	for i := 0; i < n*V; i += V {
		for q := range V {
			sum[q] += pr.diag[i+q]
		}
	}
	pr.sound = true
	for q, s := range sum {
		if pr.ok[q] = s > 0 && s <= math.MaxFloat64; pr.ok[q] {
			continue
		}
		pr.sound = false
		for _, v := range [][]float64{pr.diag, pr.res, pr.z, pr.inv} {
			for i := q; i < len(v); i += V {
				v[i] = 0
			}
		}
	}
}

// mean computes r̄, h, off and μ of a block. The smoothed score r̄ + h is formed
// from products of Σ ≥ 0 with differences of scores, so it is an average of
// them to rounding however close to singular P is.
func (lw *laneWork) mean(b *laneBlock, pr *lanePrior, params gcrfbc.Params) {
	k := b.n * batch.Lanes
	sum := 0.5 * pr.excess
	if len(params.Alpha) == 1 {
		copy(lw.rbar, b.scores)
	} else {
		clear(lw.rbar)
		for i, a := range params.Alpha {
			simd.Axpy(a/sum, b.scores[i*k:(i+1)*k], lw.rbar)
		}
	}
	batch.Spread(b.n, pr.excess, pr.z, lw.rbar, lw.h)
	for i := range lw.off {
		lw.off[i] = params.Bias
	}
	for i, w := range params.Direct {
		if w != 0 {
			simd.Axpy(w, b.scores[i*k:(i+1)*k], lw.off)
		}
	}
	gain := params.Gain
	mu, rbar, h, off := lw.mu, lw.rbar[:len(lw.mu)], lw.h[:len(lw.mu)], lw.off[:len(lw.mu)]
	for i := range mu {
		mu[i] = gain*(rbar[i]+h[i]) + off[i]
	}
}

// refresh factorizes A = P + diag(τ), with r its excesses, and computes e from
// the right-hand side in it, m and the diagonal of S; logs gets the value's part
// ½[ν'(μ+m) − μ'(τ∘m)] − ½ log Π fac_i d_A,i/d_P,i of each lane.
func (lw *laneWork) refresh(n int, pr *lanePrior, logs *[batch.Lanes]float64) {
	const V = batch.Lanes
	copy(lw.w, pr.weights)
	batch.Factor(n, lw.w, lw.r, lw.d, lw.inv)
	batch.Invert(n, lw.w)
	batch.Moments(n, lw.w, lw.inv, lw.e, lw.s)
	batch.Gauss(n, lw.mu, lw.e, lw.tau, lw.nu, lw.fac, lw.d, pr.inv, lw.m, lw.gauss[:], lw.prod)
	*logs = lw.gauss
	for c := 0; c*batch.Chunk < n; c++ {
		for q := range V {
			logs[q] -= math.Log(lw.prod[c*V+q])
		}
	}
	for q := range V {
		logs[q] *= 0.5
	}
}

// addGradient adds the gradient of a block's lanes to grad, and the shared
// graphs' part of it, edge by edge, to edges. See posterior.addGradient. Lanes
// that have failed have no part in it.
func (lw *laneWork) addGradient(grad []float64, edges []float64, b *laneBlock, pr *lanePrior, params gcrfbc.Params) {
	n, K := b.n, len(params.Alpha)
	k := n * batch.Lanes
	batch.Resistances(n, lw.w, lw.inv, lw.z)
	for q := range batch.Lanes {
		if lw.status[q] == laneFailed || !b.labelled[q] {
			lw.silence(q, pr)
		}
	}
	ga, gb, gg, gc, gw := gradientParts(grad, K, len(params.Beta))
	// y = 2 off − μ − m, x = ν − τ m = P e, h = Σ_ii − S_ii
	trace, total := 0.0, 0.0
	e, y, x := lw.e[:k], lw.y[:k], lw.x[:k]
	off, mu, m, nu, tau, s, diag := lw.off[:k], lw.mu[:k], lw.m[:k], lw.nu[:k], lw.tau[:k], lw.s[:k], pr.diag[:k]
	for i := range e {
		y[i] = 2*off[i] - mu[i] - m[i]
		x[i] = nu[i] - tau[i]*m[i]
		trace += e[i]*y[i] + (diag[i] - s[i])
		total += e[i]
	}
	for i := range ga {
		r := b.scores[i*k : (i+1)*k]
		ga[i] += trace + 2*params.Gain*simd.Dot(e, r)
		gw[i] += simd.Dot(x, r)
	}
	*gg += pr.excess * simd.Dot(e, lw.rbar)
	*gc += pr.excess * total
	common := len(gb) - len(b.own)
	if common > 0 {
		batch.Edges(n, e, y, pr.res, lw.z, edges)
	}
	if len(b.own) > 0 && n > 1 {
		clear(lw.q)
		batch.Edges(n, e, y, pr.res, lw.z, lw.q)
		for l, w := range b.own {
			gb[common+l] += simd.Dot(w, lw.q)
		}
	}
}

// silence gives lane q the prior, so that it adds nothing to a gradient.
func (lw *laneWork) silence(q int, pr *lanePrior) {
	const V = batch.Lanes
	for i := q; i < len(lw.e); i += V {
		lw.e[i], lw.nu[i], lw.tau[i] = 0, 0, 0
		lw.m[i], lw.mu[i], lw.off[i], lw.rbar[i] = 0, 0, 0, 0
		lw.s[i] = pr.diag[i]
	}
	for i := q; i < len(lw.z); i += V {
		lw.z[i] = pr.res[i]
	}
}
