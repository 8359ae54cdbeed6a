package infer_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// network is a graph with a few nodes of high degree, half of them labelled.
func network() *gcrfbc.Dataset {
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
		if i%2 == 0 {
			in.Labels[i] = gcrfbc.Missing
		}
	}
	g, err := sparse.NewGraph(n, edges)
	if err != nil {
		panic(err)
	}
	return &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{g}, Instances: []gcrfbc.Instance{in}}
}

// With an approximate factor the value comes with its standard error, the
// gradient with its covariance, and the report says how good the factor is.
func ExampleEvaluator_Solver() {
	ctx, d := context.Background(), network()
	p := gcrfbc.NewParams([]float64{0.1}, []float64{0.05})
	value := func(opts infer.Options) (v, se float64, ev *infer.Evaluator) {
		ev, err := infer.NewEvaluator(ctx, d, opts)
		if err != nil {
			fmt.Println(err)
			return
		}
		grad := make([]float64, infer.GradientLen(d.K, d.NumGraphs()))
		if v, err = ev.Evaluate(ctx, p, grad); err != nil {
			fmt.Println(err)
		}
		return v, ev.Sites().ValueErr, ev
	}
	exact, none, _ := value(infer.Options{Solver: infer.SolverExact})
	approximate, se, ev := value(infer.Options{Solver: infer.SolverPartial, Cmax: 8})
	r, _ := ev.Solver()
	fmt.Println("exact factor, standard error", none)
	fmt.Printf("%s factor, exact up to degree %d, quality better than 1 %%: %t\n", r.Kind, r.Cmax, r.Quality < 0.01)
	fmt.Println("the values agree:", math.Abs(approximate-exact) < 4*se+0.02)
	// Output:
	// exact factor, standard error 0
	// partial factor, exact up to degree 8, quality better than 1 %: true
	// the values agree: true
}
