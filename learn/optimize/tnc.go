package optimize

import (
	"fmt"
	"math"
)

// TNC is the truncated Newton method for bounds: the Newton equations of the
// free variables are solved by preconditioned conjugate gradients, stopped
// early, with products ∇²f v from Problem.HessVec or from differences of
// gradients (one evaluation each).
//
//   - S. G. Nash, Newton-type minimization via the Lanczos method, SIAM J.
//     Numer. Anal. 21 (1984) 770–788;
//   - S. G. Nash, Preconditioning of truncated-Newton methods, SIAM J. Sci.
//     Stat. Comput. 6 (1985) 599–616 (the diagonal preconditioner);
//   - S. G. Nash and J. Nocedal, A numerical study of the limited memory BFGS
//     method and the truncated-Newton method, SIAM J. Optim. 1 (1991) 358–372;
//   - D. P. Bertsekas, Projected Newton methods for optimization problems with
//     simple constraints, SIAM J. Control Optim. 20 (1982) 221–246 (which
//     variables are held, and the projected search; Nash's code adds and drops
//     one bound at a time).
//
// A variable at or very near a bound is held while its multiplier, the
// gradient, pushes it outward, and released as soon as the sign changes. It is
// the better choice if HessVec is cheap against an evaluation, or if the
// problem is large and ill-conditioned.
type TNC struct {
	// MaxInner limits the conjugate gradient steps of an iteration. 0 means
	// the smaller of Dim and 50.
	MaxInner int
	// DiffStep is the relative step of gradient differences. 0 means 1.5e-8,
	// √ε; give more if gradients are less accurate than rounding.
	DiffStep float64
	// MaxStep is the largest length of the first step; it grows by a factor of
	// 10 whenever a step of full length succeeds. 0 means 10 max(1, ‖x‖).
	MaxStep float64
}

func (m TNC) validate(n int) error {
	if m.MaxInner < 0 {
		return &InputError{"TNC.MaxInner", -1, fmt.Sprintf("is %d; it must be at least 1, or 0 for the default", m.MaxInner)}
	}
	if !(m.DiffStep >= 0 && m.DiffStep < 1) {
		return &InputError{"TNC.DiffStep", -1, fmt.Sprintf("is %v; it must lie between 0 and 1, or be 0 for the default", m.DiffStep)}
	}
	return checkFirstStep("TNC.MaxStep", m.MaxStep)
}

// tnc is the state of one run. Vectors of the inner iteration are 0 at held
// variables.
type tnc struct {
	*run
	maxInner int
	diffStep float64

	d         []float64 // direction
	res, v, z []float64 // residual, conjugate direction, preconditioned residual
	hv        []float64
	diag      []float64 // diagonal preconditioner
	diagNext  []float64 // the one for the next iteration
	xt, gt    []float64 // shifted point and its gradient
	held      []bool
	gFree     float64 // ‖g‖ over free variables
}

func (m TNC) minimize(r *run) {
	n := r.n
	buf := make([]float64, 9*n)
	take := func() []float64 {
		s := buf[:n:n]
		buf = buf[n:]
		return s
	}
	s := &tnc{
		run: r, maxInner: m.MaxInner, diffStep: m.DiffStep,
		d: take(), res: take(), v: take(), z: take(), hv: take(),
		diag: take(), diagNext: take(), xt: take(), gt: take(), held: make([]bool, n),
	}
	if s.maxInner == 0 {
		s.maxInner = min(n, 50)
	}
	if s.diffStep == 0 {
		s.diffStep = math.Sqrt(eps)
	}
	longest := m.MaxStep
	if longest == 0 {
		longest = 10 * max(1, norm(r.x))
	}
	for i := range s.diag {
		s.diag[i] = 1
	}
	plain := false // the last direction failed: use the gradient
	for {
		s.hold()
		if plain {
			s.scaledGradient()
		} else if !s.newton() {
			return
		}
		if l := norm(s.d); l > longest {
			for i := range s.d {
				s.d[i] *= longest / l
			}
		}
		s.toBounds()
		reach := r.maxStep(r.x, s.d, 1e20)
		old := r.f
		var f, gain float64
		var ok bool
		if reach >= 1 {
			limit := min(reach, max(1, longest/norm(s.d)))
			f, gain, ok = r.search(s.d, 1, limit, searchOptions{1e-4, 0.5})
		} else {
			f, gain, ok = r.arcSearch(s.d)
		}
		if r.status != NotStarted {
			return
		}
		if !ok {
			if plain {
				r.stuck(gain)
				return
			}
			plain = true
			continue
		}
		plain = false
		moved := 0.0
		for i, x := range r.x {
			moved += (x - r.x0[i]) * (x - r.x0[i])
		}
		if math.Sqrt(moved) > 0.9*longest {
			longest *= 10
		}
		if !r.accept(f, old) {
			return
		}
	}
}

// hold decides which variables stay: those at or within ε of a bound that the
// gradient pushes outward, and fixed ones.
func (s *tnc) hold() {
	near := min(1e-6, s.pg)
	sum := 0.0
	for i, g := range s.g {
		x, l, u := s.x[i], s.lower[i], s.upper[i]
		s.held[i] = l == u ||
			g > 0 && x <= l+near*max(1, math.Abs(l)) || // false, by NaN, for l = −Inf
			g < 0 && x >= u-near*max(1, math.Abs(u))
		if !s.held[i] {
			sum += g * g
		}
	}
	s.gFree = math.Sqrt(sum)
}

// toBounds sends held variables that are near their bound onto it.
func (s *tnc) toBounds() {
	for i, h := range s.held {
		if !h {
			continue
		}
		if s.g[i] > 0 {
			s.d[i] = s.lower[i] - s.x[i]
		} else {
			s.d[i] = s.upper[i] - s.x[i]
		}
		if s.lower[i] == s.upper[i] {
			s.d[i] = 0
		}
	}
}

// scaledGradient is the direction of last resort, −g/‖g‖ on free variables.
func (s *tnc) scaledGradient() {
	for i, g := range s.g {
		s.d[i] = 0
		if !s.held[i] {
			s.d[i] = -g / max(s.gFree, math.SmallestNonzeroFloat64)
		}
		s.diag[i] = 1
	}
}
