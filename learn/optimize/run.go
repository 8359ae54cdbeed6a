package optimize

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

const eps = 0x1p-52

// run is the state common to all methods: the counted and checked function,
// the current iterate, the best point, and why the run ended.
type run struct {
	parent  context.Context // the caller's
	ctx     context.Context // the same with the time limit
	eval    Func
	hessVec HessVecFunc
	n       int

	lower, upper []float64 // never nil
	bounded      bool      // some bound is finite
	opts         Options
	began        time.Time

	x, g  []float64 // current iterate, and trial point inside a search
	f, pg float64   // value and projected gradient at the iterate

	x0, g0 []float64 // where the search of this iteration began

	bestX, bestG []float64
	bestF        float64

	evals, iters, hessVecs int
	rejected               error // why the last evaluation was not usable
	ls                     lineSearch
	flat                   bool // the last reduction was within FuncTol
	trace                  []Iteration
	status                 Status // not NotStarted: end
	err                    error
}

func newRun(ctx context.Context, p Problem, x0 []float64, opts Options) *run {
	n := p.Dim
	buf := make([]float64, 8*n)
	take := func() []float64 {
		s := buf[:n:n]
		buf = buf[n:]
		return s
	}
	r := &run{
		parent: ctx, ctx: ctx, eval: p.Eval, hessVec: p.HessVec, n: n,
		lower: take(), upper: take(), x: take(), g: take(), x0: take(), g0: take(),
		bestX: take(), bestG: take(), bestF: math.Inf(1),
		opts: opts.withDefaults(n), began: time.Now(),
	}
	for i := range r.lower {
		r.lower[i], r.upper[i] = math.Inf(-1), math.Inf(1)
	}
	copy(r.lower, p.Lower)
	copy(r.upper, p.Upper)
	for i := range r.x {
		r.x[i] = r.clip(i, x0[i])
		if !math.IsInf(r.lower[i], -1) || !math.IsInf(r.upper[i], 1) {
			r.bounded = true
		}
	}
	copy(r.bestX, r.x)
	for i := range r.bestG {
		r.bestG[i] = math.NaN()
	}
	return r
}

func (r *run) stop(s Status, err error) {
	if r.status == NotStarted {
		r.status, r.err = s, err
	}
}

// stopContext tells the time limit of the run from the caller's context.
func (r *run) stopContext() {
	if err := r.parent.Err(); err != nil {
		r.stop(Canceled, fmt.Errorf("optimize: canceled: %w", context.Cause(r.parent)))
		return
	}
	r.stop(TimeLimit, nil)
}

// evaluate calls Eval at x, which is inside the box. ok is false when the
// point cannot be used or, with r.status set, when the run has ended.
func (r *run) evaluate(x, g []float64) (f float64, ok bool) {
	if r.opts.MaxEvaluations >= 0 && r.evals >= r.opts.MaxEvaluations {
		r.stop(EvaluationLimit, nil)
		return 0, false
	}
	if r.ctx.Err() != nil {
		r.stopContext()
		return 0, false
	}
	r.evals++
	r.rejected = nil
	f, err := r.eval(r.ctx, x, g)
	if err != nil {
		r.rejected = err
		r.failure(err)
		return 0, false
	}
	if math.IsInf(f, -1) {
		r.stop(Unbounded, nil)
		return 0, false
	}
	// 0·v is NaN exactly if v is not finite.
	z := 0 * f
	for _, v := range g {
		z += 0 * v
	}
	if z != 0 {
		return 0, false
	}
	if f < r.bestF {
		r.bestF = f
		copy(r.bestX, x)
		copy(r.bestG, g)
	}
	return f, true
}

// failure sorts an error of the user's functions.
func (r *run) failure(err error) {
	switch {
	case errors.Is(err, ErrNotFinite), errors.Is(err, ErrInfeasible):
	case r.ctx.Err() != nil && r.parent.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		r.stop(TimeLimit, nil)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		r.stop(Canceled, fmt.Errorf("optimize: canceled: %w", err))
	default:
		r.stop(Failed, fmt.Errorf("optimize: evaluation %d failed: %w", r.evals, err))
	}
}

// accept ends an iteration: r.x, r.g and f are the new iterate, r.x0 the old
// one, and fRef the value against which the reduction is measured. It reports
// whether to go on.
func (r *run) accept(f, fRef float64) bool {
	r.iters++
	r.f = f
	pgOld := r.pg
	r.pg = r.projectedGradient(r.x, r.g)
	step, rel := 0.0, 0.0
	for i, x := range r.x {
		d := math.Abs(x - r.x0[i])
		step = max(step, d)
		rel = max(rel, d/max(1, math.Abs(x)))
	}
	o := &r.opts
	// One flat iteration may be an unlucky short step, and near the minimum
	// another one often meets GradTol: ask for two, while the gradient does
	// not fall fast.
	flat := o.FuncTol >= 0 && fRef-f <= o.FuncTol*max(1, math.Abs(f), math.Abs(fRef)) && r.pg > 0.5*pgOld
	switch {
	case o.GradTol >= 0 && r.pg <= o.GradTol:
		r.status = GradientConverged
	case flat && r.flat:
		r.status = FunctionConverged
	case o.StepTol > 0 && rel <= o.StepTol:
		r.status = StepConverged
	}
	r.flat = flat
	r.report(step)
	if r.status == NotStarted && o.MaxIterations >= 0 && r.iters >= o.MaxIterations {
		r.status = IterationLimit
	}
	if r.status == NotStarted && r.ctx.Err() != nil {
		r.stopContext()
	}
	return r.status == NotStarted
}

// report traces the iterate and calls the callback, which may end the run.
func (r *run) report(step float64) {
	if !r.opts.Trace && r.opts.Callback == nil {
		return
	}
	it := Iteration{
		Iteration: r.iters, Evaluations: r.evals, HessVecs: r.hessVecs,
		F: r.f, ProjectedGradient: r.pg, Step: step, Elapsed: r.elapsed(),
	}
	if r.bounded {
		for i, x := range r.x {
			if x == r.lower[i] || x == r.upper[i] {
				it.Active++
			}
		}
	}
	if r.opts.Trace {
		r.trace = append(r.trace, it)
	}
	if r.opts.Callback == nil {
		return
	}
	it.X, it.Grad = r.x, r.g
	if err := r.opts.Callback(it); err != nil && r.status == NotStarted {
		if errors.Is(err, ErrStop) {
			r.stop(CallbackStop, nil)
		} else {
			r.stop(CallbackStop, fmt.Errorf("optimize: callback at iteration %d: %w", r.iters, err))
		}
	}
}

// noise is the change of the value that may be rounding.
func (r *run) noise() float64 {
	return r.opts.FuncNoise * math.Abs(r.f)
}

// stuck ends the run where no descent was found. gain is the largest decrease
// that was to be expected along the last direction: if it drowns in the
// rounding of the value, the value has converged.
func (r *run) stuck(gain float64) {
	if math.Abs(gain) <= max(r.noise(), 100*eps) {
		r.stop(FunctionConverged, nil)
		return
	}
	r.stop(LineSearchFailed, nil)
}

func (r *run) elapsed() time.Duration { return time.Since(r.began) }

func (r *run) clip(i int, v float64) float64 {
	return min(max(v, r.lower[i]), r.upper[i])
}

// projectedGradient returns max_i |P(x − g) − x| (Byrd et al. 1995, eq. 6.1).
func (r *run) projectedGradient(x, g []float64) float64 {
	s := 0.0
	if !r.bounded {
		for _, v := range g {
			s = max(s, math.Abs(v))
		}
		return s
	}
	for i, v := range g {
		s = max(s, math.Abs(r.clip(i, x[i]-v)-x[i]))
	}
	return s
}

// maxStep returns the largest t with x + t d inside the box, at most limit.
func (r *run) maxStep(x, d []float64, limit float64) float64 {
	if !r.bounded {
		return limit
	}
	for i, v := range d {
		switch {
		case v < 0:
			if room := r.lower[i] - x[i]; room > v*limit {
				limit = room / v
			}
		case v > 0:
			if room := r.upper[i] - x[i]; room < v*limit {
				limit = room / v
			}
		}
	}
	return max(limit, 0)
}

// moveTo sets r.x = P(r.x0 + t d). A variable that arrives within rounding of
// a bound is put on it, so that bounds compare exactly.
func (r *run) moveTo(t float64, d []float64) {
	if !r.bounded {
		for i, v := range d {
			r.x[i] = r.x0[i] + t*v
		}
		return
	}
	for i, v := range d {
		x := r.x0[i] + t*v
		if v < 0 {
			// An infinite bound makes the right side NaN: never true.
			if l := r.lower[i]; x <= l+2*eps*max(math.Abs(l), math.Abs(r.x0[i])) {
				x = l
			}
		} else if v > 0 {
			if u := r.upper[i]; x >= u-2*eps*max(math.Abs(u), math.Abs(r.x0[i])) {
				x = u
			}
		}
		r.x[i] = x
	}
}

// restore returns to the point where the search began.
func (r *run) restore() {
	copy(r.x, r.x0)
	copy(r.g, r.g0)
}

func dot(x, y []float64) float64 {
	s := 0.0
	y = y[:len(x)]
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

func norm(x []float64) float64 { return math.Sqrt(dot(x, x)) }
