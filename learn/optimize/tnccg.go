package optimize

import (
	"fmt"
	"math"
)

// newton solves ∇²f d = −g on the free variables by preconditioned conjugate
// gradients. It stops when another step would improve the quadratic model
// little, k (1 − q_{k−1}/q_k) ≤ ½ (S. G. Nash and A. Sofer, Oper. Res. Lett. 9
// (1990) 219–221), when the residual allows superlinear convergence, or at
// negative curvature. It returns false if the run has ended.
func (s *tnc) newton() bool {
	clear(s.d)
	rz := 0.0
	for i, g := range s.g {
		s.res[i], s.z[i], s.v[i] = 0, 0, 0
		if !s.held[i] {
			s.res[i] = -g
			s.z[i] = -g / s.diag[i]
			s.v[i] = s.z[i]
			rz += s.res[i] * s.z[i]
		}
	}
	if s.gFree == 0 {
		return true
	}
	copy(s.diagNext, s.diag)
	// Forcing term: min(½, √‖g‖) in units of the first model decrease.
	tol := min(0.5, math.Sqrt(s.gFree/(1+math.Abs(s.f)))) * s.gFree
	q := 0.0 // value of the model
	for k := 1; k <= s.maxInner; k++ {
		if !s.product() {
			if s.status != NotStarted {
				return false
			}
			break // the difference left the domain: keep what there is
		}
		vhv, vv, dv := dot(s.v, s.hv), dot(s.v, s.v), 0.0
		for i, v := range s.v {
			dv += s.diagNext[i] * v * v
		}
		if !(vhv > 1e-13*vv) || !(dv > 0) {
			// Negative or no curvature: the model has no minimum along v.
			if k == 1 {
				copy(s.d, s.v)
			}
			break
		}
		alpha := rz / vhv
		for i, v := range s.v {
			s.d[i] += alpha * v
			s.res[i] -= alpha * s.hv[i]
		}
		// Diagonal of the BFGS update with the pair (v, ∇²f v); Nash 1985, section 4.
		for i, v := range s.v {
			if !s.held[i] {
				dd := s.diagNext[i]
				s.diagNext[i] = dd - dd*v*dd*v/dv + s.hv[i]*s.hv[i]/vhv
			}
		}
		dq := -0.5 * alpha * rz
		q += dq
		if float64(k)*dq/q <= 0.5 || norm(s.res) <= tol {
			break
		}
		old := rz
		rz = 0
		for i, r := range s.res {
			if !s.held[i] {
				s.z[i] = r / s.diag[i]
				rz += r * s.z[i]
			}
		}
		beta := rz / old
		for i, z := range s.z {
			s.v[i] = z + beta*s.v[i]
		}
	}
	s.keepDiagonal()
	if !(dot(s.g, s.d) < 0) {
		s.scaledGradient()
	}
	return true
}

// keepDiagonal adopts the new preconditioner, kept away from 0.
func (s *tnc) keepDiagonal() {
	top := 0.0
	for i, v := range s.diagNext {
		if !s.held[i] {
			top = max(top, v)
		}
	}
	if !(top > 0) || math.IsInf(top, 0) {
		for i := range s.diag {
			s.diag[i] = 1
		}
		return
	}
	for i, v := range s.diagNext {
		if s.held[i] {
			continue
		}
		if !(v >= 1e-8*top) {
			v = 1e-8 * top
		}
		s.diag[i] = v
	}
}

// product sets hv = ∇²f v on the free variables. It returns false, without a
// status, if the product cannot be had.
func (s *tnc) product() bool {
	s.hessVecs++
	if s.hessVec != nil {
		if s.ctx.Err() != nil {
			s.stopContext()
			return false
		}
		if err := s.hessVec(s.ctx, s.x, s.v, s.hv); err != nil {
			s.failure(fmt.Errorf("product with the Hessian: %w", err))
			return false
		}
		return s.mask()
	}
	// Length of the difference: √ε relative to x along v.
	h := s.diffStep * (1 + norm(s.x)) / norm(s.v)
	if math.IsInf(h, 0) || math.IsNaN(h) {
		return false
	}
	clear(s.hv)
	// Forward for the variables with room, backward for the others, so that
	// Eval never sees a point outside the box. Mostly the second is empty.
	for _, sign := range []float64{1, -1} {
		any := false
		for i, v := range s.v {
			s.xt[i] = s.x[i]
			if v == 0 {
				continue
			}
			dx := h * v
			forward := s.inside(i, s.x[i]+dx) ||
				!s.inside(i, s.x[i]-dx) && (s.upper[i]-s.x[i] >= s.x[i]-s.lower[i]) == (v > 0)
			if forward == (sign > 0) {
				s.xt[i] = s.clip(i, s.x[i]+sign*dx)
				any = true
			}
		}
		if !any {
			continue
		}
		if _, ok := s.evaluate(s.xt, s.gt); !ok {
			return false
		}
		for i, g := range s.gt {
			s.hv[i] += sign * (g - s.g[i]) / h
		}
	}
	return s.mask()
}

func (s *tnc) inside(i int, x float64) bool { return s.lower[i] <= x && x <= s.upper[i] }

// mask zeroes held entries of hv and reports whether the rest is finite.
func (s *tnc) mask() bool {
	z := 0.0
	for i := range s.hv {
		if s.held[i] {
			s.hv[i] = 0
		}
		z += 0 * s.hv[i]
	}
	return z == 0
}
