package optimize

import (
	"fmt"
	"math"
)

// SQP is sequential quadratic programming for bounds: each iteration minimises
// a quadratic model with a dense BFGS matrix exactly within the box and searches
// along the step.
//
//   - M. J. D. Powell, A fast algorithm for nonlinearly constrained
//     optimization calculations, Lecture Notes in Math. 630 (1978) 144–157
//     (the damped update that keeps the matrix positive definite);
//   - D. P. Bertsekas, SIAM J. Control Optim. 20 (1982) 221–246 (projected
//     Newton steps for the model);
//   - J. Nocedal and S. J. Wright, Numerical Optimization, 2nd ed. (2006),
//     procedure 18.2 and section 18.3.
//
// With the full matrix it often needs the fewest evaluations, so it suits few
// variables and expensive functions. It holds 2 Dim² numbers and does O(Dim³)
// work per iteration.
type SQP struct {
	// FirstStep is the length ‖x₁ − x₀‖ that is tried first. 0 means 1.
	FirstStep float64
	// Hessian, if not nil, is the model's first matrix, symmetric and positive
	// definite, row i at [i·Dim, (i+1)·Dim): a good guess of the second
	// derivatives at the start saves the evaluations of learning them.
	Hessian []float64
	// MaxStep bounds the change of each variable in one iteration; 0 means no
	// bound. It keeps steps within reach of the model where the function is flat
	// at the start.
	MaxStep float64
}

// maxSQP bounds the two dense matrices to 400 MB.
const maxSQP = 5000

func (m SQP) validate(n int) error {
	if n > maxSQP {
		return &InputError{"Dim", -1, fmt.Sprintf("is %d; SQP holds dense matrices and takes at most %d variables: use LBFGSB or TNC", n, maxSQP)}
	}
	if m.Hessian != nil && len(m.Hessian) != n*n {
		return &InputError{"SQP.Hessian", -1, fmt.Sprintf("has %d numbers; want Dim² = %d", len(m.Hessian), n*n)}
	}
	if !(m.MaxStep >= 0) {
		return &InputError{"SQP.MaxStep", -1, fmt.Sprintf("is %v; want a positive number, or 0 for no bound", m.MaxStep)}
	}
	return checkFirstStep("SQP.FirstStep", m.FirstStep)
}

// sqp is the state of one run.
type sqp struct {
	*run
	b      []float64 // n×n, symmetric, both triangles
	scaled bool      // b has left the identity
	reach  float64   // bound of each variable's change in an iteration, 0 if there is none

	chol     []float64 // factor of the free block
	d        []float64 // step
	lo, hi   []float64 // bounds of the step
	res      []float64 // gradient of the model at d
	p, trial []float64 // Newton step of the model; trial step
	bp       []float64
	s, y     []float64
	free     []int32
}

func (m SQP) minimize(r *run) {
	n := r.n
	buf := make([]float64, 9*n)
	take := func() []float64 {
		s := buf[:n:n]
		buf = buf[n:]
		return s
	}
	s := &sqp{
		run: r, b: make([]float64, n*n), chol: make([]float64, n*n),
		d: take(), lo: take(), hi: take(), res: take(), p: take(), trial: take(), bp: take(), s: take(), y: take(),
		free: make([]int32, 0, n),
	}
	s.reach = m.MaxStep
	first := m.FirstStep
	if first == 0 {
		first = 1
	}
	s.identity(1)
	if m.Hessian != nil {
		copy(s.b, m.Hessian)
		s.scaled = true
	}
	for {
		s.model()
		gain := dot(r.g, s.d)
		ok := gain < 0
		if ok {
			step := 1.0
			if !s.scaled {
				step = min(1, first/norm(s.d))
			}
			var f float64
			old := r.f
			f, gain, ok = r.search(s.d, step, r.maxStep(r.x, s.d, s.longest()), searchOptions{1e-4, 0.9})
			if ok {
				s.update()
				if !r.accept(f, old) {
					return
				}
				continue
			}
			if r.status != NotStarted {
				return
			}
		}
		if !s.scaled {
			r.stuck(gain)
			return
		}
		s.identity(1)
		s.scaled = false
	}
}

// longest returns how far along the step at hand the search may go: to where a
// variable has changed by as much as it may.
func (s *sqp) longest() float64 {
	largest := 0.0
	for _, d := range s.d {
		largest = max(largest, math.Abs(d))
	}
	if s.reach == 0 || !(s.reach < 1e20*largest) {
		return 1e20
	}
	return max(1, s.reach/largest)
}

func (s *sqp) identity(v float64) {
	clear(s.b)
	for i := range s.n {
		s.b[i*s.n+i] = v
	}
}

// update is the damped BFGS update with the step just made (Nocedal & Wright,
// procedure 18.2). Before the first one the matrix is scaled to the curvature
// along the step (ibid., eq. 6.20).
func (s *sqp) update() {
	n := s.n
	for i := range n {
		s.s[i] = s.x[i] - s.x0[i]
		s.y[i] = s.g[i] - s.g0[i]
	}
	sy := dot(s.s, s.y)
	if !s.scaled {
		if yy := dot(s.y, s.y); sy > eps*yy && yy > 0 {
			s.identity(yy / sy)
		}
		s.scaled = true
	}
	s.mul(s.s, s.bp)
	sbs := dot(s.s, s.bp)
	if !(sbs > 0) {
		return
	}
	if sy < 0.2*sbs {
		t := 0.8 * sbs / (sbs - sy)
		for i := range s.y {
			s.y[i] = t*s.y[i] + (1-t)*s.bp[i]
		}
		sy = dot(s.s, s.y)
	}
	if !(sy > 0) || math.IsInf(sy, 0) {
		return
	}
	for i := range n {
		row := s.b[i*n : (i+1)*n]
		a, c := s.y[i]/sy, s.bp[i]/sbs
		for j := range row {
			row[j] += a*s.y[j] - c*s.bp[j]
		}
	}
}

// mul computes out = B v.
func (s *sqp) mul(v, out []float64) {
	for i := range out {
		out[i] = dot(s.b[i*s.n:(i+1)*s.n], v)
	}
}
