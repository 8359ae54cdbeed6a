package optimize

import (
	"context"
	"fmt"
)

// Method is an algorithm: [LBFGSB], [TNC], [SQP] or [Gradient]. The zero value
// of each works. A Method holds settings only, so it can be shared by
// concurrent runs.
type Method interface {
	// validate checks the settings for n variables.
	validate(n int) error
	// minimize iterates from r.x, where r.f and r.g are known, until
	// r.status is set.
	minimize(r *run)
}

// Minimize finds a local minimum of p.Eval within the bounds, starting at x0,
// or at the point of the box nearest to x0 if x0 lies outside. x0 is not
// modified. A nil m means LBFGSB{}.
//
// The error is nil when the run ended by itself, by a limit or by ErrStop:
// Result.Status tells which, and Status.Converged whether a tolerance was met.
// It is an *[InputError], with a nil Result, when an argument cannot be used.
// It wraps the error of the context or of Eval, HessVec or Callback when one of
// these ended the run, and [ErrNotFinite] or [ErrInfeasible] when the start
// cannot be evaluated; the Result then still holds the best point so far.
//
// Everything is allocated before the first iteration (except Result.Trace).
// Minimize starts no goroutine.
func Minimize(ctx context.Context, p Problem, x0 []float64, m Method, opts Options) (*Result, error) {
	if ctx == nil {
		return nil, &InputError{"ctx", -1, "is nil; use context.Background()"}
	}
	if m == nil {
		m = LBFGSB{}
	}
	if err := p.validate(x0); err != nil {
		return nil, err
	}
	if err := opts.validate(); err != nil {
		return nil, err
	}
	if err := m.validate(p.Dim); err != nil {
		return nil, err
	}
	r := newRun(ctx, p, x0, opts)
	if opts.TimeLimit > 0 {
		var cancel context.CancelFunc
		r.ctx, cancel = context.WithTimeout(ctx, opts.TimeLimit)
		defer cancel()
	}
	if r.start() {
		m.minimize(r)
	}
	return r.result()
}

// start evaluates the start and reports whether there is anything to do.
func (r *run) start() bool {
	f, ok := r.evaluate(r.x, r.g)
	if r.status != NotStarted {
		return false
	}
	if !ok {
		err := r.rejected
		if err == nil {
			err = ErrNotFinite
		}
		r.stop(Failed, fmt.Errorf("optimize: the start cannot be evaluated; start at a point where the value and the gradient are finite: %w", err))
		return false
	}
	r.f = f
	r.pg = r.projectedGradient(r.x, r.g)
	if r.opts.GradTol >= 0 && r.pg <= r.opts.GradTol {
		r.status = GradientConverged
	}
	r.report(0)
	return r.status == NotStarted
}

// result gathers the outcome.
func (r *run) result() (*Result, error) {
	res := &Result{
		X: r.bestX, Grad: r.bestG, F: r.bestF, Status: r.status,
		Evaluations: r.evals, Iterations: r.iters, HessVecs: r.hessVecs,
		AtLower: make([]bool, r.n), AtUpper: make([]bool, r.n),
		Elapsed: r.elapsed(), Trace: r.trace,
	}
	if r.status == GradientConverged {
		copy(res.X, r.x)
		copy(res.Grad, r.g)
		res.F = r.f
	}
	res.ProjectedGradient = r.projectedGradient(res.X, res.Grad)
	for i, x := range res.X {
		res.AtLower[i] = x == r.lower[i]
		res.AtUpper[i] = x == r.upper[i]
	}
	return res, r.err
}
