package infer

import (
	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/special"
)

// The gradient of the objective with respect to the user's parameters is one
// vector: α (K), β (L), gain, bias, direct weights (K).

// GradientLen returns the length of a gradient: 2K + L + 2.
func GradientLen(K, L int) int { return 2*K + L + 2 }

// gradientParts splits a gradient into its parts.
func gradientParts(g []float64, K, L int) (alpha, beta []float64, gain, bias *float64, direct []float64) {
	return g[:K], g[K : K+L], &g[K+L], &g[K+L+1], g[K+L+2:]
}

// gradientScratch is a worker's workspace for gradients.
type gradientScratch struct {
	quad, trace []float64 // 1+L: one for each term of the precision family
	x           []float64 // N
	delta       []float64 // Σ − S on the pattern
}

func (gs *gradientScratch) attach(st *structure) {
	gs.quad = grow(gs.quad, 1+st.prec.NumGraphs())
	gs.trace = grow(gs.trace, 1+st.prec.NumGraphs())
	gs.x = grow(gs.x, st.n())
	gs.delta = grow(gs.delta, st.prec.Pattern().NNZ())
}

// addGradient adds the gradient of log Z, the sites being at their fixed point
// (or ξ held), to g. With h = e (+ u for laplace) and P = Σ_k c_k A_k,
//
//	∂/∂c_k   = ½[e'A_k(2 off − μ − m) + tr(A_k(Σ − S))]  (+ u'A_k(off − m))
//	∂/∂α_k   = 2 ∂/∂c_0 + 2g h'R_k        ∂/∂β_l = 2 ∂/∂c_l
//	∂/∂g     = 2 h'Rα    ∂/∂c = 2Σα h'1   ∂/∂w_k = R_k'P h,  P e = ν − τ∘m
//
// The quadratic forms are sums of edge differences, and m'A m − μ'A μ enters as
// e'A(μ + m), so nothing cancels at large θ.
func (po *posterior) addGradient(g []float64, params gcrfbc.Params, gs *gradientScratch) {
	if len(po.labelled) == 0 {
		return
	}
	K, L := len(params.Alpha), len(params.Beta)
	ga, gb, gg, gc, gw := gradientParts(g, K, L)
	fam := po.pr.st.prec.Family()

	for q, v := range po.sinv {
		gs.delta[q] = po.pr.sigma[q] - v
	}
	fam.TraceTo(gs.trace, gs.delta)
	for i, o := range po.off {
		gs.x[i] = 2*o - po.mu[i] - po.m[i]
	}
	fam.QuadTo(gs.quad, po.e, gs.x)
	for k := range gs.quad {
		at := k * traceProbes
		gs.quad[k] = 0.5 * (gs.quad[k] + gs.trace[k] + missing(po.pr.missing[at:at+traceProbes], po.missing[at:at+traceProbes]))
	}
	h, ph := po.e, gs.x
	for i := range ph {
		ph[i] = 0
	}
	for _, i := range po.labelled {
		ph[i] = po.nu[i] - po.tau[i]*po.m[i]
	}
	if po.adjoint {
		pu := gs.delta[:len(po.u)] // the pattern holds the diagonal, so it is long enough
		for i, o := range po.off {
			po.c[i] = o - po.m[i]
		}
		fam.QuadTo(gs.trace, po.u, po.c)
		for k := range gs.quad {
			gs.quad[k] += gs.trace[k]
		}
		fam.MulVecTo(pu, po.u, po.pr.values)
		h = po.c
		for i := range h {
			h[i] = po.e[i] + po.u[i]
			ph[i] += pu[i]
		}
	}
	c0 := 2 * gs.quad[0]
	for k := range ga {
		ga[k] += c0
	}
	for l := range gb {
		gb[l] += 2 * gs.quad[1+l]
	}
	sum := 0.0
	for i, v := range h {
		sum += v
		row := po.scores[i*K : i*K+K]
		t := 2 * params.Gain * v
		s := 0.0
		for k, r := range row {
			ga[k] += t * r
			gw[k] += ph[i] * r
			s += params.Alpha[k] * r
		}
		*gg += 2 * v * s
	}
	*gc += 2 * params.SumAlpha() * sum
}

// pluginResidual is the start of GCRFBCnb's objective: its value at μ, and the
// residual r = y − σ(μ) on labelled nodes, 0 elsewhere.
func (po *posterior) pluginResidual(r []float64) float64 {
	clear(r)
	value := 0.0
	for _, i := range po.labelled {
		mu := po.mu[i]
		if po.labels[i] == 1 {
			value += special.LogLogistic(mu)
			r[i] = special.Logistic(-mu)
		} else {
			value += special.LogLogistic(-mu)
			r[i] = -special.Logistic(mu)
		}
	}
	return value
}

// addPluginGradient adds GCRFBCnb's gradient to g: with the adjoint v = Σ r and
// the smoothed part f = Σ 2Rα = r̄ + h of the mean,
//
//	∂/∂α_k = 2g v'(R_k − f),   ∂/∂β_l = −2g v'Lap_l f
//	∂/∂g = v'2Rα,   ∂/∂c = 1'r,   ∂/∂w_k = R_k'r
func (po *posterior) addPluginGradient(g []float64, params gcrfbc.Params, gs *gradientScratch, v, r []float64) {
	if len(po.labelled) == 0 {
		return
	}
	K, L := len(params.Alpha), len(params.Beta)
	ga, gb, gg, gc, gw := gradientParts(g, K, L)
	f := gs.x
	for i, r := range po.rbar {
		f[i] = r + po.h[i]
	}
	po.pr.st.prec.Family().QuadTo(gs.quad, v, f)
	for l := range gb {
		gb[l] -= 2 * params.Gain * gs.quad[1+l]
	}
	for i, vi := range v {
		row := po.scores[i*K : i*K+K]
		s := 0.0
		for k, x := range row {
			// R_k − f first: v has a large common mode at small α.
			ga[k] += 2 * params.Gain * vi * (x - po.rbar[i] - po.h[i])
			gw[k] += r[i] * x
			s += params.Alpha[k] * x
		}
		*gg += 2 * vi * s
		*gc += r[i]
	}
}
