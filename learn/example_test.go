package learn_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
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

// A prior that says: the graph matters, by a factor of three either way.
func ExamplePrior() {
	prior := learn.DefaultPrior()
	prior.LogBeta = learn.Normal{Mean: 0, SD: 1.1}
	res, err := learn.Fit(context.Background(), leftAndRight(), learn.Options{Prior: prior})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("objective above objective with log prior:", res.Objective > res.Penalised)
	// Output: objective above objective with log prior: true
}

// How well the labels determine the weight of the graph against the score's.
func ExampleUncertain() {
	d := leftAndRight()
	opts := learn.Options{Variant: gcrfbc.NonBayesian, Mean: "gain"}
	res, err := learn.Fit(context.Background(), d, opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	u, err := learn.Uncertain(context.Background(), d, res.Model, opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := res.Model.Params
	fmt.Println(u.Names)
	fmt.Printf("log beta %.1f ± %.1f\n", math.Log(p.Beta[0]), u.SE[1])
	fmt.Printf("gain %.1f ± %.1f\n", p.Gain, u.SE[2])
	// Output:
	// [alpha[0] beta[0] gain]
	// log beta 3.3 ± 0.4
	// gain 13.2 ± 5.2
}

// A fit that is ended early and continued.
func ExampleState() {
	d := leftAndRight()
	var file bytes.Buffer
	_, err := learn.Fit(context.Background(), d, learn.Options{
		MaxEvaluations: 10,
		Checkpoint:     func(s *learn.State) error { file.Reset(); return s.Write(&file) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := learn.ReadState(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	resumed, err := learn.Fit(context.Background(), d, learn.Options{Resume: state})
	if err != nil {
		fmt.Println(err)
		return
	}
	direct, err := learn.Fit(context.Background(), d, learn.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(state.Evaluations(), "evaluations kept; same result:", resumed.Objective == direct.Objective)
	// Output: 10 evaluations kept; same result: true
}
