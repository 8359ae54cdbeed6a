//go:build !amd64 || noasm

package simd

func dot(x, y []float64) float64 { return dotGo(x, y) }

func axpy(alpha float64, x, y []float64) { axpyGo(alpha, x, y) }

func elementwise(k kind, dst, x []float64) { elementwiseGo(k, dst, x) }
