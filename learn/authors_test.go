package learn

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
)

const labelSets = "../testdata/labelsets"

// labelSet reads a part of one of the authors' data sets; with logits R is
// divided by scale, otherwise it is left as the authors multiplied it.
func labelSet(t *testing.T, set, part string, logits bool) *gcrfbc.Dataset {
	t.Helper()
	in, err := dataio.ReadInstances(filepath.Join(labelSets, set, part+".npz"), dataio.InstanceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !logits {
		for j := range in.Dataset.Instances {
			r := in.Dataset.Instances[j].Scores
			for i := range r {
				r[i] *= in.Scale[i%len(in.Scale)]
			}
		}
	}
	return in.Dataset
}

// TestAuthorsPredictions: at the authors' α and β both variants reproduce the
// predictions of the authors' program.
func TestAuthorsPredictions(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(labelSets, "authors_reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Set, Scores, Model  string
		Alpha, Beta         []float64
		TrainLoglik         float64   `json:"train_loglik"`
		TrainAUC            float64   `json:"train_auc"`
		TestLoglik          float64   `json:"test_loglik"`
		TestAUC             float64   `json:"test_auc"`
		FirstInstanceOfTest []float64 `json:"test_first_instance_probabilities"`
	}
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 20 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		t.Run(row.Set+"/"+row.Scores+"/"+row.Model, func(t *testing.T) {
			m := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean, Params: gcrfbc.NewParams(row.Alpha, row.Beta)}
			if row.Model == "bayesian" {
				m.Variant, m.Approx = gcrfbc.Bayesian, gcrfbc.JJ
			}
			for part, want := range map[string][2]float64{"train": {row.TrainLoglik, row.TrainAUC}, "test": {row.TestLoglik, row.TestAUC}} {
				d := labelSet(t, row.Set, part, row.Scores != "R")
				for _, rule := range []infer.Rule{infer.AccurateRule, infer.PaperRule} {
					p, err := infer.Predict(t.Context(), m, d, infer.PredictOptions{Rule: rule})
					if err != nil {
						t.Fatal(err)
					}
					var labels []int8
					var p1, p0 []float64
					for j := range p.Instances {
						labels = append(labels, d.Instances[j].Labels...)
						p1 = append(p1, p.Instances[j].P1...)
						p0 = append(p0, p.Instances[j].P0...)
					}
					loglik, err := score.LogLikelihood(labels, p1, p0)
					if err != nil {
						t.Fatal(err)
					}
					auc, err := score.AUC(labels, p1)
					if err != nil {
						t.Fatal(err)
					}
					if math.Abs(loglik-want[0]) > 1e-6 || math.Abs(auc-want[1]) > 1e-6 {
						t.Errorf("%s %q: log-likelihood %.9f, want %.9f; AUC %.9f, want %.9f", part, rule, loglik, want[0], auc, want[1])
					}
					if part == "test" {
						for i, w := range row.FirstInstanceOfTest {
							if math.Abs(p1[i]-w) > 1e-6 {
								t.Errorf("node %d: %.9f, want %.9f", i, p1[i], w)
							}
						}
					}
				}
			}
		})
	}
}

// TestLabelSets: on the authors' data the paper's model, with plain logits and
// the default starts, is fitted at least as well as the best known.
func TestLabelSets(t *testing.T) {
	for set, known := range map[string][2]float64{
		"emotions": {-268.33, -268.35}, "scene": {-529.46, -529.50}, "yeast": {-2623.52, -2624.37}, "yeast14": {-2981.88, -2982.73}, "ski": {-2698.78, -2700.09},
	} {
		d := labelSet(t, set, "train", true)
		for k, variant := range []gcrfbc.Variant{gcrfbc.NonBayesian, gcrfbc.Bayesian} {
			r, err := Fit(t.Context(), d, Options{Variant: variant, Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Status.Converged() || r.Objective < known[k]-0.02 {
				t.Errorf("%s %s: %v with objective %.4f, best known %.2f", set, variant, r.Status, r.Objective, known[k])
			}
			t.Logf("%s %s: %.4f (best known %.2f), %d evaluations, %v", set, variant, r.Objective, known[k], r.Evaluations, r.Elapsed)
		}
	}
}
