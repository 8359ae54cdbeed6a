package score

import "math"

// Confusion counts predictions against labels.
type Confusion struct {
	TruePositive, FalsePositive, TrueNegative, FalseNegative int
}

// Confuse predicts 1 where p1 ≥ threshold, in [0, 1], and counts.
func Confuse(labels []int8, p1 []float64, threshold float64) (Confusion, error) {
	if !(threshold >= 0 && threshold <= 1) {
		return Confusion{}, &OptionError{"threshold", threshold}
	}
	if _, _, err := check(labels, p1, nil); err != nil {
		return Confusion{}, err
	}
	return confuse(labels, p1, threshold), nil
}

func confuse(labels []int8, p1 []float64, threshold float64) (c Confusion) {
	for i, y := range labels {
		if y == missing {
			continue
		}
		switch said := p1[i] >= threshold; {
		case said && y == 1:
			c.TruePositive++
		case said:
			c.FalsePositive++
		case y == 1:
			c.FalseNegative++
		default:
			c.TrueNegative++
		}
	}
	return c
}

// N returns the number of elements counted.
func (c Confusion) N() int {
	return c.TruePositive + c.FalsePositive + c.TrueNegative + c.FalseNegative
}

// Accuracy returns the share of right predictions. Like the other ratios it is
// NaN where its denominator is 0.
func (c Confusion) Accuracy() float64 { return ratio(c.TruePositive+c.TrueNegative, c.N()) }

// Precision returns the share of right ones among the predictions 1.
func (c Confusion) Precision() float64 {
	return ratio(c.TruePositive, c.TruePositive+c.FalsePositive)
}

// IoU is the intersection over the union of what is 1 and what is said to be, TP /
// (TP + FP + FN), Jaccard's index; NaN if both are empty.
func (c Confusion) IoU() float64 {
	return ratio(c.TruePositive, c.TruePositive+c.FalsePositive+c.FalseNegative)
}

// Recall returns the share of the labels 1 that are predicted.
func (c Confusion) Recall() float64 {
	return ratio(c.TruePositive, c.TruePositive+c.FalseNegative)
}

// F1 returns the harmonic mean of precision and recall.
func (c Confusion) F1() float64 {
	return ratio(2*c.TruePositive, 2*c.TruePositive+c.FalsePositive+c.FalseNegative)
}

func ratio(a, b int) float64 { return float64(a) / float64(b) }

// Accuracy returns the share of labels predicted right at the threshold 1/2;
// p1 = 1/2 predicts 1.
func Accuracy(labels []int8, p1 []float64) (float64, error) {
	c, err := Confuse(labels, p1, 0.5)
	if err != nil {
		return math.NaN(), err
	}
	return c.Accuracy(), nil
}
