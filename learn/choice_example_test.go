package learn_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// The form of the mean that the labels speak for, and what was compared.
func Example_autoMean() {
	res, err := learn.Fit(context.Background(), leftAndRight(), learn.Options{Mean: learn.AutoMean})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range res.Choices {
		fmt.Printf("%-11s learns %d, objective %.1f, criterion %.1f\n", c.Mean, c.Learned, c.Objective, c.Criterion)
	}
	fmt.Println("chosen:", res.Model.Mean)
	// Output:
	// calibrated  learns 3, objective -14.0, criterion -20.5
	// bias,direct learns 2, objective -25.1, criterion -29.4
	// paper       learns 0, objective -25.2, criterion -25.2
	// chosen: calibrated
}

// halves are pictures with a left half of ones and noisy scores, every pixel
// labelled: what is to be predicted are other pictures.
func halves(pictures int) *gcrfbc.Dataset {
	const side = 10
	rng := rand.New(rand.NewPCG(3, 4))
	d := &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{sparse.Grid2D(side, side)}}
	for range pictures {
		in := gcrfbc.Instance{Scores: make([]float64, side*side), Labels: make([]int8, side*side)}
		width := 2 + rng.IntN(side-3)
		for i := range in.Scores {
			if i%side < width {
				in.Labels[i] = 1
			}
			in.Scores[i] = 2*float64(in.Labels[i]) - 1 + 1.5*rng.NormFloat64()
		}
		d.Instances = append(d.Instances, in)
	}
	return d
}

// GCRFBCb explains whole pictures, GCRFBCnb single pixels of new ones.
func Example_autoVariant() {
	d := halves(8)
	res, err := learn.Fit(context.Background(), d, learn.Options{Variant: learn.AutoVariant})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("variant:", res.Model.Variant)
	// Output:
	// variant: b
}

// A fit says how it is doing, and can be ended with the best model so far.
func ExampleProgress() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	first := 0.0
	res, err := learn.Fit(ctx, leftAndRight(), learn.Options{Progress: func(p learn.Progress) {
		switch p.Iteration {
		case 0:
			first = p.Objective
		case 3:
			cancel()
		}
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Status, res.Penalised > first)
	// Output:
	// Canceled true
}

// Without and with the correction of probabilities that the fit has found worth
// it, if any: here the field needs none.
func ExampleOptions_recalibration() {
	d := leftAndRight()
	res, err := learn.Fit(context.Background(), d, learn.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("recalibrated:", res.Model.Recalibration != nil)
	o := infer.PredictOptions{Observed: [][]int8{d.Instances[0].Labels}}
	p, err := infer.Predict(context.Background(), res.Model, d, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	o.Uncalibrated = true
	q, err := infer.Predict(context.Background(), res.Model, d, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("same:", p.Instances[0].P1[1] == q.Instances[0].P1[1])
	// Output:
	// recalibrated: false
	// same: true
}
