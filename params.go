package gcrfbc

import (
	"fmt"
	"math"
)

// Params are the parameters of the field, on the user's scale: they multiply
// the scores and graph weights as given.
type Params struct {
	Alpha  []float64 `json:"alpha"`  // K, > 0: trust in each predictor
	Beta   []float64 `json:"beta"`   // L, > 0: strength of each graph
	Gain   float64   `json:"gain"`   // g: scales the smoothed scores (1 in the paper)
	Bias   float64   `json:"bias"`   // c: shifts every mean (0 in the paper)
	Direct []float64 `json:"direct"` // K, w: scores that enter the mean without smoothing (0 in the paper)
}

// NewParams returns the paper's parameters for the given α and β: gain 1,
// bias 0, no direct weights. The slices are kept, not copied.
func NewParams(alpha, beta []float64) Params {
	return Params{Alpha: alpha, Beta: beta, Gain: 1, Direct: make([]float64, len(alpha))}
}

// Clone returns a deep copy.
func (p Params) Clone() Params {
	q := p
	q.Alpha = append([]float64(nil), p.Alpha...)
	q.Beta = append([]float64(nil), p.Beta...)
	q.Direct = append([]float64(nil), p.Direct...)
	return q
}

// SumAlpha returns Σ_k α_k.
func (p Params) SumAlpha() float64 {
	s := 0.0
	for _, a := range p.Alpha {
		s += a
	}
	return s
}

// Validate reports the first parameter out of its range: α and β must be
// positive and finite, gain, bias and direct weights finite, and Direct must
// hold one weight per α.
func (p Params) Validate() error {
	if len(p.Alpha) == 0 {
		return &ParamError{Name: "alpha", Msg: "is empty; the model needs at least one predictor"}
	}
	if len(p.Direct) != len(p.Alpha) {
		return &ParamError{Name: "direct", Msg: fmt.Sprintf("has %d weights for %d predictors", len(p.Direct), len(p.Alpha))}
	}
	for k, a := range p.Alpha {
		if !(a > 0) || math.IsInf(a, 0) {
			return &ParamError{Name: fmt.Sprintf("alpha[%d]", k), Msg: fmt.Sprintf("is %v; it must be positive and finite", a)}
		}
	}
	for l, b := range p.Beta {
		if !(b > 0) || math.IsInf(b, 0) {
			return &ParamError{Name: fmt.Sprintf("beta[%d]", l), Msg: fmt.Sprintf("is %v; it must be positive and finite", b)}
		}
	}
	for k, w := range p.Direct {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return &ParamError{Name: fmt.Sprintf("direct[%d]", k), Msg: fmt.Sprintf("is %v; it must be finite", w)}
		}
	}
	if math.IsNaN(p.Gain) || math.IsInf(p.Gain, 0) {
		return &ParamError{Name: "gain", Msg: fmt.Sprintf("is %v; it must be finite", p.Gain)}
	}
	if math.IsNaN(p.Bias) || math.IsInf(p.Bias, 0) {
		return &ParamError{Name: "bias", Msg: fmt.Sprintf("is %v; it must be finite", p.Bias)}
	}
	return nil
}

// ParamError names a parameter out of its range.
type ParamError struct {
	Name string
	Msg  string
}

func (e *ParamError) Error() string { return "gcrfbc: parameter " + e.Name + " " + e.Msg }
