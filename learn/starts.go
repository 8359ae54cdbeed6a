package learn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
	"gonum.org/v1/gonum/mat"
)

const (
	// defaultHeavyWork is the work of one sweep over the sites, in counted
	// operations, from which b starts at nb's optimum instead of trying every
	// start.
	defaultHeavyWork = 5e8
	// plugInTol is how far nb is fitted then, per labelled node.
	plugInTol = 1e-5
	// partialGradTol and partialFuncTol end runs with approximate factors.
	partialGradTol = 1e-5
	partialFuncTol = 1e-8
)

// plugInScales are the common factors of nb's α and β that are tried, until the
// objective falls: nb knows only their ratios, b their size.
var plugInScales = []float64{1e2, 1, 1e-1, 1e-2, 1e-3}

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
	if !f.opts.ownStarts && f.obj.ev.Work() > f.opts.heavyWork {
		f.keepBetterStart()
	}
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

// keepBetterStart leaves the start with the best objective only: where an
// evaluation is heavy work, several runs are not worth it.
func (f *fitting) keepBetterStart() {
	best, at := math.Inf(1), 0
	grad := make([]float64, f.problem.Dim)
	for s, start := range f.opts.Starts {
		v, err := f.obj.eval(f.ctx, f.obj.start(start), grad)
		f.res.Evaluations++
		if err == nil && v < best {
			best, at = v, s
		}
	}
	f.opts.Starts = f.opts.Starts[at : at+1]
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
	o.Variant, o.Approx, o.GradTol, o.StandardErrors = gcrfbc.NonBayesian, "", plugInTol, NoStandardErrors
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
	if h, err := f.hessian(x); err != nil {
		return nil, nil, err
	} else if h != nil {
		f.method = optimize.SQP{Hessian: h}
	}
	best, _, err = f.minimize(0, x)
	if best == nil && err == nil {
		nb.Notes = append(nb.Notes, "the fit ended before GCRFBCb was evaluated; the model is GCRFBCnb's, fitted as its start")
		return nil, nb, nil
	}
	return best, nil, err
}

// hessian returns the second derivatives at x by differences of the gradient,
// with every eigenvalue made positive, or nil where it cannot be had or another
// optimiser is asked for. It costs one evaluation a variable, and saves the many
// more that a quasi-Newton method would take to learn it: log θ, gain and direct
// weights differ by orders of magnitude in curvature and are correlated.
func (f *fitting) hessian(x []float64) ([]float64, error) {
	n := len(x)
	if o := f.opts.Optimizer; o != "" && o != LBFGSB || n > maxHessian {
		return nil, nil
	}
	base, grad := make([]float64, n), make([]float64, n)
	y := append([]float64(nil), x...)
	h := mat.NewSymDense(n, nil)
	evaluate := func(at, grad []float64) (bool, error) {
		_, err := f.obj.eval(f.ctx, at, grad)
		f.res.Evaluations++
		if err != nil && (errors.Is(err, optimize.ErrInfeasible) || f.ctx.Err() != nil) {
			return false, nil
		}
		return err == nil, err
	}
	if ok, err := evaluate(x, base); !ok {
		return nil, err
	}
	full := make([]float64, n*n)
	for i := range n {
		step := curvatureStep
		if x[i]+step > f.problem.Upper[i] {
			step = -step
		}
		y[i] = x[i] + step
		if ok, err := evaluate(y, grad); !ok {
			return nil, err
		}
		y[i] = x[i]
		for j := range n {
			full[i*n+j] = (grad[j] - base[j]) / step
		}
	}
	largest := 0.0
	for i := range n {
		for j := range i + 1 {
			h.SetSym(i, j, (full[i*n+j]+full[j*n+i])/2)
		}
		largest = math.Max(largest, math.Abs(h.At(i, i)))
	}
	var eigen mat.EigenSym
	if !(largest > 0) || math.IsInf(largest, 0) || !eigen.Factorize(h, true) {
		return nil, nil
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	for i := range n {
		for j := range n {
			full[i*n+j] = 0
		}
	}
	for k, e := range eigen.Values(nil) {
		e = math.Max(math.Abs(e), 1e-6*largest)
		for i := range n {
			for j := range n {
				full[i*n+j] += e * v.At(i, k) * v.At(j, k)
			}
		}
	}
	return full, nil
}

const (
	maxHessian    = 40   // variables
	curvatureStep = 0.02 // in log θ, gain, bias and direct weights of standardised scores
)

// scaled returns the variables of nb's parameters with the common factor of α
// and β at which the objective is best.
func (f *fitting) scaled(p gcrfbc.Params) ([]float64, error) {
	x, best := f.obj.start(f.opts.Starts[0]), math.Inf(1)
	grad := make([]float64, len(x))
	last := math.Inf(1)
	for _, factor := range plugInScales {
		if f.ctx.Err() != nil {
			return x, nil // minimize says so
		}
		if last > best {
			break // past the best one
		}
		q := p.Clone()
		for k := range q.Alpha {
			q.Alpha[k] *= factor
		}
		for l := range q.Beta {
			q.Beta[l] *= factor
		}
		y := f.obj.sc.variables(q)
		for i := range f.obj.sc.A + f.obj.sc.L {
			// Inside the box by e²: at a bound the gradient in log θ is next
			// to nothing, and the component would stay there.
			lo, hi := f.problem.Lower[i], f.problem.Upper[i]
			y[i] = min(max(y[i], min(lo+2, hi)), hi)
		}
		v, err := f.obj.eval(f.ctx, y, grad)
		f.res.Evaluations++
		if err == nil {
			last = v
		}
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
	if r, ok := f.obj.ev.Solver(); ok && r.Kind == infer.SolverPartial {
		// The gradient is not quite that of the estimated objective.
		o.GradTol, o.FuncTol = max(o.GradTol, partialGradTol), partialFuncTol
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
		trend := timeLeft{target: f.opts.GradTol}
		o.Callback = func(it optimize.Iteration) error {
			left := trend.add(it.Elapsed, it.ProjectedGradient)
			if left > 0 {
				left += time.Duration(float64(len(f.opts.Starts)-1-s) * float64(it.Elapsed+left))
			}
			if f.opts.TimeLimit > 0 {
				left = min(left, f.opts.TimeLimit-time.Since(f.began))
			}
			f.opts.Progress(Progress{
				Start: s, Starts: len(f.opts.Starts), Iteration: it.Iteration, Evaluations: f.res.Evaluations + it.Evaluations,
				Objective: -it.F * f.obj.norm, GradientNorm: it.ProjectedGradient * f.obj.norm, Elapsed: time.Since(f.began), Left: max(left, 0),
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
	f.res.Runs = append(f.res.Runs, Run{f.opts.Starts[s], f.obj.pure(r.F, r.X), r.Status, r.Evaluations})
	if !usable(r) {
		r = nil
	}
	return r, stop, nil
}

// usable reports whether a run has evaluated any point.
func usable(r *optimize.Result) bool {
	return !math.IsNaN(r.F) && !math.IsInf(r.F, 0) && r.Status != optimize.Failed && r.Evaluations > 0
}

// standardErrors adds the model's uncertainty to the result, if asked for. What
// stops it leaves a note.
func (f *fitting) standardErrors() {
	evaluations := float64(2 * f.obj.sc.dim())
	switch {
	case f.ctx.Err() != nil, f.opts.StandardErrors == NoStandardErrors,
		f.opts.StandardErrors == CheapStandardErrors && evaluations*f.obj.ev.Work() > cheapWork:
		return
	}
	u, err := f.obj.uncertainty(f.ctx, f.res.Model, f.opts)
	if err != nil {
		f.res.Notes = append(f.res.Notes, "there are no standard errors: "+err.Error())
		return
	}
	f.res.Uncertainty = u
}
