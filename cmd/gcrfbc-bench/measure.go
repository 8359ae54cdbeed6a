package main

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
	"gonum.org/v1/gonum/floats"
)

// nrhs is the number of right-hand sides of a solve with many.
const nrhs = 32

// matrix is a symmetric positive definite matrix by its lower triangle.
type matrix struct {
	spec   string
	n      int
	a      *sparse.Symmetric
	values []float64
	rhs    []float64 // nrhs vectors
}

func generate(spec string) (*matrix, error) {
	n, ptr, idx, values, err := matgen.Generate(spec)
	if err != nil {
		return nil, err
	}
	p, err := sparse.NewPattern(n, n, ptr, idx)
	if err != nil {
		return nil, err
	}
	a, err := sparse.NewSymmetric(p, values)
	if err != nil {
		return nil, err
	}
	m := &matrix{spec: spec, n: n, a: a, values: values, rhs: make([]float64, nrhs*n)}
	matgen.RightHandSides(m.rhs)
	return m, nil
}

// settings are how a matrix is measured.
type settings struct {
	order            string
	threads          int
	refactorizations int
	quick            bool // three runs of each phase
	forward          bool // factorizations keep the forward part of the inverse
}

// measure times all phases. Auto orders for one factorization where ordering,
// analysis and the first factorization are timed, and for the given number of
// refactorizations in the phases after these. The time of a named ordering is that
// of the ordering by itself; of auto, which counts several, that of an analysis less
// that of one which is given the same elimination order.
func (m *matrix) measure(ctx context.Context, set settings) (*result, error) {
	budget := func(seconds float64) float64 {
		if set.quick {
			return 0
		}
		return seconds
	}
	p := m.a.Pattern()
	var whole, given, ordered, first, refactor, selinv, solve1, solveMany clock
	opts := chol.Options{Ordering: orderings[set.order], Threads: set.threads, Refactorizations: 1}
	var sym *chol.Symbolic
	var err error
	alone := m.ordering(ctx, opts)
	if alone != nil {
		for len(ordered.wall) < 3 || len(ordered.wall) < 7 && ordered.total < 1 {
			runtime.GC() // its memory is used again, like what a program in C has freed
			if err = ordered.measure(alone); err != nil {
				return nil, err
			}
		}
	}
	for len(whole.wall) < 3 || len(whole.wall) < 9 && whole.total < budget(4) {
		if err = whole.measure(func() error { sym, err = chol.Analyze(ctx, p, opts); return err }); err != nil {
			return nil, err
		}
		same := opts
		same.Ordering, same.Perm = chol.Given, sym.Perm()
		if err = given.measure(func() error { _, err := chol.Analyze(ctx, p, same); return err }); err != nil {
			return nil, err
		}
		if alone != nil {
			continue
		}
		k := len(whole.wall) - 1
		ordered.wall = append(ordered.wall, max(whole.wall[k]-given.wall[k], 0))
		ordered.cpu = append(ordered.cpu, max(whole.cpu[k]-given.cpu[k], 0))
	}
	r := &result{Matrix: m.spec, Order: set.order, Refactorizations: set.refactorizations, Forward: set.forward, FirstOrder: sym.Ordering().String()}
	newFactor := func(s *chol.Symbolic) *chol.Factor {
		if set.forward {
			return s.NewFactorForInverse()
		}
		return s.NewFactor()
	}
	if err = first.measure(func() error { return newFactor(sym).Refactorize(ctx, m.values) }); err != nil {
		return nil, err
	}

	sym = nil
	before := heap()
	opts.Refactorizations = set.refactorizations
	if sym, err = chol.Analyze(ctx, p, opts); err != nil {
		return nil, err
	}
	r.Chosen, r.Threads, r.N, r.NNZA = sym.Ordering().String(), sym.Threads(), m.n, p.NNZ()
	r.NNZL, r.Flops, r.Supernodes, r.NRHS = sym.NNZ(), sym.Flops(), sym.Supernodes(), nrhs
	fc := sym.Forecast()
	r.Bytes = fc.Bytes + fc.WorkBytes + fc.IndexBytes
	if set.forward {
		r.Bytes += fc.ForwardBytes
	}
	analysis := heap() - before
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	f := newFactor(sym)
	factorize := func() error { return f.Refactorize(ctx, m.values) }
	if err = factorize(); err != nil {
		return nil, err
	}
	runtime.ReadMemStats(&end)
	r.Used = max(analysis, 0) + int64(end.TotalAlloc-start.TotalAlloc)
	if err = refactor.repeat(15, budget(6), factorize); err != nil {
		return nil, err
	}
	r.LogDet = f.LogDet()

	z := make([]float64, p.NNZ())
	inverse := func() error { return f.SelectedInverse(ctx, z) }
	if err = inverse(); err != nil { // the first call allocates
		return nil, err
	}
	if err = selinv.repeat(7, budget(8), inverse); err != nil {
		return nil, err
	}
	x := make([]float64, nrhs*m.n)
	for i := range m.n {
		x[i] = z[p.Ptr()[i+1]-1]
	}
	r.TraceInv = floats.SumCompensated(x[:m.n])

	one := func() error { return f.SolveTo(x[:m.n], m.rhs[:m.n]) }
	if err = one(); err != nil {
		return nil, err
	}
	if err = solve1.repeat(15, budget(2), one); err != nil {
		return nil, err
	}
	r.Residual = m.residual(x[:m.n], m.rhs[:m.n])
	many := func() error { return f.SolveManyTo(x, m.rhs, nrhs) }
	if err = many(); err != nil {
		return nil, err
	}
	if err = solveMany.repeat(9, budget(3), many); err != nil {
		return nil, err
	}

	put := func(c *clock, s, cpu, low *float64, runs *int, all *[]float64) {
		*s, *cpu, *low, *runs, *all = median(c.wall), median(c.cpu), slices.Min(c.wall), len(c.wall), slices.Clone(c.wall)
	}
	put(&given, &r.AnalyzeS, &r.AnalyzeCPU, &r.AnalyzeMin, &r.AnalyzeRuns, &r.AnalyzeAll)
	put(&ordered, &r.OrderS, &r.OrderCPU, &r.OrderMin, &r.OrderRuns, &r.OrderAll)
	put(&first, &r.FirstS, &r.FirstCPU, &r.FirstMin, &r.FirstRuns, &r.FirstAll)
	put(&refactor, &r.RefactorS, &r.RefactorCPU, &r.RefactorMin, &r.RefactorRuns, &r.RefactorAll)
	put(&selinv, &r.SelinvS, &r.SelinvCPU, &r.SelinvMin, &r.SelinvRuns, &r.SelinvAll)
	put(&solve1, &r.Solve1S, &r.Solve1CPU, &r.Solve1Min, &r.Solve1Runs, &r.Solve1All)
	put(&solveMany, &r.SolveMultiS, &r.SolveMultiCPU, &r.SolveMultiMin, &r.SolveMultiRuns, &r.SolveMultiAll)
	r.RSS = peakMegabytes()
	return r, nil
}

// heap returns the bytes that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// residual returns ‖Ax − b‖/‖b‖.
func (m *matrix) residual(x, b []float64) float64 {
	ax := make([]float64, m.n)
	m.a.MulVecTo(ax, x)
	var num, den float64
	for i, v := range ax {
		num += (v - b[i]) * (v - b[i])
		den += b[i] * b[i]
	}
	return math.Sqrt(num / den)
}
