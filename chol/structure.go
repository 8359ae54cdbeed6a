package chol

import (
	"math"
	"sync"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
)

// node is one supernode: w pivot columns from start, over r further rows. Its
// panel is column-major, (w+r)×w with leading dimension ld, rows in the order
// pivots, then rows[...]. Only the trapezoid on and below the diagonal means
// anything. 64 bytes, so that a pass over the tree is a linear scan.
type node struct {
	start, w, r int32
	ld          int32 // leading dimension of the panel, and of the inverse's front
	ldu         int32 // leading dimension of the r×r update matrix, or of its first strip
	parent      int32 // -1 for a root
	first       int32 // first node of the subtree; the children of s are s-1, first[s-1]-1, …
	nruns       int32 // > 0: rel is nruns runs of consecutive integers, listed in runs
	panel       int   // offset of the panel in the factor's values
	rows        int   // offset of the r rows in rows, and of their relative indices in rel
	runs        int32 // offset of the runs
	scatEnd     int32 // entries of A in the panel: scatter[previous scatEnd : scatEnd]
	big         bool  // computed in blocks
}

// structure is the index part of the factor. Row lists are held once a
// supernode, so its size is far below nnz(L).
type structure struct {
	nodes   []node
	perm    []int32 // perm[k]: caller's row that is eliminated k-th
	iperm   []int32
	rows    []int32 // global (eliminated) row numbers, ascending; goes on for kernel.Ahead
	rel     []int32 // position of each row in the parent's front
	runs    []kernel.Run
	scatter []kernel.Entry // padded by kernel.Ahead on both sides
	lsize   int            // length of the factor's values
	maxRows int            // largest r

	forward     []int // see forwardAt
	forwardOnce sync.Once
}

func (st *structure) size() int             { return st.lsize }
func (st *structure) inverseSize() int      { return st.lsize }
func (st *structure) place(row int32) int32 { return st.iperm[row] }

// panel returns the panel of s in the factor's values l.
func (st *structure) panel(l []float64, s int32) []float64 {
	nd := &st.nodes[s]
	return l[nd.panel : nd.panel+int(nd.ld)*int(nd.w)]
}

// soonBytes is how much of a front that comes soon is fetched ahead.
const soonBytes = 8192

// leading returns the leading dimension for columns of m entries: large ones
// start on cache lines and avoid strides that map to few cache sets.
func leading(m int) int {
	if m < 32 {
		return m
	}
	m = (m + 7) &^ 7
	if m%64 == 0 {
		m += 8
	}
	return m
}

// minRunLength is the average length from which copying by runs beats
// scattering entry by entry.
const minRunLength = 2

// newStructure lays out the factor of the matrix g under the order perm (in g's
// numbering), whose tree is t, and sorts the columns within supernodes. Cost:
// O(nnz(A) + total length of the row lists).
func newStructure(g *adjacency, perm []int32, t *supertree, tune tuning) (*structure, error) {
	ns := len(t.r)
	iperm, later := reorderColumns(g, perm, t)
	st := &structure{nodes: make([]node, ns), perm: perm, iperm: iperm}
	total, size := 0, int64(0)
	for s := range st.nodes {
		w, r := t.start[s+1]-t.start[s], t.r[s]
		ld, ldu := leading(int(w+r)), leading(int(r))
		if int64(ld)*int64(w+r) > math.MaxInt32 {
			return nil, &MemoryError{Need: int64(ld) * int64(w+r) * 8, Limit: math.MaxInt32 * 8, What: "one front (a dense block of the factor)"}
		}
		if ld >= 32 {
			size = (size + 7) &^ 7
		}
		st.nodes[s] = node{start: t.start[s], w: w, r: r, ld: int32(ld), ldu: int32(ldu),
			parent: t.parent[s], first: int32(s), panel: int(size), rows: total,
			big: int(w)*ld*ld >= tune.bigWork}
		total += int(r)
		st.maxRows = max(st.maxRows, int(w+r))
		size += int64(ld) * int64(w)
	}
	if size > math.MaxInt/16 {
		return nil, &MemoryError{Need: math.MaxInt64, Limit: math.MaxInt, What: "the factor"}
	}
	st.lsize = int(size)
	for s := range st.nodes { // children come first
		if p := t.parent[s]; p >= 0 {
			st.nodes[p].first = min(st.nodes[p].first, st.nodes[s].first)
		}
	}
	st.rows = make([]int32, total, total+kernel.Ahead)
	st.fillRows(g, later)
	st.relate()
	return st, nil
}

// fillRows finds the row lists and the scatter of A. Row i occurs in the
// supernodes of its row subtree: the paths from the columns of its entries
// left of the diagonal up to the supernode of i itself (Liu 1990). Taking the
// rows in order leaves every list sorted. later is as in reorderColumns.
func (st *structure) fillRows(g *adjacency, later []int32) {
	nodes := st.nodes
	f := &rowFiller{st: st, g: g, of: make([]int32, len(st.perm))}
	// Fields of a node that are not in use yet serve as working storage, next to
	// what the walk needs anyway: nruns counts the rows found, runs−1 is the last
	// of them, and scatEnd is where the next entry goes, in the end the end.
	end := int32(kernel.Ahead)
	for s := range nodes {
		nd := &nodes[s]
		nd.scatEnd = end
		end += nd.w + later[s]
		for k := nd.start; k < nd.start+nd.w; k++ {
			f.of[k] = int32(s)
		}
	}
	st.scatter = make([]kernel.Entry, end+kernel.Ahead)
	f.fill(g.parts)
	for s := range nodes {
		nd := &nodes[s]
		if nd.nruns != nd.r {
			panic("chol: row structure disagrees with the column counts")
		}
		nd.nruns, nd.runs = 0, 0
	}
}

// relate finds the position of every supernode's rows in its parent's front
// (Schreiber 1982, ACM TOMS 8:256), and their runs where these are long.
func (st *structure) relate() {
	nodes := st.nodes
	st.rel = make([]int32, len(st.rows))
	at := make([]int32, len(st.perm))
	for s := range nodes {
		p := &nodes[s]
		if int(p.first) == s {
			continue
		}
		for k, i := range st.rows[p.rows : p.rows+int(p.r)] {
			at[i] = p.w + int32(k)
		}
		end := p.start + p.w
		for c := int32(s) - 1; c >= p.first; c = nodes[c].first - 1 {
			nd := &nodes[c]
			rows := st.rows[nd.rows : nd.rows+int(nd.r)]
			rel := st.rel[nd.rows : nd.rows+int(nd.r)]
			runs, last := 0, int32(-2)
			for k, i := range rows {
				d := i - p.start
				if i >= end {
					d = at[i]
				}
				rel[k] = d
				if d != last+1 {
					runs++
				}
				last = d
			}
			if runs*minRunLength > len(rel) || len(st.runs)+runs >= math.MaxInt32 {
				continue
			}
			nd.runs, nd.nruns = int32(len(st.runs)), int32(runs)
			last = -2
			for k, d := range rel {
				if d != last+1 {
					st.runs = append(st.runs, kernel.Run{Src: int32(k), Dst: d})
				}
				last = d
			}
			st.runs = append(st.runs, kernel.Run{Src: nd.r})
		}
	}
}

// flops returns the operations of one front in the factorization and in the
// selected inverse (multiplications and additions).
func (nd *node) flops() (factor, inverse float64) {
	w, r := float64(nd.w), float64(nd.r)
	nr := w + r
	// Σ_{k<w} (nr-k)²
	factor = w*nr*nr - nr*w*(w-1) + (w-1)*w*(2*w-1)/6
	// Y = L21 L11⁻¹, Z21 = -Z22 Y, Z11 = (L11 L11')⁻¹ - Y' Z21 (lower half)
	inverse = w*w*r + 2*r*r*w + w*w*w*2/3 + w*w*r
	return factor, inverse
}
