//go:build amd64 && !noasm

package kernel

import "github.com/gcrfbc/gcrfbc/internal/simd"

func scatter(n int, rows *int32, u, x, v *float64) {
	switch simd.Current() {
	case simd.AVX512:
		scatterAVX512(n, rows, u, x, v)
	case simd.AVX2:
		scatterAVX2(n, rows, u, x, v)
	default:
		scatterGo(n, rows, u, x, v)
	}
}

func gather(n int, rows *int32, u, x, sum *float64) {
	switch simd.Current() {
	case simd.AVX512:
		gatherAVX512(n, rows, u, x, sum)
	case simd.AVX2:
		gatherAVX2(n, rows, u, x, sum)
	default:
		gatherGo(n, rows, u, x, sum)
	}
}
