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
