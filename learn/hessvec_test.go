package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
)

// TestObjectiveHessVec compares the optimiser's products with differences of its
// gradients, for every form of the mean and with priors.
func TestObjectiveHessVec(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	d := gridDataset(71, 5, 6)
	for i := range d.Instances[0].Scores { // means and variances far from standard
		if i%2 == 1 {
			d.Instances[0].Scores[i] = 3 + 0.2*d.Instances[0].Scores[i]
		}
	}
	for _, mean := range forms {
		for _, prior := range []*Prior{{}, {LogAlpha: Normal{SD: 1}, LogBeta: Normal{Mean: 1, SD: 2}, Gain: Normal{SD: 0.1}, Direct: Normal{SD: 0.3, Free: 0.1}}} {
			opts, err := Options{Variant: gcrfbc.NonBayesian, Mean: mean, Prior: prior}.withDefaults()
			if err != nil {
				t.Fatal(err)
			}
			obj, err := newObjective(t.Context(), d, &opts)
			if err != nil {
				t.Fatal(err)
			}
			p := obj.problem(&opts)
			if p.HessVec == nil {
				t.Fatal("no products")
			}
			x, v := obj.start(Start{1, 1}), make([]float64, p.Dim)
			for i := range x {
				x[i] += 0.4 * rng.NormFloat64()
				v[i] = rng.NormFloat64()
			}
			at := func(h float64) []float64 {
				y, g := make([]float64, p.Dim), make([]float64, p.Dim)
				for i := range y {
					y[i] = x[i] + h*v[i]
				}
				if _, err := p.Eval(t.Context(), y, g); err != nil {
					t.Fatal(err)
				}
				return g
			}
			const h = 1e-5
			plus, minus := at(h), at(-h)
			hv := make([]float64, p.Dim) // the evaluator stands elsewhere
			if err := p.HessVec(t.Context(), x, v, hv); err != nil {
				t.Fatal(err)
			}
			for i, got := range hv {
				if want := (plus[i] - minus[i]) / (2 * h); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("mean %q, prior %v: %s is %.9g, by differences %.9g", mean, *prior, obj.sc.names()[i], got, want)
				}
			}
		}
	}
}

// TestNewtonWithProducts: truncated Newton with products finds what it finds by
// differences of gradients, with fewer evaluations.
func TestNewtonWithProducts(t *testing.T) {
	d := gridDataset(72, 10, 10)
	o := Options{Variant: gcrfbc.NonBayesian, Optimizer: TNC}
	with, err := Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	quasi, err := Fit(t.Context(), d, Options{Variant: gcrfbc.NonBayesian})
	if err != nil {
		t.Fatal(err)
	}
	if !with.Status.Converged() || math.Abs(with.Objective-quasi.Objective) > 1e-4 || with.Evaluations > quasi.Evaluations {
		t.Errorf("tnc %v (%v, %d evaluations), lbfgsb %v (%d)", with.Objective, with.Status, with.Evaluations, quasi.Objective, quasi.Evaluations)
	}
	t.Logf("tnc %v, %d evaluations, lbfgsb %v, %d", with.Objective, with.Evaluations, quasi.Objective, quasi.Evaluations)
}
