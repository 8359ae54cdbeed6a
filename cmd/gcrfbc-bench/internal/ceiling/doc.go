// Package ceiling measures what a machine can do at best: fused multiply-adds that
// touch no memory, and memory bandwidth by the triad a = b + s c of STREAM
// (J. D. McCalpin, Memory bandwidth and machine balance in current high performance
// computers, IEEE TCCA Newsletter 1995). Rates of the engine are judged by them.
//
// The kernels use the instructions that package simd uses; see simd.SetLevel.
package ceiling

//go:generate go -C ../../../../internal/simd/gen run . -what ceiling -isa avx512 -pkg ceiling -out ../../../cmd/gcrfbc-bench/internal/ceiling/ceiling_avx512_amd64.s -stubs ../../../cmd/gcrfbc-bench/internal/ceiling/ceiling_avx512_amd64.go
//go:generate go -C ../../../../internal/simd/gen run . -what ceiling -isa avx2 -pkg ceiling -out ../../../cmd/gcrfbc-bench/internal/ceiling/ceiling_avx2_amd64.s -stubs ../../../cmd/gcrfbc-bench/internal/ceiling/ceiling_avx2_amd64.go
