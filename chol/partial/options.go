package partial

import (
	"fmt"
	"math"
)

// Options control [Analyze]. The zero value is a good choice for social and web
// graphs.
type Options struct {
	// Cmax is the largest degree at which a node is still eliminated exactly;
	// 0 means 16. [Exact] eliminates every node: the factor is then exact, at
	// the cost of a plain sparse factorization.
	Cmax int
	// Threads is the largest number of goroutines that one call uses; 0 means
	// GOMAXPROCS. Results have the same bits for any number.
	Threads int
	// Seed of the probes and of the approximate Cholesky factor's choices.
	Seed uint64
	// Probes is the number of random vectors for log-determinants, a multiple
	// of 8 is best; 0 means 8. Steps is the number of Lanczos steps for each of
	// them; 0 means 6.
	Probes, Steps int
	// Preconditioner of the core's conjugate gradients.
	Preconditioner Preconditioner
	// MaxBytes bounds the forecast of memory; 0 means no bound.
	MaxBytes int64
}

// Exact, as Options.Cmax, eliminates every node exactly.
const Exact = math.MaxInt32

// Preconditioner names an approximate factor of the core.
type Preconditioner uint8

const (
	// AutoPreconditioner is the incomplete factor, and the approximate one
	// where that needs more than 40 iterations.
	AutoPreconditioner Preconditioner = iota
	// Incomplete is IC(0), which the selected inverse uses in any case.
	Incomplete
	// Approximate is an approximate Cholesky factor (Kyng & Sachdeva 2016; Gao,
	// Kyng & Spielman 2023).
	Approximate
)

const (
	defaultCmax   = 16
	defaultProbes = 8
	defaultSteps  = 6
)

func (o Options) withDefaults() (Options, error) {
	if o.Cmax < 0 {
		return o, &OptionError{"Cmax", fmt.Sprintf("is %d; want a degree, 0 for the default or Exact", o.Cmax)}
	}
	if o.Cmax == 0 {
		o.Cmax = defaultCmax
	}
	if o.Probes < 0 || o.Steps < 0 {
		return o, &OptionError{"Probes or Steps", "is negative"}
	}
	if o.Probes == 0 {
		o.Probes = defaultProbes
	}
	if o.Steps == 0 {
		o.Steps = defaultSteps
	}
	if o.Preconditioner > Approximate {
		return o, &OptionError{"Preconditioner", fmt.Sprintf("unknown value %d", o.Preconditioner)}
	}
	return o, nil
}

// OptionError reports a field of Options that cannot be used.
type OptionError struct{ Field, Msg string }

func (e *OptionError) Error() string { return "partial: Options." + e.Field + " " + e.Msg }

// MatrixError reports values that are not a graph's Laplacian plus a ridge.
type MatrixError struct {
	Row, Col int // Col is -1 for a property of the whole row
	Msg      string
}

func (e *MatrixError) Error() string {
	if e.Col < 0 {
		return fmt.Sprintf("partial: row %d %s", e.Row, e.Msg)
	}
	return fmt.Sprintf("partial: entry (%d, %d) %s", e.Row, e.Col, e.Msg)
}

// ConvergenceError reports a solve that ended at the limit of iterations.
type ConvergenceError struct {
	Iterations int
	Residual   float64 // relative
	Want       float64
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("partial: conjugate gradients reached a relative residual of %.2g, not %.2g, in %d iterations; raise Cmax or factorize exactly", e.Residual, e.Want, e.Iterations)
}
