package score

// Summary holds the scores of one set of predictions; the functions of the same
// names define them.
type Summary struct {
	N, Positives  int     // labels that are not missing, and those that are 1
	AUC           float64 // NaN with one class only
	Accuracy      float64
	IoU           float64 // at threshold ½; NaN if no label and no prediction is 1
	LogLikelihood float64
	LogLoss       float64
	Brier         float64

	// With 15 bins.
	ECE, ECEChance                   float64
	ClasswiseECE, ClasswiseECEChance float64
}

// Evaluate computes all scores after one check of the input. p0 may be nil. One
// class only is no error here: AUC is NaN.
func Evaluate(labels []int8, p1, p0 []float64) (Summary, error) {
	zeros, ones, err := check(labels, p1, p0)
	if err != nil {
		return Summary{}, err
	}
	n := zeros + ones
	s := Summary{N: n, Positives: ones}
	s.AUC, _ = auc(labels, p1, zeros, ones)
	c := confuse(labels, p1, 0.5)
	s.Accuracy, s.IoU = c.Accuracy(), c.IoU()
	s.LogLikelihood = logLikelihood(labels, p1, p0)
	s.LogLoss = 0 - s.LogLikelihood/float64(n)
	s.Brier = brier(labels, p1, n)
	s.ECE, s.ECEChance = binnedError(labels, p1, 0, true)
	s.ClasswiseECE, s.ClasswiseECEChance = binnedError(labels, p1, 0, false)
	return s, nil
}
