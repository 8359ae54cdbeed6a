package optimize

import "math"

// cauchy sets z to the generalised Cauchy point, the first local minimiser of
// the quadratic model along the projected gradient path P(x − t g), and c to
// Wᵀ(z − x) (Byrd et al. 1995, algorithm CP).
func (s *lbfgsb) cauchy() bool {
	b := s.b
	m, k := b.m, b.count
	d := s.d
	s.heap = s.heap[:0]
	f1 := 0.0 // derivative of the model along the path
	for i, g := range s.g {
		t := math.Inf(1)
		switch {
		case g < 0:
			t = (s.x[i] - s.upper[i]) / g
		case g > 0:
			t = (s.x[i] - s.lower[i]) / g
		}
		s.brk[i] = t
		d[i] = 0
		s.z[i] = s.x[i]
		if t > 0 && g != 0 {
			d[i] = -g
			f1 -= g * g
			if !math.IsInf(t, 1) {
				s.heap = append(s.heap, int32(i))
			}
		}
	}
	clear(s.c)
	if f1 == 0 {
		return true
	}
	s.heapify()
	b.wtMul(d, s.p)
	f2 := -b.theta * f1 // second derivative
	f2min := eps * f2
	if k > 0 {
		b.mulM(s.p, s.mv)
		f2 -= dot2(m, k, s.p, s.mv)
	}
	if !(f2 > 0) {
		return false
	}
	step := -f1 / f2
	told := 0.0
	for len(s.heap) > 0 {
		i := int(s.heap[0])
		dt := s.brk[i] - told
		if step < dt {
			break
		}
		s.pop()
		// Variable i stops at its bound; the path bends.
		told = s.brk[i]
		g := s.g[i]
		if d[i] > 0 {
			s.z[i] = s.upper[i]
		} else {
			s.z[i] = s.lower[i]
		}
		d[i] = 0
		zb := s.z[i] - s.x[i]
		f1 += dt*f2 + g*g + b.theta*g*zb
		f2 -= b.theta * g * g
		if k > 0 {
			for j := range k {
				s.c[j] += dt * s.p[j]
				s.c[m+j] += dt * s.p[m+j]
			}
			row := b.row(i)
			b.mulM(row, s.mv)
			f1 -= g * dot2(m, k, s.c, s.mv)
			f2 -= 2*g*dot2(m, k, s.p, s.mv) + g*g*dot2(m, k, row, s.mv)
			for j := range k {
				s.p[j] += g * row[j]
				s.p[m+j] += g * row[m+j]
			}
		}
		f2 = max(f2, f2min)
		step = -f1 / f2
		if f1 >= 0 {
			step = 0
			break
		}
	}
	if math.IsNaN(step) {
		return false
	}
	t := told + step
	for i, v := range d {
		if v != 0 {
			s.z[i] = s.clip(i, s.x[i]+t*v)
		}
	}
	for j := range k {
		s.c[j] += step * s.p[j]
		s.c[m+j] += step * s.p[m+j]
	}
	return true
}

// dot2 is the dot product of vectors of 2m elements of which the first k of
// each half count.
func dot2(m, k int, x, y []float64) float64 {
	return dot(x[:k], y[:k]) + dot(x[m:m+k], y[m:m+k])
}

// heapify orders heap by breakpoint, the nearest first, in O(n).
func (s *lbfgsb) heapify() {
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.sift(i)
	}
}

func (s *lbfgsb) pop() {
	last := len(s.heap) - 1
	s.heap[0] = s.heap[last]
	s.heap = s.heap[:last]
	s.sift(0)
}

func (s *lbfgsb) sift(i int) {
	h := s.heap
	for {
		j := 2*i + 1
		if j >= len(h) {
			return
		}
		if j+1 < len(h) && s.brk[h[j+1]] < s.brk[h[j]] {
			j++
		}
		if s.brk[h[i]] <= s.brk[h[j]] {
			return
		}
		h[i], h[j] = h[j], h[i]
		i = j
	}
}
