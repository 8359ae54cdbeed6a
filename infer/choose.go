package infer

import (
	"context"
	"errors"
	"fmt"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/chol/partial"
	"github.com/gcrfbc/gcrfbc/sparse"
)

const (
	// maxExactFlops is the work of one factorization beyond which the
	// approximate factor takes over: about ten seconds.
	maxExactFlops = 5e11
	// slowExactFlops is the work from which it is tried first, on graphs that it is
	// for: a fit takes hundreds of factorizations and inverses.
	slowExactFlops = 3e10
	// manyEdges is where an analysis of the exact factor is first made with the
	// cheapest ordering, to see whether it is worth going on.
	manyEdges = 500_000
)

// choose returns the exact or the approximate analysis of a pattern; both where
// the exact one is to be used if the other is not accurate.
func (ss *structureSet) choose(ctx context.Context, p *sparse.Pattern) (*chol.Symbolic, *partial.Symbolic, error) {
	if ss.solver == SolverPartial {
		part, err := ss.analyzePartially(ctx, p)
		return nil, part, err
	}
	if ss.solver == SolverAuto && p.NNZ() > manyEdges {
		if explodes(p) {
			part, err := ss.analyzePartially(ctx, p)
			return nil, part, err
		}
		amd := ss.chol
		amd.Ordering = chol.AMD
		amd.MaxBytes = 0
		sym, err := chol.Analyze(ctx, p, amd)
		if e := (*chol.MemoryError)(nil); errors.As(err, &e) && skewed(p) {
			part, err := ss.analyzePartially(ctx, p)
			return nil, part, err
		}
		if err != nil {
			return nil, nil, err
		}
		if sym.Flops() > maxExactFlops && skewed(p) {
			part, err := ss.analyzePartially(ctx, p)
			return nil, part, err
		}
	}
	sym, err := ss.analyze(ctx, p)
	if e := (*chol.MemoryError)(nil); ss.solver == SolverAuto && errors.As(err, &e) && skewed(p) {
		if part, err := ss.analyzePartially(ctx, p); err == nil {
			return nil, part, nil
		}
	}
	if err == nil && ss.solver == SolverAuto && sym.Flops() > slowExactFlops && skewed(p) {
		if part, err := ss.analyzePartially(ctx, p); err == nil {
			return sym, part, nil
		}
	}
	return sym, nil, err
}

func (ss *structureSet) analyzePartially(ctx context.Context, p *sparse.Pattern) (*partial.Symbolic, error) {
	opts := ss.part
	if opts.Cmax == 0 && p.NNZ() > 2_000_000 {
		opts.Cmax = 4
	}
	return partial.Analyze(ctx, p, opts)
}

const (
	// enoughQuality is the average relative error of an approximate inverse up to
	// which auto uses it; where it is larger, Cmax is raised once by cmaxRaise.
	enoughQuality = 1e-2
	cmaxRaise     = 4
	// judgedRidge is the ridge of the matrix on which that is measured, as a part
	// of the mean weighted degree: strong smoothing, where the error is largest.
	judgedRidge = 1e-2
	judgedWith  = 8 // solves
)

// settle leaves the structure one analysis: the approximate one if it is
// accurate.
func (ss *structureSet) settle(ctx context.Context, st *structure) error {
	if st.part != nil {
		exact := st.sym
		st.sym = nil
		err := ss.judge(ctx, st)
		if e := (*AccuracyError)(nil); errors.As(err, &e) && exact != nil {
			st.sym, st.part, st.quality = exact, nil, 0
		} else if err != nil {
			return err
		}
	}
	if st.sym != nil {
		st.side = st.sym.WithThreads(ss.side)
	}
	return nil
}

// judge measures the approximate factor's quality. With the solver chosen
// automatically it raises Cmax where that is poor, unless the caller gave one,
// and refuses where it stays so: *AccuracyError.
func (ss *structureSet) judge(ctx context.Context, st *structure) error {
	if st.part == nil {
		return nil
	}
	for raised := false; ; raised = true {
		var err error
		if st.quality, err = measureQuality(ctx, st.prec, st.part); err != nil {
			return err
		}
		if ss.solver != SolverAuto || st.quality <= enoughQuality {
			return nil
		}
		cmax := st.part.Cmax()
		if raised || ss.part.Cmax != 0 {
			return &AccuracyError{Quality: st.quality, Limit: enoughQuality, Cmax: cmax}
		}
		opts := ss.part
		opts.Cmax = cmaxRaise * cmax
		part, err := partial.Analyze(ctx, st.prec.Pattern(), opts)
		if e := (*chol.MemoryError)(nil); errors.As(err, &e) {
			return &AccuracyError{Quality: st.quality, Limit: enoughQuality, Cmax: cmax}
		}
		if err != nil {
			return err
		}
		st.part = part
	}
}

// measureQuality returns the quality of the factor of all graphs' Laplacians, of
// mean weighted degree 1 each, and a ridge of judgedRidge.
func measureQuality(ctx context.Context, prec *gcrfbc.Precision, sym *partial.Symbolic) (float64, error) {
	coef := make([]float64, 1+prec.NumGraphs())
	coef[0] = judgedRidge
	values := make([]float64, prec.Pattern().NNZ())
	diag := diagonalPositions(prec.Pattern())
	for l := range prec.NumGraphs() {
		unit := make([]float64, len(coef))
		unit[1+l] = 1
		prec.AssembleTo(values, unit)
		sum := 0.0
		for _, q := range diag {
			sum += values[q] / float64(len(diag))
		}
		if sum > 0 {
			coef[1+l] = 1 / sum
		}
	}
	prec.AssembleTo(values, coef)
	f := sym.NewFactor()
	if err := f.Refactorize(ctx, values); err != nil {
		return 0, err
	}
	return f.Quality(ctx, judgedWith)
}

// solverOf returns the solver for a model's predictions. SolverAuto follows the
// fit where that took an approximate factor: parameters found with it agree with
// it, and the exact factor's analysis alone may take longer than the whole fit.
func (o *PredictOptions) solverOf(m *gcrfbc.Model) (Solver, int) {
	if o.Solver != "" && o.Solver != SolverAuto || m.Fit == nil || !m.Fit.Solver.Partial() {
		return o.Solver, o.Cmax
	}
	if o.Cmax != 0 {
		return SolverPartial, o.Cmax
	}
	return SolverPartial, m.Fit.Solver.Cmax
}

// AccuracyError says that SolverAuto found the exact factor too large and the
// approximate one not good enough.
type AccuracyError struct {
	Quality float64 // average relative error of the approximate inverse
	Limit   float64
	Cmax    int
}

func (e *AccuracyError) Error() string {
	return fmt.Sprintf("infer: the exact factor is too large, and the inverse of the approximate one would be off by %.2g on average (at most %.2g is wanted) with exact elimination up to degree %d; raise Cmax, give the exact solver more memory and time, or ask for the partial solver to have it all the same", e.Quality, e.Limit, e.Cmax)
}

// skewed reports whether degrees are as in social and web graphs, for which the
// approximate factor is accurate: some nodes have far more neighbours than most.
// Grids, meshes and roads are not, and their exact factors are small.
func skewed(p *sparse.Pattern) bool {
	degree, mean := degrees(p)
	largest := int32(0)
	for _, d := range degree {
		largest = max(largest, d)
	}
	return float64(largest) > 20*mean
}

// explodes reports whether an exact factor is hopeless without an analysis,
// which would take minutes itself: degrees are skewed, and even when all nodes
// with at most two neighbours are set aside again and again, more than 200 000
// nodes are left.
func explodes(p *sparse.Pattern) bool {
	if !skewed(p) {
		return false
	}
	n, _ := p.Dims()
	if n < 200_000 {
		return false
	}
	degree, _ := degrees(p)
	ptr := make([]int32, n+1)
	for i, d := range degree {
		ptr[i+1] = ptr[i] + d
	}
	idx := make([]int32, ptr[n])
	fill := append([]int32(nil), ptr[:n]...)
	for i := range n {
		for _, j := range p.Row(i) {
			if int(j) < i {
				idx[fill[i]] = j
				fill[i]++
				idx[fill[j]] = int32(i)
				fill[j]++
			}
		}
	}
	var queue []int32
	gone := make([]bool, n)
	for i, d := range degree {
		if d <= 2 {
			queue = append(queue, int32(i))
			gone[i] = true
		}
	}
	left := n - len(queue)
	for len(queue) > 0 {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, u := range idx[ptr[v]:ptr[v+1]] {
			if degree[u]--; degree[u] <= 2 && !gone[u] {
				gone[u] = true
				left--
				queue = append(queue, u)
			}
		}
	}
	return left > 200_000
}

func degrees(p *sparse.Pattern) (degree []int32, mean float64) {
	n, _ := p.Dims()
	degree = make([]int32, n)
	for i := range n {
		for _, j := range p.Row(i) {
			if int(j) < i {
				degree[i]++
				degree[j]++
			}
		}
	}
	for _, d := range degree {
		mean += float64(d) / float64(max(n, 1))
	}
	return degree, mean
}

// SolverReport says how the largest graph of the data is factorized.
type SolverReport struct {
	Kind     Solver // SolverExact or SolverPartial
	Ordering string // exact: the elimination order
	Cmax     int    // partial: the degree up to which nodes are eliminated exactly
	Core     int    // partial: nodes that are not
	Bytes    int64  // forecast of one factor
	Flops    float64
	// Quality is the average relative error of a partial factor's inverse at
	// strong smoothing, estimated with a few solves; 0 for exact ones.
	Quality float64
}

// Solver reports on the largest graph that is not small and dense; ok is false
// if there is none.
func (ev *Evaluator) Solver() (r SolverReport, ok bool) {
	n := 0
	structures := ev.structures
	if ev.shared != nil {
		structures = []*structure{ev.shared}
	}
	for _, st := range structures {
		if st == nil || st.n() <= n {
			continue
		}
		switch {
		case st.part != nil:
			f := st.part.Forecast()
			r = SolverReport{Kind: SolverPartial, Cmax: st.part.Cmax(), Core: st.part.CoreN(), Bytes: f.Bytes + f.Structure, Flops: f.FactorFlops, Quality: st.quality}
		case st.sym != nil:
			f := st.sym.Forecast()
			r = SolverReport{Kind: SolverExact, Ordering: st.sym.Ordering().String(), Bytes: f.Bytes, Flops: f.Flops}
		default:
			continue
		}
		n, ok = st.n(), true
	}
	return r, ok
}
