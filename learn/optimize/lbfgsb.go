package optimize

import (
	"fmt"
	"math"
)

// LBFGSB is the limited-memory quasi-Newton method for bounds:
//
//   - R. H. Byrd, P. Lu, J. Nocedal and C. Zhu, A limited memory algorithm for
//     bound constrained optimization, SIAM J. Sci. Comput. 16 (1995) 1190–1208;
//   - C. Zhu, R. H. Byrd, P. Lu and J. Nocedal, Algorithm 778: L-BFGS-B, ACM
//     TOMS 23 (1997) 550–560;
//   - J. L. Morales and J. Nocedal, Remark on Algorithm 778, ACM TOMS 38 (2011)
//     7:1–7:4 (the projected subspace step; here it must also descend at least
//     a tenth as steeply as the Cauchy step).
//
// It is the right choice unless there is a reason for another. Memory is
// 2 Memory + 13 numbers per variable, work per iteration O(Memory² Dim) plus
// mostly one evaluation.
type LBFGSB struct {
	// Memory is the number of correction pairs. 0 means 10.
	Memory int
	// FirstStep is the length ‖x₁ − x₀‖ that is tried first. 0 means 1. The
	// quasi-Newton matrix has no scale before the first step.
	FirstStep float64
}

func (m LBFGSB) validate(n int) error {
	if m.Memory < 0 {
		return &InputError{"LBFGSB.Memory", -1, fmt.Sprintf("is %d; it must be at least 1, or 0 for the default", m.Memory)}
	}
	return checkFirstStep("LBFGSB.FirstStep", m.FirstStep)
}

func checkFirstStep(name string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return &InputError{name, -1, fmt.Sprintf("is %v; it must be positive and finite, or 0 for the default", v)}
	}
	return nil
}

// lbfgsb is the state of one run.
type lbfgsb struct {
	*run
	b *compact

	z    []float64 // Cauchy point, then minimiser of the model
	d    []float64 // direction
	brk  []float64 // breakpoint of each variable along the projected gradient
	heap []int32   // indices by breakpoint
	free []int32   // variables free at the Cauchy point
	held []int32   // the others

	p, c, mv []float64 // 2m
	small    []float64 // 3 m×m: see subspace
}

func (m LBFGSB) minimize(r *run) {
	mem := m.Memory
	if mem == 0 {
		mem = 10
	}
	first := m.FirstStep
	if first == 0 {
		first = 1
	}
	n := r.n
	s := &lbfgsb{
		run: r, b: newCompact(n, mem),
		z: make([]float64, n), d: make([]float64, n), brk: make([]float64, n),
		heap: make([]int32, 0, n), free: make([]int32, 0, n), held: make([]int32, 0, n),
		p: make([]float64, 2*mem), c: make([]float64, 2*mem), mv: make([]float64, 2*mem),
		small: make([]float64, 3*mem*mem),
	}
	for {
		// Minimise the quadratic model within the box.
		gain, ok := 0.0, s.model()
		if ok {
			for i := range s.d {
				s.d[i] = s.z[i] - r.x[i]
			}
			gain = dot(r.g, s.d)
			ok = gain < 0
		}
		if ok {
			step := 1.0
			if s.b.count == 0 {
				step = min(1, first/norm(s.d))
			}
			var f float64
			old := r.f
			f, gain, ok = r.search(s.d, step, r.maxStep(r.x, s.d, 1e20), searchOptions{1e-3, 0.9})
			if ok {
				if !s.b.push(r.x, r.x0, r.g, r.g0) {
					s.b.reset()
				}
				if !r.accept(f, old) {
					return
				}
				continue
			}
			if r.status != NotStarted {
				return
			}
		}
		// Start again from the projected gradient; if that failed, end.
		if s.b.count == 0 {
			r.stuck(gain)
			return
		}
		s.b.reset()
	}
}

// model sets z to an approximate minimiser of the quadratic model within the
// box. ok is false if the matrix is numerically not positive definite.
func (s *lbfgsb) model() (ok bool) {
	if !s.bounded && s.b.count > 0 {
		copy(s.z, s.x)
		clear(s.c)
		s.free = s.free[:0]
		for i := range s.n {
			s.free = append(s.free, int32(i))
		}
		s.held = s.held[:0]
		return s.subspace()
	}
	if !s.cauchy() {
		return false
	}
	if s.b.count == 0 {
		return true
	}
	s.free, s.held = s.free[:0], s.held[:0]
	for i, z := range s.z {
		if z > s.lower[i] && z < s.upper[i] {
			s.free = append(s.free, int32(i))
		} else {
			s.held = append(s.held, int32(i))
		}
	}
	if len(s.free) == 0 {
		return true
	}
	return s.subspace()
}
