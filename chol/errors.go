package chol

import (
	"errors"
	"fmt"
)

// ErrNotFactorized is returned by solves, determinants and inverses of a
// factor that holds no valid factorization: Refactorize was not called yet,
// or its last call failed or was cancelled.
var ErrNotFactorized = errors.New("chol: the factor holds no factorization; Refactorize was not called or did not succeed")

// NotPositiveDefiniteError reports that a matrix has no Cholesky
// factorization in floating point.
type NotPositiveDefiniteError struct {
	Row   int     // row of the failing pivot, in the caller's numbering
	Pivot float64 // its value: ≤ 0 or NaN
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("chol: matrix is not positive definite: pivot of row %d is %g; add to the diagonal or check the values of that row", e.Row, e.Pivot)
}

// ValueError reports a NaN or infinite entry of the matrix.
type ValueError struct {
	Row, Col int // caller's numbering
	Pos      int // position in values
	Value    float64
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("chol: entry (%d, %d), values[%d], is %g; every value must be finite", e.Row, e.Col, e.Pos, e.Value)
}

// MemoryError reports a forecast beyond Options.MaxBytes, or beyond what this
// implementation can index (Limit is then that bound).
type MemoryError struct {
	Need, Limit int64 // bytes
	What        string
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("chol: %s needs %d bytes, the limit is %d; raise Options.MaxBytes, try Ordering NestedDissection, use fewer threads, or solve iteratively", e.What, e.Need, e.Limit)
}

// ShapeError reports a length or dimension that does not fit.
type ShapeError struct {
	What      string
	Got, Want int
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("chol: %s is %d, want %d", e.What, e.Got, e.Want)
}

// PatternError reports a pattern that cannot be analyzed.
type PatternError struct {
	Row int
	Msg string
}

func (e *PatternError) Error() string {
	return fmt.Sprintf("chol: row %d of the pattern: %s", e.Row, e.Msg)
}

// OptionError reports a field of Options that cannot be used.
type OptionError struct {
	Field string
	Msg   string
}

func (e *OptionError) Error() string { return fmt.Sprintf("chol: Options.%s: %s", e.Field, e.Msg) }
