package optimize_test

import (
	"context"
	"fmt"

	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// with minimises Rosenbrock's function from (−1.2, 1).
func with(m optimize.Method) *optimize.Result {
	r, err := optimize.Minimize(context.Background(), optimize.Problem{Dim: 2, Eval: rosenbrock}, []float64{-1.2, 1}, m, optimize.Options{})
	if err != nil {
		fmt.Println(err)
	}
	return r
}

// The default: limited memory, bounds.
func ExampleLBFGSB() {
	r := with(optimize.LBFGSB{})
	fmt.Printf("%v (%.4f, %.4f)\n", r.Status, r.X[0], r.X[1])
	// Output:
	// GradientConverged (1.0000, 1.0000)
}

// The approximation of the second derivatives in full, for few variables; they may
// be given at the start.
func ExampleSQP() {
	plain := with(optimize.SQP{})
	seeded := with(optimize.SQP{Hessian: []float64{1330, 480, 480, 200}})
	fmt.Println(plain.Status.Converged(), seeded.Status.Converged(), seeded.Evaluations < plain.Evaluations)
	// Output:
	// true true true
}

// Steps from the signs of successive derivatives need no sensible values, only
// derivatives that point the right way.
func ExampleGradient() {
	r, err := optimize.Minimize(context.Background(), optimize.Problem{Dim: 2, Eval: func(_ context.Context, x, grad []float64) (float64, error) {
		grad[0], grad[1] = 2*x[0], 2e6*(x[1]-1)
		return x[0]*x[0] + 1e6*(x[1]-1)*(x[1]-1), nil
	}}, []float64{3, 3}, optimize.Gradient{Rule: optimize.PerCoordinate}, optimize.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", r.X)
	// Output:
	// [0.000 1.000]
}

// Truncated Newton steps with products of one's own: here of Rosenbrock's Hessian.
func ExampleTNC() {
	product := func(_ context.Context, x, v, hv []float64) error {
		hv[0] = (1200*x[0]*x[0]-400*x[1]+2)*v[0] - 400*x[0]*v[1]
		hv[1] = -400*x[0]*v[0] + 200*v[1]
		return nil
	}
	given, err := optimize.Minimize(context.Background(), optimize.Problem{Dim: 2, Eval: rosenbrock, HessVec: product},
		[]float64{-1.2, 1}, optimize.TNC{}, optimize.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	differences := with(optimize.TNC{})
	fmt.Println(given.Status, differences.Status)
	fmt.Println("products save evaluations:", given.Evaluations < differences.Evaluations)
	// Output:
	// GradientConverged GradientConverged
	// products save evaluations: true
}
