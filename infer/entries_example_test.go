package infer_test

import (
	"context"
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc/infer"
)

// What the model would have said of each label, had it not been known.
func ExampleLeaveOneOut() {
	d, m := chain()
	p, err := infer.LeaveOneOut(context.Background(), m, d, infer.PredictOptions{Observed: [][]int8{{1, 1, 0, 1, 1}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", p.Instances[0].P1)
	// Output:
	// [0.67 0.67 0.86 0.67 0.67]
}

// Draws of the field given two labels; the mean of many is the posterior's.
func ExampleSample() {
	d, m := chain()
	x := int8(-1)
	o := infer.PredictOptions{Observed: [][]int8{{1, x, x, x, 0}}}
	draws, err := infer.Sample(context.Background(), m, d, o, 4000, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := infer.Predict(context.Background(), m, d, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := 0.0
	for r := range 4000 { // draw r of the only instance
		sum += draws[0][r*5]
	}
	fmt.Println("difference below 5 standard errors:", math.Abs(sum/4000-p.Instances[0].Mean[0]) < 5*math.Sqrt(p.Instances[0].Variance[0]/4000))
	// Output:
	// difference below 5 standard errors: true
}

// The paper's bound at given ξ, which the fixed point of the sites maximises.
func ExampleEvaluator_EvaluateXi() {
	d, m := chain()
	d = d.WithLabels([][]int8{{1, 1, 1, 0, 0}})
	ev, err := infer.NewEvaluator(context.Background(), d, infer.Options{Approx: "jj"})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := ev.Evaluate(context.Background(), m.Params, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	xi := [][]float64{make([]float64, 5)}
	ev.XiTo(xi)
	there, err := ev.EvaluateXi(context.Background(), m.Params, xi, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	elsewhere, err := ev.EvaluateXi(context.Background(), m.Params, [][]float64{{1, 1, 1, 1, 1}}, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f %.4f %.4f\n", best, there, elsewhere)
	// Output:
	// -4.0648 -4.0648 -4.0706
}

// Curvature along α from a product, and from gradients on either side.
func ExampleEvaluator_HessVec() {
	d, m := chain()
	copy(d.Instances[0].Scores, []float64{2, 1, 0, -1, -2})
	d = d.WithLabels([][]int8{{1, 1, 0, 1, 0}})
	ev, err := infer.NewEvaluator(context.Background(), d, infer.Options{Variant: "nb"})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := infer.GradientLen(d.K, d.NumGraphs())
	grad, dir, product := make([]float64, n), make([]float64, n), make([]float64, n)
	along := func(alpha float64) float64 {
		p := m.Params.Clone()
		p.Alpha[0] = alpha
		if _, err := ev.Evaluate(context.Background(), p, grad); err != nil {
			fmt.Println(err)
		}
		return grad[0]
	}
	difference := (along(0.0201) - along(0.0199)) / 2e-4
	along(0.02)
	dir[0] = 1
	if err := ev.HessVec(context.Background(), m.Params, dir, product); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f %.3f\n", product[0], difference)
	// Output:
	// -34.698 -34.698
}

// Sites are kept between evaluations: a second one at the same parameters needs
// one sweep. They can be taken away and put back.
func ExampleEvaluator_SitesTo() {
	d, m := chain()
	d = d.WithLabels([][]int8{{1, 1, 1, 0, 0}})
	ev, err := infer.NewEvaluator(context.Background(), d, infer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	sweeps := func() int {
		if _, err := ev.Evaluate(context.Background(), m.Params, nil); err != nil {
			fmt.Println(err)
		}
		return ev.Sites().Sweeps
	}
	cold, warm := sweeps(), sweeps()
	var kept infer.Sites
	ev.SitesTo(&kept)
	ev.ResetSites()
	again := sweeps()
	if err := ev.SetSites(&kept); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("fewer sweeps from warm sites:", warm < cold, again == cold, sweeps() == warm)
	// Output:
	// fewer sweeps from warm sites: true true true
}

// Moments of the field at every label, given all the others, for a score of one's
// own: here the log-likelihood of all labels, each predicted from the others.
func ExampleEvaluator_LeaveOneOutTo() {
	d, m := chain()
	labels := []int8{1, 1, 1, 0, 0}
	ev, err := infer.NewEvaluator(context.Background(), d.WithLabels([][]int8{labels}), infer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, variance := [][]float64{make([]float64, 5)}, [][]float64{make([]float64, 5)}
	if err := ev.LeaveOneOutTo(context.Background(), m.Params, mean, variance); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("means %.2f\n", mean[0])
	fmt.Printf("standard deviation of the first %.2f\n", math.Sqrt(variance[0][0]))
	// Output:
	// means [0.38 0.33 -0.00 0.76 0.65]
	// standard deviation of the first 1.35
}

// What one sweep over the sites costs, in counted operations.
func ExampleEvaluator_Operations() {
	d, _ := chain()
	ev, err := infer.NewEvaluator(context.Background(), d, infer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	o := ev.Operations()
	fmt.Println(o.Factor == ev.Work(), o.Inverse > o.Factor, o.Solve)
	// Output:
	// true true 50
}
