package optimize

import (
	"fmt"
	"time"
)

// Options say when to stop. The zero value is ready to use.
type Options struct {
	// GradTol ends the run when the largest component of the projected
	// gradient, |P(x − g) − x|, is not above it. 0 means 1e-6; negative never.
	GradTol float64
	// FuncTol ends the run when two successive iterations each lower the value
	// by no more than FuncTol · max(1, |f|) and the projected gradient by less
	// than half. 0 means 1e-14, that is rounding; negative never.
	FuncTol float64
	// FuncNoise is the relative rounding error of values. Changes of the value
	// below it say nothing, and the line search then goes by slopes alone
	// (approximate Wolfe conditions). 0 means (500 + Dim) 2⁻⁵², about 1e-13
	// for few variables.
	FuncNoise float64
	// StepTol ends the run when no variable moved by more than
	// StepTol · max(1, |x_i|) in an iteration. 0 or negative means never.
	StepTol float64
	// MaxEvaluations limits the calls of Eval, those for differences
	// included. 0 means 15000; negative no limit.
	MaxEvaluations int
	// MaxIterations limits the iterations. 0 means 15000; negative no limit.
	MaxIterations int
	// TimeLimit, if positive, limits the time of the whole run. It also is the
	// deadline of the context that Eval receives.
	TimeLimit time.Duration
	// Callback, if not nil, is called at the start and after each iteration.
	// Returning ErrStop ends the run without error, any other error ends it
	// and is returned wrapped by Minimize.
	Callback func(Iteration) error
	// Trace keeps one Iteration (without X and Grad) for the start and each
	// iteration in Result.Trace.
	Trace bool
}

func (o *Options) validate() error {
	for _, v := range []struct {
		name string
		val  float64
	}{{"GradTol", o.GradTol}, {"FuncTol", o.FuncTol}, {"StepTol", o.StepTol}, {"FuncNoise", o.FuncNoise}} {
		if v.val != v.val {
			return &InputError{v.name, -1, "is NaN; use 0 for the default"}
		}
	}
	if o.FuncNoise < 0 {
		return &InputError{"FuncNoise", -1, fmt.Sprintf("is %v; use a small positive number, or 0 for the default", o.FuncNoise)}
	}
	if o.TimeLimit < 0 {
		return &InputError{"TimeLimit", -1, fmt.Sprintf("is %v; use 0 for no limit", o.TimeLimit)}
	}
	return nil
}

// withDefaults replaces zeros; negative values stay and mean never.
func (o Options) withDefaults(n int) Options {
	if o.GradTol == 0 {
		o.GradTol = 1e-6
	}
	if o.FuncTol == 0 {
		o.FuncTol = 1e-14
	}
	if o.FuncNoise == 0 {
		o.FuncNoise = float64(500+n) * eps
	}
	if o.MaxEvaluations == 0 {
		o.MaxEvaluations = 15000
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 15000
	}
	return o
}

// Iteration describes the iterate after an iteration; number 0 is the start.
type Iteration struct {
	Iteration         int
	Evaluations       int     // calls of Eval so far
	HessVecs          int     // Hessian-vector products so far
	F                 float64 // value at the iterate
	ProjectedGradient float64 // largest component of P(x − g) − x
	Step              float64 // largest change of a variable in this iteration
	Active            int     // variables at a bound
	Elapsed           time.Duration
	X, Grad           []float64 // the iterate: read-only and valid during the callback only; nil in a trace
}

// Result is the outcome of a run. If the start could not be evaluated, X is the
// start, F is +Inf and Grad is NaN.
type Result struct {
	X    []float64 // the best point: the lowest value of all usable evaluations, or the final iterate if Status is GradientConverged
	Grad []float64 // gradient at X; at a bound it is the bound's multiplier
	F    float64   // value at X

	Status      Status
	Evaluations int // calls of Eval
	Iterations  int
	HessVecs    int // Hessian-vector products, by HessVec or by differences

	ProjectedGradient float64 // largest component of |P(X − Grad) − X|
	AtLower, AtUpper  []bool  // X[i] is at its bound; both for a fixed variable
	Elapsed           time.Duration
	Trace             []Iteration // if Options.Trace
}
