package sparse

import "gonum.org/v1/gonum/mat"

// CSR is a sparse matrix in compressed sparse rows: an immutable Pattern and
// one value for each of its entries. It satisfies mat.Matrix.
type CSR struct {
	p *Pattern
	v []float64
}

var _ mat.Matrix = (*CSR)(nil)

// NewCSR joins a pattern and values aligned with it (values[k] belongs to
// p.Idx()[k]); it keeps both without copying. Values are not inspected.
func NewCSR(p *Pattern, values []float64) (*CSR, error) {
	if p == nil {
		return nil, &ShapeError{What: "pattern", Msg: "nil"}
	}
	if len(values) != p.NNZ() {
		return nil, &ShapeError{What: "number of values", Got: len(values), Want: p.NNZ()}
	}
	return &CSR{p, values}, nil
}

// Pattern returns the structure.
func (a *CSR) Pattern() *Pattern { return a.p }

// Values returns the values, aligned with Pattern; a view, not a copy.
func (a *CSR) Values() []float64 { return a.v }

// NNZ returns the number of stored entries, explicit zeros included.
func (a *CSR) NNZ() int { return a.p.NNZ() }

// Dims returns the numbers of rows and columns.
func (a *CSR) Dims() (rows, cols int) { return a.p.Dims() }

// At returns entry (i, j), 0 where none is stored, in O(log nnz of the row).
// As mat.Matrix asks, it panics outside the matrix.
func (a *CSR) At(i, j int) float64 {
	checkAccess(a.p, i, j)
	if k, ok := a.p.Find(i, j); ok {
		return a.v[k]
	}
	return 0
}

func checkAccess(p *Pattern, i, j int) {
	if uint(i) >= uint(p.rows) {
		panic(mat.ErrRowAccess)
	}
	if uint(j) >= uint(p.cols) {
		panic(mat.ErrColAccess)
	}
}

// T returns the transpose as a view; Transpose makes one with its own storage.
func (a *CSR) T() mat.Matrix { return mat.Transpose{Matrix: a} }

// Transpose returns the transpose in its own storage, in O(rows+cols+nnz).
func (a *CSR) Transpose() *CSR {
	t, pos := a.p.transpose(true)
	v := make([]float64, len(pos))
	for k, from := range pos {
		v[k] = a.v[from]
	}
	return &CSR{t, v}
}

// DoNonZero calls f for every stored entry, row by row; with it mat's own
// operations skip what is not stored.
func (a *CSR) DoNonZero(f func(i, j int, v float64)) {
	for i := range a.p.rows {
		for k := a.p.ptr[i]; k < a.p.ptr[i+1]; k++ {
			f(i, int(a.p.idx[k]), a.v[k])
		}
	}
}

// LowerSymmetric returns the lower triangle of a square CSR as a Symmetric.
// The matrix must be exactly symmetric; otherwise the error is an *EntryError.
func (a *CSR) LowerSymmetric() (*Symmetric, error) {
	if a.p.rows != a.p.cols {
		return nil, &ShapeError{What: "number of columns", Got: a.p.cols, Want: a.p.rows}
	}
	if i, j, ok := a.asymmetry(); ok {
		return nil, &EntryError{Row: i, Col: j, Fault: FaultAsymmetric, Msg: "differs from its mirror image; average the triangles or keep one"}
	}
	low := a.p.Lower()
	if low == a.p {
		return &Symmetric{low, a.v}, nil
	}
	v := make([]float64, 0, low.NNZ())
	for i := range low.rows {
		v = append(v, a.v[a.p.ptr[i]:][:low.ptr[i+1]-low.ptr[i]]...)
	}
	return &Symmetric{low, v}, nil
}

// asymmetry finds an entry whose mirror image is missing or has another value.
func (a *CSR) asymmetry() (row, col int, found bool) {
	t := a.Transpose()
	for i := range a.p.rows {
		x, y := a.p.Row(i), t.p.Row(i)
		xv, yv := a.v[a.p.ptr[i]:], t.v[t.p.ptr[i]:]
		for k := range max(len(x), len(y)) {
			switch {
			case k >= len(y) || k < len(x) && x[k] < y[k]:
				return i, int(x[k]), true
			case k >= len(x) || y[k] < x[k]:
				return int(y[k]), i, true
			case xv[k] != yv[k]:
				return i, int(x[k]), true
			}
		}
	}
	return 0, 0, false
}
