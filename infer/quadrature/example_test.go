package quadrature_test

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc/infer/quadrature"
)

func ExampleLogisticNormal() {
	// Uncertainty of the logit pulls a probability towards 1/2 …
	p1, _ := quadrature.LogisticNormal(2, 0)
	q1, _ := quadrature.LogisticNormal(2, 9)
	fmt.Printf("%.4f %.4f\n", p1, q1)
	// … and a small one keeps its digits.
	_, p0 := quadrature.LogisticNormal(100, 9)
	fmt.Printf("%.10e\n", p0)
	// Output:
	// 0.8808 0.7174
	// 3.3487056758e-42
}

func ExampleMoments() {
	// One node of mean 0.5 and variance 4, with the label 0: the Gaussian factor
	// of expectation propagation, and the node's belief afterwards.
	mu, v := 0.5, 4.0
	t := quadrature.Moments(mu, v, -1)
	tau, nu := t.Site(mu, v)
	fmt.Printf("log Z %.6f\n", t.LogZ)
	fmt.Printf("mean %.6f variance %.6f\n", t.Mean, t.Variance)
	fmt.Printf("mean %.6f variance %.6f\n", (mu/v+nu)/(1/v+tau), 1/(1/v+tau))
	// Output:
	// log Z -0.856237
	// mean -0.899514 variance 2.461048
	// mean -0.899514 variance 2.461048
}

func ExampleFastTo() {
	mu := []float64{-3, 0, 1.5}
	variance := []float64{0.1, 2, 40}
	p := make([]float64, 3)
	if err := quadrature.FastTo(p, mu, variance); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.6f\n", p)
	variance[2] = -1
	fmt.Println(quadrature.FastTo(p, mu, variance))
	// Output:
	// [0.049493 0.500000 0.590240]
	// quadrature: element 2 has mean 1.5 and variance -1: both must be finite, the variance not negative
}

func ExampleInterval() {
	lo, hi := quadrature.Interval(1, 0.5, 0.9)
	fmt.Printf("%.3f to %.3f\n", lo, hi)
	// Output: 0.459 to 0.897
}
