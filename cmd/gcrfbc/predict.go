package main

import (
	"context"
	"fmt"
	"io"
	"strings"

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
}

func predictCommand() *cobra.Command {
	var f predictFlags
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Give a probability for every node",
		Long: `predict writes, for every node, the probability of label 1 and the latent field's
mean and variance: as CSV, or as .npz arrays if the name of --out ends so.

--observed names rows whose labels the predictions may use (posterior); without it
they come from scores and graphs alone.

Without data flags it predicts the embedded counties, --observed split=train,
fitting a model in memory first if --model is not given.`,
		Example: `  gcrfbc predict --out counties.csv
  gcrfbc predict --model model.json --nodes nodes.csv.gz --graph graph.mtx.gz \
      --scores lr_3,nb_3 --label class=3 --observed split=train --out predictions.csv
  gcrfbc predict --model model.json --npz test.npz --out predictions.npz`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), cmd) },
	}
	cmd.Flags().StringVar(&f.model, "model", "", "model file written by fit")
	f.data.add(cmd)
	cmd.Flags().StringVar(&f.observed, "observed", "", "rows whose labels predictions may use, as COLUMN=VALUE (default none)")
	cmd.Flags().StringVar(&f.out, "out", "", "file to write: .csv, .csv.gz or .npz (default CSV on standard output)")
	f.common.add(cmd)
	return cmd
}

func (f *predictFlags) run(ctx context.Context, cmd *cobra.Command) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := f.common.check(); err != nil {
		return err
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
	p, err := infer.Predict(ctx, m, d.set, infer.PredictOptions{Observed: observed, Threads: f.common.threads, MaxBytes: f.common.memory.bytes})
	if err != nil {
		return fmt.Errorf("predicting %s%s: %w", d.name, flagText(" with", f.model), err)
	}
	if !f.common.quiet {
		writeNotes(stderr, p.Notes)
	}
	write := func(w io.Writer) error { return dataio.WritePredictionsCSV(w, p) }
	if asNPZ {
		write = func(w io.Writer) error { return dataio.WritePredictionsNPZ(w, d.arrayShape(), p) }
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
	if !f.common.quiet {
		fmt.Fprintf(stderr, "%d predictions written to %s\n", d.set.NumNodes(), f.out)
	}
	return nil
}

func writeNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintln(w, "note:", n)
	}
}
