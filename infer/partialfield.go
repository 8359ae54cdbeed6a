package infer

import (
	"context"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc/chol/partial"
	"github.com/gcrfbc/gcrfbc/internal/pool"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// partialField is a Field on an approximate factor, for graphs whose exact one
// is too large. Solves are by conjugate gradients, one after another from the
// last solution; the inverse is the restricted one.
type partialField struct {
	ctx    context.Context // of the last Update, for solves
	factor *partial.Factor
	values []float64 // a view
	last   []float64 // solution of the last single solve
	warm   bool
}

// solveTol is the relative residual of solves, and partialSiteTol the least
// change of the sites that is waited for: the objective's errors are about their
// squares, and those of its log-determinant are larger.
const (
	solveTol       = 1e-7
	partialSiteTol = 1e-4
)

func newPartialField(sym *partial.Symbolic) *partialField {
	return &partialField{ctx: context.Background(), factor: sym.NewFactor(), last: make([]float64, sym.N())}
}

func (f *partialField) Update(ctx context.Context, values []float64) error {
	f.ctx, f.values = ctx, values
	return f.factor.Refactorize(ctx, values)
}

func (f *partialField) SolveTo(dst, rhs []float64) error {
	if _, err := f.factor.SolveTo(f.ctx, f.last, rhs, solveTol, f.warm); err != nil {
		f.warm = false
		return err
	}
	f.warm = true
	copy(dst, f.last)
	return nil
}

func (f *partialField) SolveManyTo(ctx context.Context, dst, rhs []float64, k int) error {
	_, err := f.factor.SolveManyTo(ctx, dst, rhs, k, solveTol, false)
	return err
}

func (f *partialField) LogDetRatio(ctx context.Context, base Field) (value, stderr float64, err error) {
	e, err := f.factor.LogDetRatio(ctx, base.(*partialField).factor)
	return e.Value, e.StdErr, err
}

func (f *partialField) InverseDiagTo(ctx context.Context, diag []float64) error {
	return f.factor.InverseDiagTo(ctx, diag)
}

func (f *partialField) InverseTo(ctx context.Context, entries []float64) error {
	return f.factor.SelectedInverse(ctx, entries)
}

const (
	traceProbes = 8 // solved for side by side
	traceTol    = 1e-4
)

// missingTracesTo estimates what the traces tr(A_k Z) of the family's terms with
// the restricted inverse Z miss of those with the inverse: one estimate from each
// probe z of ±1, which depends on the seed alone,
//
//	(A⁻¹z − Zz)'A_k z
//
// at dst[k·traceProbes], without bias. Without them the gradient would be that of
// another function than the objective, whose log-determinants have no such bias.
func (f *partialField) missingTracesTo(ctx context.Context, dst []float64, fam *sparse.Family, entries []float64) error {
	clear(dst)
	if f.factor.Symbolic().CoreN() == 0 {
		return nil // Z is exact
	}
	n := len(f.last)
	rng := rand.New(rand.NewPCG(1+f.factor.Symbolic().Seed(), 1<<40))
	signs := make([]uint8, n)
	for i := range signs {
		signs[i] = uint8(rng.Uint32())
	}
	probe := func(q int, z []float64) {
		for i, b := range signs {
			z[i] = 1 - 2*float64(b>>q&1)
		}
	}
	all := make([]float64, traceProbes*n)
	for q := range traceProbes {
		probe(q, all[q*n:(q+1)*n])
	}
	if _, err := f.factor.SolveManyTo(ctx, all, all, traceProbes, traceTol, false); err != nil {
		return err
	}
	terms := fam.NumTerms()
	var known control
	ptr, idx := fam.Pattern().Ptr(), fam.Pattern().Idx()
	threads := f.factor.Symbolic().Threads()
	work := make([][]float64, min(threads, traceProbes))
	if err := pool.Run(ctx, threads, traceProbes, func(worker, q int) error {
		if work[worker] == nil {
			work[worker] = make([]float64, 2*n+terms)
		}
		z, product, one := work[worker][:n], work[worker][n:2*n], work[worker][2*n:]
		x := all[q*n : (q+1)*n]
		probe(q, z)
		for i := range n { // x −= Zz; the diagonal is last in its row
			last := ptr[i+1] - 1
			sum := entries[last] * z[i]
			for k := ptr[i]; k < last; k++ {
				j, v := idx[k], entries[k]
				sum += v * z[j]
				x[j] -= v * z[i]
			}
			x[i] -= sum
		}
		fam.QuadTo(one, x, z)
		for k, v := range one {
			dst[k*traceProbes+q] = v
		}
		fam.MulVecTo(product, z, f.values)
		sum := 0.0
		for i, v := range product {
			sum += x[i] * v
		}
		known[q] = sum
		return nil
	}); err != nil {
		return err
	}
	known.center(n, f.values, entries, ptr)
	for k := range terms {
		known.takeFrom(dst[k*traceProbes : (k+1)*traceProbes])
	}
	return nil
}

// control is (A⁻¹z − Zz)'Az for every probe, less what it is on average, which is
// known: n − tr(AZ). A part of the noise of the other estimates is in proportion
// to it.
type control [traceProbes]float64

func (c *control) center(n int, values, entries []float64, ptr []int) {
	mean := float64(n)
	for i := range n {
		last := ptr[i+1] - 1
		mean -= values[last] * entries[last]
		for k := ptr[i]; k < last; k++ {
			mean -= 2 * values[k] * entries[k]
		}
	}
	for q := range c {
		c[q] -= mean
	}
}

// takeFrom takes the multiple of c that lessens the spread of d most away from d:
// a control variate (Glasserman 2003, section 4.1).
func (c *control) takeFrom(d []float64) {
	var meanD, meanC, both, squares float64
	for q, v := range d {
		meanD += v / traceProbes
		meanC += c[q] / traceProbes
	}
	for q, v := range d {
		both += (v - meanD) * (c[q] - meanC)
		squares += (c[q] - meanC) * (c[q] - meanC)
	}
	if !(squares > 0) {
		return
	}
	for q := range d {
		d[q] -= both / squares * c[q]
	}
}

// missing returns what the probes say of a difference of traces, a − b, as far as
// it exceeds twice their standard error: on small graphs there is more noise in
// them than bias in the restricted inverse.
func missing(a, b []float64) float64 {
	sum, squares := 0.0, 0.0
	for q, v := range a {
		d := v - b[q]
		sum += d
		squares += d * d
	}
	n := float64(traceProbes)
	mean := sum / n
	if mean == 0 {
		return 0
	}
	variance := max(squares/n-mean*mean, 0) / (n - 1) // of the mean
	return mean * max(0, 1-4*variance/(mean*mean))
}

// invertTo writes the inverse's entries on the pattern, and the probes' estimates
// of what the traces of the family's terms with these miss, 0 if they are exact.
func invertTo(ctx context.Context, f Field, fam *sparse.Family, entries, traces []float64) error {
	if err := f.InverseTo(ctx, entries); err != nil {
		return err
	}
	if p, ok := f.(*partialField); ok {
		return p.missingTracesTo(ctx, traces, fam, entries)
	}
	clear(traces)
	return nil
}

func (f *partialField) SampleTo(ctx context.Context, dst []float64, rng *rand.Rand) error {
	return f.factor.SampleTo(ctx, dst, f.values, rng, solveTol)
}

func (f *partialField) exact() bool { return false }
