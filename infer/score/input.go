package score

import "math"

// missing is the label of an element that is skipped.
const missing = -1

// complementTolerance is how far p1+p0 may be from 1.
const complementTolerance = 1e-9

// check validates the input and counts the labels of both classes.
func check(labels []int8, p1, p0 []float64) (zeros, ones int, err error) {
	if len(p1) != len(labels) {
		return 0, 0, &LengthError{"p1", len(p1), len(labels)}
	}
	if p0 != nil && len(p0) != len(labels) {
		return 0, 0, &LengthError{"p0", len(p0), len(labels)}
	}
	for i, y := range labels {
		switch y {
		case missing:
			continue
		case 0:
			zeros++
		case 1:
			ones++
		default:
			return 0, 0, &LabelError{i, y}
		}
		p := p1[i]
		if !(p >= 0 && p <= 1) {
			return 0, 0, &ProbabilityError{i, p, 1 - p}
		}
		if p0 != nil {
			if q := p0[i]; !(q >= 0 && q <= 1 && math.Abs(p+q-1) <= complementTolerance) {
				return 0, 0, &ProbabilityError{i, p, q}
			}
		}
	}
	if zeros+ones == 0 {
		return 0, 0, &EmptyError{len(labels)}
	}
	return zeros, ones, nil
}

// sum adds with the rounding error kept (A. Neumaier, 1974), so that a mean over
// millions of labels has all its digits.
type sum struct{ high, low float64 }

func (s *sum) add(x float64) {
	t := s.high + x
	if math.Abs(s.high) >= math.Abs(x) {
		s.low += (s.high - t) + x
	} else {
		s.low += (x - t) + s.high
	}
	s.high = t
}

func (s *sum) value() float64 {
	if math.IsInf(s.high, 0) {
		return s.high // low is Inf−Inf
	}
	return s.high + s.low
}
