package optimize

import "math"

// lineSearch finds a step t > 0 with
//
//	φ(t) ≤ φ(0) + ftol φ'(0) t   and   |φ'(t)| ≤ gtol |φ'(0)|
//
// by safeguarded cubic and quadratic interpolation in a shrinking interval of
// uncertainty: J. J. Moré and D. J. Thuente, Line search algorithms with
// guaranteed sufficient decrease, ACM TOMS 20 (1994) 286–307. It is driven from
// outside, one trial value at a time, so that a trial can also be refused.
type lineSearch struct {
	ftol, gtol, xtol float64
	maxStep          float64

	f0, g0    float64
	step      float64 // the trial asked for
	bracketed bool
	stage1    bool // no trial yet with ψ(t) ≤ 0 and φ'(t) ≥ 0

	x, y         lsPoint // endpoints of the interval; x has the lowest value so far
	lo, hi       float64 // bounds of the next trial
	width, prevW float64
}

type lsPoint struct{ t, f, g float64 }

// outcome of a trial.
type lsOutcome int

const (
	lsContinue lsOutcome = iota // evaluate at step
	lsDone                      // the conditions hold, or the decrease does at maxStep
	lsGiveUp                    // rounding or the interval's width prevent progress
)

func (l *lineSearch) start(f0, g0, step, maxStep float64) {
	l.f0, l.g0 = f0, g0
	l.step, l.maxStep = min(step, maxStep), maxStep
	l.bracketed, l.stage1 = false, true
	l.x = lsPoint{0, f0, g0}
	l.y = l.x
	l.lo, l.hi = 0, 5*l.step
	l.width = maxStep
	l.prevW = 2 * maxStep
}

// next takes the value and slope at l.step and chooses the next trial.
func (l *lineSearch) next(f, g float64) lsOutcome {
	t := l.step
	slope := l.ftol * l.g0
	enough := f <= l.f0+t*slope
	switch {
	case enough && math.Abs(g) <= -l.gtol*l.g0:
		return lsDone
	case enough && t == l.maxStep && g <= slope:
		return lsDone
	case l.bracketed && (t <= l.lo || t >= l.hi || l.hi-l.lo <= l.xtol*l.hi):
		return lsGiveUp
	}
	if l.stage1 && enough && g >= 0 {
		l.stage1 = false
	}
	trial := lsPoint{t, f, g}
	if l.stage1 && f <= l.x.f && !enough {
		// Work on ψ(t) = φ(t) − φ(0) − ftol φ'(0) t until it has been
		// negative (section 2, stage 1).
		shift := func(p lsPoint, sign float64) lsPoint {
			return lsPoint{p.t, p.f - sign*p.t*slope, p.g - sign*slope}
		}
		l.x, l.y = shift(l.x, 1), shift(l.y, 1)
		l.update(shift(trial, 1))
		l.x, l.y = shift(l.x, -1), shift(l.y, -1)
	} else {
		l.update(trial)
	}
	if l.bracketed {
		// Two trials must shrink the interval by a third, or bisect.
		if math.Abs(l.y.t-l.x.t) >= 0.66*l.prevW {
			l.step = l.x.t + 0.5*(l.y.t-l.x.t)
		}
		l.prevW, l.width = l.width, math.Abs(l.y.t-l.x.t)
		l.lo, l.hi = min(l.x.t, l.y.t), max(l.x.t, l.y.t)
	} else {
		l.lo = l.step + 1.1*(l.step-l.x.t)
		l.hi = l.step + 4*(l.step-l.x.t)
	}
	l.step = min(max(l.step, 0), l.maxStep)
	if !(l.step > 0) || l.bracketed && (l.step <= l.lo || l.step >= l.hi || l.hi-l.lo <= l.xtol*l.hi) {
		return lsGiveUp
	}
	return lsContinue
}

// reject says that the point at l.step cannot be used: the search continues
// nearer to the best point and does not come back.
func (l *lineSearch) reject() lsOutcome {
	gap := l.step - l.x.t
	if gap <= 0 || l.x.t+0.1*gap == l.x.t {
		return lsGiveUp
	}
	l.maxStep = l.x.t + 0.5*gap
	l.step = l.x.t + 0.2*gap
	l.bracketed = false
	l.y = l.x
	l.lo, l.hi = l.x.t, l.maxStep
	l.width = l.maxStep - l.x.t
	l.prevW = 2 * l.width
	return lsContinue
}

// update replaces an endpoint of the interval by the trial p and sets the next
// step (section 4, cases 1–4).
func (l *lineSearch) update(p lsPoint) {
	x, y := l.x, l.y
	opposite := p.g*math.Copysign(1, x.g) < 0
	var next float64
	switch {
	case p.f > x.f:
		// Case 1: a higher value brackets the minimum.
		r, _ := cubic(x, p, false)
		c := x.t + r*(p.t-x.t)
		q := x.t + 0.5*x.g/((x.f-p.f)/(p.t-x.t)+x.g)*(p.t-x.t)
		if math.Abs(c-x.t) < math.Abs(q-x.t) {
			next = c
		} else {
			next = c + 0.5*(q-c)
		}
		l.bracketed = true
	case opposite:
		// Case 2: a lower value, slopes of opposite sign.
		r, _ := cubic(p, x, false)
		c := p.t + r*(x.t-p.t)
		q := secant(p, x)
		if math.Abs(c-p.t) > math.Abs(q-p.t) {
			next = c
		} else {
			next = q
		}
		l.bracketed = true
	case math.Abs(p.g) < math.Abs(x.g):
		// Case 3: a lower value, the slope of the same sign but flatter. The
		// cubic counts only if it rises to infinity beyond p.
		r, gamma := cubic(p, x, true)
		c := l.lo
		switch {
		case r < 0 && gamma != 0:
			c = p.t + r*(x.t-p.t)
		case p.t > x.t:
			c = l.hi
		}
		q := secant(p, x)
		if l.bracketed {
			next = q
			if math.Abs(c-p.t) < math.Abs(q-p.t) {
				next = c
			}
			if far := p.t + 0.66*(y.t-p.t); p.t > x.t {
				next = min(far, next)
			} else {
				next = max(far, next)
			}
		} else {
			next = q
			if math.Abs(c-p.t) > math.Abs(q-p.t) {
				next = c
			}
			next = min(max(next, l.lo), l.hi)
		}
	case l.bracketed:
		// Case 4: a lower value, the slope of the same sign and not flatter.
		r, _ := cubic(p, y, false)
		next = p.t + r*(y.t-p.t)
	case p.t > x.t:
		next = l.hi
	default:
		next = l.lo
	}
	if p.f > x.f {
		l.y = p
	} else {
		if opposite {
			l.y = x
		}
		l.x = p
	}
	l.step = next
}

// cubic returns r such that a.t + r (b.t − a.t) minimises the cubic that has
// the values and slopes of a and b, and its discriminant γ. clip replaces a
// negative radicand (no minimiser) by 0.
func cubic(a, b lsPoint, clip bool) (r, gamma float64) {
	theta := 3*(a.f-b.f)/(b.t-a.t) + a.g + b.g
	s := max(math.Abs(theta), math.Abs(a.g), math.Abs(b.g))
	rad := (theta/s)*(theta/s) - (a.g/s)*(b.g/s)
	if clip {
		rad = max(rad, 0)
	}
	gamma = s * math.Sqrt(rad)
	if b.t < a.t {
		gamma = -gamma
	}
	return ((gamma - a.g) + theta) / (((gamma - a.g) + gamma) + b.g), gamma
}

// secant returns the zero of the line through the slopes of p and x.
func secant(p, x lsPoint) float64 { return p.t + p.g/(p.g-x.g)*(x.t-p.t) }
