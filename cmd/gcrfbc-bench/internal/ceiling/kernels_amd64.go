//go:build amd64 && !noasm

package ceiling

import "github.com/gcrfbc/gcrfbc/internal/simd"

// multiplyAdd runs n rounds of four steps and returns how many chains it has, times
// the elements of a vector.
func multiplyAdd(n int, c []float64) (chains int) {
	_ = c[2]
	switch simd.Current() {
	case simd.AVX512:
		multiplyAddAVX512(n, &c[0])
		return 24 * 8
	case simd.AVX2:
		multiplyAddAVX2(n, &c[0])
		return 12 * 4
	}
	multiplyAddGo(n, c)
	return goChains
}

// triad sets a = b + s c; lengths are equal and multiples of 64.
func triad(s float64, a, b, c []float64) {
	if len(a) == 0 {
		return
	}
	if len(a)%64 != 0 || len(b) < len(a) || len(c) < len(a) {
		panic("ceiling: bad length")
	}
	switch simd.Current() {
	case simd.AVX512:
		triadAVX512(len(a), s, &a[0], &b[0], &c[0])
	case simd.AVX2:
		triadAVX2(len(a), s, &a[0], &b[0], &c[0])
	default:
		triadGo(s, a, b, c)
	}
}
