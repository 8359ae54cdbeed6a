package optimize

import "math"

// searchOptions are the tolerances of search.
type searchOptions struct {
	ftol, gtol float64
}

// search moves r.x along d to a point of the interval (0, maxStep] that
// satisfies the strong Wolfe conditions, or, where differences of values drown
// in rounding, the approximate ones (W. W. Hager and H. Zhang, SIAM J. Optim. 16
// (2005) 170–192). r.x0 and r.g0 receive the old point. If the search fails,
// any lower value it has met is taken. On failure r.x and r.g are unchanged,
// ok is false and gain is the decrease that was to be expected along d, going
// by the slopes alone.
func (r *run) search(d []float64, step, maxStep float64, o searchOptions) (f, gain float64, ok bool) {
	copy(r.x0, r.x)
	copy(r.g0, r.g)
	f0 := r.f
	slope := dot(r.g, d)
	gain = -slope * min(maxStep, 1)
	if !(slope < 0) || !(maxStep > 0) {
		return f0, gain, false
	}
	ls := &r.ls
	ls.ftol, ls.gtol, ls.xtol = o.ftol, o.gtol, 0.1
	ls.start(f0, slope, step, maxStep)
	noise := r.noise()
	trials, rejections := 0, 0
	for state := lsContinue; state == lsContinue; {
		r.moveTo(ls.step, d)
		f, ok = r.evaluate(r.x, r.g)
		switch {
		case r.status != NotStarted:
			r.restore()
			return f0, gain, false
		case !ok:
			if rejections++; rejections > 40 {
				state = lsGiveUp
			} else if state = ls.reject(); r.bestF < f0 && ls.x.t > 0 {
				state = lsGiveUp // something lower is in hand
			}
			continue
		}
		gd := dot(r.g, d)
		if gd > 0.999*slope {
			// Decrease to the minimum of the parabola with these slopes, if
			// they differ by more than rounding.
			gain = min(gain, 0.5*slope*slope/(gd-slope)*ls.step)
		}
		if math.Abs(f-f0) <= noise && gd >= o.gtol*slope && gd <= (2*o.ftol-1)*slope {
			return f, gain, true
		}
		if state = ls.next(f, gd); state == lsDone {
			return f, gain, true
		}
		if trials++; trials >= 20 {
			state = lsGiveUp
		}
	}
	return r.fallback(f0, gain)
}

// fallback takes the best point of a failed search, or goes back.
func (r *run) fallback(f0, gain float64) (float64, float64, bool) {
	if r.bestF < f0 {
		copy(r.x, r.bestX)
		copy(r.g, r.bestG)
		return r.bestF, gain, true
	}
	r.restore()
	return f0, gain, false
}

// arcSearch moves r.x along the projected arc P(x + t d), t = 1, …, until
//
//	f ≤ f₀ + 1e-4 g₀ᵀ(P(x + t d) − x)
//
// (D. P. Bertsekas, SIAM J. Control Optim. 20 (1982) 221–246). The arc bends at
// each bound and so can reach many of them in one step. Where values drown in
// rounding, a halved projected gradient is progress too.
func (r *run) arcSearch(d []float64) (f, gain float64, ok bool) {
	copy(r.x0, r.x)
	copy(r.g0, r.g)
	f0 := r.f
	gain = math.Abs(dot(r.g, d))
	t := 1.0
	for trials := 0; trials < 50; trials++ {
		r.moveTo(t, d)
		pred := 0.0
		for i, x := range r.x {
			pred += r.g0[i] * (x - r.x0[i])
		}
		if pred == 0 {
			break
		}
		f, ok = r.evaluate(r.x, r.g)
		switch {
		case r.status != NotStarted:
			r.restore()
			return f0, gain, false
		case !ok:
			t *= 0.2
			continue
		case pred < 0 && f <= f0+1e-4*pred && (t > 1e-8 || f < f0),
			math.Abs(f-f0) <= r.noise() && r.projectedGradient(r.x, r.g) <= 0.5*r.pg:
			return f, gain, true
		}
		// Minimiser of the parabola with slope pred/t at 0 and f at t.
		gain = min(gain, math.Abs(pred))
		q := -0.5 * pred * t / (f - f0 - pred)
		if !(q >= 0.1*t) {
			q = 0.1 * t
		}
		t = min(q, 0.5*t)
	}
	return r.fallback(f0, gain)
}
