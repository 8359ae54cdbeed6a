// Package kernel holds the loops over columns and rows of sparse factors with
// eight right-hand sides side by side: component i of all of them is the eight
// numbers at 8i, one cache line.
//
// The definitions in Go are always compiled; on amd64 assembly for AVX2 and for
// AVX-512 replaces them (package simd chooses which). Callers guarantee the
// extents.
//
//go:generate go -C ../../../../internal/simd/gen run . -what rows -isa avx512 -pkg kernel -out ../../../chol/partial/internal/kernel/rows_avx512_amd64.s -stubs ../../../chol/partial/internal/kernel/rows_avx512_amd64.go
//go:generate go -C ../../../../internal/simd/gen run . -what rows -isa avx2 -pkg kernel -out ../../../chol/partial/internal/kernel/rows_avx2_amd64.s -stubs ../../../chol/partial/internal/kernel/rows_avx2_amd64.go
package kernel

// Lanes is how many right-hand sides stand side by side.
const Lanes = 8

// Scatter adds u[k] v to row rows[k] of x, for all k; v is eight numbers.
func Scatter(rows []int32, u, x []float64, v *[Lanes]float64) {
	if len(rows) == 0 {
		return
	}
	scatter(len(rows), &rows[0], &u[:len(rows)][0], &x[0], &v[0])
}

// Gather adds Σ u[k] times row rows[k] of x to sum.
func Gather(rows []int32, u, x []float64, sum *[Lanes]float64) {
	if len(rows) == 0 {
		return
	}
	gather(len(rows), &rows[0], &u[:len(rows)][0], &x[0], &sum[0])
}
