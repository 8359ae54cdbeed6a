package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/spf13/cobra"
)

type evaluateFlags struct {
	data     dataFlags
	common   commonFlags
	model    string
	observed string
	on       string
	json     bool
}

func evaluateCommand() *cobra.Command {
	var f evaluateFlags
	cmd := &cobra.Command{
		Use:   "evaluate",
		Short: "Measure a model's predictions on labels it has not seen",
		Long: `evaluate predicts and compares with known labels: area under the ROC curve,
accuracy, log loss, Brier score, expected calibration error, the log-likelihood,
which takes every node's probability for itself, and the evidence, the
log-probability of all the labels together, which counts how they hang together.

--observed names rows whose labels the predictions may use (posterior), --on the
rows that are scored. Without --on all labelled rows that are not observed are.
Instances in --npz files are scored on all labels by predictions that use none.

Without data flags it measures on the embedded counties, --observed split=train
--on split=test, fitting a model in memory first if --model is not given.`,
		Example: `  gcrfbc evaluate
  gcrfbc evaluate --model model.json --nodes nodes.csv.gz --graph graph.mtx.gz \
      --label class=3 --scores lr_3,nb_3 --observed split=train --on split=test
  gcrfbc evaluate --model model.json --npz test.npz --json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), cmd) },
	}
	addModelFlags(cmd, &f.model, &f.observed)
	f.data.add(cmd)
	addOn(cmd, &f.on)
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object instead of words")
	f.common.add(cmd)
	return cmd
}

// evaluateJSON is what evaluate --json prints; null stands for numbers that do
// not exist, such as the AUC of a single class.
type evaluateJSON struct {
	N        int       `json:"n"`
	AUC      jsonFloat `json:"auc"`
	Accuracy jsonFloat `json:"accuracy"`
	IoU      *float64  `json:"iou,omitempty"` // of pictures
	LogLoss  jsonFloat `json:"log_loss"`
	Brier    jsonFloat `json:"brier"`
	ECE      jsonFloat `json:"ece"`
	Chance   jsonFloat `json:"ece_chance"` // of calibrated predictions
	Classes  jsonFloat `json:"ece_classwise"`
	ByChance jsonFloat `json:"ece_classwise_chance"`
	Evidence jsonFloat `json:"evidence"`       // of all labels jointly
	LogLik   jsonFloat `json:"log_likelihood"` // sum of log p(label), node by node
	Seconds  float64   `json:"seconds"`

	Positives int            `json:"positives"`
	Observed  int            `json:"observed"`
	Variant   gcrfbc.Variant `json:"variant"`
}

func (f *evaluateFlags) run(ctx context.Context, cmd *cobra.Command) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := f.common.check(); err != nil {
		return err
	}
	m, d, err := modelAndData(ctx, f.model, &f.data, &f.common, true, cmd.InOrStdin(), stderr)
	if err != nil {
		return err
	}
	if d.embedded && !cmd.Flags().Changed("observed") {
		f.observed = counties.Train
	}
	if d.embedded && !cmd.Flags().Changed("on") {
		f.on = counties.Test
	}
	var observed [][]int8
	on := d.allLabels()
	if f.observed != "" {
		if observed, on, err = d.where("observed", f.observed); err != nil {
			return err
		}
	}
	if f.on != "" {
		if on, _, err = d.where("on", f.on); err != nil {
			return err
		}
	}
	zeros, ones := count(on)
	if zeros+ones == 0 {
		return inputf("%s: no labelled node to score%s%s", d.name, flagText(" --on", f.on), flagText(" --observed", f.observed))
	}
	if !f.common.quiet {
		if both := overlap(on, observed); both > 0 {
			fmt.Fprintf(stderr, "note: %d of the %d scored nodes are observed too; their predictions know their labels\n", both, zeros+ones)
		}
	}

	began := time.Now()
	o := f.common.predictOptions()
	o.Observed = observed
	p, err := infer.Predict(ctx, m, d.set, o)
	if err != nil {
		return fmt.Errorf("predicting %s%s: %w", d.name, flagText(" with", f.model), err)
	}
	if !f.common.quiet {
		writeNotes(stderr, p.Notes)
	}
	evidence, err := infer.Evidence(ctx, m, d.set.WithLabels(on), o)
	if err != nil {
		return fmt.Errorf("the evidence of %s%s: %w", d.name, flagText(" with", f.model), err)
	}
	s, err := scorePrediction(p, on)
	if err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	if f.json {
		knownZeros, knownOnes := count(observed)
		return writeJSON(stdout, measures(m, d, s, evidence, knownZeros+knownOnes, seconds))
	}
	return f.write(stdout, m, d, s, evidence, observed, seconds)
}

// measures is what --json prints of scores.
func measures(m *gcrfbc.Model, d *data, s score.Summary, evidence float64, observed int, seconds float64) *evaluateJSON {
	out := &evaluateJSON{
		N: s.N, AUC: jsonFloat(s.AUC), Accuracy: jsonFloat(s.Accuracy), LogLoss: jsonFloat(s.LogLoss), Brier: jsonFloat(s.Brier),
		ECE: jsonFloat(s.ECE), Chance: jsonFloat(s.ECEChance), Classes: jsonFloat(s.ClasswiseECE), ByChance: jsonFloat(s.ClasswiseECEChance),
		Evidence: jsonFloat(evidence), LogLik: jsonFloat(s.LogLikelihood), Seconds: seconds,
		Positives: s.Positives, Observed: observed, Variant: m.Variant,
	}
	if d.pictures() && !math.IsNaN(s.IoU) {
		out.IoU = &s.IoU
	}
	return out
}

func flagText(flag, value string) string {
	if value == "" {
		return ""
	}
	return flag + " " + value
}

// overlap counts nodes with a label in both.
func overlap(a, b [][]int8) (n int) {
	for j := range b {
		for i, y := range b[j] {
			if y != gcrfbc.Missing && a[j][i] != gcrfbc.Missing {
				n++
			}
		}
	}
	return n
}

// scorePrediction scores the probabilities of all instances together.
func scorePrediction(p *infer.Prediction, labels [][]int8) (score.Summary, error) {
	var y []int8
	var p1, p0 []float64
	for j, in := range p.Instances {
		for i, l := range labels[j] {
			if l != gcrfbc.Missing {
				y, p1, p0 = append(y, l), append(p1, in.P1[i]), append(p0, in.P0[i])
			}
		}
	}
	return score.Evaluate(y, p1, p0)
}
