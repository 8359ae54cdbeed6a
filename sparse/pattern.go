package sparse

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// maxDim is the largest number of rows or columns: column indices are int32.
const maxDim = math.MaxInt32

// Pattern is the immutable structure of a rows×cols sparse matrix in
// compressed sparse rows: row i holds the columns Idx()[Ptr()[i]:Ptr()[i+1]],
// strictly increasing. The position of an entry in Idx is its position in
// every values slice aligned with the pattern. It may be shared by goroutines.
// Memory: 8 bytes a row and 4 bytes an entry.
type Pattern struct {
	rows, cols int
	ptr        []int
	idx        []int32

	mirrorOnce sync.Once
	mirror     *mirror
}

// NewPattern validates and takes ownership of ptr (rows+1 offsets, from 0 to
// len(idx)) and idx (columns, strictly increasing in each row). It returns a
// *ShapeError or an *EntryError. Cost: O(rows + len(idx)).
func NewPattern(rows, cols int, ptr []int, idx []int32) (*Pattern, error) {
	if err := checkDims(rows, cols); err != nil {
		return nil, err
	}
	if len(ptr) != rows+1 {
		return nil, &ShapeError{What: "length of ptr", Got: len(ptr), Want: rows + 1}
	}
	if ptr[0] != 0 {
		return nil, &ShapeError{What: "ptr[0]", Got: ptr[0]}
	}
	if ptr[rows] != len(idx) {
		return nil, &ShapeError{What: fmt.Sprintf("ptr[%d]", rows), Got: ptr[rows], Want: len(idx)}
	}
	for i := range rows {
		lo, hi := ptr[i], ptr[i+1]
		if hi < lo || hi > len(idx) {
			return nil, &ShapeError{What: "ptr", Msg: fmt.Sprintf("offsets decrease or leave the indices at row %d (%d after %d, %d indices)", i, hi, lo, len(idx))}
		}
		prev := int32(-1)
		for _, j := range idx[lo:hi] {
			if j <= prev || int(j) >= cols {
				return nil, badColumn(i, int(j), int(prev), cols)
			}
			prev = j
		}
	}
	return &Pattern{rows: rows, cols: cols, ptr: ptr, idx: idx}, nil
}

func badColumn(i, j, prev, cols int) error {
	switch {
	case j < 0 || j >= cols:
		return &EntryError{Row: i, Col: j, Fault: FaultRange, Msg: fmt.Sprintf("column outside 0…%d", cols-1)}
	case j == prev:
		return &EntryError{Row: i, Col: j, Fault: FaultDuplicate, Msg: "given twice; use Builder to sum duplicates"}
	}
	return &EntryError{Row: i, Col: j, Fault: FaultUnsorted, Msg: fmt.Sprintf("follows column %d; columns must increase (Builder sorts)", prev)}
}

func checkDims(rows, cols int) error {
	for _, d := range [...]struct {
		what string
		n    int
	}{{"number of rows", rows}, {"number of columns", cols}} {
		if d.n < 0 {
			return &ShapeError{What: d.what, Got: d.n, Msg: fmt.Sprintf("%d is negative", d.n)}
		}
		if d.n > maxDim {
			return &ShapeError{What: d.what, Got: d.n, Want: maxDim, Msg: fmt.Sprintf("%d is beyond the limit of %d (32-bit indices)", d.n, maxDim)}
		}
	}
	return nil
}

// Dims returns the numbers of rows and columns.
func (p *Pattern) Dims() (rows, cols int) { return p.rows, p.cols }

// NNZ returns the number of stored entries.
func (p *Pattern) NNZ() int { return len(p.idx) }

// Ptr returns the row offsets, a read-only view of length rows+1.
func (p *Pattern) Ptr() []int { return p.ptr }

// Idx returns the column indices, a read-only view of length NNZ.
func (p *Pattern) Idx() []int32 { return p.idx }

// Row returns the columns of row i, a read-only view.
func (p *Pattern) Row(i int) []int32 { return p.idx[p.ptr[i]:p.ptr[i+1]] }

// Find returns the position of entry (i, j) in Idx, by binary search; ok is
// false when the pattern does not hold it, or when it lies outside the matrix.
func (p *Pattern) Find(i, j int) (pos int, ok bool) {
	if uint(i) >= uint(p.rows) || uint(j) >= uint(p.cols) {
		return 0, false
	}
	k, ok := slices.BinarySearch(p.Row(i), int32(j))
	return p.ptr[i] + k, ok
}

// Equal reports whether p and q have the same size and entries.
func (p *Pattern) Equal(q *Pattern) bool {
	return p == q || p.rows == q.rows && p.cols == q.cols &&
		slices.Equal(p.ptr, q.ptr) && slices.Equal(p.idx, q.idx)
}

// IsLower reports whether the pattern is square with no entry above the
// diagonal, the form of Symmetric.
func (p *Pattern) IsLower() bool { return p.rows == p.cols && p.firstAbove(0) < 0 }

// firstAbove returns the first row whose last column j has j+strict > i, or
// -1: with strict 1 the diagonal counts as above too.
func (p *Pattern) firstAbove(strict int) int {
	for i := range p.rows {
		if hi := p.ptr[i+1]; hi > p.ptr[i] && int(p.idx[hi-1])+strict > i {
			return i
		}
	}
	return -1
}

// requireLower returns an error unless the pattern is a lower triangle
// (strict 0) or a strictly lower one (strict 1).
func (p *Pattern) requireLower(strict int) error {
	if p.rows != p.cols {
		return &ShapeError{What: "number of columns", Got: p.cols, Want: p.rows}
	}
	i := p.firstAbove(strict)
	if i < 0 {
		return nil
	}
	j := int(p.idx[p.ptr[i+1]-1])
	if i == j {
		return &EntryError{Row: i, Col: j, Fault: FaultSelfLoop, Msg: "a graph has no self loops; leave the diagonal out"}
	}
	return &EntryError{Row: i, Col: j, Fault: FaultTriangle, Msg: "above the diagonal; give the lower triangle, columns j ≤ i"}
}
