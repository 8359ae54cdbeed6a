package fixedpoint

import "math"

// squaremState is the point and residual at the start of a cycle.
type squaremState struct {
	phase int // 0: first image, 1: second image and extrapolation, 2: stabilising
	x0, r []float64
}

// squaremNext is scheme S3: from x₀, r = G(x₀) − x₀ and v = G(G(x₀)) − G(x₀) − r,
//
//	α = −‖r‖/‖v‖,   x = x₀ − 2α r + α² v,
//
// followed by one plain step. α = −1 is the plain double step; shorter ones
// are not taken.
func (a *Accelerator) squaremNext(x, gx []float64) Step {
	s := &a.sq
	switch s.phase {
	case 0:
		for i, g := range gx {
			s.x0[i] = x[i]
			s.r[i] = g - x[i]
		}
		copy(x, gx)
		s.phase = 1
		return Plain
	case 1:
		rr, vv := 0.0, 0.0
		for i, g := range gx {
			v := g - x[i] - s.r[i]
			rr += s.r[i] * s.r[i]
			vv += v * v
		}
		s.phase = 2
		alpha := -math.Sqrt(rr / vv)
		if !(alpha < -1) || math.IsInf(alpha, 0) {
			s.phase = 0
			copy(x, gx)
			return Plain
		}
		for i, g := range gx {
			v := g - x[i] - s.r[i]
			x[i] = s.x0[i] + alpha*(alpha*v-2*s.r[i])
		}
		return Accelerated
	}
	copy(x, gx)
	s.phase = 0
	return Plain
}
