package infer

import (
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer/quadrature"
)

// TestPredictIntervals: intervals are those of the latent moments, hold most of
// the draws of the probability, and shrink to the probability where the field
// has no variance.
func TestPredictIntervals(t *testing.T) {
	d := randomDataset(12, 2, 30, 2, 1, true)
	p := randomParams(12, 2, 1)
	b := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean, Params: p}
	for _, level := range []float64{0, 0.5, 0.99} {
		got, err := Predict(t.Context(), b, d, PredictOptions{Level: level})
		if err != nil {
			t.Fatal(err)
		}
		want := level
		if level == 0 {
			want = 0.95
		}
		if got.Level != want {
			t.Errorf("level %v, want %v", got.Level, want)
		}
		for _, in := range got.Instances {
			for i := range in.P1 {
				lo, hi := quadrature.Interval(in.Mean[i], in.Variance[i], want)
				if in.Lower[i] != lo || in.Upper[i] != hi || !(lo < hi) || lo < 0 || hi > 1 {
					t.Errorf("node %d: [%v, %v], want [%v, %v]", i, in.Lower[i], in.Upper[i], lo, hi)
				}
			}
		}
	}
	// Draws of the prior's field: 90 % of the probabilities lie inside.
	s, err := Sample(t.Context(), b, d, PredictOptions{}, 4000, 3)
	if err != nil {
		t.Fatal(err)
	}
	ninety, err := Predict(t.Context(), b, d, PredictOptions{Level: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	for j, in := range ninety.Instances {
		n, inside := len(in.P1), 0
		for k, z := range s[j] {
			if q := 1 / (1 + math.Exp(-z)); q >= in.Lower[k%n] && q <= in.Upper[k%n] {
				inside++
			}
		}
		if share := float64(inside) / float64(len(s[j])); math.Abs(share-0.9) > 0.01 {
			t.Errorf("instance %d: %.4f of the draws inside, want 0.9", j, share)
		}
	}
	nb := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.CalibratedMean, Params: p}
	got, err := Predict(t.Context(), nb, d, PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p1 := range got.Instances[1].P1 {
		if got.Instances[1].Lower[i] != p1 || got.Instances[1].Upper[i] != p1 {
			t.Errorf("nb, node %d: [%v, %v], want %v", i, got.Instances[1].Lower[i], got.Instances[1].Upper[i], p1)
		}
	}
	for _, bad := range []float64{-0.1, 1, 2, math.NaN(), math.Inf(1)} {
		if _, err := Predict(t.Context(), b, d, PredictOptions{Level: bad}); !asError[*OptionError](err) {
			t.Errorf("level %v: %v", bad, err)
		}
	}
}
