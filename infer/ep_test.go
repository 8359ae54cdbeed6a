package infer

import (
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc"
)

// TestEPFromBadSites: sites left by distant parameters do not keep expectation
// propagation from its fixed point.
func TestEPFromBadSites(t *testing.T) {
	d := randomDataset(41, 1, 60, 2, 1, true)
	p := randomParams(41, 2, 1)
	p.Alpha[0], p.Alpha[1] = 2e-3, 1e-3
	fresh, err := NewEvaluator(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := fresh.Evaluate(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	ev, err := NewEvaluator(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, gain := range []float64{-30, 50, 1e3, -1e4} {
		far := p.Clone()
		far.Gain, far.Bias = gain, 3*gain
		if _, err := ev.Evaluate(t.Context(), far, nil); err != nil {
			t.Fatal(err)
		}
		got, err := ev.Evaluate(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-want) > 1e-8*math.Abs(want) {
			t.Errorf("after gain %v: evidence %v, want %v (%+v)", gain, got, want, ev.Sites())
		}
	}
}

// TestEPFallsBack: with no sweeps allowed to speak of, Laplace's approximation
// takes over, with its own gradient, and the status says so.
func TestEPFallsBack(t *testing.T) {
	d := randomDataset(42, 1, 10, 1, 1, true)
	p := randomParams(42, 1, 1)
	p.Alpha[0] = 1e-3
	ev, err := NewEvaluator(t.Context(), d, Options{SiteTol: 1e-15, MaxSweeps: 12, scalar: true})
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, GradientLen(1, 1))
	got, err := ev.Evaluate(t.Context(), p, grad)
	if err != nil {
		t.Fatal(err)
	}
	if r := ev.Sites(); r.Laplace+r.Stalled != 1 {
		t.Fatalf("%+v", r)
	}
	la, err := NewEvaluator(t.Context(), d, Options{Approx: gcrfbc.Laplace})
	if err != nil {
		t.Fatal(err)
	}
	wantGrad := make([]float64, len(grad))
	want, err := la.Evaluate(t.Context(), p, wantGrad)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got-want) > 1e-8*math.Abs(want) {
		t.Errorf("value %v, laplace %v", got, want)
	}
	for k := range grad {
		if math.Abs(grad[k]-wantGrad[k]) > 1e-6*(1+math.Abs(wantGrad[k])) {
			t.Errorf("gradient %v, laplace %v", grad, wantGrad)
		}
	}
}
