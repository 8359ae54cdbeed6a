//go:build amd64 && !noasm

package simd

func dot(x, y []float64) float64 {
	switch level {
	case AVX512:
		return dotAVX512(len(x), &x[0], &y[0])
	case AVX2:
		return dotAVX2(len(x), &x[0], &y[0])
	}
	return dotGo(x, y)
}

func axpy(alpha float64, x, y []float64) {
	switch level {
	case AVX512:
		axpyAVX512(len(x), alpha, &x[0], &y[0])
	case AVX2:
		axpyAVX2(len(x), alpha, &x[0], &y[0])
	default:
		axpyGo(alpha, x, y)
	}
}

func elementwise(k kind, dst, x []float64) {
	n, d, s := len(x), &dst[0], &x[0]
	switch {
	case level == Go:
		elementwiseGo(k, dst, x)
	case level == AVX512 && k == expKind:
		expAVX512(n, d, s)
	case level == AVX512 && k == logisticKind:
		logisticAVX512(n, d, s)
	case level == AVX512:
		log1pExpAVX512(n, d, s)
	case k == expKind:
		expAVX2(n, d, s)
	case k == logisticKind:
		logisticAVX2(n, d, s)
	default:
		log1pExpAVX2(n, d, s)
	}
}

func scatterAddLower(m, j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) {
	switch level {
	case AVX512:
		scatterAddLowerAVX512(m, j0, j1, &u[0], ldu, &rel[0], shift, &f[0], ldf)
	case AVX2:
		scatterAddLowerAVX2(m, j0, j1, &u[0], ldu, &rel[0], shift, &f[0], ldf)
	default:
		scatterAddLowerGo(m, j0, j1, u, ldu, rel, shift, f, ldf)
	}
}

func gatherLower(m, j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) {
	switch level {
	case AVX512:
		gatherLowerAVX512(m, j0, j1, &u[0], ldu, &rel[0], shift, &f[0], ldf)
	case AVX2:
		gatherLowerAVX2(m, j0, j1, &u[0], ldu, &rel[0], shift, &f[0], ldf)
	default:
		gatherLowerGo(m, j0, j1, u, ldu, rel, shift, f, ldf)
	}
}

// SolveForward solves with a factor's panel: L is m×n, m ≥ n, its top n×n part
// lower triangular; x(0..n−1) := L11⁻¹ x(0..n−1), then x(n..m−1) −= L21
// x(0..n−1). One pass over L; n(2m−n) operations.
func SolveForward(m, n int, l *float64, ldl int, x *float64) {
	switch level {
	case AVX512:
		solveForwardAVX512(m, n, l, ldl, x)
	case AVX2:
		solveForwardAVX2(m, n, l, ldl, x)
	default:
		solveForwardGo(m, n, l, ldl, x)
	}
}

// SolveBackward is the transpose: x(0..n−1) := L11⁻ᵀ (x(0..n−1) − L21ᵀ
// x(n..m−1)). One pass over L.
func SolveBackward(m, n int, l *float64, ldl int, x *float64) {
	switch level {
	case AVX512:
		solveBackwardAVX512(m, n, l, ldl, x)
	case AVX2:
		solveBackwardAVX2(m, n, l, ldl, x)
	default:
		solveBackwardGo(m, n, l, ldl, x)
	}
}
