package powerlaw

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestExact(t *testing.T) {
	x := []float64{1, 2, 4, 8}
	y := make([]float64, 4)
	for i, v := range x {
		y[i] = 3 * math.Pow(v, 1.5)
	}
	f := Of(append(x, 0), append(y, 7)) // a point at 0 has no logarithm
	if math.Abs(f.Exponent-1.5) > 1e-12 || math.Abs(f.Constant-3) > 1e-12 || f.High-f.Low > 1e-6 || f.Points != 4 {
		t.Errorf("%+v", f)
	}
	if f := Of([]float64{5, 5}, []float64{1, 2}); !math.IsNaN(f.Exponent) {
		t.Errorf("one x only: %+v", f)
	}
	if f := Of(x[:2], y[:2]); math.Abs(f.Exponent-1.5) > 1e-12 || !math.IsNaN(f.Low) {
		t.Errorf("two points: %+v", f)
	}
}

// TestCoverage: of intervals from noisy data about 95 in 100 hold the truth.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	hits := 0
	const trials = 2000
	for range trials {
		var x, y []float64
		for _, v := range []float64{10, 30, 100, 300, 1000} {
			x, y = append(x, v), append(y, 2*v*v*math.Exp(.1*rng.NormFloat64()))
		}
		if f := Of(x, y); f.Low <= 2 && 2 <= f.High {
			hits++
		}
	}
	if hits < 0.93*trials || hits > 0.97*trials {
		t.Errorf("%d of %d intervals hold the exponent", hits, trials)
	}
}
