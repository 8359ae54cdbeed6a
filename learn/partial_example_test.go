package learn_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// A social graph is fitted with an approximate factor: auto chooses it where the
// exact one is too large, here it is asked for. The model remembers it.
func ExampleFit_partial() {
	const n = 600
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[[2]int]bool{}
	var edges []sparse.Edge
	in := gcrfbc.Instance{Scores: make([]float64, n), Labels: make([]int8, n)}
	for i := range n {
		for range min(i, 5) {
			j := int(float64(i) * math.Pow(rng.Float64(), 2))
			if !seen[[2]int{i, j}] {
				seen[[2]int{i, j}] = true
				edges = append(edges, sparse.Edge{I: i, J: j, W: 1})
			}
		}
		in.Labels[i] = int8(rng.IntN(2))
		in.Scores[i] = float64(2*in.Labels[i]-1) + rng.NormFloat64()
	}
	g, err := sparse.NewGraph(n, edges)
	if err != nil {
		fmt.Println(err)
		return
	}
	d := &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{g}, Instances: []gcrfbc.Instance{in}}
	res, err := learn.Fit(context.Background(), d, learn.Options{Solver: infer.SolverPartial, Cmax: 8, Mean: gcrfbc.PaperMean})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := res.Model.Fit.Solver
	fmt.Println("converged:", res.Status.Converged())
	fmt.Printf("%s factor, exact up to degree %d\n", s.Kind, s.Cmax)
	fmt.Println("the objective has a standard error:", s.ObjectiveSE > 0)
	// Output:
	// converged: true
	// partial factor, exact up to degree 8
	// the objective has a standard error: true
}
