package score_test

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc/infer/score"
)

func ExampleEvaluate() {
	labels := []int8{1, 0, 1, -1, 0, 1} // −1: not known, skipped
	p1 := []float64{0.9, 0.2, 0.6, 0.5, 0.6, 0.8}
	s, err := score.Evaluate(labels, p1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("n %d AUC %.4f accuracy %.2f log loss %.4f Brier %.3f\n", s.N, s.AUC, s.Accuracy, s.LogLoss, s.Brier)
	// Output: n 5 AUC 0.9167 accuracy 0.80 log loss 0.3958 Brier 0.122
}

func ExampleReliability() {
	labels := []int8{0, 0, 1, 1, 0, 1}
	p1 := []float64{0.1, 0.2, 0.3, 0.7, 0.8, 0.9}
	bins, err := score.Reliability(labels, p1, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range bins {
		fmt.Printf("%.1f to %.1f: %d elements, predicted %.2f, observed %.2f\n", b.Low, b.High, b.Count, b.Predicted, b.Observed)
	}
	// Output:
	// 0.0 to 0.5: 3 elements, predicted 0.20, observed 0.33
	// 0.5 to 1.0: 3 elements, predicted 0.80, observed 0.67
}

// On a hundred labels even calibrated predictions have a large ECE.
func ExampleECEChance() {
	var labels []int8
	var p1 []float64
	for i := range 100 {
		p1 = append(p1, float64(i)/100)
		labels = append(labels, int8(i*i%7%2))
	}
	chance, err := score.ECEChance(labels, p1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", chance)
	// Output: 0.089
}

// Bins of p1 hold about half as many labels as bins of the confidence.
func ExampleClasswiseECEChance() {
	labels := []int8{0, 0, 0, 1, 0, 1, 1, 1}
	p1 := []float64{0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9}
	classwise, err := score.ClasswiseECEChance(labels, p1, 0)
	ece, _ := score.ECEChance(labels, p1, 0)
	fmt.Printf("%.2f %.2f %v\n", classwise, ece, err)
	// Output: 0.33 0.23 <nil>
}

func ExampleAUC() {
	_, err := score.AUC([]int8{1, 1}, []float64{0.3, 0.8})
	fmt.Println(err)
	_, err = score.AUC([]int8{1, 0}, []float64{0.3, 2.5})
	fmt.Println(err)
	// Output:
	// score: all 2 labels are 1: AUC and ROC need both classes
	// score: element 1 has p1 = 2.5: probabilities are in [0, 1]; pass logits through the logistic function first
}
