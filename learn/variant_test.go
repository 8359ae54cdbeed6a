package learn

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// blobs are pictures of side × side pixels, all labelled alike but for one in
// twenty, with scores that know most of it: b does best to believe in a common
// field of a picture, nb in the scores.
func blobs(pictures, side int) *gcrfbc.Dataset {
	rng := rand.New(rand.NewPCG(11, 12))
	d := &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{sparse.Grid2D(side, side)}}
	for range pictures {
		n := side * side
		in := gcrfbc.Instance{Scores: make([]float64, n), Labels: make([]int8, n)}
		wrong, kind := 0.5*rng.NormFloat64(), int8(rng.IntN(2))
		for i := range in.Scores {
			y := kind
			if rng.IntN(20) == 0 {
				y = 1 - y
			}
			in.Labels[i] = y
			in.Scores[i] = 2*float64(y) - 1 + wrong + 0.5*rng.NormFloat64()
		}
		d.Instances = append(d.Instances, in)
	}
	return d
}

func TestAutoVariant(t *testing.T) {
	d := blobs(30, 5)
	fit := func(d *gcrfbc.Dataset, o Options) *Result {
		t.Helper()
		r, err := Fit(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	auto := Options{Variant: AutoVariant, GradTol: 1e-5, Mean: gcrfbc.PaperMean}
	r := fit(d, auto)
	b := fit(d, Options{GradTol: 1e-5, Mean: gcrfbc.PaperMean})
	nb := fit(d, Options{Variant: gcrfbc.NonBayesian, GradTol: 1e-5, Mean: gcrfbc.PaperMean})
	alone, err := priorLogLikelihood(t.Context(), d, b.Model, Options{})
	if err != nil {
		t.Fatal(err)
	}
	labels := float64(d.NumNodes())
	t.Logf("b: evidence %.1f, alone %.1f; nb %.1f", b.Objective, alone, nb.Objective)
	want := gcrfbc.Bayesian
	if nb.Objective-alone > marginalLoss*labels {
		want = gcrfbc.NonBayesian
	}
	if want != gcrfbc.NonBayesian {
		t.Error("the data are not such that nb is clearly better")
	}
	if r.Model.Variant != want || !strings.Contains(strings.Join(r.Notes, " "), "variant is nb") || r.Evaluations != b.Evaluations+nb.Evaluations {
		t.Errorf("variant %s, %d evaluations; b took %d, nb %d; %q", r.Model.Variant, r.Evaluations, b.Evaluations, nb.Evaluations, r.Notes)
	}
	// Heavy: nb alone. One instance, a missing label or an approximation: b alone.
	heavy := auto
	heavy.heavyWork = 1
	if r := fit(d, heavy); r.Model.Variant != gcrfbc.NonBayesian || r.Evaluations > nb.Evaluations {
		t.Errorf("heavy: variant %s, %d evaluations, nb takes %d", r.Model.Variant, r.Evaluations, nb.Evaluations)
	}
	one := *d
	one.Instances = d.Instances[:1]
	if one.ValidateLabels() != nil {
		t.Fatal("one class")
	}
	gap := *d
	gap.Instances = append([]gcrfbc.Instance(nil), d.Instances...)
	gap.Instances[3].Labels = append([]int8(nil), d.Instances[3].Labels...)
	gap.Instances[3].Labels[2] = gcrfbc.Missing
	jj := auto
	jj.Approx = gcrfbc.JJ
	for name, r := range map[string]*Result{"one": fit(&one, auto), "gap": fit(&gap, auto), "jj": fit(d, jj)} {
		if r.Model.Variant != gcrfbc.Bayesian {
			t.Errorf("%s: variant %s", name, r.Model.Variant)
		}
	}
	few := auto
	few.MaxEvaluations = 4
	if r := fit(d, few); r.Evaluations > 4 || r.Model.Validate() != nil {
		t.Errorf("limit of 4: %d evaluations, %v", r.Evaluations, r.Model.Validate())
	}
	if _, err := Fit(t.Context(), &gcrfbc.Dataset{K: 1}, auto); err == nil {
		t.Error("no error without instances")
	}
	if math.IsNaN(alone) {
		t.Error("log-likelihood is NaN")
	}
}
