// Package score measures probabilistic predictions of binary labels.
//
// Labels are 0, 1 or −1 (missing); p1[i] in [0, 1] is the predicted probability
// that label i is 1. Elements whose label is missing are skipped whatever their
// probability. n counts the others.
//
//	AUC            area under the ROC curve, exact with ties       higher is better
//	Accuracy       share of labels on the right side of 1/2        higher
//	LogLikelihood  Σ log p(label)                                  higher
//	LogLoss        −LogLikelihood/n, natural logarithm             lower
//	Brier          mean squared error of p1                        lower
//	ECE            calibration error of the decided class          lower
//	ClasswiseECE   calibration error of Pr(label 1)                lower
//	Reliability, ROC, Confuse   what these numbers summarise
//	Evaluate       all numbers at once
//
// # Tails
//
// 1−p1 has no digits left when p1 is within 1e-16 of 1. LogLikelihood, LogLoss
// and Evaluate therefore take p0 = 1−p1 as well, which may be nil; package
// quadrature computes both. Nothing is clipped: a probability of exactly 0 for
// the label that occurred gives a log loss of +Inf.
//
// # Errors
//
// Every function checks its input and returns one of the typed errors
// [*LengthError], [*LabelError], [*ProbabilityError], [*EmptyError] (no label
// that is not missing), [*OneClassError] (only AUC and ROC) and [*OptionError].
// The number returned with an error is NaN (Evaluate: a zero Summary). Inputs are never modified. The cost
// is O(n), O(n log n) for AUC and ROC.
package score
