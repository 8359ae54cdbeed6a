package optimize

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Func returns f(x) and writes ∇f(x) to grad, both from one evaluation.
// x and grad have length Problem.Dim; x must not be modified or kept. It is
// called only at points inside the bounds, never concurrently.
//
// A value of NaN or +Inf, a gradient that is not finite, or an error wrapping
// [ErrNotFinite] or [ErrInfeasible] marks a point that cannot be used: the
// method takes a shorter step. Any other error ends the run, and [Minimize]
// returns it wrapped, together with the best point so far.
type Func func(ctx context.Context, x, grad []float64) (float64, error)

// HessVecFunc writes hv = ∇²f(x) v. It must not modify or keep x and v.
// x is always a point at which [Func] succeeded before.
type HessVecFunc func(ctx context.Context, x, v, hv []float64) error

// Errors a [Func] may wrap to say that a point cannot be used, but the run can
// go on.
var (
	ErrNotFinite  = errors.New("optimize: value or gradient not finite")
	ErrInfeasible = errors.New("optimize: point outside the domain of the function")
)

// ErrStop, returned by Options.Callback, ends the run without an error.
var ErrStop = errors.New("optimize: stopped by callback")

// Problem is: minimise f(x) subject to Lower ≤ x ≤ Upper.
type Problem struct {
	// Dim is the number of variables, at least 1.
	Dim int
	// Eval returns the value and the gradient.
	Eval Func
	// HessVec is optional; only [TNC] uses it. Without it TNC takes
	// differences of gradients, one evaluation of Eval each.
	HessVec HessVecFunc
	// Lower and Upper have Dim elements, or are nil for no bounds; elements
	// of Lower may be −Inf and of Upper +Inf. Lower[i] == Upper[i] fixes
	// variable i.
	Lower, Upper []float64
}

// InputError reports an argument of [Minimize] that cannot be used.
type InputError struct {
	Field string // argument or field, such as "Lower"
	Index int    // element, or −1
	Msg   string // what is wrong and what to do
}

func (e *InputError) Error() string {
	if e.Index >= 0 {
		return fmt.Sprintf("optimize: %s[%d] %s", e.Field, e.Index, e.Msg)
	}
	return "optimize: " + e.Field + " " + e.Msg
}

// validate checks the problem and the start.
func (p *Problem) validate(x0 []float64) error {
	switch {
	case p.Dim < 1:
		return &InputError{"Dim", -1, fmt.Sprintf("is %d; it must be at least 1", p.Dim)}
	case p.Eval == nil:
		return &InputError{"Eval", -1, "is nil; give the function to minimise"}
	case len(x0) != p.Dim:
		return &InputError{"x0", -1, fmt.Sprintf("has length %d; Dim is %d", len(x0), p.Dim)}
	case p.Lower != nil && len(p.Lower) != p.Dim:
		return &InputError{"Lower", -1, fmt.Sprintf("has length %d; it must be nil or have Dim = %d elements", len(p.Lower), p.Dim)}
	case p.Upper != nil && len(p.Upper) != p.Dim:
		return &InputError{"Upper", -1, fmt.Sprintf("has length %d; it must be nil or have Dim = %d elements", len(p.Upper), p.Dim)}
	}
	for i, v := range x0 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &InputError{"x0", i, fmt.Sprintf("is %v; start at a finite point", v)}
		}
	}
	for i, l := range p.Lower {
		if math.IsNaN(l) || math.IsInf(l, 1) {
			return &InputError{"Lower", i, fmt.Sprintf("is %v; use a finite number or −Inf for no bound", l)}
		}
	}
	for i, u := range p.Upper {
		if math.IsNaN(u) || math.IsInf(u, -1) {
			return &InputError{"Upper", i, fmt.Sprintf("is %v; use a finite number or +Inf for no bound", u)}
		}
		if p.Lower != nil && p.Lower[i] > u {
			return &InputError{"Lower", i, fmt.Sprintf("is %v, above Upper[%d] = %v; exchange or widen them", p.Lower[i], i, u)}
		}
	}
	return nil
}
