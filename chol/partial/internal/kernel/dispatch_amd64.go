//go:build amd64 && !noasm

package kernel

import "github.com/gcrfbc/gcrfbc/internal/simd"

func forward(n int, ptr *int, node, rows *int32, u, x *float64) {
	switch simd.Current() {
	case simd.AVX512:
		forwardAVX512(n, ptr, node, rows, u, x)
	case simd.AVX2:
		forwardAVX2(n, ptr, node, rows, u, x)
	default:
		forwardGo(n, ptr, node, rows, u, x)
	}
}

func backward(n int, ptr *int, node, rows *int32, u, pivot, x *float64) {
	switch simd.Current() {
	case simd.AVX512:
		backwardAVX512(n, ptr, node, rows, u, pivot, x)
	case simd.AVX2:
		backwardAVX2(n, ptr, node, rows, u, pivot, x)
	default:
		backwardGo(n, ptr, node, rows, u, pivot, x)
	}
}

func backwardMultiply(n int, ptr *int, rows *int32, u, pivot, w, diag, x, y, r, sums *float64) {
	switch simd.Current() {
	case simd.AVX512:
		backwardMultiplyAVX512(n, ptr, rows, u, pivot, w, diag, x, y, r, sums)
	case simd.AVX2:
		backwardMultiplyAVX2(n, ptr, rows, u, pivot, w, diag, x, y, r, sums)
	default:
		backwardMultiplyGo(n, ptr, rows, u, pivot, w, diag, x, y, r, sums)
	}
}

func multiply(n int, ptr *int, rows *int32, w, diag, x, y, r, sums *float64) {
	switch simd.Current() {
	case simd.AVX512:
		multiplyAVX512(n, ptr, rows, w, diag, x, y, r, sums)
	case simd.AVX2:
		multiplyAVX2(n, ptr, rows, w, diag, x, y, r, sums)
	default:
		multiplyGo(n, ptr, rows, w, diag, x, y, r, sums)
	}
}

func update(n int, alpha, beta, u, w, x, r, p, s, squares *float64) {
	switch simd.Current() {
	case simd.AVX512:
		updateAVX512(n, alpha, beta, u, w, x, r, p, s, squares)
	case simd.AVX2:
		updateAVX2(n, alpha, beta, u, w, x, r, p, s, squares)
	default:
		updateGo(n, alpha, beta, u, w, x, r, p, s, squares)
	}
}

func forwardOne(n int, ptr *int, node, rows *int32, u, x *float64) {
	if simd.Current() >= simd.AVX2 {
		forwardOneAVX2(n, ptr, node, rows, u, x)
	} else {
		forwardOneGo(n, ptr, node, rows, u, x)
	}
}

func backwardOne(n int, ptr *int, node, rows *int32, u, pivot, x *float64) {
	if simd.Current() >= simd.AVX2 {
		backwardOneAVX2(n, ptr, node, rows, u, pivot, x)
	} else {
		backwardOneGo(n, ptr, node, rows, u, pivot, x)
	}
}

func backwardMultiplyOne(n int, ptr *int, rows *int32, u, pivot, w, diag, x, y, r, sums *float64) {
	if simd.Current() >= simd.AVX2 {
		backwardMultiplyOneAVX2(n, ptr, rows, u, pivot, w, diag, x, y, r, sums)
	} else {
		backwardMultiplyOneGo(n, ptr, rows, u, pivot, w, diag, x, y, r, sums)
	}
}

func multiplyOne(n int, ptr *int, rows *int32, w, diag, x, y, r, sums *float64) {
	if simd.Current() >= simd.AVX2 {
		multiplyOneAVX2(n, ptr, rows, w, diag, x, y, r, sums)
	} else {
		multiplyOneGo(n, ptr, rows, w, diag, x, y, r, sums)
	}
}
