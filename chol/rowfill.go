package chol

import (
	"sync/atomic"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
)

// rowFiller finds the row lists of supernodes; see fillRows.
type rowFiller struct {
	st *structure
	g  *adjacency
	of []int32 // the supernode of every column
}

// fill takes all rows. Those of a subtree occur in its supernodes only, so that
// subtrees go in parallel, and then the rows above them.
func (f *rowFiller) fill(parts int) {
	nodes := f.st.nodes
	if parts == 1 {
		f.rows(0, int32(len(nodes)))
		return
	}
	roots := f.subtrees(int32(len(f.of) / (8 * parts)))
	var next atomic.Int32
	inParts(parts, parts, func(_, _, _ int) {
		for {
			k := int(next.Add(1)) - 1
			if k >= len(roots) {
				return
			}
			f.rows(nodes[roots[k]].first, roots[k]+1)
		}
	})
	at := int32(0)
	for _, s := range roots {
		f.rows(at, nodes[s].first)
		at = s + 1
	}
	f.rows(at, int32(len(nodes)))
}

// subtrees returns the roots of the largest subtrees of at most the given number
// of columns, in their order.
func (f *rowFiller) subtrees(columns int32) (roots []int32) {
	nodes := f.st.nodes
	size := func(s int32) int32 { return nodes[s].start + nodes[s].w - nodes[nodes[s].first].start }
	for s := range int32(len(nodes)) {
		if p := nodes[s].parent; size(s) <= columns && (p < 0 || size(p) > columns) {
			roots = append(roots, s)
		}
	}
	return roots
}

// rows takes the rows of the supernodes from ≤ s < to.
func (f *rowFiller) rows(from, to int32) {
	st, g := f.st, f.g
	nodes, perm, iperm, of, rows, scatter := st.nodes, st.perm, st.iperm, f.of, st.rows, st.scatter
	for si := from; si < to; si++ {
		own := &nodes[si]
		start, w := own.start, own.w
		for i := start; i < start+w; i++ {
			v := perm[i]
			scatter[own.scatEnd] = kernel.Entry{Src: g.diag[v], Dst: (i - start) * (own.ld + 1)}
			own.scatEnd++
			pos := g.pos[g.ptr[v]:g.ptr[v+1]]
			for k, x := range g.idx[g.ptr[v]:g.ptr[v+1]] {
				j := iperm[x]
				if j >= i {
					continue
				}
				nd := own
				row := i - start
				if j < start {
					s := of[j]
					nd = &nodes[s]
					for t := s; t != si; {
						b := &nodes[t]
						if b.runs == i+1 {
							break
						}
						rows[b.rows+int(b.nruns)] = i
						b.nruns++
						b.runs = i + 1
						t = b.parent
					}
					row = nd.w + nd.nruns - 1 // i is the last row so far
				}
				scatter[nd.scatEnd] = kernel.Entry{Src: pos[k], Dst: (j-nd.start)*nd.ld + row}
				nd.scatEnd++
			}
		}
	}
}
