package gcrfbc_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// A map of 6×8 places: label 1 in the east, 0 in the west. One weak predictor is
// wrong at every fourth place, and two labels are unknown.
func Example() {
	const rows, columns = 6, 8
	scores, labels := make([]float64, rows*columns), make([]int8, rows*columns)
	for i := range scores {
		if i%columns >= columns/2 {
			labels[i] = 1
		}
		scores[i] = 0.8*float64(labels[i]) - 0.4 // a logit
		if i%4 == i/columns%4 {
			scores[i] = -scores[i]
		}
	}
	labels[16], labels[31] = 1, 0 // exceptions
	labels[9], labels[13] = gcrfbc.Missing, gcrfbc.Missing
	data := &gcrfbc.Dataset{
		K:         1,
		Graphs:    []*sparse.Graph{sparse.Grid2D(rows, columns)},
		Instances: []gcrfbc.Instance{{Scores: scores, Labels: labels}},
	}

	ctx := context.Background()
	fit, err := learn.Fit(ctx, data, learn.Options{})
	if err != nil {
		log.Fatal(err)
	}
	p, err := infer.Predict(ctx, fit.Model, data, infer.PredictOptions{Observed: [][]int8{labels}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("converged:", fit.Status.Converged())
	for _, i := range []int{9, 13} {
		alone := 1 / (1 + math.Exp(-scores[i]))
		fmt.Printf("place %d: Pr(y = 1) is %.2f by its score, %.2f with its neighbours\n", i, alone, p.Instances[0].P1[i])
	}
	// Output:
	// converged: true
	// place 9: Pr(y = 1) is 0.60 by its score, 0.13 with its neighbours
	// place 13: Pr(y = 1) is 0.40 by its score, 0.83 with its neighbours
}
