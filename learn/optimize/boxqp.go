package optimize

import "math"

// model sets d to the minimiser of q(d) = gᵀd + ½ dᵀB d subject to
// Lower − x ≤ d ≤ Upper − x and |d_i| ≤ reach, by projected Newton steps (Bertsekas 1982): the
// components at a bound that the model's gradient pushes outward are held, the
// Newton equations of the others solved exactly, and the step projected and
// shortened until q falls enough. For a positive definite B the set of held
// components settles after a few steps, and then the minimiser is exact.
func (s *sqp) model() {
	for i, x := range s.x {
		s.d[i] = 0
		s.lo[i], s.hi[i] = s.lower[i]-x, s.upper[i]-x
		if s.reach > 0 {
			s.lo[i], s.hi[i] = max(s.lo[i], -s.reach), min(s.hi[i], s.reach)
		}
	}
	copy(s.res, s.g)
	scale := 0.0
	for _, g := range s.g {
		scale = max(scale, math.Abs(g))
	}
	for range 20 + 3*s.n {
		s.free = s.free[:0]
		worst := 0.0
		for i, r := range s.res {
			d := s.d[i]
			if s.lo[i] == s.hi[i] || d <= s.lo[i] && r >= 0 || d >= s.hi[i] && r <= 0 {
				continue
			}
			s.free = append(s.free, int32(i))
			worst = max(worst, math.Abs(r))
		}
		if worst <= 1e-12*scale {
			return
		}
		if !s.newtonStep() || !s.projectStep() {
			return
		}
	}
}

// newtonStep solves B_FF p_F = −res_F; p is 0 elsewhere. If B_FF is numerically
// not positive definite, B starts again from a multiple of the identity.
func (s *sqp) newtonStep() bool {
	n, k := s.n, len(s.free)
	rhs := s.bp[:k]
	for try := 0; ; try++ {
		for a, fi := range s.free {
			row := s.b[int(fi)*n:]
			for c, fj := range s.free[:a+1] {
				s.chol[a*k+c] = row[fj]
			}
			rhs[a] = -s.res[fi]
		}
		if cholesky(k, s.chol, k) {
			break
		}
		if try > 0 {
			return false
		}
		top := 0.0
		for i := range n {
			top = max(top, math.Abs(s.b[i*n+i]))
		}
		if !(top > 0) || math.IsInf(top, 0) {
			top = 1
		}
		s.identity(top)
		s.mul(s.d, s.res)
		for i, g := range s.g {
			s.res[i] += g
		}
		for a, fi := range s.free {
			rhs[a] = -s.res[fi]
		}
	}
	cholSolve(k, s.chol, k, rhs)
	clear(s.p)
	for a, fi := range s.free {
		s.p[fi] = rhs[a]
	}
	return true
}

// projectStep moves d along P(d + t p) until the model falls enough, and
// updates res. It returns false if there is no progress.
func (s *sqp) projectStep() bool {
	t := 1.0
	for range 40 {
		lin := 0.0
		for i, p := range s.p {
			s.trial[i] = 0
			if p != 0 {
				s.trial[i] = min(max(s.d[i]+t*p, s.lo[i]), s.hi[i]) - s.d[i]
				lin += s.res[i] * s.trial[i]
			}
		}
		if lin == 0 {
			return false
		}
		s.mul(s.trial, s.bp)
		if change := lin + 0.5*dot(s.trial, s.bp); lin < 0 && change <= 1e-4*lin {
			for i, v := range s.trial {
				s.d[i] = s.snap(i, s.d[i]+v)
				s.res[i] += s.bp[i]
			}
			return true
		}
		t *= 0.5
	}
	return false
}

// snap puts a component within rounding of its bound onto it.
func (s *sqp) snap(i int, d float64) float64 {
	if l := s.lo[i]; d <= l+2*eps*math.Abs(l) {
		return l
	}
	if u := s.hi[i]; d >= u-2*eps*math.Abs(u) {
		return u
	}
	return d
}
