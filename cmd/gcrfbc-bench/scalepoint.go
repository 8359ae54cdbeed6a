package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn"
)

// workload is a data set and how to compute with it.
type workload struct {
	d        *gcrfbc.Dataset
	variant  gcrfbc.Variant
	approx   gcrfbc.Approx
	threads  int
	maxBytes int64
	solver   infer.Solver
	cmax     int
	budget   float64 // seconds for the runs of one measurement

	ops *infer.Operations // of the data set, once known
}

// at returns parameters near α = β = 1, apart enough that sites must move from one
// to the next as they do in learning.
func (w *workload) at(step int) gcrfbc.Params {
	f := 1 + .05*float64(step%3-1)
	alpha, beta := make([]float64, w.d.K), make([]float64, w.d.NumGraphs())
	for k := range alpha {
		alpha[k] = f / float64(len(alpha))
	}
	for l := range beta {
		beta[l] = 1 / (f * float64(len(beta)))
	}
	p := gcrfbc.NewParams(alpha, beta)
	p.Direct = make([]float64, w.d.K)
	return p
}

// quantities are what scale measures, by name.
var quantities = map[string]func(w *workload, ctx context.Context) (map[string]any, error){
	"evaluate":  (*workload).evaluate,
	"fit":       (*workload).fit,
	"predict":   (*workload).predict,
	"posterior": (*workload).posterior,
}

// Limits on the runs of one measurement.
const (
	leastRuns, mostRuns = 3, 15
	leastFits, mostFits = 1, 5
	mostSeconds         = 1.5 // after which the least number of runs is enough
)

// repeat measures f again and again. When time runs out after the least number of
// runs, they are enough.
func (w *workload) repeat(c *clock, least, most int, f func() error) error {
	err := c.runs(least, most, w.budget, f)
	if errors.Is(err, context.DeadlineExceeded) && len(c.wall) >= least {
		return nil
	}
	return err
}

// evaluate measures a value with its gradient: cold, with the analysis of the graphs
// and all memory new, and repeatedly at parameters that move.
func (w *workload) evaluate(ctx context.Context) (map[string]any, error) {
	opts := infer.Options{Variant: w.variant, Approx: w.approx, Threads: w.threads, MaxBytes: w.maxBytes, Solver: w.solver, Cmax: w.cmax}
	grad := make([]float64, infer.GradientLen(w.d.K, w.d.NumGraphs()))
	var ev *infer.Evaluator
	var analyze, cold, warm clock
	err := cold.runs(1, 5, w.budget/4, func() (err error) {
		if err := analyze.measure(func() error { ev, err = infer.NewEvaluator(ctx, w.d, opts); return err }); err != nil {
			return err
		}
		_, err = ev.Evaluate(ctx, w.at(0), grad)
		return err
	})
	if err != nil {
		return nil, err
	}
	step, before, value := 0, ev.Factorizations(), 0.0
	err = w.repeat(&warm, leastRuns, mostRuns, func() error {
		v, err := ev.Evaluate(ctx, w.at(step+1), grad)
		if err == nil {
			step, value = step+1, v
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	fields := map[string]any{"objective": value, "sweeps": ev.Sites().Sweeps}
	if used, ok := ev.Solver(); ok {
		fields["solver"] = string(used.Kind)
		if used.Kind == infer.SolverPartial {
			fields["quality"], fields["stderr"] = used.Quality, ev.Sites().ValueErr
		}
	}
	warm.put(fields, "time")
	cold.put(fields, "cold")
	analyze.put(fields, "analyze")
	count := float64(ev.Factorizations()-before) / float64(step)
	ops := ev.Operations()
	w.ops = &ops
	fields["factorizations"] = count
	w.rate(fields, count, w.inverses(count), 2)
	return fields, nil
}

// inverses returns how many of the factorizations of an evaluation are followed by
// a selected inverse. Newton's method for laplace needs the last one's only.
func (w *workload) inverses(factorizations float64) float64 {
	switch {
	case w.variant == gcrfbc.NonBayesian:
		return 0
	case w.approx == gcrfbc.Laplace:
		return min(factorizations, float64(len(w.d.Instances)+1))
	}
	return factorizations
}

// rate writes the operations and their rate, from numbers of factorizations and
// inverses of single instances and of solves with every instance.
func (w *workload) rate(fields map[string]any, factorizations, inverses, solves float64) {
	m := float64(len(w.d.Instances))
	flops := (factorizations*w.ops.Factor+inverses*w.ops.Inverse)/m + solves*w.ops.Solve
	fields["flops"] = flops
	if seconds, _ := fields["time_s"].(float64); seconds > 0 {
		fields["rate_gflops"] = 1e-9 * flops / seconds
	}
}

// fit measures a whole fit from cold.
func (w *workload) fit(ctx context.Context) (map[string]any, error) {
	var c clock
	var r *learn.Result
	err := w.repeat(&c, leastFits, mostFits, func() error {
		got, err := learn.Fit(ctx, w.d, learn.Options{Variant: w.variant, Approx: w.approx, Threads: w.threads, MaxBytes: w.maxBytes, Solver: w.solver, Cmax: w.cmax})
		if err == nil { // a canceled fit is a model, but no measurement
			err = ctx.Err()
		}
		if err == nil {
			r = got
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	fields := map[string]any{"objective": r.Objective, "status": r.Status.String(), "evaluations": r.Evaluations,
		"factorizations": r.Factorizations, "at_bound": strings.Join(r.AtBound, ", ")}
	c.put(fields, "time")
	return fields, nil
}

// predict measures the probabilities of all nodes.
func (w *workload) predict(ctx context.Context) (map[string]any, error) {
	return w.predictGiven(ctx, false)
}

// posterior measures the same given the labels of every second node.
func (w *workload) posterior(ctx context.Context) (map[string]any, error) {
	return w.predictGiven(ctx, true)
}

func (w *workload) predictGiven(ctx context.Context, observed bool) (map[string]any, error) {
	model := &gcrfbc.Model{Variant: w.variant, Mean: gcrfbc.PaperMean, Params: w.at(0)}
	if w.variant == gcrfbc.Bayesian {
		model.Approx = w.approx
	}
	opts := infer.PredictOptions{Threads: w.threads, MaxBytes: w.maxBytes, Solver: w.solver, Cmax: w.cmax}
	if observed {
		for _, in := range w.d.Instances {
			labels := make([]int8, len(in.Labels))
			for i, y := range in.Labels {
				if labels[i] = gcrfbc.Missing; i%2 == 0 {
					labels[i] = y
				}
			}
			opts.Observed = append(opts.Observed, labels)
		}
	}
	var c clock
	err := w.repeat(&c, leastRuns, mostRuns, func() error {
		_, err := infer.Predict(ctx, model, w.d, opts)
		return err
	})
	if err != nil {
		return nil, err
	}
	fields := map[string]any{}
	c.put(fields, "time")
	if w.ops != nil && !observed { // the analysis is part of the time, but no operations
		matrices, inverses := 1.0, 0.0
		if len(w.d.Instances[0].Graphs) > 0 {
			matrices = float64(len(w.d.Instances))
		}
		if w.variant == gcrfbc.Bayesian {
			inverses = matrices
		}
		w.rate(fields, matrices, inverses, 1)
	}
	return fields, nil
}

// point measures one quantity of a workload as a record, with its peak memory.
func (w *workload) point(ctx context.Context, quantity string, peak float64) (record.Record, error) {
	runtime.GC()
	debug.FreeOSMemory()
	resetPeak()
	fields, err := quantities[quantity](w, ctx)
	if err != nil {
		return record.Record{}, fmt.Errorf("%s, variant %s: %w", quantity, w.variant, err)
	}
	fields["rss_mb"] = peakResident()
	if rate, ok := fields["rate_gflops"].(float64); ok && peak > 0 {
		fields["peak_fraction"] = rate / peak
	}
	r := record.New("scale", "quantity", quantity, "variant", string(w.variant), "m", len(w.d.Instances), "n", w.d.Instances[0].N(),
		"k", w.d.K, "l", w.d.NumGraphs(), "threads", w.threads)
	if w.variant == gcrfbc.Bayesian {
		r.Fields["approx"] = string(w.approx)
	}
	edges := 0
	for _, g := range w.d.GraphsOf(0) {
		edges = max(edges, g.NumEdges())
	}
	r.Fields["edges"] = edges
	r.Fields["edges_per_node"] = math.Round(100*float64(edges)/float64(w.d.Instances[0].N())) / 100
	maps.Copy(r.Fields, fields)
	return r, nil
}

// least returns the seconds that a measurement takes with the least number of runs.
func (w *workload) least(r record.Record, quantity string) float64 {
	runs := float64(leastRuns)
	if quantity == "fit" {
		runs = leastFits
	}
	t, _ := r.Float("time_s")
	cold, _ := r.Float("cold_s")
	return runs*t + cold
}

// forecastBytes is about what the data and the factor of a shape take, from below:
// what must be refused before anything is generated.
func forecastBytes(s shape) float64 {
	n, m := float64(s.n), float64(s.m)
	scores := n * m * (8*float64(s.k) + 1 + 5*8) // with means, sites and gradients
	graph := n * (1 + max(s.edges, 2)) * (4 + 8*float64(s.l))
	factor := 2 * 8 * n * (1 + max(s.edges, 2)) // no fill at all
	return scores + 2*graph + factor
}

// resetPeak makes peakResident count from now on, where the system can do that.
func resetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// peakResident returns the largest resident size since resetPeak, or since the
// process began, in megabytes.
func peakResident() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err == nil {
		for line := range strings.Lines(string(text)) { // VmHWM:	   12345 kB
			if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
				if kb, err := strconv.ParseFloat(f[1], 64); err == nil {
					return kb / 1024
				}
			}
		}
	}
	return peakMegabytes()
}
