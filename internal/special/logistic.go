package special

import "math"

// Logistic returns σ(x) = 1/(1+e^{−x}), relatively accurate in the lower tail
// too: Logistic(−x) is 1−Logistic(x) without cancellation.
func Logistic(x float64) float64 {
	if x < 0 {
		// e^{−x} would overflow where σ is still a normal number.
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// LogLogistic returns log σ(x) = −log(1+e^{−x}), never positive, relatively
// accurate in both tails.
func LogLogistic(x float64) float64 { return -Log1pExp(-x) }

// Log1pExp returns log(1+e^x), the softplus function, which is x + log(1+e^{−x})
// and neither overflows nor loses the small values at negative x.
func Log1pExp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// Log2Cosh returns log(2 cosh x) = |x| + log(1+e^{−2|x|}), which is at least
// log 2.
func Log2Cosh(x float64) float64 {
	x = math.Abs(x)
	return x + math.Log1p(math.Exp(-2*x))
}
