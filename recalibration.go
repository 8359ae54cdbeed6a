package gcrfbc

import (
	"fmt"
	"math"
	"sort"
)

// Recalibration maps the logit of a predicted probability to that of a
// calibrated one: linear between the knots, with the slopes Low and High
// beyond them. It increases everywhere, so that it changes no order of nodes,
// and no area under the ROC curve. A nil *Recalibration changes nothing.
//
// It is learned from predictions of the training labels, each from all the others
// (learn.Options), and holds for predictions given observed labels. It is not
// part of the field: evidence and samples do not know of it.
type Recalibration struct {
	Knots  []float64 `json:"knots"`  // predicted logits, increasing, at least one
	Values []float64 `json:"values"` // calibrated logits at the knots, increasing
	Low    float64   `json:"low"`    // slope below the first knot, > 0
	High   float64   `json:"high"`   // slope above the last knot, > 0
}

// Logit returns the calibrated logit for a predicted one; infinities stay.
func (r *Recalibration) Logit(x float64) float64 {
	if r == nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	n := len(r.Knots)
	switch j := sort.SearchFloat64s(r.Knots, x); j {
	case 0:
		return r.Values[0] + r.Low*(x-r.Knots[0])
	case n:
		return r.Values[n-1] + r.High*(x-r.Knots[n-1])
	default:
		t := (x - r.Knots[j-1]) / (r.Knots[j] - r.Knots[j-1])
		return r.Values[j-1] + t*(r.Values[j]-r.Values[j-1])
	}
}

// Validate reports the first number that is out of its range, as a *ModelError.
func (r *Recalibration) Validate() error {
	if r == nil {
		return nil
	}
	if len(r.Knots) == 0 || len(r.Knots) != len(r.Values) {
		return &ModelError{Msg: fmt.Sprintf("recalibration has %d knots and %d values; want as many, and at least one", len(r.Knots), len(r.Values))}
	}
	for j := range r.Knots {
		for _, v := range []float64{r.Knots[j], r.Values[j]} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &ModelError{Msg: fmt.Sprintf("recalibration has %v at knot %d; want finite numbers", v, j)}
			}
		}
		if j > 0 && !(r.Knots[j] > r.Knots[j-1] && r.Values[j] > r.Values[j-1]) {
			return &ModelError{Msg: fmt.Sprintf("recalibration does not increase from knot %d to %d", j-1, j)}
		}
	}
	for _, s := range []float64{r.Low, r.High} {
		if !(s > 0) || math.IsInf(s, 0) {
			return &ModelError{Msg: fmt.Sprintf("recalibration has the slope %v at an end; want positive numbers", s)}
		}
	}
	return nil
}
