package optimize

import (
	"fmt"
	"math"
)

// Gradient is projected gradient descent with adaptive steps. It needs the
// least work and memory per iteration, but many more evaluations than the
// other methods on ill-conditioned problems. Parameters that must be positive
// are best given as logarithms: then it is the classic gradient ascent in
// log-transformed parameters.
type Gradient struct {
	// Rule chooses the steps. The zero value is Spectral.
	Rule StepRule
	// FirstStep is the length of the first step in the largest component
	// (Spectral), or of the first step of each variable (PerCoordinate).
	// 0 means 1 (Spectral) or 0.1 (PerCoordinate).
	FirstStep float64
	// Window is the number of recent values of which a new one may exceed all
	// but the largest: a window of 1 descends monotonically. 0 means 10.
	Window int
}

// StepRule is a rule for the steps of [Gradient].
type StepRule int

const (
	// Spectral takes one step for all variables, from the curvature along the
	// last steps (J. Barzilai and J. M. Borwein, IMA J. Numer. Anal. 8 (1988)
	// 141–148; rule ABBmin1 of G. Frassoldati, L. Zanni and G. Zanghirati,
	// J. Ind. Manag. Optim. 4 (2008) 299–312), with the nonmonotone projected
	// search of E. G. Birgin, J. M. Martínez and M. Raydan, SIAM J. Optim. 10
	// (2000) 1196–1211 (SPG2). It converges to stationary points.
	Spectral StepRule = iota
	// PerCoordinate adapts a step for each variable from the signs of its
	// successive derivatives: iRprop⁺ (C. Igel and M. Hüsken, Neurocomputing
	// 50 (2003) 105–123), projected, with a return to the best point and
	// smaller steps when the value stays above a window of recent ones. It
	// stands any scaling of single variables, and noise.
	PerCoordinate
)

func (m Gradient) validate(n int) error {
	switch {
	case m.Rule != Spectral && m.Rule != PerCoordinate:
		return &InputError{"Gradient.Rule", -1, fmt.Sprintf("is %d; use Spectral or PerCoordinate", m.Rule)}
	case m.Window < 0:
		return &InputError{"Gradient.Window", -1, fmt.Sprintf("is %d; it must be at least 1, or 0 for the default", m.Window)}
	}
	return checkFirstStep("Gradient.FirstStep", m.FirstStep)
}

func (m Gradient) minimize(r *run) {
	if m.Window == 0 {
		m.Window = 10
	}
	w := &window{values: make([]float64, 0, m.Window)}
	w.add(r.f)
	if m.Rule == PerCoordinate {
		m.perCoordinate(r, w)
		return
	}
	m.spectral(r, w)
}

// spectral is SPG2.
func (m Gradient) spectral(r *run, w *window) {
	const least, most = 1e-30, 1e30
	first := m.FirstStep
	if first == 0 {
		first = 1
	}
	d := make([]float64, r.n)
	lambda := min(max(first/r.pg, least), most)
	restarted := true // lambda is a guess
	var short [10]float64
	k := 0
	for {
		for i, g := range r.g {
			d[i] = r.clip(i, r.x[i]-lambda*g) - r.x[i]
		}
		high := w.max()
		f, slope, ok := r.nonmonotone(d, high)
		if r.status != NotStarted {
			return
		}
		if !ok {
			if restarted {
				r.stuck(slope)
				return
			}
			lambda, restarted = min(max(first/r.pg, least), most), true
			continue
		}
		restarted = false
		ss, sy, yy := 0.0, 0.0, 0.0
		for i, x := range r.x {
			s, y := x-r.x0[i], r.g[i]-r.g0[i]
			if y != 0 && s == 0 {
				continue // at a bound: its curvature does not matter
			}
			ss += s * s
			sy += s * y
			yy += y * y
		}
		if sy > 0 {
			// The long step ss/sy, or, where curvatures differ much along the
			// step, the shortest of the recent short steps sy/yy.
			short[k%len(short)] = sy / yy
			k++
			lambda = ss / sy
			if sy*sy < 0.8*ss*yy {
				for _, v := range short[:min(k, len(short))] {
					lambda = min(lambda, v)
				}
			}
			lambda = min(max(lambda, least), most)
		} else {
			// No curvature along the step: be bold, but not reckless.
			lambda = 10 * max(first, math.Sqrt(ss)) / max(r.projectedGradient(r.x, r.g), least)
		}
		w.add(f)
		if !r.accept(f, high) {
			return
		}
	}
}

// nonmonotone moves r.x along d, which stays in the box for t ≤ 1, until
// f ≤ high + 1e-4 t g₀ᵀd (L. Grippo, F. Lampariello and S. Lucidi, SIAM J. Numer.
// Anal. 23 (1986) 707–716).
func (r *run) nonmonotone(d []float64, high float64) (f, gain float64, ok bool) {
	copy(r.x0, r.x)
	copy(r.g0, r.g)
	slope := dot(r.g, d)
	gain = -slope
	if !(slope < 0) {
		return r.f, gain, false
	}
	t := 1.0
	for range 60 {
		r.moveTo(t, d)
		f, ok = r.evaluate(r.x, r.g)
		if r.status != NotStarted {
			break
		}
		if !ok {
			t *= 0.2
			continue
		}
		// A tiny step must show its gain: 1e-4 t slope may be lost in rounding.
		if f <= high+1e-4*t*slope && (t > 1e-8 || f < r.f) || math.Abs(f-r.f) <= r.noise() && r.projectedGradient(r.x, r.g) <= 0.5*r.pg {
			return f, gain, true
		}
		if gd := dot(r.g, d); gd > 0.999*slope {
			gain = min(gain, 0.5*slope*slope/(gd-slope)*t)
		}
		q := -0.5 * slope * t * t / (f - r.f - t*slope)
		if !(q >= 0.1*t && q <= 0.9*t) {
			q = 0.5 * t
		}
		t = q
	}
	r.restore()
	return r.f, gain, false
}

// window holds the most recent values.
type window struct {
	values []float64
	next   int
}

func (w *window) add(f float64) {
	if len(w.values) < cap(w.values) {
		w.values = append(w.values, f)
		return
	}
	w.values[w.next] = f
	w.next = (w.next + 1) % len(w.values)
}

func (w *window) max() float64 {
	m := w.values[0]
	for _, v := range w.values[1:] {
		m = max(m, v)
	}
	return m
}

func (w *window) reset(f float64) {
	w.values, w.next = w.values[:0], 0
	w.add(f)
}
