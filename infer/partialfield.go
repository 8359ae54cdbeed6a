package infer

import (
	"context"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc/chol/partial"
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

func (f *partialField) SampleTo(ctx context.Context, dst []float64, rng *rand.Rand) error {
	return f.factor.SampleTo(ctx, dst, f.values, rng, solveTol)
}

func (f *partialField) exact() bool { return false }
