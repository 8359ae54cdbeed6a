package sparse

import "gonum.org/v1/gonum/mat"

// Symmetric is a symmetric matrix stored by its lower triangle: a Pattern with
// columns j ≤ i and one value for each entry; an absent diagonal entry is 0.
// It satisfies mat.Symmetric.
type Symmetric struct {
	p *Pattern
	v []float64
}

var _ mat.Symmetric = (*Symmetric)(nil)

// NewSymmetric joins a lower-triangular pattern and values aligned with it; it
// keeps both without copying. Values are not inspected.
func NewSymmetric(p *Pattern, values []float64) (*Symmetric, error) {
	if p == nil {
		return nil, &ShapeError{What: "pattern", Msg: "nil"}
	}
	if err := p.requireLower(0); err != nil {
		return nil, err
	}
	if len(values) != p.NNZ() {
		return nil, &ShapeError{What: "number of values", Got: len(values), Want: p.NNZ()}
	}
	return &Symmetric{p, values}, nil
}

// Pattern returns the structure of the lower triangle.
func (a *Symmetric) Pattern() *Pattern { return a.p }

// Values returns the values of the lower triangle, aligned with Pattern; a
// view, not a copy.
func (a *Symmetric) Values() []float64 { return a.v }

// Dims returns the numbers of rows and columns, which are equal.
func (a *Symmetric) Dims() (rows, cols int) { return a.p.Dims() }

// SymmetricDim returns the number of rows and columns.
func (a *Symmetric) SymmetricDim() int { return a.p.rows }

// At returns entry (i, j), from either triangle. As mat.Matrix asks, it panics
// outside the matrix.
func (a *Symmetric) At(i, j int) float64 {
	checkAccess(a.p, i, j)
	if k, ok := a.p.Find(max(i, j), min(i, j)); ok {
		return a.v[k]
	}
	return 0
}

// T returns the matrix itself.
func (a *Symmetric) T() mat.Matrix { return a }

// DoNonZero calls f for every stored entry of the lower triangle and, off the
// diagonal, for its mirror image too.
func (a *Symmetric) DoNonZero(f func(i, j int, v float64)) {
	for i := range a.p.rows {
		for k := a.p.ptr[i]; k < a.p.ptr[i+1]; k++ {
			j := int(a.p.idx[k])
			f(i, j, a.v[k])
			if j != i {
				f(j, i, a.v[k])
			}
		}
	}
}

// CSR returns the matrix with both triangles stored, in O(rows+nnz).
func (a *Symmetric) CSR() *CSR {
	t, pos := a.p.transpose(true)
	ptr := make([]int, a.p.rows+1)
	for i := range a.p.rows {
		n := len(a.p.Row(i)) + len(t.Row(i))
		if r := t.Row(i); len(r) > 0 && int(r[0]) == i {
			n-- // the diagonal is in both
		}
		ptr[i+1] = ptr[i] + n
	}
	nnz := ptr[a.p.rows]
	idx, v := make([]int32, 0, nnz), make([]float64, 0, nnz)
	for i := range a.p.rows {
		idx = append(idx, a.p.Row(i)...)
		v = append(v, a.v[a.p.ptr[i]:a.p.ptr[i+1]]...)
		for k := t.ptr[i]; k < t.ptr[i+1]; k++ {
			if int(t.idx[k]) != i {
				idx = append(idx, t.idx[k])
				v = append(v, a.v[pos[k]])
			}
		}
	}
	return &CSR{&Pattern{rows: a.p.rows, cols: a.p.cols, ptr: ptr, idx: idx}, v}
}
