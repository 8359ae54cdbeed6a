package quadrature

import "fmt"

// LengthError reports a slice whose length differs from that of mu.
type LengthError struct {
	Slice     string // its name in the call
	Got, Want int
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("quadrature: %s has length %d, mu has %d: pass slices of one length", e.Slice, e.Got, e.Want)
}

// ArgumentError reports the first element of a slice that is no normal
// distribution: a mean or variance that is not finite or a negative variance.
type ArgumentError struct {
	Index        int
	Mu, Variance float64
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("quadrature: element %d has mean %v and variance %v: both must be finite, the variance not negative", e.Index, e.Mu, e.Variance)
}

// LogisticNormalTo stores [LogisticNormal] of every (mu[i], variance[i]) in
// p1[i] and p0[i]; either of them may be nil. The destinations may be mu or
// variance themselves. It returns a [*LengthError] or an [*ArgumentError] before
// anything is written, and allocates only these.
func LogisticNormalTo(p1, p0, mu, variance []float64) error {
	if p1 != nil && len(p1) != len(mu) {
		return &LengthError{"p1", len(p1), len(mu)}
	}
	if p0 != nil && len(p0) != len(mu) {
		return &LengthError{"p0", len(p0), len(mu)}
	}
	if err := check(mu, variance); err != nil {
		return err
	}
	for i, m := range mu {
		a, b := LogisticNormal(m, variance[i])
		if p1 != nil {
			p1[i] = a
		}
		if p0 != nil {
			p0[i] = b
		}
	}
	return nil
}

// FastTo stores [Fast] of every (mu[i], variance[i]) in dst[i]; dst may be mu or
// variance itself. Errors are those of [LogisticNormalTo].
func FastTo(dst, mu, variance []float64) error {
	if len(dst) != len(mu) {
		return &LengthError{"dst", len(dst), len(mu)}
	}
	if err := check(mu, variance); err != nil {
		return err
	}
	for i, m := range mu {
		dst[i] = fast(m, variance[i])
	}
	return nil
}

func check(mu, variance []float64) error {
	if len(variance) != len(mu) {
		return &LengthError{"variance", len(variance), len(mu)}
	}
	for i, m := range mu {
		if !valid(m, variance[i]) {
			return &ArgumentError{i, m, variance[i]}
		}
	}
	return nil
}
