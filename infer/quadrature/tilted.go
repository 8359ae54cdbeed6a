package quadrature

import "math"

// Tilted describes the density σ(±z) N(z; μ, v)/Ẑ: a normal distribution
// multiplied by one logistic factor.
type Tilted struct {
	LogZ     float64 // log Ẑ ≤ 0, Ẑ = ∫σ(±z) N(z; μ, v) dz
	D1       float64 // ∂ log Ẑ/∂μ, of the sign of the label, |D1| < 1
	D2       float64 // ∂² log Ẑ/∂μ², never positive
	Mean     float64 // μ + v D1
	Variance float64 // v + v² D2, in (0, v] for v > 0
}

// Moments returns the normaliser of σ(z) N(z; mu, variance) for sign ≥ 0, of
// σ(−z) N(z; mu, variance) for sign < 0, its first two logarithmic derivatives
// in mu, and the mean and variance of the tilted density: what expectation
// propagation matches (T. Minka, Expectation propagation for approximate
// Bayesian inference, 2001).
//
// LogZ, D1, D2 and Variance are relatively accurate to 1e-12 or better for
// |mu| ≤ 700 and variances from 0 to 1e8, in both tails; the method works
// beyond. Mean is accurate to rounding of its larger term. The result is all
// NaN if mu or variance is not finite or variance is negative. Nothing
// allocates; the cost is 60 to 400 ns, at worst 0.8 µs (variance 2 to 5 and mu
// near −40).
func Moments(mu, variance float64, sign int) Tilted {
	if !valid(mu, variance) {
		nan := math.NaN()
		return Tilted{nan, nan, nan, nan, nan}
	}
	if sign < 0 {
		t := moments(-mu, variance)
		t.D1, t.Mean = -t.D1, -t.Mean
		return t
	}
	return moments(mu, variance)
}

func moments(mu, v float64) Tilted {
	if mu <= 0 {
		t := lowerTail(mu, v)
		return Tilted{t.exponent + math.Log(t.factor), t.d1, t.d2, t.mean, t.variance}
	}
	// L(μ) = 1 − L(−μ): L' is even and L'' is odd. Both terms of D2 have one sign
	// (up to rounding at μ ≈ 0, where the first vanishes).
	t := lowerTail(-mu, v)
	q := t.probability()
	p := 1 - q
	d1 := t.d1 * q / p
	d2 := -(q*t.curvature/p + d1*d1)
	return Tilted{math.Log1p(-q), d1, d2, mu + v*d1, v * (1 + v*d2)}
}

// Site returns the precision τ > 0 and shift ν of the Gaussian factor
// exp(−τz²/2 + νz) whose product with N(z; mu, variance) has the moments of t:
// τ = 1/t.Variance − 1/variance and ν = t.Mean/t.Variance − mu/variance, without
// their cancellation and valid at variance 0. mu and variance must be those t
// was computed from.
func (t Tilted) Site(mu, variance float64) (tau, nu float64) {
	if variance == 0 {
		return -t.D2, t.D1 - mu*t.D2
	}
	r := variance / t.Variance
	return -t.D2 * r, (t.D1 - mu*t.D2) * r
}

// LogisticNormal returns p1 = Pr(y=1) = ∫σ(z) N(z; mu, variance) dz and
// p0 = 1−p1, each with a relative error below 1e-12 (typically 1e-15) for
// |mu| ≤ 700 and variances from 0 to 1e8: small probabilities are as accurate
// as large ones. The result is NaN, NaN if mu or variance is not finite or
// variance is negative. Cost as of [Moments].
func LogisticNormal(mu, variance float64) (p1, p0 float64) {
	if !valid(mu, variance) {
		return math.NaN(), math.NaN()
	}
	if mu == 0 {
		return 0.5, 0.5
	}
	t := lowerTail(-math.Abs(mu), variance)
	q := t.probability()
	if mu > 0 {
		return 1 - q, q
	}
	return q, 1 - q
}

func valid(mu, v float64) bool {
	return v >= 0 && v <= math.MaxFloat64 && math.Abs(mu) <= math.MaxFloat64
}
