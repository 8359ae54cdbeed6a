package optimize

import "math"

// perCoordinate is iRprop⁺ with projection and a safeguard.
func (m Gradient) perCoordinate(r *run, w *window) {
	const (
		grow, shrink = 1.2, 0.5
		largest      = 50.0
	)
	first := m.FirstStep
	if first == 0 {
		first = 0.1
	}
	n := r.n
	step := make([]float64, n) // size of each variable's step
	prev := make([]float64, n) // derivative at the previous iterate; 0 after a sign change
	move := make([]float64, n) // last move
	for i := range step {
		step[i] = first
	}
	copy(prev, r.g)
	rose := false // the last iteration raised the value
	for {
		copy(r.x0, r.x)
		copy(r.g0, r.g)
		old, high := r.f, w.max()
		for i, g := range r.g0 {
			switch s := g * prev[i]; {
			case s > 0:
				step[i] = min(step[i]*grow, largest*max(1, math.Abs(r.x[i])))
				move[i] = -math.Copysign(step[i], g)
			case s < 0:
				// The minimum was jumped over: step back if that did harm.
				step[i] *= shrink
				if rose {
					move[i] = -move[i]
				} else {
					move[i] = 0
				}
				g = 0
			case g == 0:
				move[i] = 0
			default:
				move[i] = -math.Copysign(step[i], g)
			}
			prev[i] = g
			r.x[i] = r.clip(i, r.x0[i]+move[i])
			move[i] = r.x[i] - r.x0[i]
		}
		f, ok := r.evaluate(r.x, r.g)
		if r.status != NotStarted {
			return
		}
		if !ok || f > high+r.noise() {
			// Outside the domain, or no progress within the window: go back to
			// the best point with a quarter of the steps.
			copy(r.x, r.bestX)
			copy(r.g, r.bestG)
			r.f = r.bestF
			top := 0.0
			for i := range step {
				step[i] *= 0.25
				prev[i], move[i] = 0, 0
				top = max(top, step[i]/max(1, math.Abs(r.x[i])))
			}
			w.reset(r.f)
			rose = false
			if top < 1e-16 {
				r.stuck(r.pg * top)
				return
			}
			continue
		}
		rose = f > old
		w.add(f)
		if !r.accept(f, high) {
			return
		}
	}
}
