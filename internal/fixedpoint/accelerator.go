package fixedpoint

import "math"

// Step says what a call of Next did.
type Step int

const (
	Plain       Step = iota // x is G(x)
	Accelerated             // x is an extrapolation
	Rejected                // the point was bad: x went back to the last plain image
)

func (s Step) String() string {
	switch s {
	case Plain:
		return "Plain"
	case Accelerated:
		return "Accelerated"
	case Rejected:
		return "Rejected"
	}
	return "Step(?)"
}

// Accelerator chooses the next point of a fixed-point iteration. See the
// package documentation.
type Accelerator struct {
	squarem bool
	dim     int
	depth   int
	period  int       // Anderson extrapolates every period-th step
	buf     []float64 // all vectors below

	plain     []float64 // G at the last accepted point
	havePlain bool
	fast      bool    // x of this call comes from an accelerated step
	merit     float64 // at the last accepted point
	haveMerit bool
	residual  float64 // ‖G(x) − x‖₂

	anderson andersonState
	sq       squaremState
}

// NewAnderson returns an accelerator of vectors of length dim that keeps up to
// depth differences and extrapolates at every second step (see SetPeriod). It
// panics if dim < 0 or depth < 1. Useful depths are 3–8.
func NewAnderson(dim, depth int) *Accelerator {
	if dim < 0 || depth < 1 {
		panic("fixedpoint: negative dimension or depth below 1")
	}
	a := &Accelerator{depth: depth, period: 2}
	a.anderson.r = make([]float64, depth*depth)
	a.anderson.gamma = make([]float64, depth)
	a.anderson.slot = make([]int, depth)
	a.Reset(dim)
	return a
}

// NewSquarem returns a SQUAREM S3 accelerator of vectors of length dim. It
// panics if dim < 0.
func NewSquarem(dim int) *Accelerator {
	if dim < 0 {
		panic("fixedpoint: negative dimension")
	}
	a := &Accelerator{squarem: true}
	a.Reset(dim)
	return a
}

// SetPeriod makes Anderson extrapolate at every p-th step and take plain steps,
// which still feed the history, between. p = 1 is the classic method. It
// panics if p < 1; it has no effect on SQUAREM.
func (a *Accelerator) SetPeriod(p int) {
	if p < 1 {
		panic("fixedpoint: period below 1")
	}
	a.period = p
}

// Reset forgets everything, for a new map or a new start, of vectors of length
// dim. It allocates only if dim is larger than ever before.
func (a *Accelerator) Reset(dim int) {
	if dim < 0 {
		panic("fixedpoint: negative dimension")
	}
	vectors := 3
	if !a.squarem {
		vectors = 2*a.depth + 2
	}
	if need := vectors * dim; cap(a.buf) < need {
		a.buf = make([]float64, need)
	}
	a.buf = a.buf[:vectors*dim]
	a.dim = dim
	rest := a.buf
	take := func(n int) []float64 {
		v := rest[:n:n]
		rest = rest[n:]
		return v
	}
	a.plain = take(dim)
	if a.squarem {
		a.sq.x0, a.sq.r = take(dim), take(dim)
	} else {
		a.anderson.f = take(dim)
		a.anderson.q, a.anderson.dg = take(dim*a.depth), take(dim*a.depth)
	}
	a.havePlain, a.fast, a.haveMerit = false, false, false
	a.residual = math.NaN()
	a.restart()
}

// restart forgets the history but not the last plain image.
func (a *Accelerator) restart() {
	a.anderson.restart()
	a.sq.phase = 0
}

// Residual returns ‖G(x) − x‖₂ of the last call, NaN before the first.
func (a *Accelerator) Residual() float64 { return a.residual }

// Dim returns the length of the vectors.
func (a *Accelerator) Dim() int { return a.dim }

// Next overwrites x with the next point, given gx = G(x), which stays as it is.
// x and gx must have length dim and not overlap.
func (a *Accelerator) Next(x, gx []float64) Step {
	a.haveMerit = false
	return a.next(x, gx, false)
}

// NextMerit is Next for a map that does not lower a merit, whose value at x
// (not at gx) is given. An accelerated point with a lower merit than the last
// accepted point, beyond rounding, or with a NaN, is undone.
func (a *Accelerator) NextMerit(x, gx []float64, merit float64) Step {
	const rounding = 1e-13
	bad := a.fast && a.haveMerit && !(merit >= a.merit-rounding*(math.Abs(a.merit)+1))
	if !bad {
		a.merit, a.haveMerit = merit, true
	}
	return a.next(x, gx, bad)
}

func (a *Accelerator) next(x, gx []float64, bad bool) Step {
	if len(x) != a.dim || len(gx) != a.dim {
		panic("fixedpoint: vector length does not match the dimension")
	}
	sum := 0.0
	for i, g := range gx {
		d := g - x[i]
		sum += d * d
	}
	a.residual = math.Sqrt(sum)
	if math.IsInf(a.residual, 1) { // overflow of squares, or not finite
		a.residual = scaledNorm(x, gx)
	}
	if bad || !(a.residual <= math.MaxFloat64) {
		a.restart()
		a.fast = false
		if !a.havePlain {
			// Nothing to go back to. A finite image is better than none.
			if finite(gx) {
				copy(x, gx)
			}
			return Rejected
		}
		copy(x, a.plain)
		a.havePlain = false // do not return to it twice
		return Rejected
	}
	var step Step
	if a.squarem {
		step = a.squaremNext(x, gx)
	} else {
		step = a.andersonNext(x, gx)
	}
	copy(a.plain, gx)
	a.havePlain = true
	if step == Accelerated && !finite(x) {
		a.restart()
		copy(x, gx)
		step = Plain
	}
	a.fast = step == Accelerated
	return step
}

func finite(x []float64) bool {
	z := 0.0
	for _, v := range x {
		z += 0 * v
	}
	return z == 0
}

// scaledNorm is ‖gx − x‖₂ without overflow.
func scaledNorm(x, gx []float64) float64 {
	top := 0.0
	for i, g := range gx {
		top = max(top, math.Abs(g-x[i]))
	}
	if !(top > 0 && top <= math.MaxFloat64) {
		return top
	}
	sum := 0.0
	for i, g := range gx {
		d := (g - x[i]) / top
		sum += d * d
	}
	return top * math.Sqrt(sum)
}

func dot(x, y []float64) float64 {
	s := 0.0
	y = y[:len(x)]
	for i, v := range x {
		s += v * y[i]
	}
	return s
}
