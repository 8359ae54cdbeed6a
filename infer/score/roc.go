package score

import (
	"cmp"
	"math"
	"slices"
)

// ROCPoint is one point of a receiver operating characteristic: the error rates
// of predicting 1 where p1 ≥ Threshold.
type ROCPoint struct {
	Threshold         float64
	FalsePositiveRate float64
	TruePositiveRate  float64
}

// ROC returns the curve from (0, 0), whose threshold is +Inf, to (1, 1), with one
// point for each distinct p1 in descending order: tied elements move together,
// and the trapezoids under the curve sum to [AUC]. With one class only the error
// is a [*OneClassError].
func ROC(labels []int8, p1 []float64) ([]ROCPoint, error) {
	zeros, ones, err := check(labels, p1, nil)
	if err != nil {
		return nil, err
	}
	if err := oneClass(zeros, ones); err != nil {
		return nil, err
	}
	type element struct {
		p float64
		y int8
	}
	order := make([]element, 0, zeros+ones)
	for i, y := range labels {
		if y != missing {
			order = append(order, element{p1[i], y})
		}
	}
	slices.SortFunc(order, func(a, b element) int { return cmp.Compare(b.p, a.p) })
	points := []ROCPoint{{Threshold: math.Inf(1)}}
	var count [2]int
	for i, e := range order {
		count[e.y]++
		if i+1 < len(order) && order[i+1].p == e.p {
			continue
		}
		points = append(points, ROCPoint{
			e.p, float64(count[0]) / float64(zeros), float64(count[1]) / float64(ones),
		})
	}
	return points, nil
}
