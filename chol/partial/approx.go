package partial

import (
	"math/rand/v2"
	"slices"
)

// approximate is an approximate Cholesky factor of the core, random but for a
// seed: eliminating a node replaces the clique of its neighbours by a tree that
// is the clique on average (Kyng & Sachdeva, FOCS 2016; Gao, Kyng & Spielman,
// arXiv 2303.00709, algorithm AC). The ridge is passed on exactly. It needs
// fewer iterations than the incomplete factor where that needs many, at several
// times its cost to build.
type approximate struct{ columns }

// halfEdge is one entry of a node's list of edges.
type halfEdge struct {
	to     int32
	next   int32
	weight float64
}

func (f *Factor) approximate() *approximate {
	s := f.s
	nc := s.CoreN()
	rng := rand.New(rand.NewPCG(s.opts.Seed, 0x5eed))
	edges := make([]halfEdge, 0, 3*s.CoreNNZ())
	head := make([]int32, nc)
	degree := make([]int32, nc)
	ridge := slices.Clone(f.coreRidge)
	add := func(from, to int32, w float64) {
		edges = append(edges, halfEdge{to, head[from], w})
		head[from] = int32(len(edges) - 1)
	}
	for c := range head {
		head[c] = -1
	}
	rows := s.rowIdx[s.colPtr[s.first]:]
	for c := range nc {
		for e := s.corePtr[c]; e < s.corePtr[c+1]; e++ {
			if w, r := f.coreValue[e], rows[e]; w > 0 {
				add(int32(c), r, w)
				add(r, int32(c), w)
				degree[c]++
				degree[r]++
			}
		}
	}
	queue := newDegreeQueue(degree)
	a := &approximate{}
	a.Node, a.Ptr, a.Pivot = make([]int32, 0, nc), make([]int, 1, nc+1), make([]float64, 0, nc)
	a.Rows, a.U = make([]int32, 0, 2*s.CoreNNZ()), make([]float64, 0, 2*s.CoreNNZ())
	gone := make([]bool, nc)
	where := make([]int32, nc) // place in list, +1
	type neighbour struct {
		node   int32
		weight float64
	}
	var list []neighbour
	var tail []float64
	for range nc {
		v := queue.pop()
		gone[v] = true
		list = list[:0]
		for e := head[v]; e >= 0; e = edges[e].next {
			u, w := edges[e].to, edges[e].weight
			if gone[u] {
				continue
			}
			queue.change(u, -1)
			if k := where[u]; k > 0 {
				list[k-1].weight += w
			} else {
				list = append(list, neighbour{u, w})
				where[u] = int32(len(list))
			}
		}
		for _, n := range list {
			where[n.node] = 0
		}
		slices.SortFunc(list, func(a, b neighbour) int {
			switch {
			case a.weight < b.weight:
				return -1
			case a.weight > b.weight:
				return 1
			}
			return int(a.node - b.node)
		})
		// tail[i] = Σ_{j ≥ i} w_j
		tail = append(tail[:0], make([]float64, len(list)+1)...)
		for i := len(list) - 1; i >= 0; i-- {
			tail[i] = tail[i+1] + list[i].weight
		}
		g := ridge[v]
		d := g + tail[0]
		inv := 1 / d
		for i, n := range list {
			a.Rows = append(a.Rows, n.node)
			a.U = append(a.U, n.weight*inv)
			ridge[n.node] += n.weight * g * inv
			rest := tail[i+1]
			if !(rest > 0) {
				continue
			}
			// The other end: j > i with probability w_j/rest.
			x := rng.Float64() * rest
			j, hi := i+1, len(list)-1
			for j < hi { // the last j with tail[j] ≥ rest − x
				m := (j + hi + 1) / 2
				if tail[m] >= rest-x {
					j = m
				} else {
					hi = m - 1
				}
			}
			w := n.weight * rest * inv
			add(n.node, list[j].node, w)
			add(list[j].node, n.node, w)
			queue.change(n.node, 1)
			queue.change(list[j].node, 1)
		}
		a.Node = append(a.Node, v)
		a.Pivot = append(a.Pivot, d)
		a.Ptr = append(a.Ptr, len(a.Rows))
	}
	return a
}

// degreeQueue gives the node of smallest degree, in buckets.
type degreeQueue struct {
	degree     []int32 // shared with the caller
	head       []int32
	next, prev []int32
	least      int32
}

func newDegreeQueue(degree []int32) *degreeQueue {
	n := len(degree)
	q := &degreeQueue{degree: degree, next: make([]int32, n), prev: make([]int32, n)}
	for v := n - 1; v >= 0; v-- {
		q.insert(int32(v))
	}
	return q
}

func (q *degreeQueue) insert(v int32) {
	d := q.degree[v]
	for int(d) >= len(q.head) {
		q.head = append(q.head, -1)
	}
	h := q.head[d]
	q.next[v], q.prev[v] = h, -1
	if h >= 0 {
		q.prev[h] = v
	}
	q.head[d] = v
	q.least = min(q.least, d)
}

func (q *degreeQueue) remove(v int32) {
	p, n := q.prev[v], q.next[v]
	if p >= 0 {
		q.next[p] = n
	} else {
		q.head[q.degree[v]] = n
	}
	if n >= 0 {
		q.prev[n] = p
	}
}

func (q *degreeQueue) change(v, by int32) {
	q.remove(v)
	q.degree[v] += by
	q.insert(v)
}

func (q *degreeQueue) pop() int32 {
	for q.head[q.least] < 0 {
		q.least++
	}
	v := q.head[q.least]
	q.remove(v)
	return v
}
