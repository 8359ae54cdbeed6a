package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/report"
	"github.com/spf13/cobra"
)

const (
	defaultMatrices = "rgg:200000:8,grid2d:300,ba:20000:2,grid3d:40"
	quickMatrices   = "grid2d:100,rgg:20000:8,ba:3000:2,grid3d:16"
)

type solverOptions struct {
	matrices, order, threads string
	refactorizations         int
	quick, quiet, forward    bool
	time                     time.Duration
	outputs                  record.Outputs
}

func solverCommand(stdout, stderr io.Writer) *cobra.Command {
	var o solverOptions
	cmd := &cobra.Command{
		Use:   "solver",
		Short: "Time the sparse Cholesky solver phase by phase",
		Long: `solver orders, analyses, factorizes, solves with and selectively inverts sparse
symmetric positive definite matrices, and prints medians of repeated runs.

A matrix is given by a specification:

  grid2d:N     N×N grid                      grid3d:N   N×N×N grid
  rgg:N:D      random geometric graph of mean degree about D
  ba:N:M       Barabási–Albert graph, M edges a new vertex
  file.mtx     Matrix Market, .gz too: the matrix, or a graph if it has no diagonal

Graphs stand for their Laplacian + 0.1 I. Times: order (the ordering), analyze
(all of the symbolic analysis but the ordering), the first factorization, a
refactorization, the selected inverse, one solve, and one call for 32 right-hand
sides. Each is repeated until three runs and its time budget are spent. The auto
ordering depends on how often the analysis will be used: once for the first three
phases, --refactorizations times for the others. With --forward the factor does and
keeps the part of the selected inverse that depends on L alone.

With --json there is one line for each matrix and number of threads; every phase
has its median as …_s, its smallest as …_min_s, the median of CPU seconds of all
threads as …_cpu_s, the number of runs as …_runs and every run as …_all_s. --out and
--csv write the same to files, which gcrfbc-bench diff compares.`,
		Example: `  gcrfbc-bench solver --matrix grid2d:300 --threads 1,2
  gcrfbc-bench solver --matrix rgg:200000:8,mesh.mtx.gz --order amd --json
  gcrfbc-bench solver --matrix grid3d:40,grid3d:64 --time 1m --out solver.jsonl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return solve(cmd.Context(), o, stdout, stderr) },
	}
	f := cmd.Flags()
	f.StringVar(&o.matrices, "matrix", defaultMatrices, "matrices, separated by commas")
	f.StringVar(&o.order, "order", "auto", "ordering: auto, amd, nd or natural; several separated by commas")
	f.StringVar(&o.threads, "threads", "1", "numbers of threads, separated by commas; 0 is all cores")
	f.IntVar(&o.refactorizations, "refactorizations", 50, "factorizations that auto expects after the first")
	f.BoolVar(&o.forward, "forward", false, "factorizations keep the forward part of the selected inverse")
	f.BoolVar(&o.quick, "quick", false, "three runs of each phase only")
	f.DurationVar(&o.time, "time", 0, "end after this time with what is finished, such as 2m; 0 is no limit")
	f.BoolVar(&o.quiet, "quiet", false, "no progress")
	o.outputs.Register(f)
	return cmd
}

var orderings = map[string]chol.Ordering{
	"auto": chol.Auto, "amd": chol.AMD, "nd": chol.NestedDissection, "natural": chol.Natural,
}

// solve measures every matrix with every ordering and number of threads, until the
// time is over.
func solve(ctx context.Context, o solverOptions, stdout, stderr io.Writer) error {
	threads, err := parseThreads(o.threads, 0)
	if err != nil {
		return err
	}
	orders := strings.Split(o.order, ",")
	for _, name := range orders {
		if _, ok := orderings[name]; !ok {
			return usagef("--order %s: %q is none of auto, amd, nd, natural", o.order, name)
		}
	}
	if o.refactorizations < 1 {
		return usagef("--refactorizations %d: want 1 or more", o.refactorizations)
	}
	if o.time < 0 {
		return usagef("--time %v: want a positive time, or 0 for no limit", o.time)
	}
	res, err := openResults(o.outputs, stdout)
	if err != nil {
		return err
	}
	if o.outputs.Out != "" { // standard output has one line a result and no other
		if err := res.sink.Describe(currentEnvironment().record()); err != nil {
			return res.close(err)
		}
	}
	var shown []*result
	limited := ctx
	if o.time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.time)
		defer cancel()
	}
	bar := newProgress(stderr, (strings.Count(o.matrices, ",")+1)*len(orders)*len(threads), o.quiet)
	defer bar.done()
	err = res.close(measureMatrices(limited, o, orders, threads, bar, func(r *result) error {
		if !o.outputs.JSON {
			shown = append(shown, r)
		}
		rec, err := record.Of("solver", r)
		if err != nil {
			return err
		}
		return res.write(rec)
	}))
	bar.done()
	if len(shown) > 0 {
		if err := printTable(stdout, solverTable(shown)); err != nil {
			return err
		}
	}
	if stopped := (*stoppedError)(nil); errors.As(err, &stopped) && ctx.Err() == nil && limited.Err() != nil {
		fmt.Fprintf(stderr, "gcrfbc-bench: %s was not finished within --time %v; what was before it is reported\n", stopped.at, o.time)
		return nil
	}
	if ctx.Err() != nil && err != nil {
		return &interruptedError{"interrupted: " + res.kept()}
	}
	return err
}

// stoppedError says during which measurement the context ended.
type stoppedError struct {
	at  string
	err error
}

func (e *stoppedError) Error() string { return e.at + ": " + e.err.Error() }
func (e *stoppedError) Unwrap() error { return e.err }

func measureMatrices(ctx context.Context, o solverOptions, orders []string, threads []int, bar *progress, emit func(*result) error) error {
	for spec := range strings.SplitSeq(o.matrices, ",") {
		bar.say(spec)
		m, err := generate(strings.TrimSpace(spec))
		if err != nil {
			return err
		}
		for _, name := range orders {
			for _, t := range threads {
				bar.say(fmt.Sprintf("%s, order %s, threads: %d", spec, name, t))
				r, err := m.measure(ctx, settings{order: name, threads: t, refactorizations: o.refactorizations, quick: o.quick, forward: o.forward})
				switch at := fmt.Sprintf("%s, order %s, %d threads", spec, name, t); {
				case err != nil && ctx.Err() != nil:
					return &stoppedError{at, err}
				case err != nil:
					return fmt.Errorf("%s: %w", at, err)
				}
				if err := emit(r); err != nil {
					return err
				}
				bar.step("")
			}
		}
	}
	return nil
}

// solverTable shows results to people; ordering and threads only where they differ.
func solverTable(list []*result) *report.Table {
	first := list[0]
	several := func(other func(r *result) bool) bool { return slices.ContainsFunc(list, other) }
	orders := several(func(r *result) bool { return r.Order != first.Order })
	threads := several(func(r *result) bool { return r.Threads != first.Threads })
	t := &report.Table{Head: []string{"matrix"}, Caption: "Medians in seconds; inverse: the selected inverse; ×32: one call for 32 right-hand sides; MB: of analysis, factor and working storage"}
	if orders {
		t.Head = append(t.Head, "order")
	} else {
		t.Caption += "; --order " + first.Order
	}
	if threads {
		t.Head = append(t.Head, "thr.")
	} else {
		t.Caption += fmt.Sprintf("; threads: %d", first.Threads)
	}
	t.Caption += "."
	t.Head = append(t.Head, "nnz(L)", "order", "analyze", "refactor", "GF/s", "inverse", "solve", "×32", "MB")
	s := func(v float64, digits int) report.Cell {
		return report.Cell{Text: strconv.FormatFloat(v, 'g', digits, 64), Number: true}
	}
	for _, r := range list {
		row := []report.Cell{{Text: r.Matrix}}
		if orders {
			row = append(row, report.Cell{Text: r.Order})
		}
		if threads {
			row = append(row, report.Cell{Text: strconv.Itoa(r.Threads), Number: true})
		}
		t.Rows = append(t.Rows, append(row, report.Cell{Text: strconv.FormatInt(r.NNZL, 10), Number: true}, s(r.OrderS, 2), s(r.AnalyzeS, 2), s(r.RefactorS, 3),
			s(r.Flops/1e9/r.RefactorS, 3), s(r.SelinvS, 3), s(r.Solve1S, 2), s(r.SolveMultiS, 2), report.Cell{Text: strconv.FormatFloat(float64(r.Bytes)/1e6, 'f', 0, 64), Number: true}))
	}
	return t
}
