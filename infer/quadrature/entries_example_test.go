package quadrature_test

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc/infer/quadrature"
)

// At a fixed small cost, within 7e-10.
func ExampleFast() {
	exact, _ := quadrature.LogisticNormal(1.5, 4)
	fmt.Printf("%.6f %.6f\n", quadrature.Fast(1.5, 4), exact)
	// Output:
	// 0.715006 0.715006
}

func ExampleLogisticNormalTo() {
	mean, variance := []float64{-1, 0, 40}, []float64{1, 100, 4}
	p1, p0 := make([]float64, 3), make([]float64, 3)
	if err := quadrature.LogisticNormalTo(p1, p0, mean, variance); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f %.3g\n", p1, p0)
	// A negative variance is an error, not a NaN.
	fmt.Println(quadrature.LogisticNormalTo(p1, p0, mean, []float64{1, -1, 4}))
	// Output:
	// [0.303 0.500 1.000] [0.697 0.5 3.14e-17]
	// quadrature: element 1 has mean 0 and variance -1: both must be finite, the variance not negative
}

// The published rule is as exact where σ is smooth on its window.
func ExamplePaperRule() {
	p1, p0 := quadrature.PaperRule(0.5, 2)
	q1, q0 := quadrature.LogisticNormal(0.5, 2)
	fmt.Printf("%.8f %.8f\n%.8f %.8f\n", p1, p0, q1, q0)
	// Output:
	// 0.58995271 0.41004729
	// 0.58995271 0.41004729
}

// The median of the probability is σ of the logit's mean; its mean is nearer ½.
func ExampleQuantile() {
	p1, _ := quadrature.LogisticNormal(1, 9)
	fmt.Printf("5 %% below %.3f, half below %.3f, mean %.3f\n", quadrature.Quantile(1, 9, 0.05), quadrature.Quantile(1, 9, 0.5), p1)
	// Output:
	// 5 % below 0.019, half below 0.731, mean 0.613
}

// The Gaussian factor that turns a cavity into the moments with a label.
func ExampleTilted_Site() {
	mean, variance := -0.5, 3.0
	t := quadrature.Moments(mean, variance, 1)
	tau, nu := t.Site(mean, variance)
	v := 1 / (1/variance + tau)
	fmt.Printf("%.6f %.6f\n", v*(mean/variance+nu), v)
	fmt.Printf("%.6f %.6f\n", t.Mean, t.Variance)
	// Output:
	// 0.652173 1.981595
	// 0.652173 1.981595
}
