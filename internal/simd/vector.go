package simd

// Dot returns Σ x(i) y(i) over len(x) elements.
func Dot(x, y []float64) float64 {
	if len(y) < len(x) {
		panic("simd: slices of different length")
	}
	if len(x) == 0 {
		return 0
	}
	return dot(x, y)
}

// Axpy adds alpha x to y over len(x) elements.
func Axpy(alpha float64, x, y []float64) {
	if len(y) < len(x) {
		panic("simd: slices of different length")
	}
	if len(x) > 0 {
		axpy(alpha, x, y)
	}
}

// Exp sets dst(i) = exp x(i) over len(x) elements; dst may be x. The error is
// below 1 ulp.
func Exp(dst, x []float64) { unary(expKind, dst, x) }

// Logistic sets dst(i) = 1/(1+exp(−x(i))); dst may be x. The error is below
// 2 ulp, for great negative x too.
func Logistic(dst, x []float64) { unary(logisticKind, dst, x) }

// Log1pExp sets dst(i) = log(1+exp x(i)), the softplus function; dst may be x.
// The error is below 2.5 ulp.
func Log1pExp(dst, x []float64) { unary(log1pExpKind, dst, x) }

type kind int

const (
	expKind kind = iota
	logisticKind
	log1pExpKind
)

func unary(k kind, dst, x []float64) {
	if len(dst) < len(x) {
		panic("simd: slices of different length")
	}
	if len(x) > 0 {
		elementwise(k, dst, x)
	}
}

func elementwiseGo(k kind, dst, x []float64) {
	switch k {
	case expKind:
		expGo(dst, x)
	case logisticKind:
		logisticGo(dst, x)
	default:
		log1pExpGo(dst, x)
	}
}

// ScatterAddLower adds the columns j0 ≤ j < j1 of the lower triangle of u, of
// order len(rel), to the elements (rel(i)−shift, rel(j)−shift) of f:
//
//	f(rel(i)−shift, rel(j)−shift) += u(i,j),  i ≥ j
//
// rel is strictly increasing, rel(j0) ≥ shift; all these elements lie in f.
func ScatterAddLower(j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) {
	if checkIndexed(j0, j1, u, ldu, rel, shift, f, ldf) {
		scatterAddLower(len(rel), j0, j1, u, ldu, rel, shift, f, ldf)
	}
}

// GatherLower copies the other way: u(i,j) = f(rel(i)−shift, rel(j)−shift).
func GatherLower(j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) {
	if checkIndexed(j0, j1, u, ldu, rel, shift, f, ldf) {
		gatherLower(len(rel), j0, j1, u, ldu, rel, shift, f, ldf)
	}
}

// checkIndexed panics unless the corner elements are in range, which for an
// increasing rel is all of them; it is false if there is nothing to do.
func checkIndexed(j0, j1 int, u []float64, ldu int, rel []int32, shift int, f []float64, ldf int) bool {
	m := len(rel)
	if j0 >= j1 || m == 0 {
		return false
	}
	if j0 < 0 || j1 > m || ldu < m || (j1-1)*ldu+m > len(u) {
		panic("simd: bad dimension")
	}
	last := int(rel[m-1]) - shift
	if int(rel[j0]) < shift || last >= ldf || (int(rel[j1-1])-shift)*ldf+last >= len(f) {
		panic("simd: index out of range")
	}
	return true
}
