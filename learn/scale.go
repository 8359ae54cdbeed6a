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
//	x = (log α_1 … log α_K, log s_1β_1 … log s_Lβ_L, [γ], [c], [w_1 … w_K])
//
// with s_l the mean weight of graph l, so that variables of one size mean
// influences of one size. The gain, c and w are there if they are learned. Where
// the gain is fixed at 0 only Σα matters, and one log α stands for all K. It is
// the only place that knows this layout.
//
// In the place of the gain g stands γ = g u, with u(α, β) about the standard
// deviation of the smoothed scores over that of the scores, from the scores'
// spectrum on the graphs at Σ_l β_l d_l / Σα, d_l the mean degree in graph l.
//
// A field that is much smoother than the scores on one graph has α → 0 and g → ∞
// with αg finite; γ stays finite there, and log α is the one variable that runs
// away.
//
// While fitting, the scores are taken as if each had mean 0 and variance 1: in
// the place of w_k stands w_k sd(R_k), in that of c the mean at the average
// scores, c + Σ w_k mean(R_k) + g Σ α_k mean(R_k) / Σα. That takes most of the
// correlation between c, g and w away.
type scale struct {
	K, L   int
	A      int // variables for α: K, or 1
	parts  gcrfbc.MeanParts
	weight []float64 // s_l; 1 for a graph without positive weights
	empty  []bool    // graph l has no positive weight
	degree []float64 // mean degree in graph l, its mean weight being 1

	gain, bias, direct int // where these variables begin; −1 if not learned
	n                  int // number of variables

	average, deviation []float64 // of each score over all nodes
	spread             float64   // its root mean square
	mean, sd           []float64 // by which scores are shifted and scaled; mean is 0 if the bias is not learned

	spectrum spectrum // of the scores on the graphs
	userGain bool     // the variable is g, not γ
}

func newScale(d *gcrfbc.Dataset, parts gcrfbc.MeanParts) *scale {
	L := d.NumGraphs()
	sc := &scale{K: d.K, L: L, A: d.K, parts: parts, weight: make([]float64, L), empty: make([]bool, L), degree: make([]float64, L)}
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
	sc.measureGraphs(d)
	sc.measureScores(d)
	sc.spectrum = sc.measureSpectrum(d)
	return sc
}

// lost is the share of a number below which what is added to it is lost.
const lost = 1e-16

// measureGraphs sets the mean weights and degrees of the graphs, and which are empty.
// So are those whose mean weight is no normal number: no β within bounds would make
// it felt. The published model takes weights as they are; there those count as none
// too that are lost beside another graph's in double precision.
func (sc *scale) measureGraphs(d *gcrfbc.Dataset) {
	count := make([]float64, sc.L)
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
	least := 1e-300
	for l := range sc.weight {
		sc.weight[l] /= count[l] // NaN without an edge
		if w := sc.weight[l]; sc.parts == paperParts && !math.IsInf(w, 0) && w > least/lost {
			least = lost * w
		}
	}
	for l, mean := range sc.weight {
		if sc.empty[l] = !(mean > least) || math.IsInf(mean, 0); sc.empty[l] {
			sc.weight[l] = 1
			continue
		}
		nodes := float64(d.NumNodes())
		if l < len(d.Graphs) {
			nodes = float64(d.Graphs[l].N())
		}
		sc.degree[l] = 2 * count[l] / nodes
	}
}

// paperParts is the paper's mean.
var paperParts = gcrfbc.MeanParts{FixedGain: 1}

// components numbers the connected components of graphs on n nodes together.
func components(n int, graphs []*sparse.Graph) []int32 {
	parent := make([]int32, n)
	for i := range parent {
		parent[i] = int32(i)
	}
	root := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, g := range graphs {
		p, w := g.Pattern(), g.Weights()
		for i := range n {
			for q := p.Ptr()[i]; q < p.Ptr()[i+1]; q++ {
				if w[q] > 0 {
					a, b := root(int32(i)), root(p.Idx()[q])
					parent[max(a, b)] = min(a, b)
				}
			}
		}
	}
	next := int32(0)
	label := make([]int32, n)
	for i := range label { // a root is the first of its component
		if r := root(int32(i)); r == int32(i) {
			label[i] = next
			next++
		} else {
			label[i] = label[r]
		}
	}
	return label
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
		sc.spread += sc.sd[k] * sc.sd[k] / float64(sc.K)
	}
	sc.spread = math.Sqrt(sc.spread)
	sc.deviation, sc.average = slices.Clone(sc.sd), slices.Clone(sc.mean)
	if sc.bias < 0 {
		clear(sc.mean)
	}
}

// plain makes gain, bias and direct weights the variables themselves.
func (sc *scale) plain() {
	clear(sc.mean)
	sc.userGain = true
	for k := range sc.sd {
		sc.sd[k] = 1
	}
}

// smoothing returns u and its derivatives with respect to log α_k, over α_k, and
// to log β_l, over β_l weight_l degree_l.
func (sc *scale) smoothing(p *gcrfbc.Params) (u, byAlpha, byBeta float64) {
	a := p.SumAlpha()
	b := 0.0
	for l, v := range p.Beta {
		b += v * sc.weight[l] * sc.degree[l]
	}
	b /= a
	u, slope := sc.spectrum.left(b)
	return u, -slope * b / a, slope / a
}

// gainUnit returns g over the variable that stands for it.
func (sc *scale) gainUnit(p *gcrfbc.Params) float64 {
	if sc.userGain {
		return 1
	}
	u, _, _ := sc.smoothing(p)
	return 1 / u
}

// centre returns the smoothed score at the average scores, Σ α_k mean_k / Σα.
func (sc *scale) centre(p *gcrfbc.Params) float64 {
	s, sum := 0.0, 0.0
	for k, a := range p.Alpha {
		s += a * sc.mean[k]
		sum += a
	}
	return s / sum
}

// dim returns the number of variables.
func (sc *scale) dim() int { return sc.n }

// start returns the variables of an initial point: α and β the same for every
// component, a gain of 1, and the scores' mean left where it is.
func (sc *scale) start(s Start) []float64 {
	p := gcrfbc.NewParams(make([]float64, sc.K), make([]float64, sc.L))
	for k := range p.Alpha {
		p.Alpha[k] = s.Alpha
	}
	for l := range p.Beta {
		p.Beta[l] = s.Beta / sc.weight[l]
	}
	if sc.gain < 0 {
		p.Gain = sc.parts.FixedGain
	}
	return sc.variables(p)
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
		p.Gain = x[sc.gain] * sc.gainUnit(p)
	}
	if sc.bias >= 0 {
		p.Bias = x[sc.bias] - p.Gain*sc.centre(p)
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
		x[sc.gain] = p.Gain / sc.gainUnit(&p)
	}
	if sc.bias >= 0 {
		x[sc.bias] = p.Bias + p.Gain*sc.centre(&p)
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

// The map from variables to parameters has, besides the diagonal of the logarithms,
//
//	∂g/∂γ = 1/u,  ∂g/∂log θ = −(g/u) ∂u/∂log θ
//	∂c/∂g = −r̄,   ∂c/∂log α_k = −g α_k (mean_k − r̄)/Σα,  r̄ the centre.

// direction turns a direction of the variables into one of the user's parameters
// p, laid out as gradients are; it is the transpose of gradient.
func (sc *scale) direction(dst, v []float64, p *gcrfbc.Params) {
	clear(dst)
	sum, centre := p.SumAlpha(), sc.centre(p)
	u, byAlpha, byBeta := sc.smoothing(p)
	moves := 0.0 // of g with α and β
	if sc.gain >= 0 && !sc.userGain {
		moves = -p.Gain / u
	}
	user := dst[sc.K+sc.L:] // gain, bias, direct
	for k, a := range p.Alpha {
		d := v[min(k, sc.A-1)]
		dst[k] = a * d
		user[0] += moves * byAlpha * a * d
		if sc.bias >= 0 {
			user[1] -= p.Gain * a * (sc.mean[k] - centre) / sum * d
		}
	}
	for l, b := range p.Beta {
		d := v[sc.A+l]
		dst[sc.K+l] = b * d
		user[0] += moves * byBeta * b * sc.weight[l] * sc.degree[l] * d
	}
	if sc.gain >= 0 {
		user[0] += v[sc.gain] * sc.gainUnit(p)
	}
	if sc.bias >= 0 {
		user[1] += v[sc.bias] - user[0]*centre
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
	sum, centre := p.SumAlpha(), sc.centre(p)
	u, byAlpha, byBeta := sc.smoothing(p)
	user := grad[sc.K+sc.L:] // gain, bias, direct
	bias := user[1]
	if sc.bias < 0 {
		bias = 0
	}
	gain := user[0] - bias*centre // with the mean at the average scores held
	moves := 0.0                  // through g, with α and β
	if sc.gain >= 0 && !sc.userGain {
		moves = -gain * p.Gain / u
	}
	for k, a := range p.Alpha {
		dst[min(k, sc.A-1)] += a * (grad[k] + moves*byAlpha - bias*p.Gain*(sc.mean[k]-centre)/sum)
	}
	for l, b := range p.Beta {
		dst[sc.A+l] = b * (grad[sc.K+l] + moves*byBeta*sc.weight[l]*sc.degree[l])
	}
	if sc.gain >= 0 {
		dst[sc.gain] = gain * sc.gainUnit(p)
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
