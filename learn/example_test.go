package learn_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// A 12×12 grid whose left half is mostly 1 and right half mostly 0, with one
// noisy score a node and labels on every other node.
func leftAndRight() *gcrfbc.Dataset {
	rng := rand.New(rand.NewPCG(1, 2))
	const side = 12
	in := gcrfbc.Instance{Scores: make([]float64, side*side), Labels: make([]int8, side*side)}
	for i := range in.Scores {
		left := 1.0
		if i%side >= side/2 {
			left = -1
		}
		in.Scores[i] = left + 2*rng.NormFloat64()
		switch {
		case i%2 == 1:
			in.Labels[i] = gcrfbc.Missing
		case left > 0 && rng.Float64() < 0.9:
			in.Labels[i] = 1
		}
	}
	return &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{sparse.Grid2D(side, side)}, Instances: []gcrfbc.Instance{in}}
}

func ExampleFit() {
	d := leftAndRight()
	res, err := learn.Fit(context.Background(), d, learn.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	alone := *d
	alone.Graphs = nil
	without, err := learn.Fit(context.Background(), &alone, learn.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("converged:", res.Status.Converged())
	fmt.Println("the graph helps:", res.Objective > without.Objective+5)
	// Output:
	// converged: true
	// the graph helps: true
}

// GCRFBCnb depends on the ratios of α and β only, so α is reported with sum 1.
func ExampleFit_nonBayesian() {
	res, err := learn.Fit(context.Background(), leftAndRight(), learn.Options{Variant: gcrfbc.NonBayesian})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("alpha %.0f\n", res.Model.Alpha)
	// Output: alpha [1]
}
