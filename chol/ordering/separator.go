package ordering

// middle is the side of separator nodes; nodes of sides 0 and 1 are never
// adjacent.
const middle = 2

// separator is a vertex separator of a graph under refinement.
type separator struct {
	side   []uint8
	weight [3]int64 // of sides 0 and 1 and the separator
	nodes  []int32  // of the separator
	limit  int64    // for either side
	queue  gainQueue
	log    []int32 // moves of a pass: v out of the separator, ^v into it
}

// cost orders separators: small before balanced. What a side has above the
// limit counts for four times as much separator.
func (s *separator) cost() int64 {
	a, b := s.weight[0], s.weight[1]
	c := s.weight[middle]
	if over := max(a, b) - s.limit; over > 0 {
		c += 4 * over
	}
	return c<<24 + min(max(a-b, b-a), 1<<24-1)
}

// collect finds nodes and weights from side.
func (s *separator) collect(g *graph) {
	s.nodes = s.nodes[:0]
	s.weight = [3]int64{}
	for v, p := range s.side {
		s.weight[p] += int64(g.vw[v])
		if p == middle {
			s.nodes = append(s.nodes, int32(v))
		}
	}
}

// improve runs up to passes passes, in turn towards either side, the lighter
// one first, until idlePasses in a row gain nothing.
func (s *separator) improve(g *graph, passes int) {
	to := uint8(0)
	if s.weight[0] > s.weight[1] {
		to = 1
	}
	idle := 0
	for k := range passes {
		if len(s.nodes) == 0 {
			return
		}
		s.queue.fifo = (to == 1) != (k&2 != 0)
		if s.pass(g, to, 50+patience*len(s.nodes)) {
			idle = 0
		} else if idle++; idle == idlePasses {
			return
		}
		to = 1 - to
	}
}

// pass moves separator nodes into side to, each time the one that leaves the
// lightest separator, and pulls their neighbours on the other side in (Fiduccia
// & Mattheyses 1982, on vertex separators as in Hendrickson & Rothberg 1998). It
// goes on for up to that many moves without a new best and returns to the best
// separator met; true means better than at the start.
func (s *separator) pass(g *graph, to uint8, moves int) bool {
	other := 1 - to
	side, vw := s.side, g.vw
	q := &s.queue
	q.reset(g)

	for _, v := range s.nodes {
		gain := vw[v]
		for _, u := range g.row(v) {
			if side[u] == other {
				gain -= vw[u]
			}
		}
		q.push(v, gain)
	}
	start := s.cost()
	best, kept, weight := start, 0, s.weight
	s.log = s.log[:0]
	for idle := 0; q.count > 0 && idle < moves; {
		v, gain := q.pop()
		if s.weight[to]+int64(vw[v]) > s.limit {
			continue
		}
		side[v] = to
		s.log = append(s.log, v)
		s.weight[to] += int64(vw[v])
		s.weight[middle] -= int64(gain)
		if pull := vw[v] - gain; pull > 0 {
			s.weight[other] -= int64(pull)
			s.pullIn(g, v, other)
		}
		if c := s.cost(); c < best {
			best, kept, weight, idle = c, len(s.log), s.weight, 0
		} else {
			idle++
		}
	}
	for k := len(s.log) - 1; k >= kept; k-- {
		if v := s.log[k]; v >= 0 {
			side[v] = middle
		} else {
			side[^v] = other
		}
	}
	s.weight = weight
	nodes := s.nodes[:0]
	for _, v := range s.nodes {
		if side[v] == middle {
			nodes = append(nodes, v)
		}
	}
	s.nodes = nodes
	return best < start
}

// pullIn moves the neighbours of v on side from into the separator.
func (s *separator) pullIn(g *graph, v int32, from uint8) {
	side, vw := s.side, g.vw
	q := &s.queue
	for _, u := range g.row(v) {
		if side[u] != from {
			continue
		}
		side[u] = middle
		s.nodes = append(s.nodes, u)
		s.log = append(s.log, ^u)
		w, gain := vw[u], vw[u]
		for _, x := range g.row(u) {
			switch side[x] {
			case from:
				gain -= vw[x]
			case middle:
				q.raise(x, w)
			}
		}
		q.push(u, gain)
	}
}
