package main

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
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

// measure times all phases. The time of the ordering is that of an analysis less
// that of one which is given the same elimination order.
func (m *matrix) measure(ctx context.Context, order string, threads int, quick bool) (*result, error) {
	budget := func(seconds float64) float64 {
		if quick {
			return 0
		}
		return seconds
	}
	p := m.a.Pattern()
	opts := chol.Options{Ordering: orderings[order], Threads: threads}
	before := heap()
	var whole, given, first, refactor, selinv, solve1, solveMany clock
	var sym *chol.Symbolic
	var err error
	if err = whole.repeat(9, budget(4), func() error { sym, err = chol.Analyze(ctx, p, opts); return err }); err != nil {
		return nil, err
	}
	same := opts
	same.Ordering, same.Perm = chol.Given, sym.Perm()
	if err = given.repeat(9, budget(2), func() error { _, err := chol.Analyze(ctx, p, same); return err }); err != nil {
		return nil, err
	}
	r := &result{Matrix: m.spec, Order: order, Chosen: sym.Ordering().String(), Threads: sym.Threads(), N: m.n, NNZA: p.NNZ(),
		NNZL: sym.NNZ(), Flops: sym.Flops(), Supernodes: sym.Supernodes(), NRHS: nrhs}
	fc := sym.Forecast()
	r.Bytes = fc.Bytes + fc.WorkBytes + fc.IndexBytes

	analysis := heap() - before
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	f := sym.NewFactor()
	factorize := func() error { return f.Refactorize(ctx, m.values) }
	if err = first.measure(factorize); err != nil {
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
	for i := range m.n {
		r.TraceInv += z[p.Ptr()[i+1]-1]
	}

	x := make([]float64, nrhs*m.n)
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
	put(&whole, &r.OrderS, &r.OrderCPU, &r.OrderMin, &r.OrderRuns, &r.OrderAll)
	r.OrderS = max(r.OrderS-r.AnalyzeS, 0)
	r.OrderCPU = max(r.OrderCPU-r.AnalyzeCPU, 0)
	r.OrderMin = max(r.OrderMin-r.AnalyzeMin, 0)
	for i, s := range r.OrderAll {
		r.OrderAll[i] = max(s-r.AnalyzeS, 0)
	}
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
