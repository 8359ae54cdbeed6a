package infer

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// Field is a symmetric positive definite matrix on a fixed pattern, factorized
// so that it can be solved with, and its log-determinant and selected inverse
// taken. Values are on the lower triangle, aligned with the pattern. A Field
// belongs to one goroutine at a time.
//
// Exact fields (denseField, sparseField) and the approximate one (partialField)
// are used alike; determinants of the latter carry a standard error.
type Field interface {
	// Update factorizes the matrix with the given values.
	Update(ctx context.Context, values []float64) error
	// SolveTo writes the solution for one right-hand side; dst may be rhs.
	SolveTo(dst, rhs []float64) error
	// SolveManyTo solves for k right-hand sides, vector r at [r·n, (r+1)·n).
	SolveManyTo(ctx context.Context, dst, rhs []float64, k int) error
	// LogDetRatio returns log|this| − log|base| and its standard error, 0 if
	// exact; base is of the same structure.
	LogDetRatio(ctx context.Context, base Field) (value, stderr float64, err error)
	// InverseDiagTo writes the diagonal of the inverse.
	InverseDiagTo(ctx context.Context, diag []float64) error
	// InverseTo writes the inverse's entries on the pattern.
	InverseTo(ctx context.Context, entries []float64) error
	// SampleTo writes a draw from N(0, inverse).
	SampleTo(ctx context.Context, dst []float64, rng *rand.Rand) error
	// exact says that determinants and inverses are, and cost next to nothing
	// once the matrix is factorized.
	exact() bool
}

// exactField is a Field with pivots: the squared diagonal of the Cholesky
// factor, by row; a view.
type exactField interface {
	Field
	pivots() []float64
}

// logDetRatio sums log(a_i/b_i) over matching pivots, which keeps its digits
// when the two determinants are close (large θ).
func logDetRatio(field exactField, base Field) float64 {
	a, b := field.pivots(), base.(exactField).pivots()
	s := 0.0
	for i, p := range a {
		s += math.Log1p((p - b[i]) / b[i])
	}
	return s
}

// sparseField is a Field on a supernodal sparse Cholesky factor.
type sparseField struct {
	factor  *chol.Factor
	diag    []int // positions of the diagonal in the pattern
	entries []float64
	inverse bool      // entries hold the inverse of the present matrix
	squares []float64 // pivots
}

func newSparseField(sym *chol.Symbolic, p *sparse.Pattern) *sparseField {
	n, _ := p.Dims()
	return &sparseField{
		factor: sym.NewFactor(), diag: diagonalPositions(p),
		entries: make([]float64, p.NNZ()), squares: make([]float64, n),
	}
}

// diagonalPositions returns where the diagonal stands in a lower triangle
// whose rows end with it.
func diagonalPositions(p *sparse.Pattern) []int {
	n, _ := p.Dims()
	pos := make([]int, n)
	for i := range pos {
		pos[i] = p.Ptr()[i+1] - 1
	}
	return pos
}

func (f *sparseField) Update(ctx context.Context, values []float64) error {
	f.inverse = false
	if err := f.factor.Refactorize(ctx, values); err != nil {
		return err
	}
	return f.factor.PivotsTo(f.squares)
}

func (f *sparseField) SolveTo(dst, rhs []float64) error { return f.factor.SolveTo(dst, rhs) }

func (f *sparseField) SolveManyTo(ctx context.Context, dst, rhs []float64, k int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.factor.SolveManyTo(dst, rhs, k)
}

func (f *sparseField) SampleTo(_ context.Context, dst []float64, rng *rand.Rand) error {
	for i := range dst {
		dst[i] = rng.NormFloat64()
	}
	return f.factor.HalfSolveTransposeTo(dst, dst)
}

func (f *sparseField) LogDetRatio(_ context.Context, base Field) (value, stderr float64, err error) {
	return logDetRatio(f, base), 0, nil
}

func (f *sparseField) exact() bool { return true }

func (f *sparseField) pivots() []float64 { return f.squares }

func (f *sparseField) invert(ctx context.Context) error {
	if f.inverse {
		return nil
	}
	if err := f.factor.SelectedInverse(ctx, f.entries); err != nil {
		return err
	}
	f.inverse = true
	return nil
}

func (f *sparseField) InverseDiagTo(ctx context.Context, diag []float64) error {
	if err := f.invert(ctx); err != nil {
		return err
	}
	for i, q := range f.diag {
		diag[i] = f.entries[q]
	}
	return nil
}

func (f *sparseField) InverseTo(ctx context.Context, entries []float64) error {
	if err := f.invert(ctx); err != nil {
		return err
	}
	copy(entries, f.entries)
	return nil
}
