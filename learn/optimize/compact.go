package optimize

import "math"

// compact is the limited-memory BFGS matrix in compact form,
//
//	B = θ I − W M Wᵀ,  W = [Y S],  M⁻¹ = [ −D     Lᵀ/θ ]
//	                                     [ L/θ  SᵀS/θ ]
//
// with D the diagonal and L the strictly lower part of SᵀY (R. H. Byrd,
// J. Nocedal and R. B. Schnabel, Math. Program. 63 (1994) 129–156, Theorem 2.3;
// there W is [Y θS]). Pairs live in slots that are overwritten in turn; "lower"
// means that the pair of s is newer than that of y, so slots are never moved.
//
// W is stored by rows, 2m apart: the Cauchy search reads single rows, and a
// product with Wᵀ streams through memory once.
type compact struct {
	n, m   int
	count  int // pairs held
	next   int // slot of the next pair
	clock  int
	age    []int // per slot, larger is newer
	theta  float64
	w      []float64 // n × 2m: y slots, then s slots
	ss, yy []float64 // m×m Gram matrices
	sy     []float64 // sy[i m + j] = s_i·y_j
	chol   []float64 // m×m lower factor of θ SᵀS + L D⁻¹ Lᵀ
	rhs    []float64 // m
}

func newCompact(n, m int) *compact {
	return &compact{
		n: n, m: m, theta: 1,
		age: make([]int, m), w: make([]float64, n*2*m),
		ss: make([]float64, m*m), yy: make([]float64, m*m), sy: make([]float64, m*m),
		chol: make([]float64, m*m), rhs: make([]float64, m),
	}
}

func (c *compact) reset() {
	c.count, c.next, c.theta = 0, 0, 1
}

func (c *compact) row(i int) []float64 { return c.w[i*2*c.m : (i+1)*2*c.m] }

// newer reports whether the pair in slot i is newer than that in slot j.
func (c *compact) newer(i, j int) bool { return c.age[i] > c.age[j] }

// push adds the pair s = x − x0, y = g − g0, unless its curvature is too small
// to keep B positive definite (Byrd et al. 1995, eq. 3.9). ok is false if B
// must be reset.
func (c *compact) push(x, x0, g, g0 []float64) (ok bool) {
	sy, yy := 0.0, 0.0
	for i := range x {
		y := g[i] - g0[i]
		sy += (x[i] - x0[i]) * y
		yy += y * y
	}
	if !(sy > eps*yy) || math.IsInf(yy, 0) {
		return true
	}
	m, a := c.m, c.next
	c.next = (c.next + 1) % m
	c.count = min(c.count+1, m)
	c.clock++
	c.age[a] = c.clock
	c.theta = yy / sy
	k := c.count
	for j := range k {
		c.ss[a*m+j], c.yy[a*m+j], c.sy[a*m+j], c.sy[j*m+a] = 0, 0, 0, 0
	}
	for i := range x {
		s, y := x[i]-x0[i], g[i]-g0[i]
		row := c.row(i)
		row[a], row[m+a] = y, s
		if s == 0 && y == 0 {
			continue
		}
		ys, ss := row[:k], row[m:m+k]
		for j := range k {
			c.ss[a*m+j] += s * ss[j]
			c.yy[a*m+j] += y * ys[j]
			if j != a {
				c.sy[a*m+j] += s * ys[j]
			}
			c.sy[j*m+a] += y * ss[j]
		}
	}
	for j := range k {
		c.ss[j*m+a] = c.ss[a*m+j]
		c.yy[j*m+a] = c.yy[a*m+j]
	}
	return c.factor()
}

// factor computes the Cholesky factor of θ SᵀS + L D⁻¹ Lᵀ.
func (c *compact) factor() bool {
	m, k := c.m, c.count
	for i := range k {
		for j := 0; j <= i; j++ {
			t := c.theta * c.ss[i*m+j]
			for l := range k {
				if c.newer(i, l) && c.newer(j, l) {
					t += c.sy[i*m+l] * c.sy[j*m+l] / c.sy[l*m+l]
				}
			}
			c.chol[i*m+j] = t
		}
	}
	return cholesky(k, c.chol, m)
}

// mulM computes out = M v; v and out have 2m elements, y part first.
func (c *compact) mulM(v, out []float64) {
	m, k := c.m, c.count
	b := c.rhs[:k]
	for i := range k {
		t := c.theta * v[m+i]
		for l := range k {
			if c.newer(i, l) {
				t += c.sy[i*m+l] * v[l] / c.sy[l*m+l]
			}
		}
		b[i] = t
	}
	cholSolve(k, c.chol, m, b)
	for l := range k {
		t := -v[l]
		for i := range k {
			if c.newer(i, l) {
				t += c.sy[i*m+l] * b[i]
			}
		}
		out[l] = t / c.sy[l*m+l]
		out[m+l] = c.theta * b[l]
	}
}

// wtMul computes out = Wᵀ v.
func (c *compact) wtMul(v, out []float64) {
	m, k := c.m, c.count
	clear(out)
	oy, os := out[:k], out[m:m+k]
	for i, a := range v {
		if a == 0 {
			continue
		}
		row := c.row(i)
		axpy(a, row[:k], oy)
		axpy(a, row[m:m+k], os)
	}
}

// rowDot returns (W v)_i.
func (c *compact) rowDot(i int, v []float64) float64 {
	m, k := c.m, c.count
	row := c.row(i)
	return dot(row[:k], v[:k]) + dot(row[m:m+k], v[m:m+k])
}

func axpy(a float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
	}
}

// cholesky factors the lower triangle of the row-major k×k matrix a in place,
// and returns false if it is not positive definite.
func cholesky(k int, a []float64, lda int) bool {
	for i := range k {
		ri := a[i*lda : i*lda+i+1]
		for j := 0; j < i; j++ {
			rj := a[j*lda : j*lda+j+1]
			ri[j] = (ri[j] - dot(rj[:j], ri[:j])) / rj[j]
		}
		d := ri[i] - dot(ri[:i], ri[:i])
		if !(d > 0) || math.IsInf(d, 0) {
			return false
		}
		ri[i] = math.Sqrt(d)
	}
	return true
}

// forward solves L b = b.
func forward(k int, l []float64, ldl int, b []float64) {
	for i := range k {
		row := l[i*ldl : i*ldl+i+1]
		b[i] = (b[i] - dot(row[:i], b[:i])) / row[i]
	}
}

// backward solves Lᵀ b = b.
func backward(k int, l []float64, ldl int, b []float64) {
	for i := k - 1; i >= 0; i-- {
		row := l[i*ldl : i*ldl+i+1]
		b[i] /= row[i]
		axpy(-b[i], row[:i], b[:i])
	}
}

func cholSolve(k int, l []float64, ldl int, b []float64) {
	forward(k, l, ldl, b)
	backward(k, l, ldl, b)
}
