// Package quadrature integrates the logistic function against a normal density:
// the probability of a binary label whose logit is normally distributed,
//
//	Pr(y=1) = ∫σ(z) N(z; μ, v) dz,   σ(z) = 1/(1+e^{−z}),
//
// and what inference derives from it. μ and v are the mean and the variance (not
// the standard deviation) of the logit.
//
//	LogisticNormal  Pr(y=1) and Pr(y=0), both to relative accuracy
//	Moments         log Ẑ, its derivatives in μ, and the tilted mean and
//	                variance, for expectation propagation
//	Fast            Pr(y=1) within 7e-10, at a fixed small cost
//	PaperRule       Pr(y=1) as published, Newton–Cotes on μ ± 10 √v
//	Quantile, Interval  credible bounds of the probability σ(z)
//
// LogisticNormalTo and FastTo take slices. For single values NaN marks input
// that is no normal distribution; the slice forms return typed errors instead.
//
// # Method
//
// One integral needs several methods, because the integrand has two scales: the
// width √v of the Gaussian and the distance π of the poles of σ.
//
//	v < 1/4          trapezoid rule on nodes fixed relative to the Gaussian
//	1/4 ≤ v < 2      trapezoid rule on a fixed grid of z where σ is tabulated;
//	2 ≤ v < 100      the Gaussian follows by recurrence, so a node costs no exp
//	v ≥ 100          σ as a step and derivatives of a delta function: Mills'
//	                 ratio plus a Hermite series (Sommerfeld's expansion)
//
// The lower tail rests on L(μ) = e^{μ+v/2} L(−μ−v) with L(μ) = Pr(y=1), which
// moves the mass of the integrand to the nodes; the upper tail on
// L(μ) = 1 − L(−μ).
package quadrature
