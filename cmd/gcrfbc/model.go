package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/learn"
)

// readModel reads a model file; its name stands in every error.
func readModel(path string) (*gcrfbc.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--model: %w", err)
	}
	defer func() { _ = f.Close() }()
	m, err := gcrfbc.ReadModel(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// saveModel writes a model; a file that stood there before is replaced as a
// whole or not at all.
func saveModel(path string, m *gcrfbc.Model) error {
	if err := dataio.WriteFile(path, m.Write); err != nil {
		return &outputError{fmt.Errorf("%s: the model could not be written: %w", path, err)}
	}
	return nil
}

// checkOutput fails early if a file cannot be written later.
func checkOutput(path string) error { return checkWritable("out", path) }

// checkWritable is checkOutput for another flag.
func checkWritable(flag, path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return usagef("--%s %s is a folder; give the name of a file", flag, path)
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil // a device or a pipe
	}
	folder := filepath.Dir(path)
	if _, err := os.Stat(folder); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return usagef("--%s %s: there is no folder %s", flag, path, folder)
		}
		return usagef("--%s %s: %v", flag, path, err)
	}
	f, err := os.CreateTemp(folder, ".gcrfbc-*")
	if err != nil {
		return &outputError{fmt.Errorf("--%s %s: the folder cannot be written to: %w", flag, path, err)}
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// modelAndData reads the model and the data to use it on. Without a model, on the
// embedded data, one is fitted first.
func modelAndData(ctx context.Context, path string, f *dataFlags, c *commonFlags, labels bool, stdin io.Reader, stderr io.Writer) (*gcrfbc.Model, *data, error) {
	if path == "" {
		if f.nodes != "" || f.npz != "" {
			return nil, nil, usagef("--model is needed with data of your own; write one with: gcrfbc fit%s --out model.json", f.args())
		}
		d, err := f.load(needs{labels: labels}, stdin)
		if err != nil {
			return nil, nil, err
		}
		train, _, err := d.where("train", counties.Train)
		if err != nil {
			return nil, nil, err
		}
		if !c.quiet {
			fmt.Fprintf(stderr, "no --model: fitting one in memory first, on the counties with %s\n", counties.Train)
		}
		o := learn.Options{Threads: c.threads, MaxBytes: c.memory.Bytes, Solver: infer.Solver(c.solver.value), Cmax: c.cmax}
		res, err := fitting(ctx, d.set.WithLabels(train), o, c, stderr)
		if err != nil {
			return nil, nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		res.Model.Label = d.label
		return res.Model, d, nil
	}
	m, err := readModel(path)
	if err != nil {
		return nil, nil, err
	}
	d, err := f.load(needs{labels: labels, model: m}, stdin)
	if err != nil {
		return nil, nil, err
	}
	if err := m.Matches(d.set); err != nil {
		return nil, nil, fmt.Errorf("%s and %s: %w", path, d.name, err)
	}
	if !c.quiet && len(m.Scores) > 0 && len(d.set.ScoreNames) > 0 && !slices.Equal(m.Scores, d.set.ScoreNames) {
		fmt.Fprintf(stderr, "note: the model was fitted with the scores %s, in this order; it is used with %s\n",
			strings.Join(m.Scores, ","), strings.Join(d.set.ScoreNames, ","))
	}
	return m, d, nil
}

// fitting runs learn.Fit and shows its progress.
func fitting(ctx context.Context, d *gcrfbc.Dataset, o learn.Options, c *commonFlags, stderr io.Writer) (*learn.Result, error) {
	done := func() {}
	if !c.quiet {
		o.Progress, done = showProgress(stderr)
	}
	if show := o.Progress; afterIteration != nil {
		o.Progress = func(p learn.Progress) {
			if show != nil {
				show(p)
			}
			afterIteration()
		}
	}
	res, err := learn.Fit(ctx, d, o)
	done()
	if err != nil {
		return nil, err
	}
	if math.IsInf(res.Objective, 0) || math.IsNaN(res.Objective) { // no evaluation was completed
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("the fit ended (%v) before the first value of the objective was known; allow more time or evaluations", res.Status)
	}
	return res, nil
}

// afterIteration, if not nil, is called after every iteration of a fit: tests
// interrupt it there.
var afterIteration func()
