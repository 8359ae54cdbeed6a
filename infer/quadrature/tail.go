package quadrature

import "math"

// tail holds L(μ) = ∫σ(z) N(z; μ, v) dz and its derivatives at a μ ≤ 0.
type tail struct {
	exponent, factor float64 // L = factor · e^exponent
	d1, d2           float64 // first and second derivative of log L
	curvature        float64 // L''/L = d2 + d1²
	mean, variance   float64 // of σ(z) N(z; μ, v)/L
}

// probability returns L, at most 1/2 in exact arithmetic.
func (t *tail) probability() float64 {
	return min(math.Exp(t.exponent)*t.factor, 0.5)
}

const (
	smallVariance = 0.25 // below: nodes on the Gaussian
	fineVariance  = 2    // below: the fine grid
	largeVariance = 100  // from here: the asymptotic series
	farLog        = -38  // e^farLog is below half a unit in the last place
)

// lowerTail evaluates L at mu ≤ 0 for finite mu and v ≥ 0.
//
// The method depends on the variance, because the step of a trapezoid rule has
// to be small against the width of the Gaussian as well as against the distance
// π of the poles of σ. Two identities keep relative accuracy in the tail:
// completing the square in e^z N(z; μ, v) gives
//
//	L(μ) = e^{μ+v/2} L(−μ−v) = e^{μ+v/2} (1 − L(μ+v)).
func lowerTail(mu, v float64) tail {
	switch {
	case mu+2.5*v < farLog:
		return farTail(mu, v)
	case v < smallVariance:
		return smallTail(mu, v)
	case v < fineVariance:
		return fineTail(mu, v)
	case mu >= -v:
		return baseTail(mu, v)
	}
	// At most 22 steps of v lead from mu into (−v, 0].
	n := math.Floor(-mu / v)
	t := baseTail(math.Min(mu+n*v, 0), v)
	for k := n - 1; k >= 0; k-- {
		t = shifted(&t, mu+k*v, v)
	}
	return t
}

// baseTail evaluates L for v ≥ fineVariance and −v ≤ mu ≤ 0.
func baseTail(mu, v float64) tail {
	if v < largeVariance {
		return coarseTail(mu, v)
	}
	if mu >= -v/2 {
		return largeTail(mu, v)
	}
	t := largeTail(-mu-v, v)
	t.d1 = 1 - t.d1
	t.curvature = t.d2 + t.d1*t.d1
	t.exponent = -0.5 * mu * (mu / v)
	t.mean = -t.mean
	return t
}

// shifted returns the tail at mu given the one at mu+v.
func shifted(next *tail, mu, v float64) tail {
	e := next.probability()
	rest := 1 - e
	a := e * next.d1 / rest
	d2 := -e*next.curvature/rest - a*a
	d1 := 1 - a
	return tail{
		exponent: mu + 0.5*v, factor: rest,
		d1: d1, d2: d2, curvature: d2 + d1*d1,
		mean: mu + v*d1, variance: v * (1 + v*d2),
	}
}

// farTail is shifted with L(μ+v) = e^{μ+3v/2}, exact to rounding where
// μ + 5v/2 < farLog.
func farTail(mu, v float64) tail {
	e := math.Exp(mu + 1.5*v)
	return tail{
		exponent: mu + 0.5*v, factor: 1,
		d1: 1 - e, d2: -e, curvature: 1,
		mean: mu + v, variance: v,
	}
}
