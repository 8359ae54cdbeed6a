package chol

import (
	"slices"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
)

// columns is the index part of a simplicial factor: A = P' L D L' P with L unit
// lower triangular, its columns compressed, in postorder. With entries x of
// column k at rows r, column k subtracts d_k x_a x_b from entry (r_b, r_a) for
// every a < b, whose place is in pairs, and d_k x_a² from pivot r_a. So nothing
// is searched once the pattern is known, but pairs takes memory where columns are
// long: this is for short ones.
type columns struct {
	perm  []int32 // perm[k]: caller's row that is eliminated k-th
	iperm []int32
	ptr   []int32 // column k is rows[ptr[k]:ptr[k+1]], and so in the factor's values
	rows  []int32 // ascending
	src   []int32 // position of the entry of A in the caller's values, or -1
	diag  []int32 // position of the diagonal entry
	pairs []int32 // for a < b of columns 0, 1, …: place in the factor's values

	parent []int32 // elimination tree
}

// maxColumnIndex bounds the entries that columns can count.
const maxColumnIndex = 1<<31 - 1 - kernel.Ahead

// pairCount returns the number of pairs of a column with m rows.
func pairCount(m int) int { return m * (m - 1) / 2 }

// newColumns lays out the factor for the order o. Row i occurs in the columns of
// its row subtree, the paths from the columns of its entries left of the diagonal
// up to i (Liu 1990); taking the rows in order leaves every column sorted.
func newColumns(o *order) *columns {
	g, n := o.graph, o.graph.n
	s := &columns{perm: make([]int32, n), ptr: make([]int32, n+1), diag: make([]int32, n), parent: o.parent}
	iperm := invert(o.perm)
	total, pairs := int32(0), 0
	for k, c := range o.count {
		s.ptr[k] = total
		total += c - 1
		pairs += pairCount(int(c) - 1)
	}
	s.ptr[n] = total
	s.rows = make([]int32, total, total+kernel.Ahead)
	s.src = make([]int32, total)
	next := make([]int32, 2*n)
	next, mark := next[:n], next[n:] // mark[j]-1 is the last row found in column j
	copy(next, s.ptr)
	for i, v := range o.perm {
		s.diag[i] = g.diag[v]
		pos := g.pos[g.ptr[v]:g.ptr[v+1]]
		for q, u := range g.idx[g.ptr[v]:g.ptr[v+1]] {
			j := iperm[u]
			if int(j) >= i {
				continue
			}
			for t := j; int(t) != i && int(mark[t]) != i+1; t = o.parent[t] {
				s.rows[next[t]], s.src[next[t]] = int32(i), -1
				next[t]++
				mark[t] = int32(i) + 1
			}
			s.src[next[j]-1] = pos[q] // row i is the last so far
		}
	}
	s.fillPairs(pairs, next)
	for k, j := range o.perm { // back to the caller's rows
		s.perm[k] = o.nodes[j]
	}
	s.iperm = invert(s.perm)
	return s
}

// fillPairs finds the place of every pair of rows of a column, from the last
// column down: the rows of a column other than its parent are rows of the
// parent, whose pairs are known. work has length n.
func (s *columns) fillPairs(total int, work []int32) {
	if total == 0 {
		return
	}
	s.pairs = make([]int32, total)
	first := work // of the pairs of every column
	end := int32(total)
	var rel []int32
	for k := len(s.parent) - 1; k >= 0; k-- {
		c := s.rows[s.ptr[k]:s.ptr[k+1]]
		end -= int32(pairCount(len(c)))
		first[k] = end
		if len(c) < 2 {
			continue
		}
		p := c[0]
		base := s.ptr[p]
		up := s.rows[base:s.ptr[p+1]]
		rel = rel[:0]
		at := int32(0)
		out := s.pairs[end:]
		for b, i := range c[1:] {
			for up[at] != i {
				at++
			}
			rel = append(rel, at)
			out[b] = base + at
		}
		out = out[len(rel):]
		m := len(up)
		for a, x := range rel {
			// Pairs (x, y) of the parent begin at y = x+1.
			from := int(first[p]) + int(x)*(2*m-int(x)-1)/2 - int(x) - 1
			for b, y := range rel[a+1:] {
				out[b] = s.pairs[from+int(y)]
			}
			out = out[len(rel)-a-1:]
		}
	}
}

func (s *columns) place(i int32) int32 { return s.iperm[i] }

func (s *columns) size() int        { return len(s.rows) }
func (s *columns) inverseSize() int { return len(s.rows) + len(s.perm) }

func (s *columns) find(row, col int32) (int, bool) {
	if row == col {
		return len(s.rows) + int(row), true
	}
	k, ok := slices.BinarySearch(s.rows[s.ptr[col]:s.ptr[col+1]], row)
	return int(s.ptr[col]) + k, ok
}

func (s *columns) measure(f *Forecast, p *plan) {
	n, m := int64(len(s.perm)), int64(len(s.rows))
	for k := range n {
		r := float64(s.ptr[k+1] - s.ptr[k])
		f.InverseFlops += 2*r*r + 2*r
	}
	f.StoredL = n + m
	f.Bytes = 8 * (n + m)
	f.WorkBytes = p.bytes(p.factor)
	f.InverseWorkBytes = p.bytes(p.inverse)
	f.IndexBytes = 4*(5*n+1) + 8*m + 4*int64(len(s.pairs)) + 24*int64(len(p.upper))
}
