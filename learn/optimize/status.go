package optimize

import "strconv"

// Status says why a run ended.
type Status int

const (
	// NotStarted is the zero value: no run has ended yet.
	NotStarted Status = iota
	// GradientConverged: the projected gradient is within GradTol.
	GradientConverged
	// FunctionConverged: the reduction of the value fell to FuncTol, or no
	// step can lower the value by more than its rounding.
	FunctionConverged
	// StepConverged: the variables moved by no more than StepTol.
	StepConverged
	// EvaluationLimit: MaxEvaluations was reached.
	EvaluationLimit
	// IterationLimit: MaxIterations was reached.
	IterationLimit
	// TimeLimit: Options.TimeLimit was reached.
	TimeLimit
	// Canceled: the context was canceled or passed its deadline, or Eval
	// returned such an error.
	Canceled
	// CallbackStop: Options.Callback returned an error.
	CallbackStop
	// LineSearchFailed: no lower value was found along a descent direction.
	// The gradient may be wrong or noisy; see CheckGradient.
	LineSearchFailed
	// Unbounded: the value reached −Inf.
	Unbounded
	// Failed: Eval returned an error, or the start cannot be used.
	Failed
)

var statusNames = [...]string{
	"NotStarted", "GradientConverged", "FunctionConverged", "StepConverged",
	"EvaluationLimit", "IterationLimit", "TimeLimit", "Canceled",
	"CallbackStop", "LineSearchFailed", "Unbounded", "Failed",
}

func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		return "Status(" + strconv.Itoa(int(s)) + ")"
	}
	return statusNames[s]
}

// Converged reports whether the run met one of its tolerances.
func (s Status) Converged() bool {
	return s == GradientConverged || s == FunctionConverged || s == StepConverged
}
