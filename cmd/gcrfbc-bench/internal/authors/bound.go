package authors

import (
	"math"

	"github.com/gcrfbc/gcrfbc/internal/special"
)

// field is what a pass over an instance computes anew.
type field struct {
	prec, sigma, sInv, s square
	mu, m, c             []float64 // c = y − ½ + Pμ, m = S c
	logSigma, logS       float64
}

func (it *instance) field(alpha, beta, xi []float64) field {
	var f field
	var b []float64
	f.prec, b = it.precision(alpha, beta)
	var logP, logSInv float64
	f.sigma, logP = f.prec.inverse()
	f.logSigma = -logP
	f.mu = f.sigma.times(b)
	f.sInv = f.prec.clone()
	for i, x := range xi {
		f.sInv.row(i)[i] += 2 * special.Lambda(x)
	}
	f.s, logSInv = f.sInv.inverse()
	f.logS = -logSInv
	f.c = f.prec.times(f.mu)
	for i, y := range it.labels {
		f.c[i] += y - .5
	}
	f.m = f.s.times(f.c)
	return f
}

// Bound returns the lower bound L of log p(y), summed over instances; xi holds
// one number a node.
func (p *Problem) Bound(alpha, beta, xi []float64) float64 {
	sum := 0.0
	for j := range p.instances {
		it := &p.instances[j]
		x := xi[p.start[j]:p.start[j+1]]
		f := it.field(alpha, beta, x)
		v := .5*f.logS - .5*f.logSigma + .5*dot(f.m, f.sInv.times(f.m)) - .5*dot(f.mu, f.prec.times(f.mu))
		for _, e := range x {
			v += special.LogLogistic(e) - e/2 + special.Lambda(e)*e*e
		}
		sum += v
	}
	return sum
}

// BoundGradient writes the gradient in α (K), β (L) and ξ (one a node).
func (p *Problem) BoundGradient(alpha, beta, xi, grad []float64) {
	clear(grad)
	shared := p.K + p.L
	for j := range p.instances {
		it := &p.instances[j]
		x := xi[p.start[j]:p.start[j+1]]
		f := it.field(alpha, beta, x)
		dP, dMu := it.derivatives(f.sigma, f.mu)
		for k := range dP {
			d := dP[k]
			cS := f.s.times(f.c) // S is symmetric: c'S
			t1 := f.s.times(d.times(cS))
			t2 := f.s.times(f.prec.times(dMu[k]))
			t3 := f.s.times(d.times(f.mu))
			for i := range t1 {
				t1[i] = t2[i] + t3[i] - t1[i]
			}
			grad[k] += -.5*f.s.traceProduct(d) + dot(t1, f.sInv.times(f.m)) + .5*dot(f.m, d.times(f.m)) -
				dot(dMu[k], f.prec.times(f.mu)) - .5*dot(f.mu, d.times(f.mu)) + .5*f.sigma.traceProduct(d)
		}
		gxi := grad[shared+p.start[j] : shared+p.start[j+1]]
		for i, e := range x {
			dl := special.LambdaPrime(e)
			cS := f.s.times(f.c)
			w := make([]float64, it.n) // c'S dΛ S
			for q, v := range f.s.row(i) {
				w[q] = cS[i] * dl * v
			}
			gxi[i] = -f.s.row(i)[i]*dl - 2*dot(w, f.sInv.times(f.m)) + f.m[i]*dl*f.m[i] +
				special.Logistic(-e) - .5 + dl*e*e + 2*special.Lambda(e)*e
		}
	}
}

// LogLikelihood returns that of GCRFBCnb.
func (p *Problem) LogLikelihood(alpha, beta []float64) float64 {
	sum := 0.0
	for j := range p.instances {
		it := &p.instances[j]
		prec, b := it.precision(alpha, beta)
		sigma, _ := prec.inverse()
		for i, mu := range sigma.times(b) {
			if it.labels[i] == 1 {
				sum += special.LogLogistic(mu)
			} else {
				sum += special.LogLogistic(-mu)
			}
		}
	}
	return sum
}

// LogLikelihoodGradient writes the gradient of LogLikelihood in α (K) and β (L).
func (p *Problem) LogLikelihoodGradient(alpha, beta, grad []float64) {
	clear(grad)
	for j := range p.instances {
		it := &p.instances[j]
		prec, b := it.precision(alpha, beta)
		sigma, _ := prec.inverse()
		mu := sigma.times(b)
		_, dMu := it.derivatives(sigma, mu)
		for k, d := range dMu {
			for i, v := range d {
				grad[k] += (it.labels[i] - special.Logistic(mu[i])) * v
			}
		}
	}
}

// finite reports whether an evaluation can be used.
func finite(v float64, grad []float64) bool {
	for _, g := range grad {
		v += math.Abs(g)
	}
	return !math.IsNaN(v) && !math.IsInf(v, 0)
}
