package score

import "math"

// LogLikelihood returns Σ log p(label), natural logarithm, with log p1 for a
// label 1 and log p0 for a label 0. p0 may be nil for 1−p1; see the package's
// section on tails. It is −Inf if the probability of a label is 0.
func LogLikelihood(labels []int8, p1, p0 []float64) (float64, error) {
	if _, _, err := check(labels, p1, p0); err != nil {
		return math.NaN(), err
	}
	return logLikelihood(labels, p1, p0), nil
}

// LogLoss returns −LogLikelihood/n, the mean negative log-likelihood of a label
// in nats. It is +Inf if the probability of a label is 0.
func LogLoss(labels []int8, p1, p0 []float64) (float64, error) {
	zeros, ones, err := check(labels, p1, p0)
	if err != nil {
		return math.NaN(), err
	}
	return 0 - logLikelihood(labels, p1, p0)/float64(zeros+ones), nil
}

func logLikelihood(labels []int8, p1, p0 []float64) float64 {
	var s sum
	for i, y := range labels {
		if y == missing {
			continue
		}
		p, q := p1[i], 1-p1[i]
		if p0 != nil {
			q = p0[i]
		}
		if y == 0 {
			p, q = q, p
		}
		// The smaller of the two has the digits.
		if p < 0.5 {
			s.add(math.Log(p))
		} else {
			s.add(math.Log1p(-q))
		}
	}
	return s.value()
}

// Brier returns the mean of (label−p1)², from 0 to 1 (G. Brier, 1950, halved).
func Brier(labels []int8, p1 []float64) (float64, error) {
	zeros, ones, err := check(labels, p1, nil)
	if err != nil {
		return math.NaN(), err
	}
	return brier(labels, p1, zeros+ones), nil
}

func brier(labels []int8, p1 []float64, n int) float64 {
	var s sum
	for i, y := range labels {
		if y != missing {
			d := float64(y) - p1[i]
			s.add(d * d)
		}
	}
	return s.value() / float64(n)
}
