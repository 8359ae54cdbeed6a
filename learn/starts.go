package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

const (
	// defaultHeavyWork is the work of one sweep over the sites, in counted
	// operations, from which b starts at nb's optimum instead of trying every
	// start.
	defaultHeavyWork = 5e8
	// plugInTol is how far nb is fitted then, per labelled node.
	plugInTol = 1e-5
)

// plugInScales are the common factors of nb's α and β that are tried: nb knows
// only their ratios, b their size.
var plugInScales = []float64{1e-3, 1e-2, 1e-1, 1, 1e2}

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
func (f *fitting) run() (best *optimize.Result, err error) {
	for s, start := range f.opts.Starts {
		r, stop, err := f.minimize(s, f.obj.start(start))
		if err != nil {
			if best == nil {
				return nil, fmt.Errorf("learn: start %d: %w", s+1, err)
			}
			continue // another start has succeeded
		}
		if r != nil && (best == nil || r.F < best.F) {
			best = r
		}
		if stop {
			break
		}
	}
	return best, nil
}

// heavy reports whether the problem is one to start from nb's optimum: gain,
// bias, direct weights and the ratios of α and β cost solves alone there, and
// are close to b's.
func (f *fitting) heavy() bool {
	return f.opts.Variant == gcrfbc.Bayesian && !f.opts.Joint && !f.opts.ownStarts && f.obj.ev.Work() > f.opts.heavyWork
}

// fromPlugIn fits nb, looks for the size of α and β at which b's objective is
// best, and fits b from there. Should a limit or the context end nb's fit, its
// model is the result: plugIn.
func (f *fitting) fromPlugIn() (best *optimize.Result, plugIn *Result, err error) {
	o := *f.opts
	o.Variant, o.Approx, o.GradTol = gcrfbc.NonBayesian, "", plugInTol
	nb, err := Fit(f.ctx, f.obj.d, o)
	if err != nil {
		return nil, nil, err
	}
	f.res.Evaluations, f.res.Runs = nb.Evaluations, nb.Runs
	f.res.Factorizations = nb.Factorizations
	stopped := f.ctx.Err() != nil || f.opts.TimeLimit > 0 && time.Since(f.began) >= f.opts.TimeLimit || nb.Evaluations >= f.opts.MaxEvaluations
	if stopped {
		nb.Notes = append(nb.Notes, "the fit ended while GCRFBCnb was fitted as a start for GCRFBCb; the model is GCRFBCnb's")
		return nil, nb, nil
	}
	x, err := f.scaled(nb.Model.Params)
	if err != nil {
		return nil, nil, err
	}
	best, _, err = f.minimize(0, x)
	if best == nil && err == nil {
		nb.Notes = append(nb.Notes, "the fit ended before GCRFBCb was evaluated; the model is GCRFBCnb's, fitted as its start")
		return nil, nb, nil
	}
	return best, nil, err
}

// scaled returns the variables of nb's parameters with the common factor of α
// and β at which the objective is best.
func (f *fitting) scaled(p gcrfbc.Params) ([]float64, error) {
	x, best := f.obj.start(f.opts.Starts[0]), math.Inf(1)
	grad := make([]float64, len(x))
	for _, factor := range plugInScales {
		if f.ctx.Err() != nil {
			return x, nil // minimize says so
		}
		q := p.Clone()
		for k := range q.Alpha {
			q.Alpha[k] *= factor
		}
		for l := range q.Beta {
			q.Beta[l] *= factor
		}
		y := f.obj.sc.variables(q)
		for i := range f.obj.sc.K + f.obj.sc.L {
			// Inside the box by e²: at a bound the gradient in log θ is next
			// to nothing, and the component would stay there.
			lo, hi := f.problem.Lower[i], f.problem.Upper[i]
			y[i] = min(max(y[i], min(lo+2, hi)), hi)
		}
		v, err := f.obj.eval(f.ctx, y, grad)
		f.res.Evaluations++
		if err == nil && v < best {
			x, best = y, v
		} else if err != nil && !errors.Is(err, optimize.ErrInfeasible) && f.ctx.Err() == nil {
			return nil, err
		}
	}
	return x, nil
}

// minimize runs the optimiser from x. stop says that a limit or the context ended
// it; a nil result that nothing was evaluated.
func (f *fitting) minimize(s int, x []float64) (r *optimize.Result, stop bool, err error) {
	o := optimize.Options{
		GradTol: f.opts.GradTol, FuncTol: 1e-13, MaxEvaluations: f.opts.MaxEvaluations - f.res.Evaluations,
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
	return !math.IsNaN(r.F) && !math.IsInf(r.F, 0) && r.Status != optimize.Failed && r.Evaluations > 0
}
