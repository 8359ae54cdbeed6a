package learn

import (
	"fmt"
	"math"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// Options control [Fit]. The zero value fits GCRFBCb with expectation
// propagation and the calibrated mean, by L-BFGS-B, on all cores.
type Options struct {
	Variant gcrfbc.Variant // "" means Bayesian; or AutoVariant
	Approx  gcrfbc.Approx  // "" means EP, or JJ if Joint; ignored for NonBayesian
	Mean    gcrfbc.Mean    // "" means CalibratedMean; "bias,direct" or "gain=0,bias" learn a part; or AutoMean

	Optimizer Optimizer // "" means LBFGSB
	// Joint optimises over θ and every ξ together, as the paper does, instead
	// of profiling ξ. It needs Bayesian and JJ.
	Joint bool

	Threads  int   // goroutines; 0 means GOMAXPROCS
	MaxBytes int64 // refuse factors whose forecast is larger; 0 means no limit
	// Solver and Cmax say how large graphs are factorized, as in infer.Options.
	Solver infer.Solver
	Cmax   int

	// Starts are the initial (α, β) on the internal scale, the same for every
	// component; nil means (.01, 1) and (1, 1), for nb with the paper's mean also
	// (10, 1), or for b, where an evaluation is heavy work, nb's optimum.
	Starts []Start
	// Lower and Upper bound every α_k and β_l on the user's scale; 0 means 1e-6
	// and 1e6 on the internal one.
	Lower, Upper float64

	// Prior holds priors of the parameters; nil means DefaultPrior. &Prior{} is
	// none.
	Prior *Prior

	// StandardErrors asks for Result.Uncertainty.
	StandardErrors StandardErrors

	// NoRecalibration leaves probabilities as the field gives them. Otherwise, for
	// b with ep where some nodes of the training instances have no label, the
	// training labels are compared with their predictions from all the others, and
	// the model gets a gcrfbc.Recalibration should Schwarz's criterion want one. It
	// costs one evaluation from cold sites.
	NoRecalibration bool

	// GradTol ends a start's run when no component of the projected gradient
	// per labelled node exceeds it, with respect to log θ; 0 means 1e-7.
	GradTol float64
	// MaxEvaluations bounds the evaluations of all starts together; 0 means
	// 1000 for each start.
	MaxEvaluations int
	// TimeLimit ends the fit with the best model so far; 0 means no limit.
	TimeLimit time.Duration
	// SiteTol and MaxSweeps are those of infer.Options; 0 means 1e-6 for
	// SiteTol, which the objective feels by its square.
	SiteTol   float64
	MaxSweeps int

	// Progress, if not nil, is called after every iteration, on the goroutine
	// of Fit.
	Progress func(Progress)

	parts gcrfbc.MeanParts
	// Checkpoint, if not nil, is called on the goroutine of Fit with the state
	// of the fit, to be written somewhere: after an evaluation when
	// CheckpointInterval has passed, and when the fit ends. The state is valid
	// during the call only. An error leaves a note in the result.
	Checkpoint         func(*State) error
	CheckpointInterval time.Duration // 0 means one minute, negative after every evaluation
	// Resume continues a fit from its state, to the same bits as if it had not
	// been interrupted. Data and options must be those of that fit; limits,
	// threads and callbacks may differ.
	Resume *State

	journal   *journal
	ownStarts bool    // Starts are the caller's
	plugIn    bool    // nb is fitted as a start for b
	beat      float64 // an objective that must be beaten, 0 for none; see untilBehind
	heavyWork float64 // defaultHeavyWork, but in tests
}

// Start is an initial point on the internal scale.
type Start struct{ Alpha, Beta float64 }

// Progress describes a fit under way.
type Progress struct {
	Start, Starts int // the run at hand, from 0, and how many there will be
	Iteration     int
	Evaluations   int     // of all runs so far
	Objective     float64 // with the log prior: what is being maximised
	GradientNorm  float64 // largest component of its projected gradient, nats per unit of log θ
	Elapsed       time.Duration
	// Left is about how long the fit still takes, going by the trend of the
	// gradient and the starts to come; 0 while it is unknown.
	Left time.Duration
}

// Optimizer names an algorithm of package optimize.
type Optimizer string

// The optimisers.
const (
	LBFGSB   Optimizer = "lbfgsb"   // limited-memory quasi-Newton with bounds
	TNC      Optimizer = "tnc"      // truncated Newton with bounds
	SQP      Optimizer = "sqp"      // sequential quadratic programming with bounds
	Gradient Optimizer = "gradient" // gradient ascent in log θ with adaptive steps
)

func (o Optimizer) method() (optimize.Method, error) {
	switch o {
	case "", LBFGSB:
		return optimize.LBFGSB{}, nil
	case TNC:
		return optimize.TNC{}, nil
	case SQP:
		return optimize.SQP{}, nil
	case Gradient:
		return optimize.Gradient{}, nil
	}
	return nil, &OptionError{Name: "Optimizer", Msg: fmt.Sprintf("is %q; want lbfgsb, tnc, sqp or gradient", string(o))}
}

func (o Options) withDefaults() (Options, error) {
	if o.Variant == "" {
		o.Variant = gcrfbc.Bayesian
	}
	if o.Mean == "" {
		o.Mean = gcrfbc.CalibratedMean
	}
	var err error
	if o.parts, err = o.Mean.Parts(); err != nil {
		return o, &OptionError{Name: "Mean", Msg: fmt.Sprintf("is %q; want calibrated, paper or a list of gain, gain=NUMBER, bias and direct", string(o.Mean))}
	}
	o.Mean = o.parts.Mean()
	if o.Prior == nil {
		o.Prior = DefaultPrior()
	}
	if err := o.Prior.validate(); err != nil {
		return o, err
	}
	if o.Joint {
		if o.Approx == "" {
			o.Approx = gcrfbc.JJ
		}
		if o.Variant != gcrfbc.Bayesian || o.Approx != gcrfbc.JJ {
			return o, &OptionError{Name: "Joint", Msg: "is the problem over θ and ξ together; it needs variant b and approximation jj"}
		}
	}
	if o.Approx == "" {
		o.Approx = gcrfbc.EP
	}
	if o.heavyWork == 0 {
		o.heavyWork = defaultHeavyWork
	}
	o.ownStarts = len(o.Starts) > 0
	if !o.ownStarts {
		o.Starts = []Start{{.01, 1}, {1, 1}}
		if o.Variant == gcrfbc.NonBayesian && o.Mean == gcrfbc.PaperMean {
			// Of several optima the better ones are often those of little smoothing.
			o.Starts = append(o.Starts, Start{10, 1})
		}
	}
	for _, s := range o.Starts {
		if !(s.Alpha > 0) || !(s.Beta > 0) || math.IsInf(s.Alpha, 0) || math.IsInf(s.Beta, 0) {
			return o, &OptionError{Name: "Starts", Msg: fmt.Sprintf("holds %v; both numbers must be positive and finite", s)}
		}
	}
	for _, b := range []struct {
		name  string
		value float64
	}{{"Lower", o.Lower}, {"Upper", o.Upper}, {"GradTol", o.GradTol}} {
		if !(b.value >= 0) || math.IsInf(b.value, 0) {
			return o, &OptionError{Name: b.name, Msg: fmt.Sprintf("is %v; want a positive number, or 0 for the default", b.value)}
		}
	}
	if o.Lower > 0 && o.Upper > 0 && o.Lower > o.Upper {
		return o, &OptionError{Name: "Lower", Msg: fmt.Sprintf("%v is above Upper %v", o.Lower, o.Upper)}
	}
	if o.GradTol == 0 {
		o.GradTol = 1e-7
	}
	if o.SiteTol == 0 {
		o.SiteTol = 1e-6
	}
	if o.MaxEvaluations < 0 || o.TimeLimit < 0 {
		return o, &OptionError{Name: "MaxEvaluations or TimeLimit", Msg: "is negative; want a positive limit, or 0 for none"}
	}
	if o.MaxEvaluations == 0 {
		o.MaxEvaluations = 1000 * len(o.Starts)
	}
	return o, nil
}

// OptionError names an option out of its range.
type OptionError struct{ Name, Msg string }

func (e *OptionError) Error() string { return "learn: option " + e.Name + " " + e.Msg }
