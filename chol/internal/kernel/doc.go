// Package kernel holds the memory-bound inner loops of package chol: adding
// and gathering blocks through relative indices, scattering the matrix into
// panels, and matrix-vector products.
//
// The pure-Go definitions are always compiled; on amd64 assembly for AVX2 or
// AVX-512 replaces them as package simd has decided. The functions take slices,
// check their extents once, and panic on broken preconditions.
package kernel

//go:generate sh -c "cd gen && go run . -isa avx512 -pkg kernel -out ../kernel_avx512_amd64.s -stubs ../kernel_avx512_amd64.go && go run . -isa avx2 -pkg kernel -out ../kernel_avx2_amd64.s -stubs ../kernel_avx2_amd64.go"
