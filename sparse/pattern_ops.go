package sparse

import (
	"fmt"
	"slices"
)

// Transpose returns the pattern of the transpose. Cost: O(rows + cols + nnz).
func (p *Pattern) Transpose() *Pattern {
	t, _ := p.transpose(false)
	return t
}

// transpose also returns, if asked, the position in p of each entry of the
// transpose.
func (p *Pattern) transpose(positions bool) (*Pattern, []int) {
	ptr := make([]int, p.cols+1)
	for _, j := range p.idx {
		ptr[j+1]++
	}
	for j := range p.cols {
		ptr[j+1] += ptr[j]
	}
	next := slices.Clone(ptr[:p.cols])
	idx := make([]int32, len(p.idx))
	var pos []int
	if positions {
		pos = make([]int, len(p.idx))
	}
	for i := range p.rows {
		for k := p.ptr[i]; k < p.ptr[i+1]; k++ {
			j := p.idx[k]
			at := next[j]
			next[j]++
			idx[at] = int32(i)
			if positions {
				pos[at] = k
			}
		}
	}
	return &Pattern{rows: p.cols, cols: p.rows, ptr: ptr, idx: idx}, pos
}

// Lower returns the entries on and below the diagonal, j ≤ i. It returns p
// itself when there are no others.
func (p *Pattern) Lower() *Pattern { return p.below(0) }

// StrictLower returns the entries below the diagonal, j < i. It returns p
// itself when there are no others.
func (p *Pattern) StrictLower() *Pattern { return p.below(1) }

func (p *Pattern) below(strict int) *Pattern {
	if p.firstAbove(strict) < 0 {
		return p
	}
	ptr := make([]int, p.rows+1)
	cut := func(i int) int { // entries of row i with j + strict <= i
		k, _ := slices.BinarySearch(p.Row(i), int32(min(i+1-strict, p.cols)))
		return k
	}
	for i := range p.rows {
		ptr[i+1] = ptr[i] + cut(i)
	}
	idx := make([]int32, 0, ptr[p.rows])
	for i := range p.rows {
		idx = append(idx, p.Row(i)[:ptr[i+1]-ptr[i]]...)
	}
	return &Pattern{rows: p.rows, cols: p.cols, ptr: ptr, idx: idx}
}

// WithDiagonal returns the lower triangle of p with every diagonal entry
// present, last in its row. p must be square.
func (p *Pattern) WithDiagonal() (*Pattern, error) {
	if p.rows != p.cols {
		return nil, &ShapeError{What: "number of columns", Got: p.cols, Want: p.rows}
	}
	return p.StrictLower().appendDiagonal(), nil
}

// appendDiagonal adds the diagonal to a strictly lower pattern.
func (p *Pattern) appendDiagonal() *Pattern {
	ptr := make([]int, p.rows+1)
	idx := make([]int32, 0, len(p.idx)+p.rows)
	for i := range p.rows {
		idx = append(append(idx, p.Row(i)...), int32(i))
		ptr[i+1] = len(idx)
	}
	return &Pattern{rows: p.rows, cols: p.cols, ptr: ptr, idx: idx}
}

// Symmetrized returns the pattern of A + A' of a square matrix, both triangles
// stored. Cost: O(rows + nnz).
func (p *Pattern) Symmetrized() (*Pattern, error) {
	if p.rows != p.cols {
		return nil, &ShapeError{What: "number of columns", Got: p.cols, Want: p.rows}
	}
	return union2(p, p.Transpose()), nil
}

// Union returns the pattern that holds every entry of the given ones, which
// must agree in size; a single one (or equal ones) is returned itself. Cost:
// O(rows + nnz) for two patterns, times log₂ of their number for more.
func Union(ps ...*Pattern) (*Pattern, error) {
	if len(ps) == 0 {
		return nil, &ShapeError{What: "number of patterns", Msg: "none given"}
	}
	for k, p := range ps {
		if p == nil {
			return nil, &ShapeError{What: fmt.Sprintf("pattern %d", k), Msg: "nil"}
		}
		if p.rows != ps[0].rows {
			return nil, &ShapeError{What: fmt.Sprintf("rows of pattern %d", k), Got: p.rows, Want: ps[0].rows}
		}
		if p.cols != ps[0].cols {
			return nil, &ShapeError{What: fmt.Sprintf("columns of pattern %d", k), Got: p.cols, Want: ps[0].cols}
		}
	}
	return unionTree(ps), nil
}

// unionTree halves the list so that k patterns cost log k merges each.
func unionTree(ps []*Pattern) *Pattern {
	if len(ps) == 1 {
		return ps[0]
	}
	h := len(ps) / 2
	return union2(unionTree(ps[:h]), unionTree(ps[h:]))
}

func union2(p, q *Pattern) *Pattern {
	if p.Equal(q) {
		return p
	}
	ptr := make([]int, p.rows+1)
	for i := range p.rows { // count first: the result has no slack
		a, b := p.Row(i), q.Row(i)
		n := len(a) + len(b)
		for x, y := 0, 0; x < len(a) && y < len(b); {
			switch {
			case a[x] < b[y]:
				x++
			case a[x] > b[y]:
				y++
			default:
				n--
				x++
				y++
			}
		}
		ptr[i+1] = ptr[i] + n
	}
	switch ptr[p.rows] {
	case len(p.idx):
		return p // q ⊂ p
	case len(q.idx):
		return q
	}
	idx := make([]int32, 0, ptr[p.rows])
	for i := range p.rows {
		a, b := p.Row(i), q.Row(i)
		for len(a) > 0 && len(b) > 0 {
			switch {
			case a[0] < b[0]:
				idx = append(idx, a[0])
				a = a[1:]
			case a[0] > b[0]:
				idx = append(idx, b[0])
				b = b[1:]
			default:
				idx = append(idx, a[0])
				a, b = a[1:], b[1:]
			}
		}
		idx = append(append(idx, a...), b...)
	}
	return &Pattern{rows: p.rows, cols: p.cols, ptr: ptr, idx: idx}
}
