package learn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// Result is a fitted model and how the fit went.
type Result struct {
	Model *gcrfbc.Model

	Objective      float64 // maximised log-likelihood (nb), bound (jj) or evidence (ep, laplace), nats
	Status         optimize.Status
	Evaluations    int // values and gradients, all starts together
	Factorizations int
	Elapsed        time.Duration

	// ProjectedGradient is the largest component of the objective's gradient
	// with respect to log θ (and gain, bias, direct weights) that no bound holds
	// back, in nats.
	ProjectedGradient float64
	AtBound           []string // components of θ held by a bound, such as "beta[0] upper"
	Notes             []string // sentences for the user
	Runs              []Run    // one a start
}

// Run is the outcome of one start.
type Run struct {
	Start       Start
	Objective   float64
	Status      optimize.Status
	Evaluations int
}

// Fit learns the parameters of a model from the labels of d.
//
// When ctx is canceled, or a limit of opts is reached, the best model so far is
// returned with the status that says so and no error; without any usable
// evaluation the error is ctx's. Errors: *gcrfbc.DataError and
// *gcrfbc.LabelError for data, *OptionError for options, *chol.MemoryError when
// the factor's forecast exceeds the limit.
//
// Cost: one evaluation of infer.Evaluator for each of typically 20 to 100
// evaluations of the objective and start.
func Fit(ctx context.Context, d *gcrfbc.Dataset, opts Options) (*Result, error) {
	began := time.Now()
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	method, err := opts.Optimizer.method()
	if err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if err := d.ValidateLabels(); err != nil {
		return nil, err
	}
	obj, err := newObjective(ctx, d, &opts)
	if err != nil {
		return nil, err
	}
	problem := obj.problem(&opts)
	res := &Result{}
	var best *optimize.Result
	for s, start := range opts.Starts {
		o := optimize.Options{GradTol: opts.GradTol, FuncTol: 1e-13, MaxEvaluations: opts.MaxEvaluations - res.Evaluations}
		if o.MaxEvaluations <= 0 {
			break
		}
		if opts.TimeLimit > 0 {
			if o.TimeLimit = opts.TimeLimit - time.Since(began); o.TimeLimit <= 0 {
				break
			}
		}
		if opts.Progress != nil {
			o.Callback = func(it optimize.Iteration) error {
				opts.Progress(Progress{
					Start: s, Starts: len(opts.Starts), Iteration: it.Iteration, Evaluations: res.Evaluations + it.Evaluations,
					Objective: -it.F * obj.norm, GradientNorm: it.ProjectedGradient * obj.norm, Elapsed: time.Since(began),
				})
				return nil
			}
		}
		r, err := optimize.Minimize(ctx, problem, obj.start(start), method, o)
		stopped := ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)
		if err != nil && !stopped {
			if s == 0 || !errors.Is(err, optimize.ErrInfeasible) && !errors.Is(err, optimize.ErrNotFinite) {
				return nil, fmt.Errorf("learn: start %d: %w", s+1, err)
			}
			continue // another start has succeeded
		}
		if r != nil {
			res.Evaluations += r.Evaluations
			res.Runs = append(res.Runs, Run{start, -r.F * obj.norm, r.Status, r.Evaluations})
			if usable(r) && (best == nil || r.F < best.F) {
				best = r
			}
		}
		if stopped {
			break
		}
	}
	if best == nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("learn: the limits ended the fit before the first evaluation; allow more time or evaluations")
	}
	status := best.Status
	if err := ctx.Err(); err != nil {
		status = optimize.Canceled
	}
	obj.finish(res, best, status, &opts)
	res.Elapsed = time.Since(began)
	res.Model.Fit.Seconds = res.Elapsed.Seconds()
	return res, nil
}

// usable reports whether a run has evaluated any point.
func usable(r *optimize.Result) bool {
	return r.F == r.F && r.Status != optimize.Failed && r.Evaluations > 0
}
