package quadrature

import "math"

// The trapezoid rule on a Gaussian with step h in units of its standard
// deviation has the error 2e^{−2π²/h²} = 6e-19 for an entire function. A pole
// at the distance π/s ≥ 2π contributes e^{−2π(π/s)/h + (π/s)²/2} ≤ 2e-17.
const (
	smallStep  = 0.68
	smallLeft  = 13 // nodes −13…15: the weights σ, σ² of the derivatives move
	smallRight = 15 // the centre by up to 2s ≤ 1 to the right
)

var smallWeights = func() (w [smallLeft + smallRight + 1]float64) {
	for k := range w {
		t := smallStep * float64(k-smallLeft)
		w[k] = smallStep / math.Sqrt(2*math.Pi) * math.Exp(-0.5*t*t)
	}
	return w
}()

// smallTail evaluates L for v < smallVariance as e^{μ+v/2} ∫σ(−z) N(z; μ+v, v) dz
// on fixed nodes.
func smallTail(mu, v float64) tail {
	s := math.Sqrt(v)
	// e^z at the nodes is a geometric sequence.
	centre := math.Exp(mu + v)
	up := math.Exp(smallStep * s)
	down := 1 / up
	var a0, a1, a2 float64
	e := centre
	for _, w := range smallWeights[smallLeft:] {
		r := 1 / (1 + e)
		u := e * r
		w *= r
		a0 += w
		w *= u
		a1 += w
		a2 += w * u
		e *= up
	}
	e = centre * down
	for k := smallLeft - 1; k >= 0; k-- {
		r := 1 / (1 + e)
		u := e * r
		w := smallWeights[k] * r
		a0 += w
		w *= u
		a1 += w
		a2 += w * u
		e *= down
	}
	// The tilted means of σ and σ²: with ς = 1−σ, d1 = E ς and
	// d2 = E ς(2ς−1) − (E ς)², which is the same expression in σ.
	b1, b2 := a1/a0, a2/a0
	d2 := 2*b2 - b1 - b1*b1
	d1 := 1 - b1
	return tail{
		exponent: mu + 0.5*v, factor: a0,
		d1: d1, d2: d2, curvature: 1 - 3*b1 + 2*b2,
		mean: mu + v*d1, variance: v * (1 + v*d2),
	}
}
