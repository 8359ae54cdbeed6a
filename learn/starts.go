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
	// heavyPlugInWork is what makes an evaluation of nb heavy work, in units of
	// heavyWork: it takes a factorization and two solves, where b takes several of
	// these and inverses.
	heavyPlugInWork = 8
	// plugInTol is how far nb is fitted then, per labelled node.
	plugInTol = 1e-4
	// plugInGain and seededGain, in nats, are the gains of the objective in two
	// successive iterations that end nb's fit, and b's where it began with the
	// second derivatives.
	plugInGain = 1e-3
	seededGain = 1e-5
	// partialGradTol and partialFuncTol end runs with approximate factors, and
	// changes of the objective by less than partialNoise of its standard error.
	partialGradTol = 1e-5
	partialFuncTol = 1e-8
	partialNoise   = 0.1
	partialGain    = 5e-3 // nats; smaller gains are below the noise in any case
	// shortStep bounds the change of each variable in a step from nb's optimum, and
	// from every start but the first: long steps save evaluations, but may end in a
	// field without variance.
	shortStep = 2
)

// plugInStart is where nb's run begins then.
var plugInStart = []Start{{1, 1}}

// plugInScales are the common factors of nb's α and β that are tried, until the
// objective falls: nb knows only their ratios, b their size.
var plugInScales = []float64{1e2, 1, 1e-1, 1e-2, 1e-3}

// plugInSizes are tried for all of α and β alike where the run from nb's optimum
// has lost the field's variance: nb, whose field is at its mean, may smooth
// without end.
var plugInSizes = []float64{1e-1, 1e-2, 1e-3}

// fitting runs the optimiser from the starts.
type fitting struct {
	ctx     context.Context
	obj     *objective
	opts    *Options
	method  optimize.Method
	problem optimize.Problem
	began   time.Time
	res     *Result
	round   int     // most evaluations of one call of minimize, 0 for no such limit
	reached float64 // what seeded runs before have reached, 0 if there were none
}

// run returns the best run's outcome, nil if limits left no time for one.
func (f *fitting) run() (best *optimize.Result, err error) {
	if !f.opts.ownStarts && f.obj.ev.Work() > f.opts.heavyWork {
		f.keepBetterStart()
	}
	for s, start := range f.opts.Starts {
		minimize := f.minimize
		if f.seeded() {
			minimize = f.newton
		}
		r, stop, err := minimize(s, f.obj.start(start))
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
		if best != nil && f.seeded() {
			f.reached = -best.F * f.obj.norm
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

// seeded reports whether runs begin with the second derivatives. For ep and
// laplace they save most of a fit's evaluations; jj's optimum, often at bounds, is
// found in fewer without, and nb's evaluations are cheap.
func (f *fitting) seeded() bool {
	return f.opts.Variant == gcrfbc.Bayesian && f.opts.Approx != gcrfbc.JJ && !f.opts.Joint && !f.opts.ownStarts &&
		(f.opts.Optimizer == "" || f.opts.Optimizer == LBFGSB)
}

// heavy reports whether the problem is one to start from nb's optimum: gain,
// bias, direct weights and the ratios of α and β cost solves alone there, and
// are close to b's.
func (f *fitting) heavy() bool {
	return f.opts.Variant == gcrfbc.Bayesian && !f.opts.Joint && !f.opts.ownStarts && f.obj.ev.Work() > f.opts.heavyWork
}

// heavyPlugIn reports whether even nb's evaluations are too many for forms of
// the mean to be compared.
func (f *fitting) heavyPlugIn() bool {
	return f.opts.Variant == gcrfbc.NonBayesian && !f.opts.ownStarts && f.obj.ev.Work() > heavyPlugInWork*f.opts.heavyWork
}

// fromPlugIn fits nb, looks for the size of α and β at which b's objective is
// best, and fits b from there. Should a limit or the context end nb's fit, its
// model is the result: plugIn.
func (f *fitting) fromPlugIn() (best *optimize.Result, plugIn *Result, err error) {
	o := *f.opts
	o.Variant, o.Approx, o.GradTol, o.StandardErrors = gcrfbc.NonBayesian, "", plugInTol, NoStandardErrors
	o.plugIn = true
	if f.heavy() {
		o.Starts = plugInStart
	}
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
	best, stop, err := f.newton(0, x)
	if err == nil && best != nil && !stop && f.collapsed(best) {
		// nb's optimum has led to one without variance; there may be another.
		if x, err := f.alike(); err == nil && f.limit() == optimize.NotStarted {
			if r, _, err := f.newton(0, x); err == nil && r != nil && r.F < best.F {
				best = r
			}
		}
	}
	if best == nil && err == nil {
		nb.Notes = append(nb.Notes, "the fit ended before GCRFBCb was evaluated; the model is GCRFBCnb's, fitted as its start")
		return nil, nb, nil
	}
	return best, nil, err
}

// newton is minimize by sequential quadratic programming that begins with the
// second derivatives at x, and takes them anew where it has gone far without an
// end: far from the optimum they may mislead, and the matrix is slow to forget.
func (f *fitting) newton(s int, x []float64) (best *optimize.Result, stop bool, err error) {
	method := f.method
	defer func() { f.method, f.round = method, 0 }()
	first := len(f.res.Runs)
	for evaluations := 0; ; {
		h, base, err := f.hessian(x)
		if err != nil {
			return nil, false, err
		}
		if base != nil { // a limit ended it
			if best == nil && usable(base) {
				best = base
				f.res.Evaluations -= base.Evaluations // they are counted already
				f.account(s, base)
			}
			return best, true, nil
		}
		f.method, f.round = method, 0
		if h != nil {
			sqp := optimize.SQP{Hessian: h}
			if f.res.heavy || s > 0 {
				sqp.MaxStep = shortStep
			}
			f.method = sqp
			f.round = max(2*len(x), minRound)
		}
		r, stop, err := f.minimize(s, x)
		if err != nil || r == nil {
			if best != nil {
				err = nil
			}
			return best, stop, err
		}
		best = r
		// The rounds of a start are one run.
		evaluations += r.Evaluations
		last := f.res.Runs[len(f.res.Runs)-1]
		last.Evaluations = evaluations
		f.res.Runs = append(f.res.Runs[:first], last)
		if stop || h == nil || r.Status != optimize.EvaluationLimit || f.res.Evaluations+len(x) >= f.opts.MaxEvaluations {
			return best, stop, nil
		}
		x = r.X
	}
}

// minRound is how many evaluations a matrix of second derivatives serves at least.
const minRound = 20

// hessian returns the second derivatives at x by differences of the gradient,
// with every eigenvalue made positive, or nil where they cannot be had or another
// optimiser is asked for. It costs one evaluation a variable, and saves the many
// more that a quasi-Newton method would take to learn them: log θ, gain and direct
// weights differ by orders of magnitude in curvature and are correlated. Where a
// limit of the fit is met on the way, x is returned as the outcome of a run.
func (f *fitting) hessian(x []float64) (h []float64, ended *optimize.Result, err error) {
	n := len(x)
	if o := f.opts.Optimizer; o != "" && o != LBFGSB || n > maxHessian {
		return nil, nil, nil
	}
	base, grad := make([]float64, n), make([]float64, n)
	y := append([]float64(nil), x...)
	r := &optimize.Result{X: x, Grad: base, F: math.Inf(1), AtLower: make([]bool, n), AtUpper: make([]bool, n)}
	evaluate := func(at, grad []float64) (v float64, ok bool, err error) {
		if r.Status = f.limit(); r.Status != optimize.NotStarted {
			return 0, false, nil
		}
		v, err = f.obj.eval(f.ctx, at, grad)
		f.res.Evaluations++
		r.Evaluations++
		if err != nil && f.ctx.Err() != nil {
			r.Status = optimize.Canceled
			return 0, false, nil
		}
		if err != nil && errors.Is(err, optimize.ErrInfeasible) {
			return 0, false, nil
		}
		return v, err == nil, err
	}
	full := make([]float64, n*n)
	for i := -1; i < n; i++ {
		if i < 0 {
			v, ok, err := evaluate(x, base)
			if err != nil {
				return nil, nil, err
			}
			if ok {
				r.F = v
				r.ProjectedGradient = f.projected(x, base)
				continue
			}
		} else {
			step := curvatureStep
			if x[i]+step > f.problem.Upper[i] {
				step = -step
			}
			y[i] = x[i] + step
			_, ok, err := evaluate(y, grad)
			y[i] = x[i]
			if err != nil {
				return nil, nil, err
			}
			if ok {
				for j := range n {
					full[i*n+j] = (grad[j] - base[j]) / step
				}
				continue
			}
		}
		if r.Status != optimize.NotStarted {
			return nil, r, nil
		}
		return nil, nil, nil
	}
	sym := mat.NewSymDense(n, nil)
	largest := 0.0
	for i := range n {
		for j := range i + 1 {
			sym.SetSym(i, j, (full[i*n+j]+full[j*n+i])/2)
		}
		largest = math.Max(largest, math.Abs(sym.At(i, i)))
	}
	var eigen mat.EigenSym
	if !(largest > 0) || math.IsInf(largest, 0) || !eigen.Factorize(sym, true) {
		return nil, nil, nil
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	clear(full)
	for k, e := range eigen.Values(nil) {
		e = math.Max(math.Abs(e), 1e-6*largest)
		for i := range n {
			for j := range n {
				full[i*n+j] += e * v.At(i, k) * v.At(j, k)
			}
		}
	}
	return full, nil, nil
}

// projected returns the largest component of the gradient that no bound holds
// back.
func (f *fitting) projected(x, grad []float64) float64 {
	largest := 0.0
	for i, g := range grad {
		moved := min(max(x[i]-g, f.problem.Lower[i]), f.problem.Upper[i])
		largest = max(largest, math.Abs(moved-x[i]))
	}
	return largest
}

const (
	maxHessian    = 40   // variables
	curvatureStep = 0.02 // in log θ, gain, bias and direct weights of standardised scores
)

// scaled returns the variables of nb's parameters with the common factor of α
// and β at which the objective is best.
func (f *fitting) scaled(p gcrfbc.Params) ([]float64, error) {
	sc := f.obj.sc
	x, best := f.obj.start(f.opts.Starts[0]), math.Inf(1)
	grad := make([]float64, len(x))
	// try keeps y if it is the best so far, and reports whether to go on.
	try := func(y []float64) (bool, error) {
		for i := range sc.A + sc.L {
			// Inside the box by e²: at a bound the gradient in log θ is next
			// to nothing, and the component would stay there.
			lo, hi := f.problem.Lower[i], f.problem.Upper[i]
			y[i] = min(max(y[i], min(lo+2, hi)), hi)
		}
		v, err := f.obj.eval(f.ctx, y, grad)
		f.res.Evaluations++
		switch {
		case err == nil && v < best:
			x, best = y, v
		case err == nil:
			return false, nil // past the best one
		case !errors.Is(err, optimize.ErrInfeasible) && f.ctx.Err() == nil:
			return false, err
		}
		return true, nil
	}
	for _, factor := range plugInScales {
		if f.limit() != optimize.NotStarted {
			return x, nil // minimize says so
		}
		q := p.Clone()
		for k := range q.Alpha {
			q.Alpha[k] *= factor
		}
		for l := range q.Beta {
			q.Beta[l] *= factor
		}
		if more, err := try(sc.variables(q)); err != nil {
			return nil, err
		} else if !more {
			break
		}
	}
	return x, nil
}

// collapsed reports whether a run ended with a component of θ at its upper bound,
// where the field, or a part of it, is at its mean.
func (f *fitting) collapsed(r *optimize.Result) bool {
	sc := f.obj.sc
	for i := range sc.A + sc.L {
		if r.AtUpper[i] && f.problem.Lower[i] < f.problem.Upper[i] {
			return true
		}
	}
	return false
}

// alike returns the best start of those with α and β alike: with a gain of 1 and no
// direct weights, and with no gain and the direct weights of a regression on the
// scores, around which the field may then have its variance.
func (f *fitting) alike() ([]float64, error) {
	sc := f.obj.sc
	x, best := f.obj.start(Start{plugInSizes[0], plugInSizes[0]}), math.Inf(1)
	grad := make([]float64, len(x))
	regression, err := f.regression()
	if err != nil {
		return nil, err
	}
	for _, size := range plugInSizes {
		plain := f.obj.start(Start{size, size})
		candidates := [][]float64{plain}
		if regression != nil {
			p := gcrfbc.NewParams(make([]float64, sc.K), make([]float64, sc.L))
			sc.params(&p, plain)
			p.Gain, p.Bias, p.Direct = 0, regression.Bias, regression.Direct
			candidates = append(candidates, sc.variables(p))
		}
		for _, y := range candidates {
			if f.limit() != optimize.NotStarted {
				return x, nil
			}
			v, err := f.obj.eval(f.ctx, y, grad)
			f.res.Evaluations++
			if err != nil && !errors.Is(err, optimize.ErrInfeasible) && f.ctx.Err() == nil {
				return nil, err
			}
			if err == nil && v < best {
				x, best = y, v
			}
		}
	}
	return x, nil
}

// regression fits the labels by the scores alone, where gain, bias and direct weights
// are learned; nil where they are not or a limit is met.
func (f *fitting) regression() (*gcrfbc.Params, error) {
	if parts := f.opts.parts; !parts.Gain || !parts.Bias || !parts.Direct || f.limit() != optimize.NotStarted {
		return nil, nil
	}
	o := *f.opts
	o.Variant, o.Approx, o.Mean, o.GradTol, o.StandardErrors, o.plugIn = gcrfbc.NonBayesian, "", "gain=0,bias,direct", plugInTol, NoStandardErrors, true
	o.Starts, o.MaxEvaluations = o.Starts[:1], o.MaxEvaluations-f.res.Evaluations
	if o.TimeLimit > 0 {
		o.TimeLimit -= time.Since(f.began)
	}
	r, err := Fit(f.ctx, f.obj.d, o)
	if err != nil {
		if f.ctx.Err() != nil {
			err = nil
		}
		return nil, err
	}
	f.res.Evaluations += r.Evaluations
	f.res.Factorizations += r.Factorizations
	return &r.Model.Params, nil
}

// minimize runs the optimiser from x. stop says that a limit or the context ended
// it; a nil result that nothing was evaluated.
func (f *fitting) minimize(s int, x []float64) (r *optimize.Result, stop bool, err error) {
	o := optimize.Options{
		GradTol: f.opts.GradTol, FuncTol: 1e-13, MaxEvaluations: f.opts.MaxEvaluations - f.res.Evaluations,
	}
	if f.opts.plugIn {
		o.FuncTol = plugInGain / f.obj.norm
	} else if m, ok := f.method.(optimize.SQP); ok && m.Hessian != nil {
		o.FuncTol = seededGain / f.obj.norm
	}
	if f.round > 0 {
		o.MaxEvaluations = min(o.MaxEvaluations, f.round)
	}
	if r, ok := f.obj.ev.Solver(); ok && r.Kind == infer.SolverPartial {
		// The gradient is not quite that of the estimated objective.
		o.GradTol = max(o.GradTol, partialGradTol)
		o.FuncTol = max(o.FuncTol, partialFuncTol)
		if f.opts.Variant == gcrfbc.Bayesian {
			o.FuncTol = max(o.FuncTol, partialGain/f.obj.norm, partialNoise*f.obj.sites.ValueErr/f.obj.norm)
		}
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
	settled := false
	if r, ok := f.obj.ev.Solver(); ok && r.Kind == infer.SolverPartial && f.opts.Variant == gcrfbc.Bayesian {
		o.Callback = f.untilNoise(o.Callback, &settled)
	}
	if f.opts.beat != 0 || f.reached != 0 {
		o.Callback = f.untilBehind(o.Callback)
	}
	r, err = optimize.Minimize(f.ctx, f.problem, x, f.method, o)
	if settled && r != nil {
		r.Status = optimize.FunctionConverged
	}
	stop = f.ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)
	if err != nil && !stop {
		return nil, false, err
	}
	if r == nil {
		return nil, stop, nil
	}
	f.account(s, r)
	if !usable(r) {
		r = nil
	}
	return r, stop, nil
}

// account adds a run to the result.
func (f *fitting) account(s int, r *optimize.Result) {
	f.res.Evaluations += r.Evaluations
	f.res.Runs = append(f.res.Runs, Run{f.opts.Starts[s], f.obj.pure(r.F, r.X), r.Status, r.Evaluations})
}

// limit returns what ends the fit now, or NotStarted.
func (f *fitting) limit() optimize.Status {
	switch {
	case f.ctx.Err() != nil:
		return optimize.Canceled
	case f.res.Evaluations >= f.opts.MaxEvaluations:
		return optimize.EvaluationLimit
	case f.opts.TimeLimit > 0 && time.Since(f.began) >= f.opts.TimeLimit:
		return optimize.TimeLimit
	}
	return optimize.NotStarted
}

// untilNoise returns next, which may be nil, extended to end a run, and set
// settled, when two successive iterations each gain less than partialNoise of the
// objective's present standard error: the zero of the gradient and the maximum of
// the estimated objective lie apart by about as much.
func (f *fitting) untilNoise(next func(optimize.Iteration) error, settled *bool) func(optimize.Iteration) error {
	last, small := math.Inf(1), 0
	return func(it optimize.Iteration) error {
		if last-it.F <= partialNoise*f.obj.sites.ValueErr/f.obj.norm {
			small++
		} else {
			small = 0
		}
		last = it.F
		if small >= 2 {
			*settled = true
			return optimize.ErrStop
		}
		if next != nil {
			return next(it)
		}
		return nil
	}
}

const (
	// farBehind and farSteps: a run is left when it is farBehind nats, and farSteps
	// times what its last three iterations have gained, below what there is.
	farBehind = 30
	farSteps  = 20
)

// untilBehind returns next, which may be nil, extended to end a run that cannot be
// expected to come up to the runs before or to f.opts.beat any more.
func (f *fitting) untilBehind(next func(optimize.Iteration) error) func(optimize.Iteration) error {
	var last [3]float64 // objectives of the iterations before
	return func(it optimize.Iteration) error {
		objective := -it.F * f.obj.norm
		before := last[it.Iteration%len(last)]
		last[it.Iteration%len(last)] = objective
		if it.Iteration >= len(last) {
			behind := farBehind + farSteps*(objective-before)
			hopeless := f.opts.beat != 0 && f.opts.beat-objective > behind
			f.res.left = f.res.left || hopeless
			if hopeless || f.reached != 0 && f.reached-objective > behind {
				return optimize.ErrStop
			}
		}
		if next != nil {
			return next(it)
		}
		return nil
	}
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
