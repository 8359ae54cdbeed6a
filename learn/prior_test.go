package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// TestPriorGradient: with priors on everything, inside and outside their free
// ranges, the gradient is that of the value.
func TestPriorGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	prior := &Prior{
		LogAlpha: Normal{Mean: -1, SD: 0.5}, LogBeta: Normal{Mean: 2, SD: 0.3},
		Gain: Normal{SD: 0.2, Free: 0.5}, Direct: Normal{Mean: 0.1, SD: 0.1, Free: 0.2},
	}
	for _, d := range []*gcrfbc.Dataset{gridDataset(41, 4, 6), unequalDataset(42)} {
		for _, mean := range []gcrfbc.Mean{gcrfbc.PaperMean, gcrfbc.CalibratedMean, "direct", "gain=0,bias"} {
			for _, base := range []Options{{Variant: gcrfbc.NonBayesian}, {Approx: gcrfbc.EP}, {Joint: true}} {
				opts := base
				opts.Mean, opts.SiteTol, opts.Prior = mean, 1e-11, prior
				opts, err := opts.withDefaults()
				if err != nil {
					t.Fatal(err)
				}
				obj, err := newObjective(t.Context(), d, &opts)
				if err != nil {
					t.Fatal(err)
				}
				for range 3 {
					x := obj.start(Start{1, 1})
					for i := range x {
						x[i] = math.Abs(x[i] + 0.5*rng.NormFloat64())
					}
					c, err := optimize.CheckGradient(t.Context(), obj.problem(&opts), x)
					if err != nil {
						t.Fatal(err)
					}
					if c.MaxError > 5e-6 {
						t.Errorf("mean %q, %s: component %d is %.9g, by differences %.9g", mean, opts.Variant, c.Index, c.Grad[c.Index], c.Difference[c.Index])
					}
				}
			}
		}
	}
}

// TestPriorPulls: a narrow prior puts α and β where it says, the objective is
// reported without it, and the prior does nothing to an optimum in its free range.
func TestPriorPulls(t *testing.T) {
	d := gridDataset(1, 12, 12)
	tight := &Prior{LogAlpha: Normal{Mean: math.Log(0.3), SD: 1e-4}, LogBeta: Normal{Mean: math.Log(0.7), SD: 1e-4}}
	for _, o := range []Options{{Prior: tight}, {Prior: tight, Mean: gcrfbc.PaperMean}, {Prior: &Prior{Direct: Normal{SD: 0.01}}}} {
		r, err := Fit(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		if o.Prior == tight && (math.Abs(r.Model.Alpha[1]/0.3-1) > 1e-3 || math.Abs(r.Model.Beta[0]/0.7-1) > 1e-3) {
			t.Errorf("α %v, β %v", r.Model.Alpha, r.Model.Beta)
		}
		if o.Prior != tight && math.Abs(r.Model.Direct[0]) > 0.01 {
			t.Errorf("direct %v", r.Model.Direct)
		}
		ev, err := infer.NewEvaluator(t.Context(), d, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := ev.Evaluate(t.Context(), r.Model.Params, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(v-r.Objective) > 1e-7*math.Abs(v) || r.Penalised > r.Objective {
			t.Errorf("objective %v (with prior %v), at the model's parameters %v", r.Objective, r.Penalised, v)
		}
	}
	d = gridDataset(1, 15, 20)
	none, err := Fit(t.Context(), d, Options{Prior: &Prior{}})
	if err != nil {
		t.Fatal(err)
	}
	free, err := Fit(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(none.Objective-free.Objective) > 1e-9 || free.Penalised != free.Objective {
		t.Errorf("%v without prior, %v in its free range", none.Objective, free.Objective)
	}
	for name, p := range map[string]*Prior{"sd": {Gain: Normal{SD: -1}}, "mean": {LogAlpha: Normal{Mean: math.NaN(), SD: 1}}, "free": {Direct: Normal{SD: 1, Free: math.Inf(1)}}} {
		if _, err := Fit(t.Context(), d, Options{Prior: p}); !asError[*OptionError](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDefaultPriorHolds: where gain and direct weights would grow to sizes that
// mean nothing, the default prior keeps them, at the cost of less than a nat.
func TestDefaultPriorHolds(t *testing.T) {
	d := gridDataset(1, 12, 12)
	var r [2]*Result
	for k, p := range []*Prior{{}, nil} {
		var err error
		if r[k], err = Fit(t.Context(), d, Options{Prior: p}); err != nil {
			t.Fatal(err)
		}
	}
	none, held := r[0], r[1]
	if !held.Status.Converged() || math.Abs(held.Model.Gain) > 0.7*math.Abs(none.Model.Gain) || held.Objective < none.Objective-1 || held.Evaluations > none.Evaluations {
		t.Errorf("%v, objective %v, gain %v, direct %v, %d evaluations; without prior %v, gain %v, direct %v, %d", held.Status, held.Objective, held.Model.Gain, held.Model.Direct, held.Evaluations,
			none.Objective, none.Model.Gain, none.Model.Direct, none.Evaluations)
	}
	t.Logf("gain %v held, %v free; %d evaluations, %d", held.Model.Gain, none.Model.Gain, held.Evaluations, none.Evaluations)
}
