package partial

import (
	"context"
	"math"
)

// eliminator holds a graph while its nodes of small degree are eliminated, by
// minimum degree. Neighbour lists may hold a node twice, and eliminated ones,
// until they are cleaned: those of small degree always, long ones when they
// have doubled.
type eliminator struct {
	adj     [][]int32
	cleaned []int32  // length of a list after its last cleaning
	mark    []uint32 // stamp of the last cleaning that met a node, or gone
	stamp   uint32

	cmax       int
	head       []int32 // buckets of nodes by degree
	next, prev []int32
	key        []int32 // bucket of a node, -1 for none
	least      int

	order   []int32   // eliminated nodes, in order
	columns [][]int32 // their neighbours at that time; views into arenas
	arena   []int32
}

// gone marks eliminated nodes; stamps are less.
const gone = math.MaxUint32

func (e *eliminator) isGone(v int) bool { return e.mark[v] == gone }

func newEliminator(n int, ptr []int, idx []int32, cmax int) *eliminator {
	e := &eliminator{
		adj: make([][]int32, n), cleaned: make([]int32, n), mark: make([]uint32, n),
		cmax: min(cmax, n), next: make([]int32, n), prev: make([]int32, n), key: make([]int32, n),
	}
	e.head = make([]int32, e.cmax+1)
	for b := range e.head {
		e.head[b] = -1
	}
	memory := append([]int32(nil), idx...)
	for v := n - 1; v >= 0; v-- {
		e.adj[v] = memory[ptr[v]:ptr[v+1]:ptr[v+1]]
		e.cleaned[v] = int32(len(e.adj[v]))
		e.key[v] = -1
		e.place(int32(v), len(e.adj[v]))
	}
	return e
}

// place puts v into the bucket of its degree, if that is small enough.
func (e *eliminator) place(v int32, degree int) {
	if e.key[v] == int32(degree) {
		return
	}
	e.remove(v)
	if degree > e.cmax {
		return
	}
	h := e.head[degree]
	e.key[v], e.next[v], e.prev[v] = int32(degree), h, -1
	if h >= 0 {
		e.prev[h] = v
	}
	e.head[degree] = v
	e.least = min(e.least, degree)
}

func (e *eliminator) remove(v int32) {
	b := e.key[v]
	if b < 0 {
		return
	}
	p, q := e.prev[v], e.next[v]
	if p >= 0 {
		e.next[p] = q
	} else {
		e.head[b] = q
	}
	if q >= 0 {
		e.prev[q] = p
	}
	e.key[v] = -1
}

// clean drops eliminated and repeated neighbours of v; its degree is left.
func (e *eliminator) clean(v int32) int {
	if e.stamp++; e.stamp == gone { // once in four billion
		for u, m := range e.mark {
			if m != gone {
				e.mark[u] = 0
			}
		}
		e.stamp = 1
	}
	stamp, mark, list := e.stamp, e.mark, e.adj[v]
	k := 0
	for _, u := range list {
		if mark[u] >= stamp { // stamp, or gone; older stamps are less
			continue
		}
		mark[u] = stamp
		list[k] = u
		k++
	}
	e.adj[v] = list[:k]
	e.cleaned[v] = int32(k)
	return k
}

// run eliminates nodes while there is one of degree at most cmax.
func (e *eliminator) run(ctx context.Context) error {
	short := 4*min(e.cmax, 1024) + 32
	for step := 0; ; step++ {
		if step&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for e.least <= e.cmax && e.head[e.least] < 0 {
			e.least++
		}
		if e.least > e.cmax {
			if !e.again() {
				return nil
			}
			continue
		}
		v := e.head[e.least]
		if d := e.clean(v); d != e.least {
			e.place(v, d)
			continue
		}
		e.remove(v)
		e.mark[v] = gone
		column := e.keep(e.adj[v])
		e.adj[v] = nil
		e.order = append(e.order, v)
		e.columns = append(e.columns, column)
		for _, u := range column {
			list := e.adj[u]
			for _, w := range column {
				if w != u {
					list = append(list, w)
				}
			}
			e.adj[u] = list
			if len(list) <= short || len(list) > 2*int(e.cleaned[u])+64 {
				e.place(u, e.clean(u))
			}
		}
	}
}

// again cleans every list that is left and reports whether that brought nodes
// of small degree to light.
func (e *eliminator) again() bool {
	found := false
	for v := range e.adj {
		if !e.isGone(v) {
			d := e.clean(int32(v))
			e.place(int32(v), d)
			found = found || d <= e.cmax
		}
	}
	return found
}

// keep copies a column into memory that is never moved.
func (e *eliminator) keep(column []int32) []int32 {
	const chunk = 1 << 16
	if len(e.arena)+len(column) > cap(e.arena) {
		e.arena = make([]int32, 0, max(chunk, len(column)))
	}
	from := len(e.arena)
	e.arena = append(e.arena, column...)
	return e.arena[from:len(e.arena):len(e.arena)]
}
