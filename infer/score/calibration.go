package score

import "math"

// DefaultBins is the number of bins that 0 stands for.
const DefaultBins = 15

// maxBins keeps a mistaken number of bins from asking for gigabytes.
const maxBins = 1 << 20

// Bin compares predicted and observed frequencies among the elements with p1 in
// [Low, High), the last bin including 1.
type Bin struct {
	Low, High float64
	Count     int
	Predicted float64 // mean p1, NaN if Count is 0
	Observed  float64 // share of the label 1, NaN if Count is 0
}

// Reliability returns bins of equal width over [0, 1], empty ones included;
// bins = 0 means 15, at most 2^20 are possible.
func Reliability(labels []int8, p1 []float64, bins int) ([]Bin, error) {
	if bins < 0 || bins > maxBins {
		return nil, &OptionError{"bins", float64(bins)}
	}
	if _, _, err := check(labels, p1, nil); err != nil {
		return nil, err
	}
	return reliability(labels, p1, bins), nil
}

func reliability(labels []int8, p1 []float64, bins int) []Bin {
	if bins == 0 {
		bins = DefaultBins
	}
	out := make([]Bin, bins)
	predicted := make([]sum, bins)
	width := float64(bins)
	for k := range out {
		out[k].Low, out[k].High = float64(k)/width, float64(k+1)/width
	}
	for i, y := range labels {
		if y == missing {
			continue
		}
		p := p1[i]
		k := binOf(p, bins)
		out[k].Count++
		out[k].Observed += float64(y)
		predicted[k].add(p)
	}
	for k := range out {
		b := &out[k]
		n := float64(b.Count) // 0/0 is NaN as documented
		b.Predicted = predicted[k].value() / n
		b.Observed /= n
	}
	return out
}

// ECE returns the expected calibration error, Σ (count/n) |accuracy−confidence|
// over bins of equal width of the confidence max(p1, 1−p1) in the label that the
// prediction decides for, 1 from ½ on (C. Guo, G. Pleiss, Y. Sun, K. Weinberger,
// On calibration of modern neural networks, 2017, eq. 3). bins = 0 means 15. It
// does not see errors that cancel between the two classes; [ClasswiseECE] does.
func ECE(labels []int8, p1 []float64, bins int) (float64, error) {
	e, _, err := calibrationError(labels, p1, bins, true)
	return e, err
}

// ECEChance returns about the ECE that these predictions would have on average
// were they right: labels drawn from them scatter about their mean in every bin.
// With B the sum of p(1−p) in a bin, its part is √(2B/π)/n, the mean of a Gaussian's
// modulus, so that it falls as 1/√n. An ECE near it says nothing against the
// predictions, however large it is. bins = 0 means 15.
func ECEChance(labels []int8, p1 []float64, bins int) (float64, error) {
	_, chance, err := calibrationError(labels, p1, bins, true)
	return chance, err
}

// ClasswiseECE returns Σ (count/n) |observed−predicted| over the bins of
// [Reliability], which are bins of p1 (M. Pakdaman Naeini, G. Cooper,
// M. Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning,
// 2015; with several classes M. Kull and others, Beyond temperature scaling,
// 2019). It has twice the bins of [ECE] where predictions are, hence more scatter.
func ClasswiseECE(labels []int8, p1 []float64, bins int) (float64, error) {
	e, _, err := calibrationError(labels, p1, bins, false)
	return e, err
}

// ClasswiseECEChance is [ECEChance] for ClasswiseECE.
func ClasswiseECEChance(labels []int8, p1 []float64, bins int) (float64, error) {
	_, chance, err := calibrationError(labels, p1, bins, false)
	return chance, err
}

func calibrationError(labels []int8, p1 []float64, bins int, decided bool) (ece, chance float64, err error) {
	if bins < 0 || bins > maxBins {
		return math.NaN(), math.NaN(), &OptionError{"bins", float64(bins)}
	}
	if _, _, err := check(labels, p1, nil); err != nil {
		return math.NaN(), math.NaN(), err
	}
	ece, chance = binnedError(labels, p1, bins, decided)
	return ece, chance, nil
}

// binnedError returns the calibration error and its mean by chance, of the
// decided class or of class 1.
func binnedError(labels []int8, p1 []float64, bins int, decided bool) (ece, chance float64) {
	if bins == 0 {
		bins = DefaultBins
	}
	type bin struct {
		observed float64
		stated   sum
		variance float64
	}
	b := make([]bin, bins)
	n := 0
	for i, y := range labels {
		if y == missing {
			continue
		}
		p := p1[i]
		variance := p * (1 - p)
		if decided && p < 0.5 {
			p, y = 1-p, 1-y
		}
		at := &b[binOf(p, bins)]
		at.observed += float64(y)
		at.stated.add(p)
		at.variance += variance
		n++
	}
	for k := range b {
		ece += math.Abs(b[k].observed - b[k].stated.value())
		chance += math.Sqrt(2 / math.Pi * b[k].variance)
	}
	return ece / float64(n), chance / float64(n)
}

// binOf returns the bin of [Reliability] that p belongs to.
func binOf(p float64, bins int) int {
	width := float64(bins)
	k := min(int(p*width), bins-1)
	// The product may round across a border.
	if p < float64(k)/width {
		k--
	} else if p >= float64(k+1)/width && k < bins-1 {
		k++
	}
	return k
}
