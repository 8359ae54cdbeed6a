package optimize

import (
	"math"
	"testing"
)

// TestMoreThuenteFunctions runs the six functions of section 5 of the paper
// from starts over eight decades. It wants the strong Wolfe conditions and few
// trials (the paper needs at most 12).
func TestMoreThuenteFunctions(t *testing.T) {
	yanai := func(b1, b2 float64) func(float64) (float64, float64) {
		g := func(b float64) float64 { return math.Sqrt(1+b*b) - b }
		return func(a float64) (float64, float64) {
			p, q := math.Hypot(1-a, b2), math.Hypot(a, b1)
			return g(b1)*p + g(b2)*q, -g(b1)*(1-a)/p + g(b2)*a/q
		}
	}
	const beta, l = 0.01, 39.0
	for _, c := range []struct {
		name       string
		f          func(float64) (float64, float64)
		ftol, gtol float64
	}{
		{"5.1", func(a float64) (float64, float64) {
			q := a*a + 2
			return -a / q, (a*a - 2) / (q * q)
		}, 1e-3, 1e-1},
		{"5.2", func(a float64) (float64, float64) {
			b := a + 0.004
			return math.Pow(b, 5) - 2*math.Pow(b, 4), 5*math.Pow(b, 4) - 8*math.Pow(b, 3)
		}, 1e-1, 1e-1},
		{"5.3", func(a float64) (float64, float64) {
			var f0, g0 float64
			switch {
			case a <= 1-beta:
				f0, g0 = 1-a, -1
			case a >= 1+beta:
				f0, g0 = a-1, 1
			default:
				f0, g0 = (a-1)*(a-1)/(2*beta)+beta/2, (a-1)/beta
			}
			w := l * math.Pi / 2
			return f0 + 2*(1-beta)/(l*math.Pi)*math.Sin(w*a), g0 + (1-beta)*math.Cos(w*a)
		}, 1e-1, 1e-1},
		{"5.4", yanai(1e-3, 1e-3), 1e-3, 1e-3},
		{"5.5", yanai(1e-2, 1e-3), 1e-3, 1e-3},
		{"5.6", yanai(1e-3, 1e-2), 1e-3, 1e-3},
	} {
		for _, start := range []float64{1e-3, 1e-1, 1e1, 1e3} {
			f0, g0 := c.f(0)
			ls := lineSearch{ftol: c.ftol, gtol: c.gtol, xtol: 1e-15}
			ls.start(f0, g0, start, 1e20)
			state, trials := lsContinue, 0
			var f, g float64
			for ; state == lsContinue && trials < 50; trials++ {
				f, g = c.f(ls.step)
				state = ls.next(f, g)
			}
			if state != lsDone || trials > 16 {
				t.Errorf("%s from %g: outcome %d after %d trials", c.name, start, state, trials)
			}
			if f > f0+c.ftol*ls.step*g0 || math.Abs(g) > c.gtol*math.Abs(g0) {
				t.Errorf("%s from %g: step %v does not satisfy the conditions", c.name, start, ls.step)
			}
		}
	}
}

func TestLineSearchStopsAtMaxStep(t *testing.T) {
	ls := lineSearch{ftol: 1e-3, gtol: 0.9, xtol: 0.1}
	ls.start(0, -1, 1, 2.5)
	for range 10 {
		if s := ls.next(-ls.step, -1); s == lsDone { // φ(t) = −t
			if ls.step != 2.5 {
				t.Errorf("ended at %v, want 2.5", ls.step)
			}
			return
		}
		if ls.step > 2.5 {
			t.Fatalf("step %v is beyond the limit", ls.step)
		}
	}
	t.Error("no end")
}

// TestLineSearchReject: refused trials never come back.
func TestLineSearchReject(t *testing.T) {
	for _, edge := range []float64{0.9, 0.3, 1e-3, 1e-9} {
		ls := lineSearch{ftol: 1e-3, gtol: 0.9, xtol: 0.1}
		ls.start(0, -1, 1, 1e20)
		refused := math.Inf(1)
		state := lsContinue
		for k := 0; state == lsContinue; k++ {
			if k > 60 || ls.step >= refused || !(ls.step > 0) {
				t.Fatalf("edge %v: trial %d at %v after %v was refused", edge, k, ls.step, refused)
			}
			if ls.step > edge {
				refused = ls.step
				state = ls.reject()
				continue
			}
			// A convex function with its minimum at edge/2.
			state = ls.next(ls.step*ls.step/edge-ls.step, 2*ls.step/edge-1)
		}
		if state != lsDone {
			t.Errorf("edge %v: outcome %d at %v", edge, state, ls.step)
		}
	}
}
