package learn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

const (
	// heavyWork is the work of one sweep, in counted operations, from which
	// starts compete: each gets a few iterations and only the best goes on. Below
	// it every start runs to its end.
	heavyWork = 5e8
	// heatIterations is how many iterations each start gets to compete.
	heatIterations = 12
)

// fitting runs the optimiser from the starts.
type fitting struct {
	ctx     context.Context
	obj     *objective
	opts    *Options
	method  optimize.Method
	problem optimize.Problem
	began   time.Time
	res     *Result
}

// run returns the best run's outcome, nil if limits left no time for one.
func (f *fitting) run() (*optimize.Result, error) {
	starts := f.opts.Starts
	heats := 0
	if len(starts) > 1 && !f.opts.Joint && f.obj.ev.Work() > heavyWork {
		heats = heatIterations
	}
	var best *optimize.Result
	bestStart := 0
	for s, start := range starts {
		r, stop, err := f.minimize(s, f.obj.start(start), heats)
		if err != nil {
			if best == nil {
				return nil, fmt.Errorf("learn: start %d: %w", s+1, err)
			}
			continue // another start has succeeded
		}
		if r != nil && (best == nil || r.F < best.F) {
			best, bestStart = r, s
		}
		if stop {
			return best, nil
		}
	}
	if best == nil || best.Status != optimize.IterationLimit {
		return best, nil
	}
	r, _, err := f.minimize(bestStart, best.X, 0)
	if err != nil || r == nil || r.F > best.F {
		return best, err
	}
	return r, nil
}

// minimize runs the optimiser from x, for a number of iterations unless it is 0.
// stop says that a limit or the context ended it; a nil result that nothing was
// evaluated.
func (f *fitting) minimize(s int, x []float64, iterations int) (r *optimize.Result, stop bool, err error) {
	o := optimize.Options{
		GradTol: f.opts.GradTol, FuncTol: 1e-13, MaxIterations: iterations,
		MaxEvaluations: f.opts.MaxEvaluations - f.res.Evaluations,
	}
	if o.MaxEvaluations <= 0 {
		return nil, true, nil
	}
	if f.opts.TimeLimit > 0 {
		if o.TimeLimit = f.opts.TimeLimit - time.Since(f.began); o.TimeLimit <= 0 {
			return nil, true, nil
		}
	}
	if f.opts.Progress != nil {
		o.Callback = func(it optimize.Iteration) error {
			f.opts.Progress(Progress{
				Start: s, Starts: len(f.opts.Starts), Iteration: it.Iteration, Evaluations: f.res.Evaluations + it.Evaluations,
				Objective: -it.F * f.obj.norm, GradientNorm: it.ProjectedGradient * f.obj.norm, Elapsed: time.Since(f.began),
			})
			return nil
		}
	}
	r, err = optimize.Minimize(f.ctx, f.problem, x, f.method, o)
	stop = f.ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)
	if err != nil && !stop {
		return nil, false, err
	}
	if r == nil {
		return nil, stop, nil
	}
	f.res.Evaluations += r.Evaluations
	f.res.Runs = append(f.res.Runs, Run{f.opts.Starts[s], -r.F * f.obj.norm, r.Status, r.Evaluations})
	if !usable(r) {
		r = nil
	}
	return r, stop, nil
}

// usable reports whether a run has evaluated any point.
func usable(r *optimize.Result) bool {
	return r.F == r.F && r.Status != optimize.Failed && r.Evaluations > 0
}
