package ordering

// graph is an undirected graph with weighted nodes and edges: node v is adjacent
// to idx[ptr[v]:ptr[v+1]], by edges of weight ew at the same places; ew nil
// means ones.
type graph struct {
	n      int
	ptr    []int32
	idx    []int32
	ew     []int32
	vw     []int32
	weight int64   // Σ vw
	label  []int32 // names of the nodes in the graph dissected; nil in coarse graphs
	coarse []int32 // the node of the next coarser graph that v is part of
	next   *graph  // that graph, where it is kept for the parts of this one
}

func (g *graph) row(v int32) []int32 { return g.idx[g.ptr[v]:g.ptr[v+1]] }

// skewed reports whether the largest degree is far above the mean, as in
// scale-free graphs.
func (g *graph) skewed() bool {
	most := 0
	for v := range g.n {
		most = max(most, int(g.ptr[v+1]-g.ptr[v]))
	}
	return most*g.n > 10*len(g.idx)
}

// subgraph copies the given nodes of g, in this order. number holds their places
// in nodes and none for those of their neighbours that stay out.
func (g *graph) subgraph(a *arena, nodes, number []int32) *graph {
	nnz := 0
	for _, v := range nodes {
		nnz += int(g.ptr[v+1] - g.ptr[v])
	}
	n := len(nodes)
	p := &graph{n: n, ptr: a.alloc(n + 1), vw: a.alloc(n)}
	ptr, vw := p.ptr, p.vw
	if g.label != nil {
		p.label = a.alloc(n)
		for i, v := range nodes {
			p.label[i] = g.label[v]
		}
	}
	if g.ew != nil {
		p.ew = a.alloc(nnz)
	}
	idx, ew := a.alloc(nnz), p.ew
	k := 0
	for i, v := range nodes {
		ptr[i], vw[i] = int32(k), g.vw[v]
		p.weight += int64(g.vw[v])
		lo, hi := g.ptr[v], g.ptr[v+1]
		if ew == nil {
			for _, u := range g.idx[lo:hi] {
				x := number[u]
				idx[k] = x
				k += int(x>>31) + 1
			}
			continue
		}
		weights := g.ew[lo:hi]
		for q, u := range g.idx[lo:hi] {
			x := number[u]
			idx[k], ew[k] = x, weights[q]
			k += int(x>>31) + 1
		}
	}
	ptr[n] = int32(k)
	p.idx = idx[:k]
	if ew != nil {
		p.ew = ew[:k]
	}
	a.trim(idx, k)
	return p
}

// arena hands out int32 slices, not zeroed, and takes them back in the reverse
// order by release.
type arena struct {
	chunks [][]int32
	chunk  int // the one in use
	used   int
}

type arenaMark struct{ chunk, used int }

func (a *arena) mark() arenaMark     { return arenaMark{a.chunk, a.used} }
func (a *arena) release(m arenaMark) { a.chunk, a.used = m.chunk, m.used }

// trim keeps the first n entries of s, the last slice handed out.
func (a *arena) trim(s []int32, n int) { a.used -= len(s) - n }

func (a *arena) alloc(n int) []int32 {
	for a.chunk < len(a.chunks) {
		if c := a.chunks[a.chunk]; len(c)-a.used >= n {
			s := c[a.used : a.used+n : a.used+n]
			a.used += n
			return s
		}
		a.chunk++
		a.used = 0
	}
	size := 1 << 14
	if k := len(a.chunks); k > 0 {
		size = 2 * len(a.chunks[k-1])
	}
	a.chunks = append(a.chunks, make([]int32, max(size, n)))
	a.chunk, a.used = len(a.chunks)-1, n
	return a.chunks[a.chunk][:n:n]
}

// grown returns s with room for n entries; they are not kept.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// random is splitmix64 (Steele, Lea & Flood, Fast splittable pseudorandom number
// generators, OOPSLA 2014).
type random uint64

func (r *random) next() uint64 {
	*r += 0x9E3779B97F4A7C15
	return mix(uint64(*r))
}

func mix(z uint64) uint64 {
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}

// below returns a number in [0, n), n < 2³².
func (r *random) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }
