package chol

import (
	"context"
	"slices"
	"sort"
)

// Inverse holds the entries of A⁻¹ on the pattern of L + L', more than
// SelectedInverse returns: every pair of rows that the elimination couples.
// It takes as much memory as the factor.
type Inverse struct {
	sym *Symbolic
	z   []float64
}

// InverseOnFactor computes the entries of A⁻¹ on the pattern of L + L'.
func (f *Factor) InverseOnFactor(ctx context.Context) (*Inverse, error) {
	if err := f.check("", 0, 0); err != nil {
		return nil, err
	}
	inv := &Inverse{sym: f.sym, z: make([]float64, f.sym.layout.inverseSize())}
	if err := f.invert(ctx, wanted{f: f, onFactor: inv.z}); err != nil {
		return nil, err
	}
	return inv, nil
}

// At returns entry (i, j) of A⁻¹ in the caller's numbering; ok is false where
// it was not computed, or outside the matrix. Cost: two binary searches.
func (v *Inverse) At(i, j int) (z float64, ok bool) {
	n := v.sym.N()
	if uint(i) >= uint(n) || uint(j) >= uint(n) {
		return 0, false
	}
	row, col := v.sym.layout.place(int32(i)), v.sym.layout.place(int32(j))
	if row < col {
		row, col = col, row
	}
	at, ok := v.sym.layout.find(row, col)
	if !ok {
		return 0, false
	}
	return v.z[at], true
}

func (st *structure) find(row, col int32) (int, bool) {
	s := sort.Search(len(st.nodes), func(k int) bool { return st.nodes[k].start > col }) - 1
	nd := &st.nodes[s]
	at := row - nd.start
	if at >= nd.w {
		k, found := slices.BinarySearch(st.rows[nd.rows:nd.rows+int(nd.r)], row)
		if !found {
			return 0, false
		}
		at = nd.w + int32(k)
	}
	return nd.panel + int(col-nd.start)*int(nd.ld) + int(at), true
}
