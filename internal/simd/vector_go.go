package simd

import "math"

func dotGo(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

func axpyGo(alpha float64, x, y []float64) {
	for i, v := range x {
		y[i] += alpha * v
	}
}

func expGo(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Exp(v)
	}
}

func logisticGo(dst, x []float64) {
	for i, v := range x {
		e := math.Exp(-math.Abs(v))
		if v < 0 {
			dst[i] = e / (1 + e)
		} else {
			dst[i] = 1 / (1 + e)
		}
	}
}

func log1pExpGo(dst, x []float64) {
	for i, v := range x {
		dst[i] = max(v, 0) + math.Log1p(math.Exp(-math.Abs(v)))
	}
}
