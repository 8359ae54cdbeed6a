package score_test

import (
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc/infer/score"
)

// The mean of −log Pr(label). A sure and wrong prediction costs without limit.
func ExampleLogLoss() {
	labels, p1 := []int8{1, 0}, []float64{0.8, 0.4}
	loss, err := score.LogLoss(labels, p1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	wrong, err := score.LogLoss(labels, []float64{0.8, 1}, nil)
	fmt.Printf("%.4f %v %v\n", loss, wrong, err)
	// Output:
	// 0.3670 +Inf <nil>
}

// Pr(y = 0) given for itself keeps the digits that 1 − Pr(y = 1) would lose.
func ExampleLogLikelihood() {
	labels := []int8{0}
	rounded, err := score.LogLikelihood(labels, []float64{1}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	kept, err := score.LogLikelihood(labels, []float64{1}, []float64{1e-20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v %.4f\n", rounded, kept)
	// Output:
	// -Inf -46.0517
}

// The mean squared distance from the label; 0.25 is guessing.
func ExampleBrier() {
	b, err := score.Brier([]int8{1, 0, 1}, []float64{0.9, 0.2, 0.5})
	fmt.Printf("%.4f %v\n", b, err)
	// Output:
	// 0.1000 <nil>
}

func ExampleAccuracy() {
	a, err := score.Accuracy([]int8{1, 0, 1, -1}, []float64{0.9, 0.2, 0.4, 0.7}) // the last is not known
	fmt.Printf("%.4f %v\n", a, err)
	// Output:
	// 0.6667 <nil>
}

// Half of what is said with 90 % is right: an error of 0.4 for half the elements.
func ExampleECE() {
	labels := []int8{1, 0, 1, 0, 0, 0, 0, 0}
	p1 := []float64{0.9, 0.9, 0.1, 0.1, 0, 0, 0, 0}
	e, err := score.ECE(labels, p1, 0)
	fmt.Printf("%.2f %v\n", e, err)
	// Output:
	// 0.20 <nil>
}

// The label 1 is oftener than is said: 9 of 10 where it is 70 %, 5 of 10 where it
// is 30 %. Of all decisions 70 % are right, as they say, and ECE sees nothing.
func ExampleClasswiseECE() {
	labels := []int8{1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}
	p1 := make([]float64, len(labels))
	for i := range p1 {
		p1[i] = 0.7
		if i >= 10 {
			p1[i] = 0.3
		}
	}
	classwise, err := score.ClasswiseECE(labels, p1, 0)
	ece, _ := score.ECE(labels, p1, 0)
	fmt.Printf("%.2f %.2f %v\n", classwise, ece, err)
	// Output:
	// 0.20 0.00 <nil>
}

func ExampleConfuse() {
	labels := []int8{1, 1, 1, 0, 0, 0}
	p1 := []float64{0.9, 0.6, 0.3, 0.7, 0.2, 0.1}
	c, err := score.Confuse(labels, p1, 0.5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d elements: precision %.3f recall %.3f F1 %.3f IoU %.3f accuracy %.3f\n", c.N(), c.Precision(), c.Recall(), c.F1(), c.IoU(), c.Accuracy())
	// Output:
	// 6 elements: precision 0.667 recall 0.667 F1 0.667 IoU 0.500 accuracy 0.667
}

// The area under the curve by trapezoids is the AUC.
func ExampleROC() {
	labels := []int8{1, 0, 1, 0, 1}
	p1 := []float64{0.9, 0.8, 0.7, 0.3, 0.3}
	curve, err := score.ROC(labels, p1)
	if err != nil {
		fmt.Println(err)
		return
	}
	area := 0.0
	for i := 1; i < len(curve); i++ {
		area += (curve[i].FalsePositiveRate - curve[i-1].FalsePositiveRate) * (curve[i].TruePositiveRate + curve[i-1].TruePositiveRate) / 2
	}
	auc, err := score.AUC(labels, p1)
	fmt.Println(len(curve), math.Abs(area-auc) < 1e-15, err)
	// Output:
	// 5 true <nil>
}
