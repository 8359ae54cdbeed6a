package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
)

const (
	defaultMatrices = "rgg:200000:8,grid2d:300,ba:20000:2,grid3d:40"
	quickMatrices   = "grid2d:100,rgg:20000:8,ba:3000:2,grid3d:16"
)

type solverOptions struct {
	matrices, order, threads string
	json, quick              bool
}

func solverCommand(stdout io.Writer) *cobra.Command {
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
sides. Each is repeated until three runs and its time budget are spent.

With --json there is one line for each matrix and number of threads; every phase
has its median as …_s, its smallest as …_min_s, the median of CPU seconds of all
threads as …_cpu_s and the number of runs as …_runs.`,
		Example: `  gcrfbc-bench solver --matrix grid2d:300 --threads 1,2
  gcrfbc-bench solver --matrix rgg:200000:8,mesh.mtx.gz --order amd --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return solve(cmd.Context(), o, stdout) },
	}
	f := cmd.Flags()
	f.StringVar(&o.matrices, "matrix", defaultMatrices, "matrices, separated by commas")
	f.StringVar(&o.order, "order", "auto", "ordering: auto, amd, nd or natural; several separated by commas")
	f.StringVar(&o.threads, "threads", "1", "numbers of threads, separated by commas; 0 is all cores")
	f.BoolVar(&o.json, "json", false, "one JSON object a line")
	f.BoolVar(&o.quick, "quick", false, "three runs of each phase only")
	return cmd
}

var orderings = map[string]chol.Ordering{
	"auto": chol.Auto, "amd": chol.AMD, "nd": chol.NestedDissection, "natural": chol.Natural,
}

// solve measures every matrix with every ordering and number of threads.
func solve(ctx context.Context, o solverOptions, stdout io.Writer) error {
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
	out := newPrinter(stdout, o.json)
	defer out.close()
	for spec := range strings.SplitSeq(o.matrices, ",") {
		m, err := generate(strings.TrimSpace(spec))
		if err != nil {
			return err
		}
		for _, name := range orders {
			for _, t := range threads {
				r, err := m.measure(ctx, name, t, o.quick)
				if err != nil {
					return fmt.Errorf("%s, order %s, %d threads: %w", spec, name, t, err)
				}
				if err := out.print(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// printer writes results as they come: JSON lines, or rows of a table at the end.
type printer struct {
	w    io.Writer
	rows table.Writer // nil for JSON
}

func newPrinter(w io.Writer, lines bool) *printer {
	if lines {
		return &printer{w: w}
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.SetOutputMirror(w)
	t.AppendHeader(table.Row{"matrix", "order", "threads", "n", "nnz(L)", "Gflop", "order s", "analyze s", "refactor s", "GF/s", "selinv s", "solve s", "32 solves s", "MB"})
	var right []table.ColumnConfig
	for c := 3; c <= 14; c++ {
		right = append(right, table.ColumnConfig{Number: c, Align: text.AlignRight})
	}
	t.SetColumnConfigs(right)
	return &printer{w, t}
}

func (p *printer) print(r *result) error {
	if p.rows == nil {
		b, err := json.Marshal(r)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.w, "%s\n", b)
		return err
	}
	s := func(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
	p.rows.AppendRow(table.Row{r.Matrix, r.Order, r.Threads, r.N, r.NNZL, s(r.Flops / 1e9), s(r.OrderS), s(r.AnalyzeS), s(r.RefactorS),
		s(r.Flops / 1e9 / r.RefactorS), s(r.SelinvS), s(r.Solve1S), s(r.SolveMultiS), fmt.Sprintf("%.0f", float64(r.Bytes)/1e6)})
	return nil
}

func (p *printer) close() {
	if p.rows != nil && p.rows.Length() > 0 {
		p.rows.Render()
	}
}
