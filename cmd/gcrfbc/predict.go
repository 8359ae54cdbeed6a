package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/spf13/cobra"
)

type predictFlags struct {
	data     dataFlags
	common   commonFlags
	model    string
	observed string
	out      string
	interval float64
	json     bool
}

// predictJSON is what predict --json prints with --out.
type predictJSON struct {
	Out       string         `json:"out"`
	Instances int            `json:"instances"`
	Nodes     int            `json:"nodes"`
	Observed  int            `json:"observed"`
	Level     float64        `json:"level"` // of the intervals
	Variant   gcrfbc.Variant `json:"variant"`
	Notes     []string       `json:"notes"`
}

func predictCommand() *cobra.Command {
	var f predictFlags
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Give a probability for every node",
		Long: `predict writes, for every node, the probability of label 1 (p1), the latent field's
mean and variance, and a credible interval of that probability (lower, upper): as
CSV, or as .npz arrays if the name of --out ends so. The CSV also carries the label
(-1 if it is missing) and the column split of the node table, where there are any.

The interval is of the probability that each node would have if the field were
known; p1 is its mean. GCRFBCnb has no such uncertainty: lower and upper are p1.

--observed names rows whose labels the predictions may use (posterior); without it
they come from scores and graphs alone.

Without data flags it predicts the embedded counties, --observed split=train,
fitting a model in memory first if --model is not given.`,
		Example: `  gcrfbc predict --out counties.csv
  gcrfbc predict --model model.json --nodes nodes.csv.gz --graph graph.mtx.gz \
      --scores lr_3,nb_3 --label class=3 --observed split=train --out predictions.csv
  gcrfbc predict --model model.json --npz test.npz --out predictions.npz
  zcat nodes.csv.gz | gcrfbc predict --model model.json --nodes - --graph graph.mtx.gz --json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), cmd) },
	}
	addModelFlags(cmd, &f.model, &f.observed)
	f.data.add(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "file to write: .csv, .csv.gz or .npz (default CSV on standard output)")
	cmd.Flags().Float64Var(&f.interval, "interval", 0.95, "level of the credible intervals, between 0 and 1")
	cmd.Flags().BoolVar(&f.json, "json", false, "one JSON object a node on standard output; with --out one that says what was written")
	f.common.add(cmd)
	return cmd
}

func (f *predictFlags) run(ctx context.Context, cmd *cobra.Command) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := f.common.check(); err != nil {
		return err
	}
	if !(f.interval > 0 && f.interval < 1) {
		return usagef("--interval %v: want a level between 0 and 1, such as 0.95", f.interval)
	}
	asNPZ := strings.HasSuffix(f.out, ".npz")
	if f.out != "" && !asNPZ && !strings.HasSuffix(f.out, ".csv") && !strings.HasSuffix(f.out, ".csv.gz") {
		return usagef("--out %s: the name must end in .csv, .csv.gz or .npz, which says the format", f.out)
	}
	if err := checkOutput(f.out); err != nil {
		return err
	}
	m, d, err := modelAndData(ctx, f.model, &f.data, &f.common, f.observed != "", cmd.InOrStdin(), stderr)
	if err != nil {
		return err
	}
	if d.embedded && !cmd.Flags().Changed("observed") {
		f.observed = counties.Train
	}
	var observed [][]int8
	if f.observed != "" {
		if observed, _, err = d.where("observed", f.observed); err != nil {
			return err
		}
		if zeros, ones := count(observed); zeros+ones == 0 {
			return inputf("%s: --observed %s selects no labelled node; leave it out for prior predictions", d.name, f.observed)
		}
	}
	o := f.common.predictOptions()
	o.Observed, o.Level = observed, f.interval
	p, err := infer.Predict(ctx, m, d.set, o)
	if err != nil {
		return fmt.Errorf("predicting %s%s: %w", d.name, flagText(" with", f.model), err)
	}
	if !f.common.quiet {
		writeNotes(stderr, p.Notes)
	}
	write := func(w io.Writer) error { return dataio.WritePredictionsCSV(w, p, f.extra(m, d)...) }
	switch {
	case asNPZ:
		write = func(w io.Writer) error { return dataio.WritePredictionsNPZ(w, d.arrayShape(), p) }
	case f.json && f.out == "":
		write = func(w io.Writer) error { return dataio.WritePredictionsJSON(w, p, f.extra(m, d)...) }
	}
	if f.out == "" {
		if err := write(stdout); err != nil {
			return &outputError{fmt.Errorf("writing predictions: %w", err)}
		}
		return nil
	}
	if err := dataio.WriteFile(f.out, write); err != nil {
		return &outputError{fmt.Errorf("%s: the predictions could not be written: %w", f.out, err)}
	}
	if f.json {
		zeros, ones := count(observed)
		return writeJSON(stdout, predictJSON{Out: f.out, Instances: len(d.set.Instances), Nodes: d.set.NumNodes(), Observed: zeros + ones, Level: p.Level, Variant: m.Variant, Notes: append([]string{}, p.Notes...)})
	}
	if !f.common.quiet {
		fmt.Fprintf(stderr, "%d predictions written to %s\n", d.set.NumNodes(), f.out)
	}
	return nil
}

// extra returns the columns that are carried along: known labels, the column
// split, and the one that chose the observed labels.
func (f *predictFlags) extra(m *gcrfbc.Model, d *data) []dataio.ExtraColumn {
	labels := d.allLabels()
	if d.table != nil && d.label == "" && m.Label != "" {
		if l, err := d.table.Labels(m.Label); err == nil { // else the table has no labels yet
			labels = [][]int8{l}
		}
	}
	var out []dataio.ExtraColumn
	if zeros, ones := count(labels); zeros+ones > 0 {
		out = append(out, dataio.ExtraColumn{Name: "label", Value: func(j, i int) string { return strconv.Itoa(int(labels[j][i])) }})
	}
	if d.table == nil {
		return out
	}
	chosen, _, _ := strings.Cut(f.observed, "=")
	for _, name := range []string{"split", strings.TrimSpace(chosen)} {
		if column, err := d.table.Column(name); err == nil && name != "" && name != "label" && (len(out) == 0 || out[len(out)-1].Name != name) {
			out = append(out, dataio.ExtraColumn{Name: name, Value: func(_, i int) string { return column[i] }})
		}
	}
	return out
}

func writeNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintln(w, "note:", n)
	}
}
