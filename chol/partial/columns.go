package partial

import "github.com/gcrfbc/gcrfbc/chol/partial/internal/kernel"

// columns is a unit lower triangular factor L and pivots D, for vectors eight
// side by side or alone.
type columns struct{ kernel.Columns }

// forward replaces x by L⁻¹x, for lanes vectors or one.
func (c *columns) forward(x []float64, width int) {
	if width == 1 {
		c.ForwardOne(x)
	} else {
		c.Forward(x)
	}
}

// backward replaces x by L⁻ᵀD⁻¹x.
func (c *columns) backward(x []float64, width int) {
	if width == 1 {
		c.BackwardOne(x)
	} else {
		c.Backward(x)
	}
}

// exact returns the columns of the exactly eliminated nodes, over all nodes.
func (f *Factor) exact() columns {
	s := f.s
	return columns{kernel.Columns{Ptr: s.colPtr[:s.first+1], Rows: s.rowIdx, U: f.u, Pivot: f.pivot[:s.first]}}
}

// incomplete returns the columns of the core, over its nodes.
func (f *Factor) incomplete() columns {
	s := f.s
	base := s.colPtr[s.first]
	return columns{kernel.Columns{Ptr: s.corePtr, Rows: s.rowIdx[base:], U: f.u[base:], Pivot: f.pivot[s.first:]}}
}

// multiply writes y = K x over the core and Σ x∘y by lane.
func (f *Factor) multiply(y, x []float64, width int, sum *row) {
	var r row
	f.multiplyDot(y, x, x, width, &r, sum)
}

// multiplyDot writes y = K x, Σ r∘x and Σ x∘y by lane.
func (f *Factor) multiplyDot(y, x, r []float64, width int, rx, xy *row) {
	s := f.s
	ptr, all := s.corePtr, s.rowIdx[s.colPtr[s.first]:]
	if width != 1 {
		var sums [2 * lanes]float64
		kernel.Multiply(ptr, all, f.coreValue, f.coreDiag, x, y, r, &sums)
		*rx, *xy = row(sums[:lanes]), row(sums[lanes:])
		return
	}
	var sums [2]float64
	kernel.MultiplyOne(ptr, all, f.coreValue, f.coreDiag, x, y, r, &sums)
	rx[0], xy[0] = sums[0], sums[1]
}

// backwardMultiply replaces x by L⁻ᵀD⁻¹x, with the incomplete factor c, and
// writes y = K x of the result, Σ r∘x and Σ x∘y by lane: one pass over the
// columns for both.
func (f *Factor) backwardMultiply(c *columns, y, x, r []float64, width int, rx, xy *row) {
	if width != 1 {
		var sums [2 * lanes]float64
		c.BackwardMultiply(f.coreValue, f.coreDiag, x, y, r, &sums)
		*rx, *xy = row(sums[:lanes]), row(sums[lanes:])
		return
	}
	var sums [2]float64
	c.BackwardMultiplyOne(f.coreValue, f.coreDiag, x, y, r, &sums)
	rx[0], xy[0] = sums[0], sums[1]
}
