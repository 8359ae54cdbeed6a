package authors

import "math"

// square is a dense N×N matrix by rows.
type square struct {
	n int
	a []float64
}

func newSquare(n int) square { return square{n, make([]float64, n*n)} }

func (m square) row(i int) []float64 { return m.a[i*m.n : (i+1)*m.n] }

func (m square) clone() square {
	return square{m.n, append([]float64(nil), m.a...)}
}

// inverse returns the inverse and the log-determinant by Gauss–Jordan
// elimination with pivoting of rows.
func (m square) inverse() (inv square, logDet float64) {
	n := m.n
	w := m.clone()
	inv = newSquare(n)
	for i := range n {
		inv.row(i)[i] = 1
	}
	for c := range n {
		best := c
		for r := c + 1; r < n; r++ {
			if math.Abs(w.row(r)[c]) > math.Abs(w.row(best)[c]) {
				best = r
			}
		}
		if best != c {
			a, b := w.row(c), w.row(best)
			x, y := inv.row(c), inv.row(best)
			for j := range n {
				a[j], b[j] = b[j], a[j]
				x[j], y[j] = y[j], x[j]
			}
		}
		pivot := w.row(c)[c]
		logDet += math.Log(math.Abs(pivot))
		a, x := w.row(c), inv.row(c)
		for j := range n {
			a[j] /= pivot
			x[j] /= pivot
		}
		for r := range n {
			f := w.row(r)[c]
			if r == c || f == 0 {
				continue
			}
			b, y := w.row(r), inv.row(r)
			for j := range n {
				b[j] -= f * a[j]
				y[j] -= f * x[j]
			}
		}
	}
	return inv, logDet
}

// times returns m v.
func (m square) times(v []float64) []float64 {
	out := make([]float64, m.n)
	for i := range out {
		out[i] = dot(m.row(i), v)
	}
	return out
}

// traceProduct returns tr(m o) of two symmetric matrices.
func (m square) traceProduct(o square) float64 { return dot(m.a, o.a) }

func dot(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}
