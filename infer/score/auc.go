package score

import (
	"math"
	"slices"
)

// AUC returns the area under the ROC curve: the probability that a random
// element labelled 1 has a larger p1 than a random one labelled 0, ties counting
// one half (the Mann–Whitney statistic; J. Hanley and B. McNeil, 1982). Pairs are
// counted in integers, so the result is the nearest float64 to the exact ratio
// while there are fewer than 2^52 pairs. With one class only it is NaN and the
// error is a [*OneClassError].
func AUC(labels []int8, p1 []float64) (float64, error) {
	zeros, ones, err := check(labels, p1, nil)
	if err != nil {
		return math.NaN(), err
	}
	return auc(labels, p1, zeros, ones)
}

func auc(labels []int8, p1 []float64, zeros, ones int) (float64, error) {
	if err := oneClass(zeros, ones); err != nil {
		return math.NaN(), err
	}
	all := make([]float64, zeros+ones)
	neg, pos := all[:0:zeros], all[zeros:zeros]
	for i, y := range labels {
		switch y {
		case 0:
			neg = append(neg, p1[i])
		case 1:
			pos = append(pos, p1[i])
		}
	}
	slices.Sort(neg)
	slices.Sort(pos)
	// Twice the number of pairs in order, plus the number of tied pairs.
	var twice uint64
	below, upTo := 0, 0 // elements of neg < p and ≤ p
	for _, p := range pos {
		for below < zeros && neg[below] < p {
			below++
		}
		upTo = max(upTo, below)
		for upTo < zeros && neg[upTo] <= p {
			upTo++
		}
		twice += uint64(below) + uint64(upTo)
	}
	return float64(twice) / (2 * float64(zeros) * float64(ones)), nil
}

func oneClass(zeros, ones int) error {
	switch {
	case zeros == 0:
		return &OneClassError{1, ones}
	case ones == 0:
		return &OneClassError{0, zeros}
	}
	return nil
}
