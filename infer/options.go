package infer

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc"
)

// Options control an [Evaluator]. The zero value evaluates GCRFBCb with
// expectation propagation on all cores.
type Options struct {
	Variant gcrfbc.Variant // "" means Bayesian
	Approx  gcrfbc.Approx  // "" means EP; ignored for NonBayesian

	Threads  int   // goroutines; 0 means GOMAXPROCS
	MaxBytes int64 // refuse factors whose forecast is larger; 0 means no limit

	// Solver says how large graphs are factorized; "" means SolverAuto.
	Solver Solver
	// Cmax is the degree up to which the approximate factor eliminates nodes
	// exactly; 0 means 16, and less for graphs of millions of edges.
	Cmax int
	// Seed of the approximate factor's probes.
	Seed uint64

	// SiteTol, at least 1e-4 with an approximate factor, ends the sweeps over the
	// sites when none of them changes by more,
	// relatively; 0 means 1e-9. The value's error is of its square.
	SiteTol float64
	// MaxSweeps bounds the sweeps of one instance; 0 means 500.
	MaxSweeps int
	// Refactorizations is how many factorizations are expected, which says
	// whether a better, slower ordering pays; 0 means 200.
	Refactorizations int

	scalar bool // one instance at a time, for tests
}

func (o Options) withDefaults() (Options, error) {
	if o.Variant == "" {
		o.Variant = gcrfbc.Bayesian
	}
	if o.Approx == "" {
		o.Approx = gcrfbc.EP
	}
	switch o.Variant {
	case gcrfbc.Bayesian, gcrfbc.NonBayesian:
	default:
		return o, &OptionError{Name: "Variant", Msg: fmt.Sprintf("is %q; want b or nb", o.Variant)}
	}
	switch o.Approx {
	case gcrfbc.JJ, gcrfbc.EP, gcrfbc.Laplace:
	default:
		return o, &OptionError{Name: "Approx", Msg: fmt.Sprintf("is %q; want ep, jj or laplace", o.Approx)}
	}
	switch o.Solver {
	case "":
		o.Solver = SolverAuto
	case SolverAuto, SolverExact, SolverPartial:
	default:
		return o, &OptionError{Name: "Solver", Msg: fmt.Sprintf("is %q; want auto, exact or partial", o.Solver)}
	}
	if o.Cmax < 0 {
		return o, &OptionError{Name: "Cmax", Msg: fmt.Sprintf("is %d; want a degree, or 0 for the default", o.Cmax)}
	}
	if o.SiteTol == 0 {
		o.SiteTol = 1e-9
	}
	if !(o.SiteTol > 0) {
		return o, &OptionError{Name: "SiteTol", Msg: fmt.Sprintf("is %v; want a positive number", o.SiteTol)}
	}
	if o.MaxSweeps == 0 {
		o.MaxSweeps = 500
	}
	if o.Refactorizations == 0 {
		o.Refactorizations = 200
	}
	return o, nil
}

// Solver names the factor of large graphs.
type Solver string

// The solvers.
const (
	SolverAuto    Solver = "auto"    // exact where its forecast is affordable
	SolverExact   Solver = "exact"   // package chol
	SolverPartial Solver = "partial" // package chol/partial
)

// OptionError names an option out of its range.
type OptionError struct{ Name, Msg string }

func (e *OptionError) Error() string { return "infer: option " + e.Name + " " + e.Msg }
