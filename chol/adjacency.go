package chol

import (
	"math"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// adjacency is the graph of a symmetric matrix: for every node the other ends
// of its edges, with the position of each edge's value in the caller's
// pattern (the lower entry). diag[i] is the position of entry (i, i).
type adjacency struct {
	n    int
	ptr  []int
	idx  []int32
	pos  []int32
	diag []int32

	parts int // that passes over it are split into, to go side by side
}

// newAdjacency reads the entries j ≤ i of p. Neighbours come sorted.
func newAdjacency(p *sparse.Pattern) (*adjacency, error) {
	n, cols := p.Dims()
	if n != cols {
		return nil, &ShapeError{What: "number of columns", Got: cols, Want: n}
	}
	if p.NNZ() > math.MaxInt32 {
		return nil, &MemoryError{Need: int64(p.NNZ()) * 4, Limit: math.MaxInt32 * 4, What: "the index of the pattern (more than 2^31 entries)"}
	}
	pptr, pidx := p.Ptr(), p.Idx()
	ptr := make([]int, n+1)
	diag := make([]int32, n)
	for i := range n {
		has := false
		for k := pptr[i]; k < pptr[i+1]; k++ {
			j := int(pidx[k])
			if j >= i {
				if has = j == i; has {
					diag[i] = int32(k)
				}
				break
			}
			ptr[i+1]++
			ptr[j+1]++
		}
		if !has {
			return nil, &PatternError{Row: i, Msg: "the diagonal entry is missing; a positive definite matrix has one in every row (sparse.Pattern.WithDiagonal adds them)"}
		}
	}
	for i := range n {
		ptr[i+1] += ptr[i]
	}
	idx := make([]int32, ptr[n])
	pos := make([]int32, ptr[n])
	next := make([]int, n)
	copy(next, ptr)
	// Row i appends its lower neighbours to itself, then i to each of them;
	// row by row both stay sorted.
	for i := range n {
		for k := pptr[i]; k < pptr[i+1]; k++ {
			j := int(pidx[k])
			if j >= i {
				break
			}
			a := next[i]
			idx[a], pos[a] = int32(j), int32(k)
			next[i] = a + 1
			a = next[j]
			idx[a], pos[a] = int32(i), int32(k)
			next[j] = a + 1
		}
	}
	return &adjacency{n: n, ptr: ptr, idx: idx, pos: pos, diag: diag, parts: 1}, nil
}

// permuted returns the graph with node perm[k] renamed k, so that passes over
// it in elimination order walk through memory. Neighbours are not sorted.
func (g *adjacency) permuted(perm []int32) *adjacency {
	h := &adjacency{n: g.n, ptr: make([]int, g.n+1), idx: make([]int32, len(g.idx)),
		pos: make([]int32, len(g.idx)), diag: make([]int32, g.n), parts: g.parts}
	iperm := invert(perm)
	length := make([]int, g.parts+1)
	if g.parts > 1 {
		inParts(g.parts, g.n, func(part, lo, hi int) {
			sum := 0
			for _, v := range perm[lo:hi] {
				sum += g.ptr[v+1] - g.ptr[v]
			}
			length[part+1] = sum
		})
	}
	for k := range g.parts {
		length[k+1] += length[k]
	}
	inParts(g.parts, g.n, func(part, lo, hi int) {
		at := length[part]
		for k := lo; k < hi; k++ {
			v := perm[k]
			h.diag[k] = g.diag[v]
			row := g.idx[g.ptr[v]:g.ptr[v+1]]
			pos := g.pos[g.ptr[v]:][:len(row)]
			to, toPos := h.idx[at:][:len(row)], h.pos[at:][:len(row)]
			for q, u := range row {
				to[q], toPos[q] = iperm[u], pos[q]
			}
			at += len(row)
			h.ptr[k+1] = at
		}
	})
	return h
}

// invert returns the inverse of a permutation.
func invert(perm []int32) []int32 {
	inv := make([]int32, len(perm))
	for k, v := range perm {
		inv[v] = int32(k)
	}
	return inv
}
