package learn

import (
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// scale maps between the user's parameters and the optimiser's variables
//
//	x = (log α_1 … log α_K, log s_1β_1 … log s_Lβ_L, [g, c, w_1 … w_K])
//
// with s_l the mean weight of graph l, so that variables of one size mean
// influences of one size. It is the only place that knows this layout.
//
// While fitting, the scores are taken as if each had mean 0 and variance 1: in
// the place of w_k stands w_k sd(R_k), in that of c the mean at the average
// scores, c + Σ w_k mean(R_k) + g mean(R). That takes most of the correlation
// between c, g and w away.
type scale struct {
	K, L       int
	calibrated bool
	weight     []float64 // s_l; 1 for a graph without positive weights
	empty      []bool    // graph l has no positive weight
	mean, sd   []float64 // of each score over all nodes
	centre     float64   // mean of the scores' means
}

func newScale(d *gcrfbc.Dataset, calibrated bool) *scale {
	L := d.NumGraphs()
	sc := &scale{K: d.K, L: L, calibrated: calibrated, weight: make([]float64, L), empty: make([]bool, L)}
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
	}
}

// plain makes gain, bias and direct weights the variables themselves.
func (sc *scale) plain() {
	sc.centre = 0
	for k := range sc.mean {
		sc.mean[k], sc.sd[k] = 0, 1
	}
}

// dim returns the number of variables.
func (sc *scale) dim() int {
	if sc.calibrated {
		return 2*sc.K + sc.L + 2
	}
	return sc.K + sc.L
}

// start returns the variables of an initial point.
func (sc *scale) start(s Start) []float64 {
	x := make([]float64, sc.dim())
	for k := range sc.K {
		x[k] = math.Log(s.Alpha)
	}
	for l := range sc.L {
		x[sc.K+l] = math.Log(s.Beta)
	}
	if sc.calibrated {
		x[sc.K+sc.L], x[sc.K+sc.L+1] = 1, sc.centre
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
		case i >= sc.K+sc.L:
			lo[i], hi[i] = math.Inf(-1), math.Inf(1)
			continue
		case i >= sc.K && sc.empty[i-sc.K]:
			continue // log 1 on both sides
		}
		shift := 0.0
		if i >= sc.K {
			shift = math.Log(sc.weight[i-sc.K])
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
	for k := range sc.K {
		p.Alpha[k] = math.Exp(x[k])
	}
	for l := range sc.L {
		p.Beta[l] = math.Exp(x[sc.K+l]) / sc.weight[l]
	}
	if sc.calibrated {
		p.Gain = x[sc.K+sc.L]
		p.Bias = x[sc.K+sc.L+1] - p.Gain*sc.centre
		for k := range p.Direct {
			p.Direct[k] = x[sc.K+sc.L+2+k] / sc.sd[k]
			p.Bias -= p.Direct[k] * sc.mean[k]
		}
	}
}

// variables is the inverse of params.
func (sc *scale) variables(p gcrfbc.Params) []float64 {
	x := make([]float64, sc.dim())
	for k, a := range p.Alpha {
		x[k] = math.Log(a)
	}
	for l, b := range p.Beta {
		x[sc.K+l] = math.Log(b * sc.weight[l])
	}
	if sc.calibrated {
		x[sc.K+sc.L], x[sc.K+sc.L+1] = p.Gain, p.Bias+p.Gain*sc.centre
		for k, w := range p.Direct {
			x[sc.K+sc.L+2+k] = w * sc.sd[k]
			x[sc.K+sc.L+1] += w * sc.mean[k]
		}
	}
	return x
}

// names returns what the variables are called.
func (sc *scale) names() []string {
	var names []string
	for k := range sc.K {
		names = append(names, fmt.Sprintf("alpha[%d]", k))
	}
	for l := range sc.L {
		names = append(names, fmt.Sprintf("beta[%d]", l))
	}
	if sc.calibrated {
		names = append(names, "gain", "bias")
		for k := range sc.K {
			names = append(names, fmt.Sprintf("direct[%d]", k))
		}
	}
	return names
}

// gradient turns the gradient with respect to the user's parameters into that
// with respect to x: ∂/∂log θ = θ ∂/∂θ.
func (sc *scale) gradient(dst, grad []float64, p *gcrfbc.Params) {
	for k, a := range p.Alpha {
		dst[k] = a * grad[k]
	}
	for l, b := range p.Beta {
		dst[sc.K+l] = b * grad[sc.K+l]
	}
	if !sc.calibrated {
		return
	}
	bias := grad[sc.K+sc.L+1]
	dst[sc.K+sc.L] = grad[sc.K+sc.L] - bias*sc.centre
	dst[sc.K+sc.L+1] = bias
	for k := range sc.K {
		dst[sc.K+sc.L+2+k] = (grad[sc.K+sc.L+2+k] - bias*sc.mean[k]) / sc.sd[k]
	}
}
