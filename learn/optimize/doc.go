// Package optimize minimises a smooth function of many variables within bounds,
//
//	minimise f(x)  subject to  Lower ≤ x ≤ Upper,
//
// from one function that returns the value and the gradient together. It depends
// on the standard library only.
//
//	result, err := optimize.Minimize(ctx, optimize.Problem{
//		Dim:   2,
//		Eval:  func(ctx context.Context, x, grad []float64) (float64, error) { … },
//		Lower: []float64{0, 0}, // nil: no bounds
//	}, x0, nil, optimize.Options{})
//
// # Which method
//
//	LBFGSB    limited-memory BFGS; the default, any number of variables
//	SQP       dense BFGS and exact box models; few variables, expensive functions
//	TNC       truncated Newton; cheap Hessian-vector products, or large and hard
//	Gradient  spectral steps or Rprop; simple, robust, many evaluations
//
// All are for local minima of functions with continuous gradients. Evaluations
// that a run from the standard start needs (projected gradient at most 1e-6; TNC
// without Hessian products):
//
//	                         LBFGSB    SQP    TNC  Gradient
//	Rosenbrock                   45     47    115       120
//	Wood, 4 variables           115     46    349       844
//	Kowalik–Osborne              34     38     50       366
//	Brown–Dennis                 23     38     53        72
//	HS 110, 10 in a box           7      7     10         9
//	Rosenbrock, 1000 in a box    25      –    100        70
//
// # What the function must do
//
// It is called with points inside the bounds only, differences included, one at
// a time. It reports a point it cannot use by NaN, +Inf, [ErrNotFinite] or
// [ErrInfeasible], and the method steps less far; so a domain need not be known
// in advance. Any other error ends the run.
//
// # The result
//
// [Minimize] always gives the best point so far, also when the context is
// canceled, a limit is met or the function fails. [Status] tells convergence
// from early ends. Optimality is measured by the projected gradient P(x − g) − x,
// which is g where no bound interferes and 0 at a bound that g pushes against; at
// such a bound the gradient is the multiplier.
//
// The path depends on the function's values alone (and on TimeLimit, if set):
// equal values give equal bits on one platform.
//
// # Rounding
//
// When a further decrease would be smaller than the rounding of the value
// (Options.FuncNoise), the searches go by slopes, so the gradient can still be
// made small; when they fail there, the run ends with FunctionConverged. A
// search that fails far above rounding ends with LineSearchFailed: most often the
// gradient is wrong, which [CheckGradient] shows.
package optimize
