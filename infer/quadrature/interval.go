package quadrature

import (
	"math"

	"github.com/gcrfbc/gcrfbc/internal/special"
	"gonum.org/v1/gonum/mathext"
)

// Quantile returns the q-quantile of the probability σ(z), z ~ N(mu, variance):
// σ is monotone, so it is σ of the quantile of z. The result is NaN if mu or
// variance is not finite, variance is negative, or q is outside [0, 1]; q = 0
// and q = 1 give 0 and 1, unless variance is 0.
func Quantile(mu, variance, q float64) float64 {
	if !valid(mu, variance) || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	if variance == 0 {
		return special.Logistic(mu)
	}
	var t float64
	switch q {
	case 0:
		t = math.Inf(-1)
	case 1:
		t = math.Inf(1)
	default:
		t = mathext.NormalQuantile(q)
	}
	return special.Logistic(mu + math.Sqrt(variance)*t)
}

// Interval returns the central credible interval of the given level, in [0, 1),
// of the probability σ(z), z ~ N(mu, variance): (1−level)/2 of its distribution
// lies below lo and as much above hi. The interval is of the unknown probability
// Pr(y=1 | z), not of the label y, and p1 of [LogisticNormal] is its mean. The
// result is NaN, NaN where [Quantile] is and for a level outside [0, 1).
func Interval(mu, variance, level float64) (lo, hi float64) {
	if !valid(mu, variance) || !(level >= 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	t := -mathext.NormalQuantile((1 - level) / 2)
	s := math.Sqrt(variance)
	return special.Logistic(mu - s*t), special.Logistic(mu + s*t)
}
