package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
	"github.com/spf13/cobra"
)

type fitFlags struct {
	data   dataFlags
	common commonFlags
	learn  learnFlags
	train  string
	out    string
	json   bool
}

func fitCommand() *cobra.Command {
	var f fitFlags
	cmd := &cobra.Command{
		Use:   "fit",
		Short: "Learn a model from scores, graphs and labels",
		Long: `fit learns how far to trust each predictor and how strongly neighbours agree, says
what it found, and writes the model as JSON.

Without data flags it fits the embedded counties of the United States: did the
Democratic share of the vote rise from 2016 to 2020 (label class_swing), given two
predictors that know nothing of the place (lr_swing, gb_swing) and the counties'
borders? It learns from the rows with split=train.

Interrupted by Ctrl-C, it keeps the best model so far; with --checkpoint FILE it can
be continued by the same command line with --resume added.`,
		Example: `  gcrfbc fit
  gcrfbc fit --out counties.json
  gcrfbc fit --nodes nodes.csv.gz --graph graph.mtx.gz --label class=3 \
      --scores lr_3,nb_3 --train split=train --out model.json
  gcrfbc fit --nodes nodes.csv --graph roads.csv --graph rivers.csv,normalized \
      --label flooded --scores rain,height --out model.json
  gcrfbc fit --npz train.npz --variant b --approx jj --mean paper --json
  gcrfbc fit --npz pictures.npz --contrast 10,30 --smooth 0,1 --out model.json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), cmd) },
	}
	f.data.add(cmd)
	cmd.Flags().StringVar(&f.train, "train", "", "rows whose labels are learned from, as COLUMN=VALUE (default all labelled rows)")
	cmd.Flags().StringVar(&f.out, "out", "", "model file to write (JSON)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object instead of words")
	f.learn.add(cmd)
	f.common.add(cmd)
	return cmd
}

func (f *fitFlags) run(ctx context.Context, cmd *cobra.Command) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := f.common.check(); err != nil {
		return err
	}
	options, err := f.learn.options(&f.common)
	if err != nil {
		return err
	}
	if err := checkOutput(f.out); err != nil {
		return err
	}
	if err := f.learn.keep(&options, f.common.quiet, stderr); err != nil {
		return err
	}
	d, err := f.data.load(needs{labels: true}, cmd.InOrStdin())
	if err != nil {
		return err
	}
	if d.embedded && !cmd.Flags().Changed("train") {
		f.train = counties.Train
	}
	train, rest, err := d.where("train", f.train)
	if err != nil {
		return err
	}
	res, err := fitting(ctx, d.set.WithLabels(train), options, &f.common, stderr)
	if err != nil {
		return f.explain(d, err)
	}
	res.Model.Label = d.label
	if f.out != "" {
		if err := saveModel(f.out, res.Model); err != nil {
			return err
		}
	}
	interrupted := res.Status == optimize.Canceled
	switch {
	case f.json:
		if err := writeFitJSON(stdout, res, d, f.out); err != nil {
			return err
		}
	case f.common.quiet:
	default:
		s := summary{w: stdout, d: d, res: res, train: train, held: rest, flags: f}
		err := s.write(ctx, !interrupted)
		if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return f.interrupted("after the fit, while measuring it; the model")
		}
		if err != nil {
			return err
		}
	}
	if f.json && !f.common.quiet {
		writeNotes(stderr, res.Notes)
	}
	if !interrupted {
		return nil
	}
	return f.interrupted(fmt.Sprintf("after %s; the best model so far", plural(res.Evaluations, "evaluation")))
}

// interrupted says when, and what became of the model.
func (f *fitFlags) interrupted(when string) error {
	again := ""
	if f.learn.checkpoint != "" {
		again = "; --resume continues the fit from " + f.learn.checkpoint
	}
	if f.out == "" {
		return &interruptedError{"interrupted " + when + " was not saved, since there is no --out" + again}
	}
	return &interruptedError{"interrupted " + when + " is kept in " + f.out + again}
}

// explain puts the names of the data before errors that do not know them.
func (f *fitFlags) explain(d *data, err error) error {
	var labels *gcrfbc.LabelError
	if errors.As(err, &labels) {
		where := d.name
		if d.table != nil {
			where += ", --label " + d.label
		}
		if f.train != "" {
			where += ", --train " + f.train
		}
		if labels.Zeros == 0 && labels.Ones > 0 && labels.Missing > 0 {
			return fmt.Errorf("%s: %w; -1 and empty mean missing here, so classes -1 and 1 must be written 0 and 1", where, err)
		}
		return fmt.Errorf("%s: %w", where, err)
	}
	if is[*gcrfbc.DataError](err) {
		return fmt.Errorf("%s: %w", d.name, err)
	}
	if is[*learn.StateError](err) {
		return fmt.Errorf("%s: %w", f.learn.checkpoint, err)
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("fitting %s: %w", d.name, err)
}

// fitJSON is what fit --json prints.
type fitJSON struct {
	Objective      jsonFloat   `json:"objective"`
	Penalised      jsonFloat   `json:"penalised"` // with the log prior
	Status         string      `json:"status"`
	Converged      bool        `json:"converged"`
	Evaluations    int         `json:"evaluations"`
	Factorizations int         `json:"factorizations"`
	Seconds        float64     `json:"seconds"`
	Alpha          []jsonFloat `json:"alpha"`
	Beta           []jsonFloat `json:"beta"`
	Gain           jsonFloat   `json:"gain"`
	Bias           jsonFloat   `json:"bias"`
	Direct         []jsonFloat `json:"direct"`
	AtBound        []string    `json:"at_bound"`

	Variant   gcrfbc.Variant     `json:"variant"`
	Approx    gcrfbc.Approx      `json:"approx,omitempty"`
	Mean      gcrfbc.Mean        `json:"mean"`
	Gradient  jsonFloat          `json:"projected_gradient"`
	Instances int                `json:"instances"`
	Nodes     int                `json:"nodes"`
	Labelled  int                `json:"labelled"`
	Scores    []string           `json:"scores,omitempty"`
	Graphs    []gcrfbc.GraphInfo `json:"graphs,omitempty"`
	Notes     []string           `json:"notes"`
	Out       string             `json:"out,omitempty"`
	Solver    *gcrfbc.FitSolver  `json:"solver,omitempty"` // of the largest graph that is not small and dense

	Uncertainty   *uncertaintyJSON      `json:"uncertainty,omitempty"`
	Recalibration *gcrfbc.Recalibration `json:"recalibration,omitempty"`
	Choices       []choiceJSON          `json:"choices,omitempty"`
}

// uncertaintyJSON holds standard errors and covariance, of log alpha and log
// beta; null where a bound holds a parameter or the data do not determine it.
type uncertaintyJSON struct {
	Names      []string      `json:"names"`
	SE         []jsonFloat   `json:"se"`
	Covariance [][]jsonFloat `json:"covariance"` // aligned with names
	Notes      []string      `json:"notes"`

	// Stochastic is the part of SE that an approximate factor's probes cause.
	Stochastic []jsonFloat `json:"stochastic,omitempty"`
}

// choiceJSON is a form of the mean that was tried.
type choiceJSON struct {
	Mean      gcrfbc.Mean `json:"mean"`
	Learned   int         `json:"learned"` // numbers
	Objective jsonFloat   `json:"objective"`
	Criterion jsonFloat   `json:"criterion"` // objective - learned/2 log(labels)
	Left      bool        `json:"left,omitempty"`
}

func newUncertaintyJSON(u *learn.Uncertainty) *uncertaintyJSON {
	if u == nil {
		return nil
	}
	v := &uncertaintyJSON{Names: u.Names, SE: jsonFloats(u.SE), Notes: append([]string{}, u.Notes...)}
	for range u.Names {
		row := make([]jsonFloat, len(u.Names))
		for j := range row {
			row[j] = jsonFloat(math.NaN())
		}
		v.Covariance = append(v.Covariance, row)
	}
	if u.Stochastic != nil {
		v.Stochastic = jsonFloats(u.Stochastic)
	}
	for a, i := range u.Free {
		for b, j := range u.Free {
			v.Covariance[i][j] = jsonFloat(u.Covariance[a*len(u.Free)+b])
		}
	}
	return v
}

func writeFitJSON(w io.Writer, res *learn.Result, d *data, out string) error {
	m := res.Model
	v := fitJSON{
		Objective: jsonFloat(res.Objective), Penalised: jsonFloat(res.Penalised), Status: res.Status.String(), Converged: res.Status.Converged(),
		Evaluations: res.Evaluations, Factorizations: res.Factorizations, Seconds: res.Elapsed.Seconds(),
		Alpha: jsonFloats(m.Alpha), Beta: jsonFloats(m.Beta), Gain: jsonFloat(m.Gain), Bias: jsonFloat(m.Bias), Direct: jsonFloats(m.Direct),
		AtBound: append([]string{}, res.AtBound...), Notes: append([]string{}, res.Notes...),
		Variant: m.Variant, Approx: m.Approx, Mean: m.Mean, Gradient: jsonFloat(res.ProjectedGradient),
		Instances: len(d.set.Instances), Nodes: d.set.NumNodes(), Labelled: m.Fit.Labelled,
		Scores: m.Scores, Graphs: m.Graphs, Out: out, Solver: m.Fit.Solver, Uncertainty: newUncertaintyJSON(res.Uncertainty), Recalibration: m.Recalibration,
	}
	for _, c := range res.Choices {
		v.Choices = append(v.Choices, choiceJSON{c.Mean, c.Learned, jsonFloat(c.Objective), jsonFloat(c.Criterion), c.Left})
	}
	return writeJSON(w, v)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return &outputError{err}
	}
	return nil
}

// jsonFloat is a number that is null where JSON has none: NaN and infinities.
type jsonFloat float64

// MarshalJSON writes the shortest digits that read back to the same bits.
func (f jsonFloat) MarshalJSON() ([]byte, error) {
	if v := float64(f); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

func jsonFloats(v []float64) []jsonFloat {
	out := make([]jsonFloat, len(v))
	for i, x := range v {
		out[i] = jsonFloat(x)
	}
	return out
}
