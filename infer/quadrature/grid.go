package quadrature

import (
	"math"

	"github.com/gcrfbc/gcrfbc/internal/special"
)

// A grid is the trapezoid rule on the nodes jδ, where σ is tabulated. The error
// of step δ is e^{−2π²/δ + π²/2v} from the nearest pole and e^{−2π²v/δ²} from
// the Gaussian; both are below 1e-16 in a grid's range of variances.
type grid struct {
	step float64
	// σ(jδ) at index gridReach+j; read backwards it is 1−σ.
	sigma [2*gridReach + 1]float64
}

const gridReach = 208

// Steps are dyadic, so that the nodes are exact.
var (
	fineGrid   = makeGrid(0.34375) // v in [1/4, 2), |z| ≤ 71
	coarseGrid = makeGrid(0.5)     // v in [2, 100), |z| ≤ 104
)

func makeGrid(step float64) (g grid) {
	g.step = step
	for k := range g.sigma {
		g.sigma[k] = special.Logistic(step * float64(k-gridReach))
	}
	return g
}

// gridDrop is the logarithm by which the integrand has fallen at the window's
// ends.
const gridDrop = 38

// window returns the nodes first…last that matter for ∫σ^k(z) N(z; mu, v) dz,
// k = 1, 2, 3, and one near the mode of the first, mu ≤ 0. With e^z for σ below
// 0 and 1 above, the mode is min(μ+kv, 0) and an end of the window solves a
// quadratic equation.
func (g *grid) window(mu, v float64) (first, start, last int) {
	centre := mu + v
	inside := math.Max(centre, 0)
	left := centre - math.Sqrt(inside*inside+2*gridDrop*v)
	right := mu + math.Sqrt(mu*mu+2*gridDrop*v)
	if far := mu + 3*v; far < 0 {
		right = far + math.Sqrt(2*gridDrop*v)
	}
	first = int(left/g.step) - 1
	last = int(right/g.step) + 1
	if first < -gridReach || last > gridReach {
		panic("quadrature: window outside the table")
	}
	return first, int(math.Min(centre, 0)/g.step - 0.5), last
}

// gaussian starts the recurrence w_{k+1} = w_k r_k, r_{k+1} = r_k q for
// N(z; mu, v) on the nodes from start outwards: r_0 is up to the right and down
// to the left; w_0 = 1 stands for e^exponent.
func (g *grid) gaussian(mu, v float64, start int) (exponent, up, down, q float64) {
	z := g.step * float64(start)
	q = math.Exp(-g.step * g.step / v)
	up = math.Exp(((mu-z)*g.step - 0.5*g.step*g.step) / v)
	return -0.5 * (z - mu) * (z - mu) / v, up, q / up, q
}

// fineTail evaluates L for v in [smallVariance, fineVariance) and
// farLog − 2.5v ≤ mu ≤ 0 by the tilted means of σ and σ²: with ς = 1−σ,
// d1 = E ς and d2 = E ς(2ς−1) − (E ς)², which is the same expression in σ and
// relatively accurate in the tail, where E σ is small.
func fineTail(mu, v float64) tail {
	g := &fineGrid
	first, start, last := g.window(mu, v)
	exponent, up, down, q := g.gaussian(mu, v, start)
	var a0, a1, a2 float64
	w, r := 1.0, up
	for _, u := range g.sigma[gridReach+start : gridReach+last+1] {
		x := w * u
		a0 += x
		x *= u
		a1 += x
		a2 += x * u
		w *= r
		r *= q
	}
	w, r = down, down*q
	for j := gridReach + start - 1; j >= gridReach+first; j-- {
		u := g.sigma[j]
		x := w * u
		a0 += x
		x *= u
		a1 += x
		a2 += x * u
		w *= r
		r *= q
	}
	b1, b2 := a1/a0, a2/a0
	d2 := 2*b2 - b1 - b1*b1
	d1 := 1 - b1
	return tail{
		exponent: exponent, factor: a0 * g.step / math.Sqrt(2*math.Pi*v),
		d1: d1, d2: d2, curvature: 1 - 3*b1 + 2*b2,
		mean: mu + v*d1, variance: v * (1 + v*d2),
	}
}

// coarseTail evaluates L for v in [fineVariance, largeVariance) and
// −v ≤ mu ≤ 0 by the tilted mean and variance. There the variance is well below
// v, so that d2 = (variance/v − 1)/v does not cancel, while the variance from
// d2 would carry its error v-fold.
func coarseTail(mu, v float64) tail {
	g := &coarseGrid
	first, start, last := g.window(mu, v)
	exponent, up, down, q := g.gaussian(mu, v, start)
	var a0, a1, a2 float64
	w, r, z := 1.0, up, float64(start)
	for _, u := range g.sigma[gridReach+start : gridReach+last+1] {
		x := w * u
		a0 += x
		x *= z
		a1 += x
		a2 += x * z
		w *= r
		r *= q
		z++
	}
	w, r, z = down, down*q, float64(start-1)
	for j := gridReach + start - 1; j >= gridReach+first; j-- {
		x := w * g.sigma[j]
		a0 += x
		x *= z
		a1 += x
		a2 += x * z
		w *= r
		r *= q
		z--
	}
	m := a1 / a0
	variance := (a2/a0 - m*m) * (g.step * g.step)
	mean := m * g.step
	d1 := (mean - mu) / v
	d2 := (variance/v - 1) / v
	return tail{
		exponent: exponent, factor: a0 * g.step / math.Sqrt(2*math.Pi*v),
		d1: d1, d2: d2, curvature: d2 + d1*d1,
		mean: mean, variance: variance,
	}
}
