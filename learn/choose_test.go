package learn

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
)

// TestLabelSetsUnseen: on instances that were not learned from, the default fit
// with the mean chosen by evidence, and nb with the paper's mean, predict at
// least as well as they are known to.
func TestLabelSetsUnseen(t *testing.T) {
	for set, want := range map[string][2]float64{"emotions": {-160, -157.2}, "scene": {-266.5, -298}, "yeast": {-1500, -1478}, "ski": {-2021, -1989}} {
		train, test := labelSet(t, set, "train", true), labelSet(t, set, "test", true)
		for k, o := range []Options{{Mean: AutoMean}, {Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean}} {
			if set == "yeast" && k == 0 && os.Getenv("GCRFBC_DATA") == "" {
				continue // seconds
			}
			o.GradTol = 1e-5 // two digits of the log-likelihood, in little time
			r, err := Fit(t.Context(), train, o)
			if err != nil {
				t.Fatal(err)
			}
			p, err := infer.Predict(t.Context(), r.Model, test, infer.PredictOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var labels []int8
			var p1, p0 []float64
			for j := range p.Instances {
				labels = append(labels, test.Instances[j].Labels...)
				p1 = append(p1, p.Instances[j].P1...)
				p0 = append(p0, p.Instances[j].P0...)
			}
			loglik, err := score.LogLikelihood(labels, p1, p0)
			if err != nil {
				t.Fatal(err)
			}
			if !r.Status.Converged() || loglik < want[k] {
				t.Errorf("%s %s: %v, test log-likelihood %.2f, want %.2f", set, o.Variant, r.Status, loglik, want[k])
			}
			t.Logf("%s %s, mean %s: test log-likelihood %.2f, %d evaluations, %v", set, o.Variant, r.Model.Mean, loglik, r.Evaluations, r.Elapsed)
		}
	}
}

// TestAutoMean: the criterion decides, all forms are reported, and the chosen
// one is the fit that asking for it gives.
func TestAutoMean(t *testing.T) {
	ski := labelSet(t, "emotions", "train", true)
	for _, d := range []*gcrfbc.Dataset{ski, gridDataset(1, 15, 20)} {
		r, err := Fit(t.Context(), d, Options{Variant: gcrfbc.NonBayesian, Mean: AutoMean})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Choices) != len(autoMeans) {
			t.Fatalf("choices %+v", r.Choices)
		}
		mean, best := gcrfbc.Mean(""), math.Inf(-1)
		for k, learned := range []int{d.K + 2, d.K + 1, 0} {
			c := r.Choices[k]
			if c.Mean != autoMeans[k] || c.Learned != learned {
				t.Fatalf("choice %d is %+v", k, c)
			}
			if c.Criterion > best {
				mean, best = c.Mean, c.Criterion
			}
		}
		zeros, ones, _ := d.LabelCounts()
		want := r.Choices[0].Objective - 0.5*float64(d.K+2)*math.Log(float64(zeros+ones))
		if math.Abs(r.Choices[0].Criterion-want) > 1e-9 {
			t.Errorf("criterion %v, want %v", r.Choices[0].Criterion, want)
		}
		one, err := Fit(t.Context(), d, Options{Variant: gcrfbc.NonBayesian, Mean: mean})
		if err != nil {
			t.Fatal(err)
		}
		if r.Model.Mean != mean || r.Objective != one.Objective || r.Evaluations <= one.Evaluations || r.Model.Fit.Evaluations != r.Evaluations {
			t.Errorf("mean %q, objective %v; asked for %q, %v", r.Model.Mean, r.Objective, mean, one.Objective)
		}
		if said := strings.Contains(strings.Join(r.Notes, " "), "Schwarz"); said != (mean == gcrfbc.PaperMean) {
			t.Errorf("mean %q, notes %q", mean, r.Notes)
		}
	}
	few, err := Fit(t.Context(), ski, Options{Mean: AutoMean, MaxEvaluations: 5})
	if err != nil || few.Evaluations > 5 || few.Model.Validate() != nil || len(few.Choices) != 1 {
		t.Errorf("five evaluations: %v, %+v", err, few)
	}
	heavy, err := Fit(t.Context(), ski, Options{Mean: AutoMean, heavyWork: 1})
	if err != nil || heavy.Model.Mean != gcrfbc.CalibratedMean || !strings.Contains(strings.Join(heavy.Notes, " "), "heavy") {
		t.Errorf("heavy: %v, %+v", err, heavy)
	}
}

// TestAutoMeanLeaves: where the scores must be sharpened a lot the paper's mean is
// left early, and the chosen model is as if it had not been.
func TestAutoMeanLeaves(t *testing.T) {
	d := gridDataset(21, 24, 24)
	for i := range d.Instances[0].Scores {
		d.Instances[0].Scores[i] /= 50
	}
	for i, y := range d.Instances[0].Labels {
		if y != gcrfbc.Missing {
			d.Instances[0].Scores[i*d.K] = 0.02 * (2*float64(y) - 1 + math.Sin(float64(7*i)))
		}
	}
	r, err := Fit(t.Context(), d, Options{Mean: AutoMean, GradTol: 1e-5})
	if err != nil {
		t.Fatal(err)
	}
	last := r.Choices[len(r.Choices)-1]
	if !last.Left || r.Choices[0].Left || r.Model.Mean == gcrfbc.PaperMean {
		t.Fatalf("choices %+v", r.Choices)
	}
	paper, err := Fit(t.Context(), d, Options{Mean: gcrfbc.PaperMean, GradTol: 1e-5})
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := Fit(t.Context(), d, Options{Mean: r.Model.Mean, GradTol: 1e-5})
	if err != nil {
		t.Fatal(err)
	}
	if paper.Objective < last.Objective-1e-6 || paper.Objective > r.Objective-farBehind/2 || chosen.Objective != r.Objective {
		t.Errorf("paper %.2f, left at %.2f; chosen %.6f, alone %.6f", paper.Objective, last.Objective, r.Objective, chosen.Objective)
	}
	t.Logf("%d evaluations; %+v", r.Evaluations, r.Choices)
}
