package learn

import (
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/internal/golden"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// TestGoldenJoint: on the stored learning problems truncated Newton on the
// paper's joint problem in θ and ξ ends at the profile's optimum.
func TestGoldenJoint(t *testing.T) {
	golden.Each(t, "fits", func(t *testing.T, p *golden.Problem) {
		d := p.Dataset(t)
		o := Options{Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean, Lower: p.Bounds.Lower, Upper: p.Bounds.Upper}
		profile, err := Fit(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Joint, o.Optimizer, o.MaxEvaluations = true, TNC, 40000
		joint, err := Fit(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(joint.Objective-profile.Objective) > 1e-4 {
			t.Errorf("joint %.7f (%v, %d evaluations), profile %.7f (%v, %d); %+v", joint.Objective, joint.Status, joint.Evaluations, profile.Objective, profile.Status, profile.Evaluations, joint.Runs)
		}
		t.Logf("joint %.7f (%v, %d evaluations, %v), profile %.7f (%d)", joint.Objective, joint.Status, joint.Evaluations, joint.Elapsed, profile.Objective, profile.Evaluations)
	})
}

// TestSingularStepsAreShorter: with bounds so wide that P becomes singular in
// floating point on the way, every method still ends at the optimum that
// ordinary bounds give, or above.
func TestSingularStepsAreShorter(t *testing.T) {
	d := gridDataset(61, 5, 6)
	for _, base := range []Options{{Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean}, {Approx: gcrfbc.EP, Mean: gcrfbc.PaperMean}, {Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean}} {
		usual, err := Fit(t.Context(), d, base)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []Optimizer{LBFGSB, TNC, SQP, Gradient} {
			o := base
			o.Optimizer, o.Lower, o.Upper = method, 1e-300, 1e300
			o.Starts = []Start{{1, 1}, {1e-12, 1e12}} // the second hardly leaves the singular part
			r, err := Fit(t.Context(), d, o)
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			if r.Model.Validate() != nil || r.Status == optimize.Failed || r.Objective < usual.Objective-1e-3 {
				t.Errorf("%s %s: objective %v (%v), with ordinary bounds %v", method, base.Variant, r.Objective, r.Status, usual.Objective)
			}
		}
	}
}

var faults = []error{
	&chol.NotPositiveDefiniteError{Row: 3}, &chol.ValueError{}, &gcrfbc.ParamError{Name: "alpha[0]", Msg: "is +Inf"}, &infer.SingularError{},
}

// TestBadStepsAreShorter: values that are not numbers and failed factorizations
// within line searches cost evaluations, not the fit.
func TestBadStepsAreShorter(t *testing.T) {
	d := gridDataset(62, 6, 6)
	for _, method := range []Optimizer{LBFGSB, TNC, SQP, Gradient} {
		o := Options{Mean: gcrfbc.PaperMean, Optimizer: method, GradTol: 1e-5}
		want, err := Fit(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		o, err = o.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		obj, err := newObjective(t.Context(), d, &o)
		if err != nil {
			t.Fatal(err)
		}
		n, bad := 0, 0
		obj.fault = func() error { // every fourth evaluation of a start
			if n++; n%4 == 0 {
				bad++
				return faults[bad%len(faults)]
			}
			return nil
		}
		m, err := o.Optimizer.method()
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for _, s := range []Start{{1, 1}} {
			n = 0
			r, err := optimize.Minimize(t.Context(), obj.problem(&o), obj.start(s), m, optimize.Options{GradTol: o.GradTol, FuncTol: 1e-13})
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			best = math.Max(best, -r.F*obj.norm)
		}
		if bad < 4 || best < want.Objective-1e-3 {
			t.Errorf("%s: objective %v with %d bad evaluations, %v without", method, best, bad, want.Objective)
		}
	}
}
