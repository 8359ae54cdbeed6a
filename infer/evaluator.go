package infer

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/chol/partial"
	"github.com/gcrfbc/gcrfbc/internal/pool"
)

// Evaluator computes the objective of a dataset and its gradient at given
// parameters: the log-likelihood (nb), the bound (jj) or the approximate
// evidence (ep, laplace), summed over instances.
//
// What does not depend on the parameters is done once: the precision families
// and their symbolic analyses, shared by instances with equal graphs. Where
// all graphs are shared by all instances, P, its factor and Σ are computed once
// an evaluation. Instances run in parallel; sums are taken over fixed blocks in
// a fixed order, so results are the same bits for any number of threads. Sites
// start from where the last evaluation left them.
//
// An Evaluator is for one goroutine at a time.
type Evaluator struct {
	d       *gcrfbc.Dataset
	opts    Options
	threads int

	shared     *structure   // the one structure of all instances, or nil
	structures []*structure // one an instance, if not shared

	prior   prior // of the shared structure
	workers []worker
	states  []siteState
	smooth  []float64 // shared: deviations h of all instances, one after another
	adjoint []float64 // shared, nb: v = Σ r of all instances
	start   []int     // first node of every instance in the arrays above

	curve curvature

	batch *laneBatch // small instances in blocks, or nil

	siteMemory     sync.Once
	sums           [][]float64 // value and gradient of every block of instances
	factorizations atomic.Int64
}

// worker is one goroutine's workspace.
type worker struct {
	own prior // of the instance at hand, if graphs are not shared
	po  posterior
	gs  gradientScratch
	r   []float64
	v   []float64

	lanes laneWork
	edges []float64 // of the shared graphs, summed over blocks
}

// maxBlocks bounds how many partial sums are kept. Instances are summed within a
// block, then blocks in order; the split depends on the number of instances
// alone, so that results do not depend on the number of threads.
const maxBlocks = 4096

// NewEvaluator validates the dataset and analyses its graphs. A forecast beyond
// MaxBytes is a *chol.MemoryError before anything large is allocated.
func NewEvaluator(ctx context.Context, d *gcrfbc.Dataset, opts Options) (*Evaluator, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	M := len(d.Instances)
	ev := &Evaluator{d: d, opts: opts, threads: pool.Threads(opts.Threads)}
	ev.states = make([]siteState, M)
	ev.start = make([]int, M+1)
	isShared := true
	for j := range d.Instances {
		in := &d.Instances[j]
		ev.start[j+1] = ev.start[j] + in.N()
		isShared = isShared && len(in.Graphs) == 0 && in.N() == d.Instances[0].N()
	}
	total := ev.start[M]
	if opts.Variant == gcrfbc.Bayesian && opts.Approx != gcrfbc.Laplace {
		ev.batch = newLaneBatch(d, &opts)
	}
	ev.workers = make([]worker, min(ev.threads, M))
	// A shared prior, and one instance alone, are computed with all threads;
	// instances that run side by side with one thread each.
	side := 1
	if M == 1 {
		side = ev.threads
	}
	set := structureSet{
		side: side, solver: opts.Solver,
		chol: chol.Options{Threads: ev.threads, Refactorizations: opts.Refactorizations},
		part: partial.Options{Cmax: opts.Cmax, Threads: ev.threads, Seed: opts.Seed},
	}
	set.limit(opts.MaxBytes, ev.numFactors(isShared))
	if isShared {
		if ev.shared, err = set.build(ctx, d.Instances[0].N(), d.Graphs); err != nil {
			return nil, err
		}
		ev.prior.attach(ev.shared, true)
		ev.smooth = make([]float64, total)
	} else {
		ev.structures = make([]*structure, M)
		for j := range d.Instances {
			if ev.batch != nil && ev.batch.where[j] >= 0 {
				continue // built when it is needed
			}
			if ev.structures[j], err = set.build(ctx, d.Instances[j].N(), d.GraphsOf(j)); err != nil {
				return nil, fmt.Errorf("instance %d: %w", j, err)
			}
		}
	}
	if r, ok := ev.Solver(); ok && r.Kind == SolverPartial {
		ev.opts.SiteTol = max(ev.opts.SiteTol, partialSiteTol)
	}
	ev.sums = make([][]float64, min(M, maxBlocks))
	for b := range ev.sums {
		ev.sums[b] = make([]float64, 1+GradientLen(d.K, d.NumGraphs()))
	}
	return ev, nil
}

// numFactors returns how many factors are held at once: P's, shared or each
// worker's, and for b each worker's A.
func (ev *Evaluator) numFactors(isShared bool) int {
	n := len(ev.workers)
	if isShared {
		n = 1
	}
	if ev.opts.Variant == gcrfbc.Bayesian {
		n += len(ev.workers)
	}
	return n
}

// Work returns the counted operations of factorizing every instance's matrix
// once, about what one sweep over the sites costs.
func (ev *Evaluator) Work() float64 {
	work := func(st *structure, n float64) float64 {
		switch {
		case st != nil && st.sym != nil:
			return st.sym.Flops()
		case st != nil && st.part != nil:
			// Its operations run at a tenth of the exact factor's speed, and
			// solves take several times the factor's.
			f := st.part.Forecast()
			return 10 * (f.FactorFlops + f.InverseFlops + f.SolveFlops)
		}
		return n * n * n / 3
	}
	if ev.shared != nil {
		return float64(len(ev.d.Instances)) * work(ev.shared, float64(ev.shared.n()))
	}
	sum := 0.0
	for j, st := range ev.structures {
		sum += work(st, float64(ev.d.Instances[j].N()))
	}
	return sum
}

// Factorizations returns how many matrices have been factorized so far.
func (ev *Evaluator) Factorizations() int { return int(ev.factorizations.Load()) }

// blockOf returns the instances of block b.
func (ev *Evaluator) blockOf(b int) (lo, hi int) {
	M, B := len(ev.d.Instances), len(ev.sums)
	return b * M / B, (b + 1) * M / B
}

// begin prepares the shared prior and the smoothed means of all instances.
func (ev *Evaluator) begin(ctx context.Context, params gcrfbc.Params, withSigma bool) error {
	if err := ev.check(params); err != nil {
		return err
	}
	if ev.shared == nil {
		return nil
	}
	ev.factorizations.Add(1)
	if err := ev.prior.update(ctx, params, withSigma); err != nil {
		return err
	}
	M, n := len(ev.d.Instances), ev.shared.n()
	err := pool.Run(ctx, len(ev.workers), len(ev.sums), func(wi, b int) error {
		w := &ev.workers[wi]
		w.r = grow(w.r, n)
		lo, hi := ev.blockOf(b)
		for j := lo; j < hi; j++ {
			average(w.r, ev.d.Instances[j].Scores, params, ev.prior.sumAlpha)
			ev.prior.deviationRHS(ev.smooth[j*n:(j+1)*n], w.r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return ev.prior.field.SolveManyTo(ctx, ev.smooth, ev.smooth, M)
}

// enter attaches worker w to instance j, its prior and its mean.
func (ev *Evaluator) enter(ctx context.Context, w *worker, j int, params gcrfbc.Params, withSigma bool) error {
	in := &ev.d.Instances[j]
	pr := &ev.prior
	if ev.shared == nil {
		st, err := ev.structureOf(ctx, j)
		if err != nil {
			return err
		}
		pr = &w.own
		pr.attach(st, false)
		ev.factorizations.Add(1)
		if err := pr.update(ctx, params, withSigma); err != nil {
			return err
		}
	}
	if withSigma {
		ev.state(j)
	}
	w.po.attach(pr, in)
	w.gs.attach(pr.st)
	average(w.po.rbar, in.Scores, params, pr.sumAlpha)
	if ev.shared != nil {
		copy(w.po.h, ev.smooth[ev.start[j]:ev.start[j+1]])
	} else {
		pr.deviationRHS(w.po.h, w.po.rbar)
		if err := pr.field.SolveTo(w.po.h, w.po.h); err != nil {
			return err
		}
	}
	if err := w.po.checkMean(); err != nil {
		return err
	}
	w.po.setMean(params)
	return nil
}

func (ev *Evaluator) check(params gcrfbc.Params) error {
	if err := params.Validate(); err != nil {
		return err
	}
	if len(params.Alpha) != ev.d.K || len(params.Beta) != ev.d.NumGraphs() {
		return &gcrfbc.ModelError{Msg: fmt.Sprintf("%d alpha and %d beta for %d predictors and %d graphs", len(params.Alpha), len(params.Beta), ev.d.K, ev.d.NumGraphs())}
	}
	return nil
}

// Evaluate returns the objective at params and, if grad is not nil, writes its
// gradient: α (K), β (L), gain, bias, direct (K), on the user's scale.
//
// Cost: for nb one factorization of P an evaluation (shared graphs) or an
// instance, and two solves an instance; for b one factorization, solve and
// selected inverse of A a sweep and instance besides.
func (ev *Evaluator) Evaluate(ctx context.Context, params gcrfbc.Params, grad []float64) (float64, error) {
	if ev.opts.Variant == gcrfbc.NonBayesian {
		return ev.evaluatePlugin(ctx, params, grad)
	}
	if ev.batch != nil {
		return ev.evaluateLanes(ctx, params, grad)
	}
	return ev.evaluateScalar(ctx, params, grad)
}

// evaluateScalar is Evaluate for b, one instance at a time.
func (ev *Evaluator) evaluateScalar(ctx context.Context, params gcrfbc.Params, grad []float64) (float64, error) {
	if err := ev.begin(ctx, params, true); err != nil {
		return 0, err
	}
	err := ev.each(ctx, func(w *worker, j int, sum []float64) error {
		if err := ev.enter(ctx, w, j, params, true); err != nil {
			return err
		}
		st := ev.state(j)
		err := w.po.solve(ctx, &ev.opts, st, grad != nil)
		ev.factorizations.Add(int64(st.sweeps))
		if err != nil {
			return err
		}
		sum[0] += w.po.value
		if grad != nil {
			w.po.addGradient(sum[1:], params, &w.gs)
			st.keepNoise(&w.po)
		}
		return nil
	})
	return ev.reduce(grad), err
}

// EvaluateXi returns the Jaakkola–Jordan bound at given ξ ≥ 0 (one slice an
// instance; entries of nodes without label are ignored), its gradient with
// respect to the parameters with ξ held, and with respect to ξ: the paper's
// joint problem. grad and gradXi may be nil.
func (ev *Evaluator) EvaluateXi(ctx context.Context, params gcrfbc.Params, xi [][]float64, grad []float64, gradXi [][]float64) (float64, error) {
	if len(xi) != len(ev.d.Instances) {
		return 0, &gcrfbc.DataError{Instance: -1, Node: -1, Msg: fmt.Sprintf("%d vectors ξ for %d instances", len(xi), len(ev.d.Instances))}
	}
	for j := range xi {
		if len(xi[j]) != ev.d.Instances[j].N() {
			return 0, &gcrfbc.DataError{Instance: j, Node: -1, Msg: fmt.Sprintf("has %d entries of ξ for %d nodes", len(xi[j]), ev.d.Instances[j].N())}
		}
	}
	if err := ev.begin(ctx, params, true); err != nil {
		return 0, err
	}
	err := ev.each(ctx, func(w *worker, j int, sum []float64) error {
		if err := ev.enter(ctx, w, j, params, true); err != nil {
			return err
		}
		var gx []float64
		if gradXi != nil {
			gx = gradXi[j]
		}
		ev.factorizations.Add(1)
		if err := w.po.evaluateXi(ctx, xi[j], gx); err != nil {
			return err
		}
		sum[0] += w.po.value
		if grad != nil {
			w.po.addGradient(sum[1:], params, &w.gs)
		}
		return nil
	})
	return ev.reduce(grad), err
}

// evaluatePlugin is Evaluate for GCRFBCnb. With shared graphs the adjoint
// solves of all instances are one blocked solve.
func (ev *Evaluator) evaluatePlugin(ctx context.Context, params gcrfbc.Params, grad []float64) (float64, error) {
	if err := ev.begin(ctx, params, false); err != nil {
		return 0, err
	}
	batch := ev.shared != nil && grad != nil
	if batch {
		ev.adjoint = grow(ev.adjoint, ev.start[len(ev.d.Instances)])
		err := ev.each(ctx, func(w *worker, j int, _ []float64) error {
			if err := ev.enter(ctx, w, j, params, false); err != nil {
				return err
			}
			w.po.pluginResidual(ev.adjoint[ev.start[j]:ev.start[j+1]])
			return nil
		})
		if err != nil {
			return 0, err
		}
		if err := ev.prior.field.SolveManyTo(ctx, ev.adjoint, ev.adjoint, len(ev.d.Instances)); err != nil {
			return 0, err
		}
	}
	err := ev.each(ctx, func(w *worker, j int, sum []float64) error {
		if err := ev.enter(ctx, w, j, params, false); err != nil {
			return err
		}
		n := len(w.po.mu)
		w.r = grow(w.r, n)
		sum[0] += w.po.pluginResidual(w.r)
		if grad == nil {
			return nil
		}
		var v []float64
		if batch {
			v = ev.adjoint[ev.start[j]:ev.start[j+1]]
		} else {
			w.v = grow(w.v, n)
			v = w.v
			if err := w.po.pr.field.SolveTo(v, w.r); err != nil {
				return err
			}
		}
		w.po.addPluginGradient(sum[1:], params, &w.gs, v, w.r)
		return nil
	})
	return ev.reduce(grad), err
}

// each runs fn for every instance, blocks in parallel, with the block's sum.
func (ev *Evaluator) each(ctx context.Context, fn func(w *worker, j int, sum []float64) error) error {
	return pool.Run(ctx, len(ev.workers), len(ev.sums), func(wi, b int) error {
		sum := ev.sums[b]
		clear(sum)
		lo, hi := ev.blockOf(b)
		for j := lo; j < hi; j++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(&ev.workers[wi], j, sum); err != nil {
				if len(ev.d.Instances) > 1 {
					return fmt.Errorf("instance %d: %w", j, err)
				}
				return err
			}
		}
		return nil
	})
}

// reduce adds up the blocks in order.
func (ev *Evaluator) reduce(grad []float64) float64 {
	value := 0.0
	clear(grad)
	for _, sum := range ev.sums {
		value += sum[0]
		for k := range grad {
			grad[k] += sum[1+k]
		}
	}
	return value
}

// SiteReport counts how the sites of the instances ended in the last
// evaluation.
type SiteReport struct {
	Converged, Stalled, Unlabelled int
	Laplace                        int // where ep fell back to laplace
	Sweeps                         int // of all instances together

	// ValueErr is the standard error of the objective, from the log-determinants
	// of approximate factors; 0 where factors are exact.
	ValueErr float64
}

// Sites reports on the last evaluation.
func (ev *Evaluator) Sites() SiteReport {
	var r SiteReport
	for j := range ev.states {
		switch ev.states[j].status {
		case SitesConverged:
			r.Converged++
		case SitesStalled:
			r.Stalled++
		case SitesNoLabels:
			r.Unlabelled++
		case SitesLaplace:
			r.Laplace++
		}
		r.Sweeps += ev.states[j].sweeps
		r.ValueErr += ev.states[j].valueErr * ev.states[j].valueErr
	}
	r.ValueErr = math.Sqrt(r.ValueErr)
	return r
}

// XiTo writes the ξ that the last evaluation with jj ended at; nodes without a
// label get a number that means nothing.
func (ev *Evaluator) XiTo(xi [][]float64) {
	for j := range ev.states {
		for i, t := range ev.state(j).a {
			xi[j][i] = math.Sqrt(t)
		}
	}
	if ev.batch != nil {
		ev.batch.sitesTo(xi)
	}
}

// state returns instance j's sites, with memory for them.
func (ev *Evaluator) state(j int) *siteState {
	ev.siteMemory.Do(func() {
		total := ev.start[len(ev.states)]
		memory := make([]float64, 2*total)
		for j := range ev.states {
			lo, hi := ev.start[j], ev.start[j+1]
			ev.states[j].a = memory[lo:hi]
			ev.states[j].b = memory[total+lo : total+hi]
		}
	})
	return &ev.states[j]
}
