package optimize_test

import (
	"context"
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// rosenbrock returns 100 (x₁ − x₀²)² + (1 − x₀)² and its gradient.
func rosenbrock(_ context.Context, x, grad []float64) (float64, error) {
	a, b := x[1]-x[0]*x[0], 1-x[0]
	grad[0], grad[1] = -400*a*x[0]-2*b, 200*a
	return 100*a*a + b*b, nil
}

func ExampleMinimize() {
	result, err := optimize.Minimize(context.Background(), optimize.Problem{
		Dim:   2,
		Eval:  rosenbrock,
		Upper: []float64{0.5, math.Inf(1)},
	}, []float64{-1.2, 1}, nil, optimize.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v at (%.4f, %.4f), value %.4f\n", result.Status, result.X[0], result.X[1], result.F)
	fmt.Printf("x0 at its upper bound: %v, multiplier %.4f\n", result.AtUpper[0], result.Grad[0])
	// Output:
	// GradientConverged at (0.5000, 0.2500), value 0.2500
	// x0 at its upper bound: true, multiplier -1.0000
}

// A function that is not defined everywhere says so; no bound is needed.
func ExampleFunc() {
	entropy := func(_ context.Context, x, grad []float64) (float64, error) {
		f := 0.0
		for i, v := range x {
			if v <= 0 {
				return 0, optimize.ErrInfeasible
			}
			f += v * math.Log(v)
			grad[i] = math.Log(v) + 1
		}
		return f, nil
	}
	result, err := optimize.Minimize(context.Background(), optimize.Problem{Dim: 2, Eval: entropy},
		[]float64{3, 0.01}, optimize.SQP{}, optimize.Options{})
	fmt.Printf("%.5f %v\n", result.X, err)
	// Output: [0.36788 0.36788] <nil>
}

// The callback watches a run and may end it.
func ExampleOptions_callback() {
	result, err := optimize.Minimize(context.Background(), optimize.Problem{Dim: 2, Eval: rosenbrock},
		[]float64{-1.2, 1}, optimize.TNC{}, optimize.Options{
			Callback: func(it optimize.Iteration) error {
				if it.F < 1e-3 {
					return optimize.ErrStop // good enough
				}
				return nil
			},
		})
	fmt.Println(result.Status, result.Status.Converged(), result.F < 1e-3, err)
	// Output: CallbackStop false true <nil>
}

func ExampleCheckGradient() {
	wrong := func(ctx context.Context, x, grad []float64) (float64, error) {
		f, err := rosenbrock(ctx, x, grad)
		grad[1] *= 2
		return f, err
	}
	c, err := optimize.CheckGradient(context.Background(), optimize.Problem{Dim: 2, Eval: wrong}, []float64{-1.2, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("component %d: gradient %.2f, differences %.2f\n", c.Index, c.Grad[c.Index], c.Difference[c.Index])
	// Output: component 1: gradient -176.00, differences -88.00
}
