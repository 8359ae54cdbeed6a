package ordering

import "math"

// Tuned on grids, meshes, geometric and scale-free graphs, over several seeds:
// work beyond this costs more time than it saves in the factor.
const (
	coarsestNodes = 120  // size of a graph to separate directly
	trials        = 4    // separators grown there
	passes        = 8    // refinement passes a level
	balance       = 0.65 // largest share of a side
	skewedBalance = 0.54 // where a few nodes have most of the edges
	retries       = 8    // of the coarse half in large parts; it ends at a
	retryShare    = 30   // thirtieth of the part, or at
	retryNodes    = 4000 // this many nodes or
	retryMost     = 100  // a hundredth of it, whichever is more
	fewRetries    = 4    // of a coarse half of less than
	fewNodes      = 800  // nodes
	idlePasses    = 3    // passes without a gain end the refinement of a level
	patience      = 3    // moves without a gain for every node of a separator
	skewedRetries = 3    // in scale-free graphs, whose
	skewedLeaf    = 8    // parts of an eighth are not split: nothing would be gained
	largeShare    = 8    // large: at least an eighth of the whole graph, where separators cost most
)

// bisect finds a small separator of g with balanced sides and leaves it in
// w.sep: coarsen, separate the coarsest graph, and project back with refinement
// at every level (Karypis & Kumar 1998; Hendrickson & Rothberg 1998). The coarse
// half of this is done several times in large parts, and the best goes on to the
// costly fine half.
// It returns false when g proves not connected; after a cancellation no side has
// weight.
func (w *worker) bisect(g *graph, rnd *random) bool {
	s := &w.sep
	s.limit = int64(w.d.balance * float64(g.weight))
	w.levels = append(w.levels[:0], g)
	mid := max(coarsestNodes, min(g.n/retryShare, max(retryNodes, g.n/retryMost)))
	w.descend(mid, rnd)
	if w.d.ctx.Err() != nil {
		s.weight = [3]int64{}
		return true
	}
	top := len(w.levels) - 1
	f := w.levels[top]
	tries := 1
	if mid > coarsestNodes && g.n >= w.d.large {
		tries = w.d.tries
		if f.n < fewNodes {
			tries = min(tries, fewRetries)
		}
	}
	cost := int64(math.MaxInt64)
	m := w.mark()
	for try := range tries {
		w.descend(coarsestNodes, rnd)
		c := w.levels[len(w.levels)-1]
		if try == 0 && !w.connected(c) {
			return false
		}
		w.separate(c, rnd)
		w.ascend(top)
		w.release(m)
		if c := s.cost(); tries > 1 && c < cost {
			cost = c
			w.best = append(w.best[:0], s.side...)
		}
	}
	if tries > 1 {
		copy(s.side, w.best)
		s.collect(f)
	}
	w.ascend(0)
	return true
}

// descend appends coarser levels until the last has at most n nodes.
func (w *worker) descend(n int, rnd *random) {
	for {
		g := w.levels[len(w.levels)-1]
		if g.n <= n || w.d.ctx.Err() != nil {
			return
		}
		c := g.next
		if c == nil {
			c = w.coarsen(g, rnd)
		}
		if c == nil {
			return
		}
		w.levels = append(w.levels, c)
	}
}

// ascend takes the separator of the last level back to level k.
func (w *worker) ascend(k int) {
	s := &w.sep
	for len(w.levels)-1 > k {
		w.levels = w.levels[:len(w.levels)-1]
		f := w.levels[len(w.levels)-1]
		old := s.side
		w.sides(f.n)
		s.nodes = s.nodes[:0]
		for v, c := range f.coarse {
			p := old[c]
			s.side[v] = p
			if p == middle {
				s.nodes = append(s.nodes, int32(v))
			}
		}
		if w.d.ctx.Err() == nil {
			s.improve(f, passes)
		}
	}
}

// separate grows side 0 from random nodes of a small graph and keeps the best
// separator found.
func (w *worker) separate(g *graph, rnd *random) {
	s := &w.sep
	w.sides(g.n)
	best := int64(math.MaxInt64)
	for try := range trials {
		for v := range s.side {
			s.side[v] = 1
		}
		v := int32(rnd.below(g.n))
		s.side[v] = middle
		s.nodes = append(s.nodes[:0], v)
		s.weight = [3]int64{0, g.weight - int64(g.vw[v]), int64(g.vw[v])}
		s.queue.fifo = try%2 == 0
		s.pass(g, 0, math.MaxInt)
		s.improve(g, 4)
		if c := s.cost(); c < best {
			best = c
			w.trial = append(w.trial[:0], s.side...)
		}
	}
	copy(s.side, w.trial)
	s.collect(g)
	s.improve(g, passes)
}

// sides gives the separator fresh room for n nodes; the old sides stay valid
// until the next call.
func (w *worker) sides(n int) {
	s := &w.sep
	w.spare = grown(w.spare, n)
	s.side, w.spare = w.spare, s.side
}
