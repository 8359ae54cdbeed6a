package learn

import (
	"fmt"
	"math"
)

// Normal is the prior of one kind of parameter: Gaussian with mean Mean and
// standard deviation SD, or, with Free > 0, flat within Free of the mean and
// falling like such a Gaussian from there. SD 0 is none.
type Normal struct{ Mean, SD, Free float64 }

// Prior holds the priors of a fit, the same for every component of a kind. The
// fit maximises objective + log prior; the objective is reported without it. A
// kind that is not learned has none.
//
// LogAlpha and LogBeta are on the internal scale, where every graph has mean
// weight one. Gain and Direct are for standardised scores: they hold for w_k
// sd(R_k), and for g times about the standard deviation of the smoothed scores,
// not g itself, which a field much smoother than the scores needs large.
type Prior struct {
	LogAlpha, LogBeta Normal
	Gain, Direct      Normal
}

// DefaultPrior is what a nil Options.Prior means: none on α and β; gain and
// direct weights are free up to ten logits for a standard deviation of the score
// and held softly beyond.
//
// Where β is small the smoothed scores are nearly the scores themselves, and a
// gain and direct weights of any size that cancel give nearly the same mean.
// Scores that separate the classes let them grow without end, too. An optimum
// within the free range is the one without a prior.
func DefaultPrior() *Prior {
	return &Prior{Gain: Normal{SD: 3, Free: 10}, Direct: Normal{SD: 3, Free: 10}}
}

func (p *Prior) validate() error {
	for _, v := range []struct {
		name string
		n    Normal
	}{{"LogAlpha", p.LogAlpha}, {"LogBeta", p.LogBeta}, {"Gain", p.Gain}, {"Direct", p.Direct}} {
		if !(v.n.SD >= 0) || math.IsInf(v.n.SD, 0) || v.n.SD > 0 && !(1/(v.n.SD*v.n.SD) < math.MaxFloat64) || math.IsNaN(v.n.Mean) || math.IsInf(v.n.Mean, 0) ||
			!(v.n.Free >= 0) || math.IsInf(v.n.Free, 0) {
			return &OptionError{Name: "Prior." + v.name, Msg: fmt.Sprintf("is %+v; want a finite mean and a positive standard deviation, or 0 for no prior", v.n)}
		}
	}
	return nil
}

// penalty is a prior in the optimiser's variables:
//
//	Σ ½ precision max(|x − centre| − free, 0)²
type penalty struct {
	centre, free, precision []float64
}

func newPenalty(p *Prior, sc *scale) *penalty {
	q := &penalty{centre: make([]float64, sc.n), free: make([]float64, sc.n), precision: make([]float64, sc.n)}
	// set gives variable i the prior n of x·unit.
	set := func(i int, n Normal, unit float64) {
		if n.SD > 0 {
			q.centre[i], q.free[i], q.precision[i] = n.Mean/unit, n.Free/unit, unit/n.SD*(unit/n.SD)
		}
	}
	for k := range sc.A {
		set(k, p.LogAlpha, 1)
	}
	for l := range sc.L {
		if !sc.empty[l] {
			set(sc.A+l, p.LogBeta, 1)
		}
	}
	if sc.gain >= 0 {
		set(sc.gain, p.Gain, sc.spread)
	}
	if sc.direct >= 0 {
		for k := range sc.K {
			set(sc.direct+k, p.Direct, sc.deviation[k]/sc.sd[k])
		}
	}
	return q
}

// scaleGain makes the prior of γ, variable i, one of g = γ/u.
func (q *penalty) scaleGain(i int, u float64) {
	if i >= 0 {
		q.centre[i] /= u
		q.free[i] /= u
		q.precision[i] *= u * u
	}
}

// excess returns how far, with its sign, x lies outside the free range.
func (q *penalty) excess(i int, x float64) float64 {
	r := x - q.centre[i]
	return math.Copysign(max(math.Abs(r)-q.free[i], 0), r)
}

// curvature returns the second derivative of variable i's penalty at x.
func (q *penalty) curvature(i int, x float64) float64 {
	if q.excess(i, x) == 0 && q.free[i] > 0 {
		return 0
	}
	return q.precision[i]
}

// value returns minus the log prior at x, 0 at its mode.
func (q *penalty) value(x []float64) float64 {
	s := 0.0
	for i := range q.centre {
		r := q.excess(i, x[i])
		s += 0.5 * q.precision[i] * r * r
	}
	return s
}

// subtractGradient takes the penalty's gradient at x off grad.
func (q *penalty) subtractGradient(grad, x []float64) {
	for i := range q.centre {
		grad[i] -= q.precision[i] * q.excess(i, x[i])
	}
}
