package sparse

import "fmt"

// Perm is a permutation of n things: position k of the new order holds thing
// p[k] of the old. For an elimination order, p[k] is the node eliminated k-th.
type Perm []int32

// IdentityPerm returns the permutation that changes nothing.
func IdentityPerm(n int) Perm {
	p := make(Perm, n)
	for i := range p {
		p[i] = int32(i)
	}
	return p
}

// Validate returns an *EntryError (Row is the position) unless every index
// 0…n-1 occurs once.
func (p Perm) Validate() error {
	seen := make([]bool, len(p))
	for k, i := range p {
		if i < 0 || int(i) >= len(p) {
			return &EntryError{Row: k, Col: int(i), Fault: FaultRange, Msg: fmt.Sprintf("permutation index outside 0…%d", len(p)-1)}
		}
		if seen[i] {
			return &EntryError{Row: k, Col: int(i), Fault: FaultDuplicate, Msg: "permutation index given twice"}
		}
		seen[i] = true
	}
	return nil
}

// Valid reports whether every index 0…n-1 occurs once.
func (p Perm) Valid() bool { return p.Validate() == nil }

// Inverse returns q with q[p[k]] = k: the new position of each old thing. p
// must be valid.
func (p Perm) Inverse() Perm {
	q := make(Perm, len(p))
	for k, i := range p {
		q[i] = int32(k)
	}
	return q
}

// ApplyTo writes the vector in the new order, dst[k] = x[p[k]]. dst must not
// overlap x; it panics on wrong lengths.
func (p Perm) ApplyTo(dst, x []float64) {
	if len(dst) != len(p) || len(x) != len(p) {
		panic("sparse: wrong vector length")
	}
	for k, i := range p {
		dst[k] = x[i]
	}
}

// ApplyInverseTo undoes ApplyTo, dst[p[k]] = x[k]. dst must not overlap x.
func (p Perm) ApplyInverseTo(dst, x []float64) {
	if len(dst) != len(p) || len(x) != len(p) {
		panic("sparse: wrong vector length")
	}
	for k, i := range p {
		dst[i] = x[k]
	}
}

func (p Perm) check(n int) error {
	if len(p) != n {
		return &ShapeError{What: "length of permutation", Got: len(p), Want: n}
	}
	return p.Validate()
}

// Symmetric returns the matrix in the new order, entry (k, l) of the result
// being entry (p[k], p[l]) of a. Cost: O(n + nnz), plus sorting within rows.
func (p Perm) Symmetric(a *Symmetric) (*Symmetric, error) {
	if err := p.check(a.p.rows); err != nil {
		return nil, err
	}
	q, v := p.lower(a.p, a.v)
	return &Symmetric{q, v}, nil
}

// Graph returns the graph with its nodes in the new order: node k of the
// result is node p[k] of g.
func (p Perm) Graph(g *Graph) (*Graph, error) {
	if err := p.check(g.N()); err != nil {
		return nil, err
	}
	q, v := p.lower(g.p, g.w)
	return &Graph{q, v}, nil
}

// lower permutes a lower triangle, reflecting entries that land above.
func (p Perm) lower(a *Pattern, values []float64) (*Pattern, []float64) {
	inv := p.Inverse()
	ptr := make([]int, a.rows+1)
	for i := range a.rows {
		for _, j := range a.Row(i) {
			ptr[max(inv[i], inv[j])+1]++
		}
	}
	for i := range a.rows {
		ptr[i+1] += ptr[i]
	}
	idx, v := make([]int32, len(a.idx)), make([]float64, len(a.idx))
	next := append([]int(nil), ptr[:a.rows]...)
	for i := range a.rows {
		for k := a.ptr[i]; k < a.ptr[i+1]; k++ {
			r, c := inv[i], inv[a.idx[k]]
			if r < c {
				r, c = c, r
			}
			idx[next[r]], v[next[r]] = c, values[k]
			next[r]++
		}
	}
	var s rowSorter
	for i := range a.rows {
		s.sort(idx[ptr[i]:ptr[i+1]], v[ptr[i]:ptr[i+1]])
	}
	return &Pattern{rows: a.rows, cols: a.cols, ptr: ptr, idx: idx}, v
}
