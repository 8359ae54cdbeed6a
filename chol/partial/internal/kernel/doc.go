// Package kernel holds the loops over the columns of sparse factors with eight
// right-hand sides side by side: component i of all of them is the eight
// numbers at 8i, one cache line.
//
// The definitions in Go are always compiled; on amd64 assembly for AVX2 and for
// AVX-512 replaces them (package simd chooses which). Callers guarantee that
// all indices are in range.
//
//go:generate go -C ../../../../internal/simd/gen run . -what rows -isa avx512 -pkg kernel -out ../../../chol/partial/internal/kernel/rows_avx512_amd64.s -stubs ../../../chol/partial/internal/kernel/rows_avx512_amd64.go
//go:generate go -C ../../../../internal/simd/gen run . -what rows -isa avx2 -pkg kernel -out ../../../chol/partial/internal/kernel/rows_avx2_amd64.s -stubs ../../../chol/partial/internal/kernel/rows_avx2_amd64.go
package kernel

// Lanes is how many right-hand sides stand side by side.
const Lanes = 8

// Columns are those of a unit lower triangular factor L: column k holds −U[e]
// at rows Rows[e], Ptr[k] ≤ e < Ptr[k+1]. Its own row is Node[k], or k if Node
// is nil. Rows of a column differ, and a row that is the own row of a column
// is not in later ones.
type Columns struct {
	Ptr   []int
	Node  []int32
	Rows  []int32
	U     []float64
	Pivot []float64
}

// Len is the number of columns.
func (c *Columns) Len() int { return len(c.Pivot) }

func (c *Columns) check(x []float64, width int) bool {
	n := len(c.Pivot)
	if n == 0 {
		return false
	}
	if len(c.Ptr) < n+1 || len(c.Rows) < c.Ptr[n] || len(c.U) < c.Ptr[n] || c.Node != nil && len(c.Node) < n || len(x) < n*width {
		panic("kernel: short columns")
	}
	return true
}

// Forward replaces x by L⁻¹x.
func (c *Columns) Forward(x []float64) {
	if c.check(x, Lanes) {
		forward(len(c.Pivot), &c.Ptr[0], first(c.Node), first(c.Rows), first(c.U), &x[0])
	}
}

// Backward replaces x by L⁻ᵀD⁻¹x, D the pivots.
func (c *Columns) Backward(x []float64) {
	if c.check(x, Lanes) {
		backward(len(c.Pivot), &c.Ptr[0], first(c.Node), first(c.Rows), first(c.U), &c.Pivot[0], &x[0])
	}
}

// BackwardMultiply replaces x by L⁻ᵀD⁻¹x and writes y = K x of the result, K
// the symmetric matrix with the given diagonal and −w[e] where L has entry e,
// in one pass over the columns. sums are r'x and x'Kx of each vector. Node
// must be nil; x, y and r may not overlap.
func (c *Columns) BackwardMultiply(w, diag, x, y, r []float64, sums *[2 * Lanes]float64) {
	if !c.check(x, Lanes) {
		*sums = [2 * Lanes]float64{}
		return
	}
	n := len(c.Pivot)
	checkMultiply(n, c.Ptr, c.Rows, w, diag, x, y, r, Lanes)
	backwardMultiply(n, &c.Ptr[0], first(c.Rows), first(c.U), &c.Pivot[0], first(w), &diag[0], &x[0], &y[0], &r[0], &sums[0])
}

// Multiply writes y = K x as BackwardMultiply does, without solving before. r
// may be x.
func Multiply(ptr []int, rows []int32, w, diag, x, y, r []float64, sums *[2 * Lanes]float64) {
	n := len(diag)
	if n == 0 {
		*sums = [2 * Lanes]float64{}
		return
	}
	checkMultiply(n, ptr, rows, w, diag, x, y, r, Lanes)
	multiply(n, &ptr[0], first(rows), first(w), &diag[0], &x[0], &y[0], &r[0], &sums[0])
}

func checkMultiply(n int, ptr []int, rows []int32, w, diag, x, y, r []float64, width int) {
	if len(ptr) < n+1 || len(rows) < ptr[n] || len(w) < ptr[n] || len(diag) < n || len(x) < n*width || len(y) < n*width || len(r) < n*width {
		panic("kernel: short matrix")
	}
}

// Update does the vector operations of one step of conjugate gradients on
// vectors of equal length, a multiple of Lanes: p = u + βp, s = w + βs,
// x += αp, r −= αs, and squares = r∘r summed by lane.
func Update(alpha, beta *[Lanes]float64, u, w, x, r, p, s []float64, squares *[Lanes]float64) {
	n := len(r) / Lanes
	if n == 0 {
		*squares = [Lanes]float64{}
		return
	}
	if l := n * Lanes; len(u) < l || len(w) < l || len(x) < l || len(p) < l || len(s) < l {
		panic("kernel: short vector")
	}
	update(n, &alpha[0], &beta[0], &u[0], &w[0], &x[0], &r[0], &p[0], &s[0], &squares[0])
}

func first[T any](s []T) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}
