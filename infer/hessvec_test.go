package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
)

// TestHessVec compares products with the Hessian with differences of gradients,
// several instances with missing labels and two shared graphs.
func TestHessVec(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	for trial := range 5 {
		d := randomDataset(uint64(72+trial), 3, 8, 2, 2, false)
		ev, err := NewEvaluator(t.Context(), d, Options{Variant: gcrfbc.NonBayesian})
		if err != nil {
			t.Fatal(err)
		}
		if !ev.OffersHessVec() {
			t.Fatal("not offered")
		}
		p := randomParams(uint64(80+trial), 2, 2)
		size := GradientLen(2, 2)
		dir, got := make([]float64, size), make([]float64, size)
		for i := range dir {
			dir[i] = rng.NormFloat64()
		}
		at := func(h float64) []float64 {
			q := p.Clone()
			all := [][]float64{q.Alpha, q.Beta, nil, nil, q.Direct}
			i := 0
			for k, part := range all {
				switch k {
				case 2:
					q.Gain += h * dir[i]
					i++
				case 3:
					q.Bias += h * dir[i]
					i++
				default:
					for m := range part {
						part[m] += h * dir[i]
						i++
					}
				}
			}
			g := make([]float64, size)
			if _, err := ev.Evaluate(t.Context(), q, g); err != nil {
				t.Fatal(err)
			}
			return g
		}
		const h = 1e-5
		plus, minus := at(h), at(-h)
		at(0)
		if err := ev.HessVec(t.Context(), p, dir, got); err != nil {
			t.Fatal(err)
		}
		for i, g := range got {
			if want := (plus[i] - minus[i]) / (2 * h); math.Abs(g-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("trial %d: component %d is %.9g, by differences %.9g", trial, i, g, want)
			}
		}
	}
	own := randomDataset(75, 3, 8, 2, 1, true)
	ev, err := NewEvaluator(t.Context(), own, Options{Variant: gcrfbc.NonBayesian})
	if err != nil {
		t.Fatal(err)
	}
	if ev.OffersHessVec() {
		t.Error("offered with graphs of their own")
	}
}
