package chol

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/gcrfbc/gcrfbc/internal/dense"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// Symbolic is everything about a factorization that depends on the pattern
// only: the ordering, the structure of the factor, the place of every matrix
// entry in it, and the division of the work. It is immutable and may be shared
// by goroutines and by any number of factors.
type Symbolic struct {
	pattern  *sparse.Pattern
	perm     []int32 // perm[k]: caller's row that is eliminated k-th
	layout   layout
	plan     *plan
	tune     tuning
	ordering Ordering
	kernels  dense.Backend // of large fronts
	forecast Forecast

	// mirror lists, for the entries of the pattern above the diagonal, their
	// position and that of the entry below it.
	mirror [][2]int32

	pool crewPool
}

// Forecast is the cost of a factorization, counted before it is done.
type Forecast struct {
	NNZL             int64   // nonzeros of L for this ordering, diagonal included
	StoredL          int64   // entries stored for L, with explicit zeros and padding
	Flops            float64 // multiplications and additions of the factorization: Σ over columns of (nonzeros)²
	InverseFlops     float64 // those of the selected inverse
	Bytes            int64   // memory of one Factor
	ForwardBytes     int64   // what one of NewFactorForInverse takes more
	WorkBytes        int64   // working storage of a factorization, shared by all factors of the Symbolic that are not used at the same time
	InverseWorkBytes int64   // the same when there are selected inverses too, at least WorkBytes
	IndexBytes       int64   // memory of the Symbolic
}

// Analyze chooses the elimination order of symmetric positive definite
// matrices with the pattern p and lays out their factor. It reads the entries
// j ≤ i of p, which must include the whole diagonal; entries above the diagonal
// are allowed and ignored, except that SelectedInverse fills them.
//
// Errors: *ShapeError (not square), *PatternError (no diagonal entry, or one
// triangle incomplete),
// *OptionError, *MemoryError (forecast beyond Options.MaxBytes), or ctx.Err().
// Cost: the ordering, O(nnz·α) for the counts, and time and memory linear in
// the lengths of the supernodes' row lists, far below nnz(L).
func Analyze(ctx context.Context, p *sparse.Pattern, opts Options) (*Symbolic, error) {
	return analyze(ctx, p, opts, defaultTuning)
}

func analyze(ctx context.Context, p *sparse.Pattern, opts Options, tune tuning) (*Symbolic, error) {
	if p == nil {
		return nil, &OptionError{Field: "pattern", Msg: "the pattern is nil"}
	}
	if opts.Threads < 0 {
		return nil, &OptionError{Field: "Threads", Msg: "negative; use 0 for GOMAXPROCS"}
	}
	if opts.MaxBytes < 0 {
		return nil, &OptionError{Field: "MaxBytes", Msg: "negative; use 0 for no bound"}
	}
	kernels, err := opts.Backend.kernels()
	if err != nil {
		return nil, err
	}
	threads := opts.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	g, err := newAdjacency(p)
	if err != nil {
		return nil, err
	}
	g.parts = max(1, min(threads, g.n/max(1, tune.minPart)))
	mirror, err := upperEntries(p, g)
	if err != nil {
		return nil, err
	}
	o, err := chooseOrder(ctx, g, opts)
	if err != nil {
		return nil, err
	}
	s := &Symbolic{pattern: p, ordering: o.kind, kernels: kernels, mirror: mirror, tune: tune}
	s.forecast.NNZL, s.forecast.Flops = countedWork(o.count)
	if err := s.arrange(o, opts.MaxBytes); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.plan = s.layout.divide(threads, tune)
	s.measure()
	if need := s.forecast.Bytes + s.forecast.InverseWorkBytes; opts.MaxBytes > 0 && need > opts.MaxBytes {
		return nil, &MemoryError{Need: need, Limit: opts.MaxBytes, What: "the factor with its working storage"}
	}
	return s, ctx.Err()
}

// arrange chooses the layout and makes it.
func (s *Symbolic) arrange(o *order, limit int64) error {
	simplicial, start, sparent, fronts := s.tune.simplicial(o)
	need := 8 * s.forecast.NNZL
	var tree *supertree
	if !simplicial {
		tree = arrange(start, sparent, fronts)
		need = 8 * tree.stored()
	}
	if limit > 0 && need > limit {
		return &MemoryError{Need: need, Limit: limit, What: "the factor alone"}
	}
	if simplicial {
		c := newColumns(o)
		s.perm, s.layout = c.perm, c
		return nil
	}
	s.perm = make([]int32, len(o.perm))
	for k, j := range tree.order {
		s.perm[k] = o.perm[j]
	}
	st, err := newStructure(o.graph, s.perm, tree, s.tune)
	if err != nil {
		return err
	}
	for k, j := range s.perm { // back to the caller's rows
		s.perm[k] = o.nodes[j]
	}
	st.iperm = invert(s.perm)
	s.layout = st
	return nil
}

// WithThreads returns an analysis of the same pattern whose factors use at most
// threads goroutines a call (0 means GOMAXPROCS). Only the division of the work
// is made anew, in time linear in the number of supernodes or columns: for callers that run
// factors side by side. Results have the same bits.
func (s *Symbolic) WithThreads(threads int) *Symbolic {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	if threads == s.plan.threads {
		return s
	}
	t := &Symbolic{pattern: s.pattern, perm: s.perm, layout: s.layout, ordering: s.ordering, kernels: s.kernels, mirror: s.mirror, tune: s.tune}
	t.forecast.NNZL, t.forecast.Flops = s.forecast.NNZL, s.forecast.Flops
	t.plan = t.layout.divide(threads, s.tune)
	t.measure()
	return t
}

// measure completes the forecast.
func (s *Symbolic) measure() {
	s.layout.measure(&s.forecast, s.plan)
	s.forecast.IndexBytes += 8 * int64(len(s.mirror))
}

func (st *structure) measure(f *Forecast, p *plan) {
	for k := range st.nodes {
		_, inv := st.nodes[k].flops()
		f.InverseFlops += inv
		f.ForwardBytes += 8 * int64(st.nodes[k].forwardLen())
	}
	f.StoredL = int64(st.lsize)
	f.Bytes = 8 * (int64(st.lsize) + int64(len(st.perm)))
	f.WorkBytes = p.bytes(p.factor)
	f.InverseWorkBytes = p.bytes(arena{worker: max(p.factor.worker, p.inverse.worker), common: max(p.factor.common, p.inverse.common)})
	f.IndexBytes = int64(len(st.nodes))*(64+26) + 8*int64(len(st.perm)) + 8*int64(len(st.rows)) +
		8*int64(len(st.runs)) + 8*int64(len(st.scatter))
}

// upperEntries pairs every entry above the diagonal with the one below it.
func upperEntries(p *sparse.Pattern, g *adjacency) ([][2]int32, error) {
	n, _ := p.Dims()
	if p.NNZ() == n+len(g.idx)/2 {
		return nil, nil
	}
	list := make([][2]int32, 0, p.NNZ()-n-len(g.idx)/2)
	ptr, idx := p.Ptr(), p.Idx()
	for i := range n {
		nb := g.idx[g.ptr[i]:g.ptr[i+1]]
		for k := ptr[i+1] - 1; k >= ptr[i] && int(idx[k]) > i; k-- {
			a, ok := slices.BinarySearch(nb, idx[k])
			if !ok {
				return nil, &PatternError{Row: i, Msg: fmt.Sprintf("entry (%d, %d) above the diagonal has no counterpart below it; give the lower triangle, or both", i, idx[k])}
			}
			list = append(list, [2]int32{int32(k), g.pos[g.ptr[i]+a]})
		}
	}
	return list, nil
}

// N returns the order of the matrix.
func (s *Symbolic) N() int { return len(s.perm) }

// Pattern returns the pattern that was analyzed.
func (s *Symbolic) Pattern() *sparse.Pattern { return s.pattern }

// Perm returns a copy of the elimination order: Perm()[k] is the row that is
// eliminated k-th.
func (s *Symbolic) Perm() []int32 { return slices.Clone(s.perm) }

// Ordering returns the ordering in use; for Auto the one that was chosen.
func (s *Symbolic) Ordering() Ordering { return s.ordering }

// NNZ returns the number of nonzeros of L, diagonal included.
func (s *Symbolic) NNZ() int64 { return s.forecast.NNZL }

// Flops returns the multiplications and additions of one factorization.
func (s *Symbolic) Flops() float64 { return s.forecast.Flops }

// Supernodes returns the number of dense column blocks of the factor, which are
// its columns if it is simplicial.
func (s *Symbolic) Supernodes() int {
	if st, ok := s.layout.(*structure); ok {
		return len(st.nodes)
	}
	return s.N()
}

// Simplicial reports whether the factor is held and computed by single columns,
// not by supernodes: so it is where columns are so short that it is faster, as
// for paths, trees, and networks that are nearly trees.
func (s *Symbolic) Simplicial() bool {
	_, ok := s.layout.(*columns)
	return ok
}

// Threads returns the largest number of goroutines that one call uses.
func (s *Symbolic) Threads() int { return s.plan.threads }

// Forecast returns the counted cost of a factorization.
func (s *Symbolic) Forecast() Forecast { return s.forecast }
