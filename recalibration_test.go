package gcrfbc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRecalibrationLogit(t *testing.T) {
	r := &Recalibration{Knots: []float64{-1, 0, 2}, Values: []float64{-3, -1, 0}, Low: 2, High: 0.25}
	for x, want := range map[float64]float64{-2: -5, -1: -3, -0.5: -2, 0: -1, 1: -0.5, 2: 0, 6: 1, math.Inf(1): math.Inf(1), math.Inf(-1): math.Inf(-1)} {
		if got := r.Logit(x); got != want {
			t.Errorf("Logit(%v) = %v, want %v", x, got, want)
		}
	}
	var none *Recalibration
	if none.Logit(1.5) != 1.5 || none.Validate() != nil {
		t.Error("nil changes something")
	}
}

func TestRecalibrationFile(t *testing.T) {
	m := &Model{
		Variant: Bayesian, Approx: EP, Mean: CalibratedMean, Params: NewParams([]float64{1}, []float64{2}),
		Recalibration: &Recalibration{Knots: []float64{-1.0 / 3, 1}, Values: []float64{-0.1, 0.3}, Low: 2, High: 0.1},
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, err := ReadModel(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, back); diff != "" {
		t.Error(diff)
	}
	for name, r := range map[string]Recalibration{
		"no knots":     {Low: 1, High: 1},
		"values":       {Knots: []float64{1}, Values: []float64{1, 2}, Low: 1, High: 1},
		"NaN":          {Knots: []float64{math.NaN()}, Values: []float64{1}, Low: 1, High: 1},
		"infinite":     {Knots: []float64{1}, Values: []float64{math.Inf(1)}, Low: 1, High: 1},
		"knots fall":   {Knots: []float64{1, 0}, Values: []float64{1, 2}, Low: 1, High: 1},
		"values fall":  {Knots: []float64{0, 1}, Values: []float64{1, 1}, Low: 1, High: 1},
		"flat end":     {Knots: []float64{0}, Values: []float64{1}, Low: 0, High: 1},
		"infinite end": {Knots: []float64{0}, Values: []float64{1}, Low: 1, High: math.Inf(1)},
	} {
		m.Recalibration = &r
		var e *ModelError
		if err := m.Validate(); !errors.As(err, &e) {
			t.Errorf("%s: error %v, want a *ModelError", name, err)
		}
	}
}

// Probabilities near 0 are still too large by a factor of e, and others right.
func ExampleRecalibration() {
	r := &Recalibration{Knots: []float64{-2, -1}, Values: []float64{-3, -1}, Low: 1, High: 1}
	for _, x := range []float64{-4, -2, 0} {
		fmt.Printf("%.3f becomes %.3f\n", 1/(1+math.Exp(-x)), 1/(1+math.Exp(-r.Logit(x))))
	}
	// Output:
	// 0.018 becomes 0.007
	// 0.119 becomes 0.047
	// 0.500 becomes 0.500
}
