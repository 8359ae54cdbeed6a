package infer_test

import (
	"context"
	"fmt"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// chain is a path of five nodes whose scores say nothing.
func chain() (*gcrfbc.Dataset, *gcrfbc.Model) {
	var edges []sparse.Edge
	for i := 1; i < 5; i++ {
		edges = append(edges, sparse.Edge{I: i - 1, J: i, W: 1})
	}
	g, err := sparse.NewGraph(5, edges)
	if err != nil {
		panic(err)
	}
	d := &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{g}, Instances: []gcrfbc.Instance{{
		Scores: make([]float64, 5),
		Labels: []int8{gcrfbc.Missing, gcrfbc.Missing, gcrfbc.Missing, gcrfbc.Missing, gcrfbc.Missing},
	}}}
	m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.PaperMean, Params: gcrfbc.NewParams([]float64{0.02}, []float64{1})}
	return d, m
}

func ExamplePredict() {
	d, m := chain()
	prior, err := infer.Predict(context.Background(), m, d, infer.PredictOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("prior     %.2f\n", prior.Instances[0].P1)
	// One observed label pulls its neighbours along.
	x := gcrfbc.Missing
	posterior, err := infer.Predict(context.Background(), m, d, infer.PredictOptions{Observed: [][]int8{{1, x, x, x, x}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("posterior %.2f\n", posterior.Instances[0].P1)
	// Output:
	// prior     [0.50 0.50 0.50 0.50 0.50]
	// posterior [0.73 0.71 0.70 0.69 0.68]
}

func ExampleEvidence() {
	d, m := chain()
	labelled := d.WithLabels([][]int8{{1, 1, 1, 0, 0}})
	joint, err := infer.Evidence(context.Background(), m, labelled, infer.PredictOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := gcrfbc.Missing
	last, err := infer.Evidence(context.Background(), m, labelled, infer.PredictOptions{Observed: [][]int8{{1, 1, 1, 0, x}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log p(all labels) = %.2f, log p(last | others) = %.2f\n", joint, last)
	// Output: log p(all labels) = -4.00, log p(last | others) = -0.97
}

func ExampleEvaluator() {
	d, _ := chain()
	labelled := d.WithLabels([][]int8{{1, 1, 1, 0, 0}})
	ev, err := infer.NewEvaluator(context.Background(), labelled, infer.Options{Approx: gcrfbc.JJ})
	if err != nil {
		fmt.Println(err)
		return
	}
	grad := make([]float64, infer.GradientLen(1, 1))
	bound, err := ev.Evaluate(context.Background(), gcrfbc.NewParams([]float64{0.5}, []float64{1}), grad)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("bound %.3f, gradient alpha %.3f beta %.3f\n", bound, grad[0], grad[1])
	// Output: bound -3.428, gradient alpha 0.011 beta -0.031
}
