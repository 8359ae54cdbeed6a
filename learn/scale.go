package learn

import (
	"fmt"
	"math"
	"slices"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// scale maps between the user's parameters and the optimiser's variables
//
//	x = (log α_1 … log α_K, log s_1β_1 … log s_Lβ_L, [g], [c], [w_1 … w_K])
//
// with s_l the mean weight of graph l, so that variables of one size mean
// influences of one size. g, c and w are there if they are learned. Where the
// gain is fixed at 0 only Σα matters, and one log α stands for all K. It is the
// only place that knows this layout.
//
// While fitting, the scores are taken as if each had mean 0 and variance 1: in
// the place of w_k stands w_k sd(R_k), in that of c the mean at the average
// scores, c + Σ w_k mean(R_k) + g mean(R). That takes most of the correlation
// between c, g and w away.
type scale struct {
	K, L   int
	A      int // variables for α: K, or 1
	parts  gcrfbc.MeanParts
	weight []float64 // s_l; 1 for a graph without positive weights
	empty  []bool    // graph l has no positive weight

	gain, bias, direct int // where these variables begin; −1 if not learned
	n                  int // number of variables

	deviation []float64 // of each score over all nodes
	spread    float64   // its root mean square
	mean, sd  []float64 // by which scores are shifted and scaled; mean is 0 if the bias is not learned
	centre    float64   // mean of mean
}

func newScale(d *gcrfbc.Dataset, parts gcrfbc.MeanParts) *scale {
	L := d.NumGraphs()
	sc := &scale{K: d.K, L: L, A: d.K, parts: parts, weight: make([]float64, L), empty: make([]bool, L)}
	if !parts.Gain && parts.FixedGain == 0 {
		sc.A = 1
	}
	sc.n = sc.A + L
	place := func(learned bool, size int) int {
		if !learned {
			return -1
		}
		sc.n += size
		return sc.n - size
	}
	sc.gain, sc.bias, sc.direct = place(parts.Gain, 1), place(parts.Bias, 1), place(parts.Direct, d.K)
	count := make([]float64, L)
	add := func(l int, g *sparse.Graph) {
		for _, w := range g.Weights() {
			if w > 0 {
				sc.weight[l] += w
				count[l]++
			}
		}
	}
	for l, g := range d.Graphs {
		add(l, g)
	}
	for j := range d.Instances {
		for l, g := range d.Instances[j].Graphs {
			add(len(d.Graphs)+l, g)
		}
	}
	for l := range sc.weight {
		mean := sc.weight[l] / count[l]
		sc.empty[l] = count[l] == 0
		// Weights so small that their mean is no normal number count as none:
		// no β within bounds would make them felt.
		if sc.empty[l] || !(mean > 1e-300) || math.IsInf(mean, 0) {
			sc.empty[l] = true
			mean = 1
		}
		sc.weight[l] = mean
	}
	sc.measureScores(d)
	return sc
}

// measureScores sets the means and standard deviations of the scores.
func (sc *scale) measureScores(d *gcrfbc.Dataset) {
	sc.mean, sc.sd = make([]float64, sc.K), make([]float64, sc.K)
	n := float64(d.NumNodes())
	each := func(f func(k int, r float64)) {
		for j := range d.Instances {
			for i, r := range d.Instances[j].Scores {
				f(i%sc.K, r)
			}
		}
	}
	each(func(k int, r float64) { sc.mean[k] += r / n })
	each(func(k int, r float64) { sc.sd[k] += (r - sc.mean[k]) * (r - sc.mean[k]) / n })
	for k := range sc.sd {
		sc.sd[k] = math.Sqrt(sc.sd[k])
		if !(sc.sd[k] > 1e-12*math.Abs(sc.mean[k])) || math.IsInf(sc.sd[k], 0) { // a constant score
			sc.mean[k], sc.sd[k] = 0, 1
		}
		sc.centre += sc.mean[k] / float64(sc.K)
		sc.spread += sc.sd[k] * sc.sd[k] / float64(sc.K)
	}
	sc.spread = math.Sqrt(sc.spread)
	sc.deviation = slices.Clone(sc.sd)
	if sc.bias < 0 {
		sc.centreAtZero()
	}
}

func (sc *scale) centreAtZero() {
	sc.centre = 0
	clear(sc.mean)
}

// plain makes gain, bias and direct weights the variables themselves.
func (sc *scale) plain() {
	sc.centreAtZero()
	for k := range sc.sd {
		sc.sd[k] = 1
	}
}

// dim returns the number of variables.
func (sc *scale) dim() int { return sc.n }

// start returns the variables of an initial point.
func (sc *scale) start(s Start) []float64 {
	x := make([]float64, sc.n)
	for k := range sc.A {
		x[k] = math.Log(s.Alpha)
	}
	for l := range sc.L {
		x[sc.A+l] = math.Log(s.Beta)
	}
	g := sc.parts.FixedGain
	if sc.gain >= 0 {
		g = 1
		x[sc.gain] = g
	}
	if sc.bias >= 0 {
		x[sc.bias] = g * sc.centre
	}
	return x
}

// bounds returns the box. lower and upper are on the user's scale, 0 for the
// default on the internal one. The weight of an empty graph is fixed.
func (sc *scale) bounds(lower, upper float64) (lo, hi []float64) {
	n := sc.dim()
	lo, hi = make([]float64, n), make([]float64, n)
	for i := range lo {
		switch {
		case i >= sc.A+sc.L:
			lo[i], hi[i] = math.Inf(-1), math.Inf(1)
			continue
		case i >= sc.A && sc.empty[i-sc.A]:
			continue // log 1 on both sides
		}
		shift := 0.0
		if i >= sc.A {
			shift = math.Log(sc.weight[i-sc.A])
		}
		lo[i], hi[i] = math.Log(defaultLower), math.Log(defaultUpper)
		if lower > 0 {
			lo[i] = math.Log(lower) + shift
		}
		if upper > 0 {
			hi[i] = math.Log(upper) + shift
		}
	}
	return lo, hi
}

const (
	defaultLower = 1e-6
	defaultUpper = 1e6
)

// params writes the user's parameters of x into p.
func (sc *scale) params(p *gcrfbc.Params, x []float64) {
	for k := range p.Alpha {
		p.Alpha[k] = math.Exp(x[min(k, sc.A-1)])
	}
	for l := range sc.L {
		p.Beta[l] = math.Exp(x[sc.A+l]) / sc.weight[l]
	}
	p.Gain, p.Bias = sc.parts.FixedGain, 0
	if sc.gain >= 0 {
		p.Gain = x[sc.gain]
	}
	if sc.bias >= 0 {
		p.Bias = x[sc.bias] - p.Gain*sc.centre
	}
	if sc.direct >= 0 {
		for k := range p.Direct {
			p.Direct[k] = x[sc.direct+k] / sc.sd[k]
			p.Bias -= p.Direct[k] * sc.mean[k]
		}
	}
}

// variables is the inverse of params.
func (sc *scale) variables(p gcrfbc.Params) []float64 {
	x := make([]float64, sc.n)
	for k := range sc.A {
		x[k] = math.Log(p.Alpha[k])
	}
	if sc.A < sc.K {
		x[0] = math.Log(p.SumAlpha() / float64(sc.K))
	}
	for l, b := range p.Beta {
		x[sc.A+l] = math.Log(b * sc.weight[l])
	}
	if sc.gain >= 0 {
		x[sc.gain] = p.Gain
	}
	if sc.bias >= 0 {
		x[sc.bias] = p.Bias + p.Gain*sc.centre
	}
	if sc.direct >= 0 {
		for k, w := range p.Direct {
			x[sc.direct+k] = w * sc.sd[k]
			if sc.bias >= 0 {
				x[sc.bias] += w * sc.mean[k]
			}
		}
	}
	return x
}

// unit returns the size of plain variable i that counts as 1: for gain and
// direct weights what changes the mean by one over the scores' spread.
func (sc *scale) unit(i int) float64 {
	switch {
	case i == sc.gain:
		return 1 / sc.spread
	case sc.direct >= 0 && i >= sc.direct:
		return 1 / sc.deviation[i-sc.direct]
	}
	return 1
}

// names returns what the variables are called.
func (sc *scale) names() []string {
	names := make([]string, 0, sc.n)
	for k := range sc.A {
		names = append(names, fmt.Sprintf("alpha[%d]", k))
	}
	if sc.A < sc.K {
		names[0] = "sum(alpha)"
	}
	for l := range sc.L {
		names = append(names, fmt.Sprintf("beta[%d]", l))
	}
	if sc.gain >= 0 {
		names = append(names, "gain")
	}
	if sc.bias >= 0 {
		names = append(names, "bias")
	}
	if sc.direct >= 0 {
		for k := range sc.K {
			names = append(names, fmt.Sprintf("direct[%d]", k))
		}
	}
	return names
}

// direction turns a direction of the variables into one of the user's parameters
// p, laid out as gradients are; it is the transpose of gradient.
func (sc *scale) direction(dst, v []float64, p *gcrfbc.Params) {
	clear(dst)
	for k, a := range p.Alpha {
		dst[k] = a * v[min(k, sc.A-1)]
	}
	for l, b := range p.Beta {
		dst[sc.K+l] = b * v[sc.A+l]
	}
	user := dst[sc.K+sc.L:] // gain, bias, direct
	if sc.gain >= 0 {
		user[0] = v[sc.gain]
		user[1] -= v[sc.gain] * sc.centre
	}
	if sc.bias >= 0 {
		user[1] += v[sc.bias]
	}
	if sc.direct >= 0 {
		for k := range sc.K {
			user[2+k] = v[sc.direct+k] / sc.sd[k]
			user[1] -= user[2+k] * sc.mean[k]
		}
	}
}

// gradient turns the gradient with respect to the user's parameters into that
// with respect to x: ∂/∂log θ = θ ∂/∂θ.
func (sc *scale) gradient(dst, grad []float64, p *gcrfbc.Params) {
	clear(dst[:sc.A])
	for k, a := range p.Alpha {
		dst[min(k, sc.A-1)] += a * grad[k]
	}
	for l, b := range p.Beta {
		dst[sc.A+l] = b * grad[sc.K+l]
	}
	user := grad[sc.K+sc.L:] // gain, bias, direct
	bias := user[1]
	if sc.gain >= 0 {
		dst[sc.gain] = user[0] - bias*sc.centre
	}
	if sc.bias >= 0 {
		dst[sc.bias] = bias
	}
	if sc.direct >= 0 {
		for k := range sc.K {
			dst[sc.direct+k] = (user[2+k] - bias*sc.mean[k]) / sc.sd[k]
		}
	}
}
