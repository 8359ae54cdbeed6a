package ordering

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// DissectOptions control NestedDissection. The zero value is a good choice.
type DissectOptions struct {
	// Seed of the random choices; equal seeds give equal orderings.
	Seed uint64
	// Workers is the largest number of goroutines; 0 means GOMAXPROCS. The
	// ordering is the same for any number.
	Workers int
	// Dense is the multiple of √n beyond which a row counts as dense and is put
	// last, as in AMDOptions.
	Dense float64
	// AMD is what AMD returned for the graph, if that is at hand: where a few
	// nodes have most of the edges it is compared with, and need not be computed
	// again.
	AMD []int32
}

// hopelessShare is the share of the operations of AMD's order that one dense
// separator may take where a few nodes have most of the edges. Beyond it the order
// of AMD was better on five of six graphs tried, and worse by a fortieth on one.
const hopelessShare = 0.3

// leafSize is the size at which the parts of a graph of n nodes are no longer
// split but left to minimum degree. In large graphs the last splits cost much
// and hardly matter.
func leafSize(n int) int { return min(max(240, n/56), 1000) }

// NestedDissection returns a nested dissection ordering of the graph in which
// node i is adjacent to idx[ptr[i]:ptr[i+1]] (both directions, no diagonal, no
// duplicates): perm[k] is the node to eliminate k-th. A small separator splits
// the graph in two; both sides are ordered first, each in the same way, and the
// separator last. Separators come from a multilevel scheme; minimum degree, kept
// to the order of the blocks, orders them and the parts too small to split.
// Graphs in which a few nodes have most of the edges often have no small
// separators; there the order of AMD is returned if it takes fewer operations, or
// as soon as one separator is so wide that it is sure to, or nearly so.
//
// Time is O(edges·log n), several times that of AMD, memory some 80 n + 40
// len(idx) bytes. The input is not modified. The error is that of ctx, a
// *GraphError when len(idx) passes 2³¹−1, or a *PermutationError for opts.AMD.
//
// A. George, Nested dissection of a regular finite element mesh, SIAM J. Numer.
// Anal. 10 (1973) 345–363; G. Karypis, V. Kumar, A fast and high quality
// multilevel scheme for partitioning irregular graphs, SIAM J. Sci. Comput. 20
// (1998) 359–392; B. Hendrickson, E. Rothberg, Improving the run time and
// quality of nested dissection ordering, SIAM J. Sci. Comput. 20 (1998) 468–489.
func NestedDissection(ctx context.Context, n int, ptr []int, idx []int32, opts DissectOptions) ([]int32, error) {
	if n == 0 {
		return []int32{}, ctx.Err()
	}
	if ptr[n] > math.MaxInt32 {
		return nil, &GraphError{-1, -1, fmt.Sprintf("nested dissection takes up to 2³¹−1 adjacencies, the graph has %d; use AMD", ptr[n])}
	}
	if opts.AMD != nil {
		if err := CheckPermutation(n, opts.AMD); err != nil {
			return nil, err
		}
	}
	d := &dissection{ctx: ctx, leaf: leafSize(n), large: n / largeShare, block: make([]int32, n)}
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	d.idle = make(chan *worker, workers)
	for range workers - 1 {
		d.idle <- &worker{d: d}
	}
	w := &worker{d: d}
	g, group := newGraph(n, ptr, idx, denseLimit(n, opts.Dense))
	d.balance, d.tries = balance, retries
	skewed := g.skewed()
	var amd []int32
	least := math.Inf(1) // operations of AMD's order
	if skewed {
		d.balance, d.tries = skewedBalance, skewedRetries
		d.leaf = max(d.leaf, n/skewedLeaf)
		if amd = slices.Clone(opts.AMD); amd == nil {
			amd = AMD(n, ptr, idx, AMDOptions{Dense: opts.Dense})
		}
		_, least = Count(n, ptr, idx, amd)
	}
	d.widest = math.Cbrt(3 * hopelessShare * least)
	w.components(g, 0, opts.Seed)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.hopeless.Load() {
		return amd, nil
	}
	for v, first := range group {
		d.block[v] = d.block[first]
	}
	perm := orderBlocks(n, ptr, idx, d.block, opts.Dense)
	if skewed {
		if _, flops := Count(n, ptr, idx, perm); least < flops {
			perm = amd
		}
	}
	return perm, ctx.Err()
}

// dissection is one run of NestedDissection.
type dissection struct {
	ctx      context.Context
	balance  float64      // largest share of a side
	leaf     int          // nodes of a graph that is not split
	tries    int          // coarse halves tried in bisecting that
	large    int          // nodes of a graph worth more than one
	block    []int32      // of every node: the first place of its block
	widest   float64      // separator; where one is wider AMD will do better,
	hopeless atomic.Bool  // and nothing more is done
	idle     chan *worker // ready to take a part
}

// worker is the working storage of one goroutine.
type worker struct {
	d *dissection
	arena
	levels      []*graph
	sep         separator
	best, trial []uint8
	spare       []uint8
	mate, place []int32
	members     []int32
	order       []int32
}

// scratch returns n entries that the next call overwrites.
func (w *worker) scratch(n int) []int32 {
	w.mate = grown(w.mate, n)
	return w.mate
}

// dissect gives the nodes of g blocks at places first, first+1, …
func (w *worker) dissect(g *graph, first int32, seed uint64) {
	if g.n <= w.d.leaf || w.d.ctx.Err() != nil || w.d.hopeless.Load() {
		w.leaf(g, first)
		return
	}
	defer w.release(w.mark())
	rnd := random(seed)
	if g.next == nil {
		g.next = w.coarsen(g, &rnd)
	}
	m := w.mark()
	if !w.bisect(g, &rnd) {
		w.release(m)
		w.components(g, first, rnd.next())
		return
	}
	w.release(m)
	s := &w.sep
	if s.weight[0] == 0 || s.weight[1] == 0 {
		w.leaf(g, first)
		return
	}
	if float64(s.weight[middle]) > w.d.widest {
		w.d.hopeless.Store(true)
		return
	}
	for _, v := range s.nodes {
		w.d.block[g.label[v]] = first + int32(s.weight[0]+s.weight[1])
	}
	a, b := w.split(g)
	second := first + int32(s.weight[0])
	sa, sb := rnd.next(), rnd.next()
	if a.n > parallelNodes && b.n > parallelNodes {
		select {
		case other := <-w.d.idle:
			var wait sync.WaitGroup
			wait.Go(func() {
				other.dissect(a, first, sa)
				w.d.idle <- other
			})
			w.dissect(b, second, sb)
			wait.Wait()
			return
		default:
		}
	}
	w.dissect(a, first, sa)
	w.dissect(b, second, sb)
}

// parallelNodes is the size from which a part may go to another worker.
const parallelNodes = 2000

func (w *worker) leaf(g *graph, first int32) {
	for _, v := range g.label {
		w.d.block[v] = first
	}
}

// split copies the two sides of the separator.
func (w *worker) split(g *graph) (a, b *graph) {
	number := w.scratch(g.n)
	w.order = grown(w.order, g.n)
	nodes := w.order
	lo, hi := 0, g.n
	for v, p := range w.sep.side {
		switch p {
		case 0:
			number[v] = int32(lo)
			nodes[lo] = int32(v)
			lo++
		case 1:
			hi--
			number[v] = int32(g.n - 1 - hi)
			nodes[hi] = int32(v)
		default:
			number[v] = none
		}
	}
	right := nodes[hi:]
	for i, j := 0, len(right)-1; i < j; i, j = i+1, j-1 {
		right[i], right[j] = right[j], right[i]
	}
	a = g.subgraph(&w.arena, nodes[:lo], number)
	b = g.subgraph(&w.arena, right, number)
	if g.next != nil {
		w.inherit(g, a, nodes[:lo])
		w.inherit(g, b, right)
	}
	return a, b
}

// newGraph copies the adjacency without its dense rows, and nodes that have the
// same neighbours as one; group is as in compress.
func newGraph(n int, ptr []int, idx []int32, dense int32) (g *graph, group []int32) {
	number := make([]int32, n)
	for v := range number {
		if ptr[v+1]-ptr[v] > int(dense) {
			number[v] = none
		}
	}
	group = compress(n, ptr, idx, number)
	label := make([]int32, 0, n)
	nnz := 0
	for v := range number {
		if number[v] < 0 || group != nil && group[v] != int32(v) {
			number[v] = none
			continue
		}
		number[v] = int32(len(label))
		label = append(label, int32(v))
		nnz += ptr[v+1] - ptr[v]
	}
	g = &graph{n: len(label), ptr: make([]int32, len(label)+1), idx: make([]int32, 0, nnz), vw: make([]int32, len(label)), label: label}
	for i, v := range label {
		g.vw[i] = 1
		for _, u := range idx[ptr[v]:ptr[v+1]] {
			if x := number[u]; x >= 0 {
				g.idx = append(g.idx, x)
			}
		}
		g.ptr[i+1] = int32(len(g.idx))
	}
	for v, first := range group {
		if i := number[first]; i >= 0 && int(first) != v {
			g.vw[i]++
		}
	}
	for _, w := range g.vw {
		g.weight += int64(w)
	}
	return g, group
}

// orderBlocks orders the nodes by minimum degree within their blocks, the blocks
// in the order of their places. The graph is renumbered by blocks first, for
// then elimination works in one part of memory at a time.
func orderBlocks(n int, ptr []int, idx []int32, block []int32, dense float64) []int32 {
	at := make([]int32, n+1)
	for _, b := range block {
		at[b+1]++
	}
	stages := int32(0)
	number := make([]int32, n) // of a block, by its place
	for b := range n {
		number[b] = stages
		if at[b+1] > 0 {
			stages++
		}
		at[b+1] += at[b]
	}
	nodes, place, stage := make([]int32, n), make([]int32, n), make([]int32, n)
	for v, b := range block {
		k := at[b]
		at[b]++
		nodes[k], place[v], stage[k] = int32(v), k, number[b]
	}
	newPtr := make([]int, n+1)
	newIdx := make([]int32, ptr[n])
	k := 0
	for i, v := range nodes {
		for _, u := range idx[ptr[v]:ptr[v+1]] {
			newIdx[k] = place[u]
			k++
		}
		newPtr[i+1] = k
	}
	perm := minimumDegree(n, newPtr, newIdx, stage, AMDOptions{Dense: dense})
	for k, i := range perm {
		perm[k] = nodes[i]
	}
	return perm
}
