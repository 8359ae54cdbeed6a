//go:build !amd64 || noasm

package simd

func dot(x, y []float64) float64 { return dotGo(x, y) }

func axpy(alpha float64, x, y []float64) { axpyGo(alpha, x, y) }

func elementwise(k kind, dst, x []float64) { elementwiseGo(k, dst, x) }

func scatterAddLower(m, j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) {
	scatterAddLowerGo(m, j0, j1, u, ldu, rel, shift, f, ldf)
}

func gatherLower(m, j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) {
	gatherLowerGo(m, j0, j1, u, ldu, rel, shift, f, ldf)
}

// SolveForward and SolveBackward are documented in vector_amd64.go.

func SolveForward(m, n int, l *float64, ldl int, x *float64) { solveForwardGo(m, n, l, ldl, x) }

func SolveBackward(m, n int, l *float64, ldl int, x *float64) { solveBackwardGo(m, n, l, ldl, x) }
