package special

import "math"

// Lambda returns λ(ξ) = tanh(ξ/2)/(4ξ), the curvature of the quadratic lower
// bound of the logistic function (T. Jaakkola and M. Jordan, Bayesian parameter
// estimation via variational methods, 2000). It is even, 1/8 at 0, and falls
// like 1/(4|ξ|).
func Lambda(xi float64) float64 {
	xi = math.Abs(xi)
	if xi < 0.5 {
		// tanh(t)/t by its Taylor series, radius π in ξ: at 1/2 the first
		// term left out is 2e−18 of the sum.
		x := xi * xi
		return 0.125 + x*(lambda1+x*(lambda2+x*(lambda3+x*(lambda4+x*(lambda5+
			x*(lambda6+x*(lambda7+x*(lambda8+x*(lambda9+x*lambda10)))))))))
	}
	// tanh(ξ/2) = −expm1(−ξ)/(2+expm1(−ξ)).
	em := math.Expm1(-xi)
	return -em / ((2 + em) * 4) / xi
}

// Coefficients of tanh(ξ/2)/(4ξ) in powers of ξ².
const (
	lambda1  = -1.0 / 96
	lambda2  = 1.0 / 960
	lambda3  = -17.0 / 161280
	lambda4  = 31.0 / 2903040
	lambda5  = -691.0 / 638668800
	lambda6  = 5461.0 / 49816166400
	lambda7  = -929569.0 / 83691159552000
	lambda8  = 3202291.0 / 2845499424768000
	lambda9  = -221930581.0 / 1946321606541312000
	lambda10 = 4722116521.0 / 408727537373675520000
)

// LambdaPrime returns λ'(ξ) = −(sinh ξ − ξ)/(4ξ²(1+cosh ξ)), which is odd,
// −ξ/48 near 0, and tends to −1/(4ξ²).
func LambdaPrime(xi float64) float64 {
	x := math.Abs(xi)
	var d float64
	if x < 2 {
		// sinh ξ − ξ cancels; its series converges everywhere and has one sign.
		// Together with cosh the division by ξ² is exact in form at 0.
		y := x * x
		s := x / 6 * (1 + y/20*(1+y/42*(1+y/72*(1+y/110*(1+y/156*(1+y/210*(1+
			y/272*(1+y/342*(1+y/420)))))))))
		d = s / (4 * (1 + math.Cosh(x)))
	} else {
		e := math.Exp(-x)
		// x·e is 0·Inf only at infinity, where e is 0 and the limit is 0.
		var xe float64
		if e > 0 {
			xe = x * e
		}
		d = (1 - e*e - 2*xe) / ((1 + e) * (1 + e)) / x / (4 * x)
	}
	return math.Copysign(d, -xi)
}

// LambdaLog2Cosh returns Lambda(xi) and Log2Cosh(xi/2) for xi ≥ 0 from one
// exponential: what a site of the Jaakkola–Jordan bound needs.
func LambdaLog2Cosh(xi float64) (lambda, log2cosh float64) {
	if !(xi > 0.5) { // the difference 1 − e^{−ξ} would cancel
		return Lambda(xi), Log2Cosh(xi / 2)
	}
	e := math.Exp(-xi)
	return (1 - e) / (1 + e) / 4 / xi, xi/2 + math.Log1p(e)
}
