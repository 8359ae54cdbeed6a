package interop

import (
	"fmt"
	"math"
	"slices"

	jb "github.com/james-bowman/sparse"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// FromJB converts a james-bowman CSR, sharing its values and row offsets,
// which must not be edited structurally afterwards. If a row's columns are not
// in order (it does not ask for that), everything is copied and sorted; shared
// says which happened. A repeated column or one out of range is an error.
func FromJB(a *jb.CSR) (out *sparse.CSR, shared bool, err error) {
	raw := a.RawMatrix()
	if len(raw.Indptr) != raw.I+1 || raw.Indptr[0] != 0 {
		return nil, false, &sparse.ShapeError{What: "Indptr", Msg: fmt.Sprintf("%d offsets for %d rows; they must be one more, starting at 0", len(raw.Indptr), raw.I)}
	}
	nnz := raw.Indptr[raw.I]
	if nnz < 0 || len(raw.Ind) < nnz || len(raw.Data) < nnz {
		return nil, false, &sparse.ShapeError{What: "Indptr", Msg: fmt.Sprintf("ends at %d, with %d indices and %d values", nnz, len(raw.Ind), len(raw.Data))}
	}
	idx := make([]int32, nnz)
	sorted := true
	for i := range raw.I {
		lo, hi := raw.Indptr[i], raw.Indptr[i+1]
		if lo > hi || hi > nnz {
			return nil, false, &sparse.ShapeError{What: "Indptr", Msg: fmt.Sprintf("offsets decrease at row %d", i)}
		}
		for k := lo; k < hi; k++ {
			j := raw.Ind[k]
			if j < 0 || j >= raw.J || j > math.MaxInt32 {
				return nil, false, &sparse.EntryError{Row: i, Col: j, Fault: sparse.FaultRange, Msg: fmt.Sprintf("column outside 0…%d", raw.J-1)}
			}
			idx[k] = int32(j)
		}
		sorted = sorted && slices.IsSorted(idx[lo:hi])
	}
	if !sorted {
		b := sparse.NewBuilder(raw.I, raw.J)
		for i := range raw.I {
			for k := raw.Indptr[i]; k < raw.Indptr[i+1]; k++ {
				b.Add(i, raw.Ind[k], raw.Data[k])
			}
		}
		out, err = b.CSR(sparse.ErrorOnDuplicates)
		return out, false, err
	}
	p, err := sparse.NewPattern(raw.I, raw.J, raw.Indptr, idx)
	if err != nil {
		return nil, false, err
	}
	out, err = sparse.NewCSR(p, raw.Data[:nnz:nnz])
	return out, err == nil, err
}

// ToJB converts to a james-bowman CSR that shares values and row offsets with
// a. Changing values through it changes a; storing new entries through it must
// be avoided, since it edits the offsets in place.
func ToJB(a *sparse.CSR) *jb.CSR {
	p := a.Pattern()
	idx := make([]int, p.NNZ())
	for k, j := range p.Idx() {
		idx[k] = int(j)
	}
	r, c := p.Dims()
	return jb.NewCSR(r, c, p.Ptr(), idx, a.Values())
}
