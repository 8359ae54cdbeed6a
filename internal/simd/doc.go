// Package simd holds the innermost loops of the dense kernels: register-tile
// panels of matrix products, triangular solves and Cholesky factors, vector
// sums, and elementary functions over slices.
//
// Every routine has a pure-Go definition which is always compiled and is the
// specification; on amd64 assembly for AVX2+FMA and for AVX-512 replaces it
// when the processor has the instructions. The build tag noasm removes the
// assembly. The choice is made once, at start, in level.go; tests move between
// levels with [SetLevel].
//
// Matrices are column-major. Panel routines take raw pointers: the caller has
// checked the extents. They never allocate and never retain their arguments.
//
// For one level each element of a result is computed by the same operations in
// the same order wherever it stands in a tile, so splitting a matrix into
// pieces does not change bits.
package simd
