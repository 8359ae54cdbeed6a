package score

import "fmt"

// LengthError reports a slice whose length differs from that of the labels.
type LengthError struct {
	Slice     string // its name in the call
	Got, Want int
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("score: %s has length %d, labels has %d: pass one probability for each label", e.Slice, e.Got, e.Want)
}

// LabelError reports the first label that is none of 0, 1 and −1.
type LabelError struct {
	Index int
	Value int8
}

func (e *LabelError) Error() string {
	return fmt.Sprintf("score: label %d is %d: labels are 0, 1 or -1 for a missing one", e.Index, e.Value)
}

// ProbabilityError reports the first element with a label whose probability is
// NaN or outside [0, 1], or whose p0 is not 1−p1 within 1e-9.
type ProbabilityError struct {
	Index  int
	P1, P0 float64 // P0 is 1−P1 if it was not given
}

func (e *ProbabilityError) Error() string {
	if e.P1 >= 0 && e.P1 <= 1 {
		return fmt.Sprintf("score: element %d has p1 = %v and p0 = %v: they must be in [0, 1] and sum to 1", e.Index, e.P1, e.P0)
	}
	return fmt.Sprintf("score: element %d has p1 = %v: probabilities are in [0, 1]; pass logits through the logistic function first", e.Index, e.P1)
}

// EmptyError reports that no label was 0 or 1.
type EmptyError struct{ Missing int }

func (e *EmptyError) Error() string {
	return fmt.Sprintf("score: no label to compare with (%d missing): at least one must be 0 or 1", e.Missing)
}

// OneClassError reports that all labels have one value, so that nothing can be
// ranked.
type OneClassError struct {
	Class int8
	Count int
}

func (e *OneClassError) Error() string {
	return fmt.Sprintf("score: all %d labels are %d: AUC and ROC need both classes", e.Count, e.Class)
}

// OptionError reports a threshold outside [0, 1] or an impossible number of bins.
type OptionError struct {
	Name  string
	Value float64
}

func (e *OptionError) Error() string {
	want := "a number in [0, 1]"
	if e.Name == "bins" {
		want = "at most 2^20 and positive, or 0 for the default of 15"
	}
	return fmt.Sprintf("score: %s is %v: it must be %s", e.Name, e.Value, want)
}
