package sparse

import "slices"

// triplets holds entries in the order given, in blocks, so that growing never
// copies: 8 bytes an entry, and 8 more once a value differs from 1.
type triplets struct {
	blocks []tripletBlock
	n      int
	valued bool // some value is not 1; the blocks before may have none
}

type tripletBlock struct {
	i, j []int32
	v    []float64 // nil: all ones
}

const maxBlock = 1 << 16

func (t *triplets) add(i, j int32, v float64) {
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last].i) == cap(t.blocks[last].i) {
		size := min(max(t.n, 64), maxBlock)
		b := tripletBlock{i: make([]int32, 0, size), j: make([]int32, 0, size)}
		if t.valued {
			b.v = make([]float64, 0, size)
		}
		t.blocks = append(t.blocks, b)
		last++
	}
	b := &t.blocks[last]
	if b.v == nil && v != 1 {
		b.v = make([]float64, len(b.i), cap(b.i))
		for k := range b.v {
			b.v[k] = 1
		}
		t.valued = true
	}
	if b.v != nil {
		b.v = append(b.v, v)
	}
	b.i, b.j = append(b.i, i), append(b.j, j)
	t.n++
}

// each calls f with every entry and its ordinal until f returns false.
func (t *triplets) each(f func(k int, i, j int32, v float64) bool) {
	k := 0
	for _, b := range t.blocks {
		for e := range b.i {
			v := 1.0
			if b.v != nil {
				v = b.v[e]
			}
			if !f(k, b.i[e], b.j[e], v) {
				return
			}
			k++
		}
	}
}

// duplicate names an entry given more than once.
type duplicate struct{ row, col int32 }

// side says which entries compress takes and where it puts them.
type side uint8

const (
	asGiven   side = iota
	folded         // (i, j) with i < j goes to (j, i)
	lowerOnly      // j ≤ i
	upperOnly      // i < j, put at (j, i)
)

func (s side) place(i, j int32) (row, col int32, ok bool) {
	switch {
	case s == asGiven:
		return i, j, true
	case i < j:
		return j, i, s != lowerOnly
	}
	return i, j, s != upperOnly
}

// compress sorts the entries into rows. Duplicates are added up in the order
// given if sum is set; otherwise the first in row order is returned.
// O(rows + entries), plus sorting of those rows whose columns did not come in
// order.
func (t *triplets) compress(rows, cols int, s side, sum bool) (*Pattern, []float64, *duplicate) {
	ptr := make([]int, rows+1)
	for _, b := range t.blocks {
		for e, i := range b.i {
			if row, _, ok := s.place(i, b.j[e]); ok {
				ptr[row+1]++
			}
		}
	}
	for i := range rows {
		ptr[i+1] += ptr[i]
	}
	idx, v := make([]int32, ptr[rows]), make([]float64, ptr[rows])
	for _, b := range t.blocks { // ptr[i] runs ahead as the cursor of row i
		for e, i := range b.i {
			row, col, ok := s.place(i, b.j[e])
			if !ok {
				continue
			}
			at := ptr[row]
			ptr[row]++
			idx[at], v[at] = col, 1
			if b.v != nil {
				v[at] = b.v[e]
			}
		}
	}
	copy(ptr[1:], ptr[:rows]) // cursors ended where the next row begins
	ptr[0] = 0

	var sorter rowSorter
	out := 0
	for i, start := 0, 0; i < rows; i++ {
		end := ptr[i+1]
		sorter.sort(idx[start:end], v[start:end])
		first := out
		for k := start; k < end; k++ {
			if out > first && idx[out-1] == idx[k] {
				if !sum {
					return nil, nil, &duplicate{int32(i), idx[k]}
				}
				v[out-1] += v[k]
				continue
			}
			idx[out], v[out] = idx[k], v[k]
			out++
		}
		start, ptr[i+1] = end, out
	}
	if out < len(idx)-len(idx)/8 { // summed away: give the slack back
		idx, v = slices.Clone(idx[:out]), slices.Clone(v[:out])
	}
	return &Pattern{rows: rows, cols: cols, ptr: ptr, idx: idx[:out:out]}, v[:out:out], nil
}

// rowSorter sorts the columns of a row, carrying values along; equal columns
// keep their order. Its scratch is reused from row to row.
type rowSorter struct {
	keys []uint64
	vals []float64
}

func (s *rowSorter) sort(idx []int32, v []float64) {
	if slices.IsSorted(idx) {
		return
	}
	if len(idx) <= 24 {
		for k := 1; k < len(idx); k++ {
			c, x := idx[k], v[k]
			h := k
			for ; h > 0 && idx[h-1] > c; h-- {
				idx[h], v[h] = idx[h-1], v[h-1]
			}
			idx[h], v[h] = c, x
		}
		return
	}
	// Column and place in one word: unique keys, so any sort is stable.
	s.keys, s.vals = s.keys[:0], append(s.vals[:0], v...)
	for k, c := range idx {
		s.keys = append(s.keys, uint64(c)<<32|uint64(uint32(k)))
	}
	slices.Sort(s.keys)
	for k, key := range s.keys {
		idx[k], v[k] = int32(key>>32), s.vals[uint32(key)]
	}
}
