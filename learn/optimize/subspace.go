package optimize

import "math"

// subspace minimises the quadratic model over the variables that are free at
// the Cauchy point z, the others staying at their bounds, and brings the
// result into the box (Byrd et al. 1995, section 5.1; Morales & Nocedal 2011).
//
// With W_F the rows of free variables, r the model's gradient at z there, and
// the Sherman–Morrison–Woodbury formula,
//
//	d = −r/θ − W_F K⁻¹ W_Fᵀ r / θ²,   K = M⁻¹ − W_Fᵀ W_F / θ
//	K = [ −P   Eᵀ/θ ]   P = D + Y_FᵀY_F/θ,  E = L − S_FᵀY_F
//	    [ E/θ   Q   ]   Q = S_AᵀS_A,  A the variables that are not free
//
// P is positive definite, and so is Q + E P⁻¹ Eᵀ/θ: two small Cholesky
// factors solve with K.
func (s *lbfgsb) subspace() bool {
	b := s.b
	m, k, theta := b.m, b.count, b.theta
	P, V, Q := s.small[:m*m], s.small[m*m:2*m*m], s.small[2*m*m:]
	if !s.subspaceFactor(P, V, Q) {
		return false
	}

	// d := −r and q := W_Fᵀ r.
	d, q := s.d, s.p
	clear(q)
	b.mulM(s.c, s.mv)
	for _, fi := range s.free {
		i := int(fi)
		r := s.g[i] + theta*(s.z[i]-s.x[i]) - b.rowDot(i, s.mv)
		d[i] = -r
		row := b.row(i)
		axpy(r, row[:k], q[:k])
		axpy(r, row[m:m+k], q[m:m+k])
	}
	// v := K⁻¹ q by blocks: (Q + E P⁻¹ Eᵀ/θ) v₂ = θ q₂ + E P⁻¹ q₁ and
	// v₁ = P⁻¹ (Eᵀ v₂/θ − q₁), with P = R Rᵀ and V = E R⁻ᵀ.
	v := s.mv
	y, x := v[:k], v[m:m+k]
	copy(y, q[:k])
	forward(k, P, m, y)
	for i := range k {
		x[i] = theta*q[m+i] + dot(V[i*m:i*m+k], y)
	}
	cholSolve(k, Q, m, x)
	for j := range k {
		y[j] = -y[j]
	}
	for i := range k {
		axpy(x[i]/theta, V[i*m:i*m+k], y)
	}
	backward(k, P, m, y)
	for _, fi := range s.free {
		i := int(fi)
		d[i] = (d[i] - b.rowDot(i, v)/theta) / theta
	}
	return s.projectSubspace()
}

// subspaceFactor computes the Cholesky factor of P, V = E R⁻ᵀ (rows of E
// solved with R), and the factor of Q + V Vᵀ/θ.
func (s *lbfgsb) subspaceFactor(P, V, Q []float64) bool {
	b := s.b
	m, k, theta := b.m, b.count, b.theta
	// Sum over the smaller of the sets: P' = Y_XᵀY_X, V = S_XᵀY_X.
	for i := range k {
		clear(P[i*m : i*m+k])
		clear(V[i*m : i*m+k])
		clear(Q[i*m : i*m+k])
	}
	viaFree := len(s.free) <= len(s.held)
	for _, hi := range s.held {
		row := b.row(int(hi))
		ys, ss := row[:k], row[m:m+k]
		for i, a := range ss {
			if a != 0 {
				axpy(a, ss[:i+1], Q[i*m:i*m+i+1])
			}
		}
		if !viaFree {
			gramRows(m, ys, ss, P, V)
		}
	}
	if viaFree {
		for _, fi := range s.free {
			row := b.row(int(fi))
			gramRows(m, row[:k], row[m:m+k], P, V)
		}
	}
	for i := range k {
		for j := range k {
			l := 0.0
			if b.newer(i, j) {
				l = b.sy[i*m+j]
			}
			if viaFree {
				V[i*m+j] = l - V[i*m+j]
			} else {
				V[i*m+j] += l - b.sy[i*m+j]
			}
			if j > i {
				continue
			}
			if !viaFree {
				P[i*m+j] = b.yy[i*m+j] - P[i*m+j]
			}
			P[i*m+j] /= theta
		}
		P[i*m+i] += b.sy[i*m+i]
	}
	if !cholesky(k, P, m) {
		return false
	}
	for i := range k {
		forward(k, P, m, V[i*m:i*m+k])
	}
	for i := range k {
		for j := 0; j <= i; j++ {
			Q[i*m+j] += dot(V[i*m:i*m+k], V[j*m:j*m+k]) / theta
		}
	}
	return cholesky(k, Q, m)
}

// gramRows adds one row's products to P (lower triangle of YᵀY) and V = SᵀY.
func gramRows(m int, ys, ss, P, V []float64) {
	k := len(ys)
	for i := range k {
		axpy(ys[i], ys[:i+1], P[i*m:i*m+i+1])
		if ss[i] != 0 {
			axpy(ss[i], ys, V[i*m:i*m+k])
		}
	}
}

// projectSubspace moves z to P(z + d) if the slope from x to there is at least a
// tenth of that to the Cauchy point z. Mere descent, as in Morales & Nocedal
// 2011, allows directions nearly orthogonal to the gradient, which can stall far
// from a minimum. Otherwise it moves along d as far as the box allows, which
// never raises the model.
func (s *lbfgsb) projectSubspace() bool {
	d := s.d
	held, cauchy, slope := 0.0, 0.0, 0.0
	for _, hi := range s.held {
		i := int(hi)
		held += s.g[i] * (s.z[i] - s.x[i])
	}
	for _, fi := range s.free {
		i := int(fi)
		cauchy += s.g[i] * (s.z[i] - s.x[i])
		slope += s.g[i] * (s.clip(i, s.z[i]+d[i]) - s.x[i])
	}
	cauchy += held
	slope += held
	if math.IsNaN(slope) {
		return false
	}
	t := 1.0
	if s.bounded && !(slope <= 0.1*cauchy) {
		for _, fi := range s.free {
			i := int(fi)
			if v := s.z[i] + t*d[i]; v > s.upper[i] {
				t = (s.upper[i] - s.z[i]) / d[i]
			} else if v < s.lower[i] {
				t = (s.lower[i] - s.z[i]) / d[i]
			}
		}
	}
	for _, fi := range s.free {
		i := int(fi)
		s.z[i] = s.clip(i, s.z[i]+t*d[i])
	}
	return true
}
