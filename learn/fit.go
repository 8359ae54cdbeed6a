package learn

import (
	"context"
	"fmt"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// Result is a fitted model and how the fit went.
type Result struct {
	Model *gcrfbc.Model

	Objective      float64 // maximised log-likelihood (nb), bound (jj) or evidence (ep, laplace), nats
	Penalised      float64 // objective plus log prior (0 at the prior's mode), which the fit maximised
	Status         optimize.Status
	Evaluations    int // values and gradients, all starts together
	Factorizations int
	Elapsed        time.Duration

	// ProjectedGradient is the largest component of Penalised's gradient, with
	// respect to log θ (and gain, bias, direct weights), that no bound holds
	// back, in nats.
	ProjectedGradient float64
	AtBound           []string // components of θ held by a bound, such as "beta[0] upper"
	Notes             []string // sentences for the user
	Runs              []Run    // one a start
	Choices           []Choice // forms of the mean that were tried, with AutoMean

	// Uncertainty holds standard errors if Options.StandardErrors asks for them
	// and the fit was not canceled, else nil.
	Uncertainty *Uncertainty

	heavy bool // one evaluation is heavy work
	left  bool // a run was left before its optimum; see fitting.untilBehind
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
	if opts.journal == nil && (opts.Checkpoint != nil || opts.Resume != nil) {
		return fitRecorded(ctx, d, opts)
	}
	if opts.Variant == AutoVariant {
		return fitVariants(ctx, d, opts)
	}
	if opts.Mean == AutoMean {
		return fitMeans(ctx, d, opts)
	}
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
	if opts.plugIn && opts.Optimizer == "" && obj.ev.OffersHessVec() {
		method = optimize.TNC{} // products cost solves, evaluations a factorization
	}
	obj.record = opts.journal
	res := &Result{}
	f := &fitting{ctx: ctx, obj: obj, opts: &opts, method: method, problem: obj.problem(&opts), began: began, res: res}
	var best *optimize.Result
	res.heavy = f.heavy() || f.heavyPlugIn()
	if f.heavy() {
		var plugIn *Result
		if best, plugIn, err = f.fromPlugIn(); plugIn != nil {
			return plugIn, nil
		}
	} else {
		best, err = f.run()
	}
	if err != nil {
		return nil, err
	}
	if best == nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("learn: the limits ended the fit before the first evaluation; allow more time or evaluations")
	}
	status := best.Status
	if ctx.Err() != nil {
		status = optimize.Canceled
	}
	obj.finish(res, best, status, &opts)
	f.recalibrate()
	f.standardErrors()
	res.Elapsed = time.Since(began)
	res.Model.Fit.Seconds = res.Elapsed.Seconds()
	return res, nil
}

// fitRecorded is Fit with a journal.
func fitRecorded(ctx context.Context, d *gcrfbc.Dataset, opts Options) (*Result, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	j, err := newJournal(d, &opts)
	if err != nil {
		return nil, err
	}
	opts.journal = j
	res, err := Fit(ctx, d, opts)
	j.flush()
	if j.err != nil && res != nil {
		res.Notes = append(res.Notes, "the last checkpoint could not be written: "+j.err.Error())
	}
	return res, err
}
