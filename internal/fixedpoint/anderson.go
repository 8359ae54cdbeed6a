package fixedpoint

import "math"

// andersonState is the history: differences of images in a ring, and the QR
// factorization of the differences of residuals, f = G(x) − x,
//
//	[f₁ − f₀ … f_k − f_{k−1}] = Q R.
type andersonState struct {
	f     []float64 // residual of the last accepted point
	q     []float64 // dim × depth, orthonormal columns
	r     []float64 // depth × depth, upper triangle, row-major
	dg    []float64 // dim × depth differences of G, by slot
	slot  []int     // slot of column j
	gamma []float64

	cols     int
	count    int  // points since the restart
	have     bool // f and plain hold a point
	smallest float64
}

func (s *andersonState) restart() {
	s.cols, s.count, s.have, s.smallest = 0, 0, false, math.Inf(1)
}

func (a *Accelerator) andersonNext(x, gx []float64) Step {
	s := &a.anderson
	if a.residual > 10*s.smallest {
		s.restart()
	}
	s.smallest = min(s.smallest, a.residual)
	if s.have && a.havePlain {
		a.appendDifference(x, gx)
	}
	for i, g := range gx {
		s.f[i] = g - x[i]
	}
	s.have = true
	// Drop old differences while the triangle is ill-conditioned.
	for s.cols > 0 && s.spread() > 1e10 {
		a.dropOldest()
	}
	copy(x, gx)
	k, m, n := s.cols, a.depth, a.dim
	s.count++
	if k == 0 || s.count%a.period != 0 {
		return Plain
	}
	// γ = R⁻¹ Qᵀ f minimises ‖f − ΔF γ‖; x = G − ΔG γ.
	for j := range k {
		s.gamma[j] = dot(s.q[j*n:(j+1)*n], s.f)
	}
	for i := k - 1; i >= 0; i-- {
		t := s.gamma[i]
		for j := i + 1; j < k; j++ {
			t -= s.r[i*m+j] * s.gamma[j]
		}
		s.gamma[i] = t / s.r[i*m+i]
	}
	for j := range k {
		c := s.gamma[j]
		for i, d := range s.dg[s.slot[j]*n : (s.slot[j]+1)*n] {
			x[i] -= c * d
		}
	}
	return Accelerated
}

// appendDifference adds the newest column to ΔG and to the factorization, by
// Gram–Schmidt with one repetition if the column is mostly in the span.
func (a *Accelerator) appendDifference(x, gx []float64) {
	s := &a.anderson
	m, n := a.depth, a.dim
	if s.cols == m {
		a.dropOldest()
	}
	k := s.cols
	q := s.q[k*n : (k+1)*n]
	sum := 0.0
	for i, g := range gx {
		q[i] = g - x[i] - s.f[i]
		sum += q[i] * q[i]
	}
	whole := math.Sqrt(sum)
	for j := range k {
		s.r[j*m+k] = 0
	}
	before := whole
	for range 2 {
		for j := range k {
			qj := s.q[j*n : (j+1)*n]
			c := dot(qj, q)
			s.r[j*m+k] += c
			for i, v := range qj {
				q[i] -= c * v
			}
		}
		after := math.Sqrt(dot(q, q))
		if done := after > 0.7*before; done {
			before = after
			break
		}
		before = after
	}
	if !(before > 1e-14*whole) || math.IsInf(whole, 0) {
		return // nothing new, or 0/0
	}
	s.r[k*m+k] = before
	for i := range q {
		q[i] /= before
	}
	s.slot[k] = a.freeSlot()
	for i, g := range gx {
		s.dg[s.slot[k]*n+i] = g - a.plain[i]
	}
	s.cols++
}

// freeSlot returns a slot of ΔG that no column uses.
func (a *Accelerator) freeSlot() int {
	s := &a.anderson
	for t := range a.depth {
		used := false
		for _, u := range s.slot[:s.cols] {
			used = used || u == t
		}
		if !used {
			return t
		}
	}
	panic("fixedpoint: no free slot")
}

// dropOldest removes the first column: R without it is upper Hessenberg, and
// plane rotations of its rows and of the columns of Q make it triangular again.
func (a *Accelerator) dropOldest() {
	s := &a.anderson
	m, n, k := a.depth, a.dim, s.cols
	copy(s.slot[:k-1], s.slot[1:k])
	for i := range k {
		for j := max(i-1, 0); j < k-1; j++ {
			s.r[i*m+j] = s.r[i*m+j+1]
		}
	}
	for i := range k - 1 {
		h := math.Hypot(s.r[i*m+i], s.r[(i+1)*m+i])
		if h == 0 {
			continue
		}
		c, d := s.r[i*m+i]/h, s.r[(i+1)*m+i]/h
		s.r[i*m+i] = h
		s.r[(i+1)*m+i] = 0
		for j := i + 1; j < k-1; j++ {
			u, v := s.r[i*m+j], s.r[(i+1)*m+j]
			s.r[i*m+j], s.r[(i+1)*m+j] = c*u+d*v, c*v-d*u
		}
		p, q := s.q[i*n:(i+1)*n], s.q[(i+1)*n:(i+2)*n]
		for l, u := range p {
			v := q[l]
			p[l], q[l] = c*u+d*v, c*v-d*u
		}
	}
	s.cols--
}

// spread is the ratio of the largest and smallest diagonal element of R, a
// lower bound of its condition number.
func (s *andersonState) spread() float64 {
	m := len(s.gamma)
	lo, hi := math.Inf(1), 0.0
	for i := range s.cols {
		d := math.Abs(s.r[i*m+i])
		lo, hi = min(lo, d), max(hi, d)
	}
	return hi / lo
}
