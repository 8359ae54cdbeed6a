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
