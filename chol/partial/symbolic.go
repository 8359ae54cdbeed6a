package partial

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/internal/pool"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// Symbolic is what does not depend on values: the order of elimination and
// where everything is. It is immutable and may be shared by goroutines.
//
// Nodes are numbered by position: the exactly eliminated ones first, then the
// core by increasing degree in the graph as given. Column v of the factor holds the later neighbours
// of v; an entry of it is a slot.
type Symbolic struct {
	opts    Options
	n       int
	first   int // first position of the core
	pattern *sparse.Pattern
	perm    []int32 // perm[k] is the caller's node at position k
	at      []int32 // its inverse

	colPtr []int   // slots of each column
	rowIdx []int32 // later neighbours, ascending: positions; in columns of the core, positions − first
	where  []int32 // of each entry of the pattern: its slot, or −1 − position on the diagonal

	pairPtr []int
	pairs   []int32 // exact columns: slots of the pairs of their neighbours, (0,1), (0,2) … (1,2) …

	triPtr    []int // core columns: kept pairs of neighbours
	triangles []triangle
	complete  []bool // all pairs are kept

	corePtr []int // colPtr of the core, from 0

	coreParts, exactParts []int32 // bounds of what one goroutine takes at a time of the columns

	workspaces *workspaces

	component  []int32 // of core nodes
	components int
}

// triangle says that neighbours a < b of a core column are themselves
// neighbours, with the given slot.
type triangle struct {
	a, b uint16
	slot int32 // − colPtr[first]
}

// Analyze eliminates nodes of small degree and arranges the factor. Entries of
// p on and below the diagonal say which entries the matrix has; every diagonal
// entry must be there.
//
// Cost: about that of minimum degree; memory as Forecast says. Errors:
// *chol.PatternError, *chol.MemoryError, *OptionError, or the context's.
func Analyze(ctx context.Context, p *sparse.Pattern, opts Options) (*Symbolic, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	n, cols := p.Dims()
	if n != cols {
		return nil, &chol.PatternError{Row: 0, Msg: fmt.Sprintf("the pattern is %d×%d, not square", n, cols)}
	}
	ptr, idx, err := adjacency(p)
	if err != nil {
		return nil, err
	}
	e := newEliminator(n, ptr, idx, opts.Cmax)
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	s := &Symbolic{opts: opts, n: n, first: len(e.order), pattern: p, workspaces: new(workspaces)}
	if err := s.arrange(ctx, e, func(v int32) int { return ptr[v+1] - ptr[v] }); err != nil {
		return nil, err
	}
	if err := s.findPairs(ctx); err != nil {
		return nil, err
	}
	if err := s.findTriangles(ctx); err != nil {
		return nil, err
	}
	s.coreComponents()
	s.divide()
	if err := s.locate(ctx); err != nil {
		return nil, err
	}
	if f := s.Forecast(); opts.MaxBytes > 0 && f.Bytes+f.Structure > opts.MaxBytes {
		return nil, s.tooLarge(f.Bytes + f.Structure)
	}
	return s, ctx.Err()
}

// adjacency returns the neighbours of every node.
func adjacency(p *sparse.Pattern) ([]int, []int32, error) {
	n, _ := p.Dims()
	ptr := make([]int, n+1)
	for i := range n {
		row := p.Row(i)
		diagonal := false
		for _, j := range row {
			switch {
			case int(j) == i:
				diagonal = true
			case int(j) < i:
				ptr[i+1]++
				ptr[j+1]++
			}
		}
		if !diagonal {
			return nil, nil, &chol.PatternError{Row: i, Msg: "has no diagonal entry"}
		}
	}
	for i := range n {
		ptr[i+1] += ptr[i]
	}
	idx := make([]int32, ptr[n])
	fill := slices.Clone(ptr[:n])
	for i := range n {
		for _, j := range p.Row(i) {
			if int(j) < i {
				idx[fill[i]] = j
				fill[i]++
				idx[fill[j]] = int32(i)
				fill[j]++
			}
		}
	}
	return ptr, idx, nil
}

// arrange numbers the nodes and lays out the columns.
func (s *Symbolic) arrange(ctx context.Context, e *eliminator, degree func(int32) int) error {
	var core []int32
	for v := range e.adj {
		if !e.isGone(v) {
			core = append(core, int32(v))
		}
	}
	slices.SortStableFunc(core, func(a, b int32) int { return degree(a) - degree(b) })
	s.perm = append(e.order, core...)
	at := make([]int32, s.n)
	for k, v := range s.perm {
		at[v] = int32(k)
	}
	s.at = at
	s.colPtr = make([]int, s.n+1)
	for k, v := range s.perm {
		d := 0
		if k < s.first {
			d = len(e.columns[k])
		} else {
			for _, u := range e.adj[v] {
				if at[u] > int32(k) {
					d++
				}
			}
		}
		s.colPtr[k+1] = s.colPtr[k] + d
	}
	if s.colPtr[s.n] > math.MaxInt32 {
		return s.tooLarge(int64(s.colPtr[s.n]) * 16)
	}
	s.rowIdx = make([]int32, s.colPtr[s.n])
	return s.blocks(ctx, s.n, func(_, lo, hi int) error {
		for k := lo; k < hi; k++ {
			col := s.rowIdx[s.colPtr[k]:s.colPtr[k]:s.colPtr[k+1]]
			if k < s.first {
				for _, u := range e.columns[k] {
					col = append(col, at[u])
				}
			} else {
				for _, u := range e.adj[s.perm[k]] {
					if at[u] > int32(k) {
						col = append(col, at[u]-int32(s.first))
					}
				}
			}
			slices.Sort(col)
		}
		return nil
	})
}

// blocks runs fn for the numbers below n in blocks, on all threads.
func (s *Symbolic) blocks(ctx context.Context, n int, fn func(worker, lo, hi int) error) error {
	return pool.Run(ctx, pool.Threads(s.opts.Threads), (n+columnBlock-1)/columnBlock, func(w, b int) error {
		return fn(w, b*columnBlock, min(n, (b+1)*columnBlock))
	})
}

func (s *Symbolic) tooLarge(need int64) error {
	limit := s.opts.MaxBytes
	if limit == 0 {
		limit = math.MaxInt32
	}
	return &chol.MemoryError{Need: need, Limit: limit, What: fmt.Sprintf("partial elimination up to degree %d", s.opts.Cmax)}
}

// column returns where column k's slots begin and its rows.
func (s *Symbolic) column(k int) (int, []int32) {
	return s.colPtr[k], s.rowIdx[s.colPtr[k]:s.colPtr[k+1]]
}

// slots finds the entries with the given rows, ascending, of column k; rows are
// positions. missing is what stands for an entry that is not there.
func (s *Symbolic) slots(dst []int32, k int, rows []int32, missing int32) []int32 {
	from, col := s.column(k)
	shift := int32(0)
	if k >= s.first {
		shift = int32(s.first)
	}
	search := len(col) > 16*len(rows)
	at := 0
	for _, r := range rows {
		r -= shift
		if search {
			i, found := slices.BinarySearch(col[at:], r)
			at += i
			if !found {
				dst = append(dst, missing)
				continue
			}
		} else {
			for at < len(col) && col[at] < r {
				at++
			}
			if at == len(col) || col[at] != r {
				dst = append(dst, missing)
				continue
			}
		}
		dst = append(dst, int32(from+at))
	}
	return dst
}

const columnBlock = 1024 // columns that one goroutine takes at a time

// findPairs finds where the elimination of an exact column adds.
func (s *Symbolic) findPairs(ctx context.Context) error {
	start := make([]int, s.first+1)
	for k := range s.first {
		d := s.colPtr[k+1] - s.colPtr[k]
		start[k+1] = start[k] + d*(d-1)/2
	}
	if total := int64(start[s.first])*4 + int64(s.colPtr[s.n])*20; s.opts.MaxBytes > 0 && total > s.opts.MaxBytes {
		return s.tooLarge(total)
	}
	s.pairPtr, s.pairs = start, make([]int32, start[s.first])
	return s.blocks(ctx, s.first, func(_, lo, hi int) error {
		for k := lo; k < hi; k++ {
			_, rows := s.column(k)
			dst := s.pairs[start[k]:start[k]:start[k+1]]
			for a, r := range rows {
				dst = s.slots(dst, int(r), rows[a+1:], -1)
			}
		}
		return nil
	})
}

// triangleChunk is how many triangles are allocated at a time.
const triangleChunk = 1 << 14

// findTriangles finds what the incomplete elimination of the core keeps.
func (s *Symbolic) findTriangles(ctx context.Context) error {
	nc := s.n - s.first
	base := int32(s.colPtr[s.first])
	s.triPtr = make([]int, nc+1)
	s.complete = make([]bool, nc)
	parts := make([][][]triangle, (nc+columnBlock-1)/columnBlock)                     // of a block of columns, in chunks
	places := make([][]uint16, max(1, min(pool.Threads(s.opts.Threads), len(parts)))) // 1 + place in the column at hand
	err := s.blocks(ctx, nc, func(w, lo, hi int) error {
		if places[w] == nil {
			places[w] = make([]uint16, nc)
		}
		place := places[w]
		var full [][]triangle
		out := make([]triangle, 0, triangleChunk)
		for c := lo; c < hi; c++ {
			count := 0
			_, rows := s.column(s.first + c)
			if len(rows) >= math.MaxUint16 {
				return s.tooLarge(math.MaxInt64)
			}
			for a, r := range rows {
				place[r] = uint16(a + 1)
			}
			for a, r := range rows {
				at, col := s.column(s.first + int(r))
				slot := int32(at) - base
				for i, q := range col {
					if b := place[q]; b != 0 {
						if len(out) == cap(out) {
							full = append(full, out)
							out = make([]triangle, 0, triangleChunk)
						}
						out = append(out, triangle{uint16(a), b - 1, slot + int32(i)})
						count++
					}
				}
			}
			for _, r := range rows {
				place[r] = 0
			}
			d := len(rows)
			s.triPtr[c+1] = count
			s.complete[c] = count == d*(d-1)/2
		}
		parts[lo/columnBlock] = append(full, slices.Clip(out))
		return nil
	})
	if err != nil {
		return err
	}
	for c := range nc {
		s.triPtr[c+1] += s.triPtr[c]
	}
	s.triangles = make([]triangle, s.triPtr[nc])
	return s.blocks(ctx, nc, func(_, lo, _ int) error {
		dst := s.triangles[s.triPtr[lo]:]
		for _, chunk := range parts[lo/columnBlock] {
			dst = dst[copy(dst, chunk):]
		}
		parts[lo/columnBlock] = nil
		return nil
	})
}

// coreComponents labels the connected components of the core, by union-find
// with path halving (Tarjan & van Leeuwen 1984).
func (s *Symbolic) coreComponents() {
	nc := s.n - s.first
	base := s.colPtr[s.first]
	s.corePtr = make([]int, nc+1)
	for c := range s.corePtr {
		s.corePtr[c] = s.colPtr[s.first+c] - base
	}
	root := make([]int32, nc)
	for c := range root {
		root[c] = int32(c)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for c := range nc {
		_, rows := s.column(s.first + c)
		for _, r := range rows {
			if a, b := find(int32(c)), find(r); a != b { // the first node is the root
				root[max(a, b)] = min(a, b)
			}
		}
	}
	for c, p := range root { // roots come before the others
		if int(p) == c {
			root[c] = int32(s.components)
			s.components++
		} else {
			root[c] = root[p]
		}
	}
	s.component = root
}

// locate finds the slot of every entry of the caller's pattern.
func (s *Symbolic) locate(ctx context.Context) error {
	at := s.at
	s.where = make([]int32, s.pattern.NNZ())
	ptr, idx := s.pattern.Ptr(), s.pattern.Idx()
	return s.blocks(ctx, s.n, func(_, lo, hi int) error {
		var one, row [1]int32
		for i := lo; i < hi; i++ {
			for q := ptr[i]; q < ptr[i+1]; q++ {
				a, b := at[i], at[idx[q]]
				if a == b {
					s.where[q] = -1 - a
					continue
				}
				row[0] = max(a, b)
				s.slots(one[:0], int(min(a, b)), row[:], 0)
				s.where[q] = one[0]
			}
		}
		return nil
	})
}

// N returns the order of the matrix.
func (s *Symbolic) N() int { return s.n }

// Cmax returns the largest degree that is eliminated exactly.
func (s *Symbolic) Cmax() int { return s.opts.Cmax }

// Threads returns the largest number of goroutines that one call uses.
func (s *Symbolic) Threads() int { return pool.Threads(s.opts.Threads) }

// Seed returns the seed of the probes.
func (s *Symbolic) Seed() uint64 { return s.opts.Seed }

// CoreN returns how many nodes are not eliminated exactly.
func (s *Symbolic) CoreN() int { return s.n - s.first }

// CoreNNZ returns the number of edges of the core.
func (s *Symbolic) CoreNNZ() int { return s.colPtr[s.n] - s.colPtr[s.first] }

// Pattern returns the pattern that was analysed.
func (s *Symbolic) Pattern() *sparse.Pattern { return s.pattern }

// Forecast is what a factor takes.
type Forecast struct {
	Bytes        int64   // of a factor, with the inverse and one block of solves
	Structure    int64   // of the Symbolic, shared by all factors
	FactorFlops  float64 // multiplications and additions of a factorization
	InverseFlops float64 // and of the selected inverse
	SolveFlops   float64 // of a solve per right-hand side and 16 iterations
	NNZ          int64   // entries of the factor below the diagonal
}

// Forecast returns the memory and work of factors of this analysis.
func (s *Symbolic) Forecast() Forecast {
	nnz, core, n := int64(s.colPtr[s.n]), int64(s.CoreNNZ()), int64(s.n)
	nc := int64(s.CoreN())
	pairs, tri := int64(len(s.pairs)), int64(len(s.triangles))
	return Forecast{
		NNZ:          nnz,
		Bytes:        8*(nnz+nnz+core) + 8*5*n + 8*8*(n+5*nc),
		Structure:    4*nnz + 4*pairs + 8*tri + 4*int64(len(s.where)) + 24*n,
		FactorFlops:  float64(2*pairs + 2*tri + 4*nnz),
		InverseFlops: float64(4*pairs + 4*tri + 6*nnz),
		SolveFlops:   float64(4*(nnz-core) + 16*8*core),
	}
}

// NewFactor returns a factor without values.
func (s *Symbolic) NewFactor() *Factor {
	nc := s.CoreN()
	return &Factor{
		s: s,
		u: make([]float64, s.colPtr[s.n]), given: make([]float64, s.n), ridge: make([]float64, s.n), pivot: make([]float64, s.n),
		coreValue: make([]float64, s.CoreNNZ()), coreDiag: make([]float64, nc), coreRidge: make([]float64, nc),
		excess: make([]float64, nc), coreDone: newProgress(s.coreParts), exactDone: newProgress(s.exactParts),
	}
}
