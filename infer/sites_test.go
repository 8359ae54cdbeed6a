package infer

import (
	"errors"
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc"
)

// TestSitesCarry: with another's sites an evaluation has the same bits; after
// ResetSites it is as the first.
func TestSitesCarry(t *testing.T) {
	for _, scalar := range []bool{false, true} {
		for _, approx := range []gcrfbc.Approx{gcrfbc.EP, gcrfbc.JJ, gcrfbc.Laplace} {
			d := randomDataset(91, 5, 9, 2, 1, true)
			make1 := func() *Evaluator {
				ev, err := NewEvaluator(t.Context(), d, Options{Approx: approx, SiteTol: 1e-4, scalar: scalar})
				if err != nil {
					t.Fatal(err)
				}
				return ev
			}
			value := func(ev *Evaluator, seed uint64) float64 {
				v, err := ev.Evaluate(t.Context(), randomParams(seed, 2, 1), make([]float64, GradientLen(2, 1)))
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			one := make1()
			first := value(one, 1)
			value(one, 2)
			var s Sites
			one.SitesTo(&s)
			two := make1()
			if err := two.SetSites(&s); err != nil {
				t.Fatal(err)
			}
			if a, b := value(one, 3), value(two, 3); math.Float64bits(a) != math.Float64bits(b) {
				t.Errorf("%s scalar=%t: %v, with the sites set %v", approx, scalar, a, b)
			}
			one.ResetSites()
			if again := value(one, 1); again != first {
				t.Errorf("%s scalar=%t: %v after a reset, first %v", approx, scalar, again, first)
			}
			s.Warm = s.Warm[1:]
			var bad *gcrfbc.DataError
			if err := two.SetSites(&s); !errors.As(err, &bad) {
				t.Errorf("sites of another shape: %v", err)
			}
		}
	}
}
