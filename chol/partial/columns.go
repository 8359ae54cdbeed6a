package partial

import "github.com/gcrfbc/gcrfbc/chol/partial/internal/kernel"

// columns is a unit lower triangular factor L and pivots D: column k, whose
// pivot node is node[k], or k itself, holds −u at the rows.
type columns struct {
	node  []int32
	ptr   []int
	rows  []int32
	u     []float64
	pivot []float64
}

func (c *columns) len() int { return len(c.pivot) }

func (c *columns) pivotRow(k int) int {
	if c.node == nil {
		return k
	}
	return int(c.node[k])
}

// forward replaces x by L⁻¹x, eight vectors side by side or one.
func (c *columns) forward(x []float64, width int) {
	for k := range c.len() {
		from, to := c.ptr[k], c.ptr[k+1]
		rows, u := c.rows[from:to], c.u[from:to]
		i := c.pivotRow(k)
		if width == 1 {
			v := x[i]
			if v == 0 {
				continue
			}
			u = u[:len(rows)]
			for a, r := range rows {
				x[r] += u[a] * v
			}
			continue
		}
		v := *at(x, i)
		kernel.Scatter(rows, u, x, &v)
	}
}

// backward replaces x by L⁻ᵀD⁻¹x, or L⁻ᵀx if scaled already.
func (c *columns) backward(x []float64, width int, scaled bool) {
	for k := c.len() - 1; k >= 0; k-- {
		from, to := c.ptr[k], c.ptr[k+1]
		rows, u := c.rows[from:to], c.u[from:to]
		i := c.pivotRow(k)
		inv := 1.0
		if !scaled {
			inv = 1 / c.pivot[k]
		}
		if width == 1 {
			u = u[:len(rows)]
			sum := x[i] * inv
			for a, r := range rows {
				sum += u[a] * x[r]
			}
			x[i] = sum
			continue
		}
		v := at(x, i)
		var sum row
		for q := range v {
			sum[q] = v[q] * inv
		}
		kernel.Gather(rows, u, x, &sum)
		*v = sum
	}
}

// exact returns the columns of the exactly eliminated nodes, over all nodes.
func (f *Factor) exact() columns {
	s := f.s
	return columns{ptr: s.colPtr[:s.first+1], rows: s.rowIdx, u: f.u, pivot: f.pivot[:s.first]}
}

// incomplete returns the columns of the core, over its nodes.
func (f *Factor) incomplete() columns {
	s := f.s
	return columns{ptr: s.colPtr[s.first:], rows: s.rowIdx, u: f.u, pivot: f.pivot[s.first:]}
}

// multiply writes K x over the core and adds Σ x∘Kx by lane to sum.
func (f *Factor) multiply(y, x []float64, width int, sum *row) {
	s := f.s
	for c := range s.CoreN() {
		from, to := s.rowPtr[c], s.rowPtr[c+1]
		rows, w := s.rowCol[from:to], f.coreValue[from:to]
		if width == 1 {
			w = w[:len(rows)]
			v := 0.0
			for a, r := range rows {
				v += w[a] * x[r]
			}
			v = f.coreDiag[c]*x[c] - v
			y[c] = v
			sum[0] += v * x[c]
			continue
		}
		var v row
		kernel.Gather(rows, w, x, &v)
		d := f.coreDiag[c]
		xc, yc := at(x, c), at(y, c)
		for q := range v {
			t := d*xc[q] - v[q]
			yc[q] = t
			sum[q] += t * xc[q]
		}
	}
}
