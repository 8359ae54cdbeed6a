package ordering

// coarsen contracts clusters of adjacent nodes of g into the nodes of a smaller
// graph; nil when hardly any can be. The node that v becomes part of is
// g.coarse[v].
func (w *worker) coarsen(g *graph, rnd *random) *graph {
	heaviest := int32(max(2, 3*g.weight/int64(2*coarsestNodes)))
	mate := w.scratch(g.n)
	for v := range mate {
		mate[v] = none
	}
	g.coarse = w.alloc(g.n)
	matched := matchHeavyEdges(g, mate, heaviest, rnd)
	if matched < g.n*7/10 {
		matched += matchTwoHops(g, mate, heaviest)
	}
	if matched < g.n/5 {
		return nil
	}
	// Coarse nodes are numbered in the order of their first members, so that
	// what is near in memory stays so.
	coarse := g.coarse
	for v := range coarse {
		coarse[v] = none
	}
	n := int32(0)
	for v := range mate {
		if coarse[v] != none {
			continue
		}
		coarse[v] = n
		if u := mate[v]; u == none {
			mate[v] = int32(v)
		} else {
			for ; int(u) != v; u = mate[u] {
				coarse[u] = n
			}
		}
		n++
	}
	return w.contract(g, mate, int(n))
}

// matchHeavyEdges pairs nodes with the neighbour that the heaviest edge leads
// to (heavy-edge matching, Karypis & Kumar 1998); no pair weighs more than
// heaviest. mate links the members of a cluster in a ring. Where all edges are
// alike, clusters are chains of up to four nodes: one contraction in the place
// of two.
func matchHeavyEdges(g *graph, mate []int32, heaviest int32, rnd *random) (matched int) {
	// Nodes are visited in short runs, the runs in scattered order: memory is
	// read nearly in sequence and regular graphs do not give regular clusters.
	const run = 32
	runs := (g.n + run - 1) / run
	step := max(1, int(0.381966*float64(runs))+rnd.below(runs/8+1))
	for gcd(step, runs) != 1 {
		step++
	}
	at := rnd.below(runs)
	for range runs {
		lo, hi := at*run, min(g.n, (at+1)*run)
		if at += step; at >= runs {
			at %= runs
		}
		for v := lo; v < hi; v++ {
			switch {
			case mate[v] != none:
			case g.ew == nil:
				matched += g.chain(int32(v), mate, heaviest)
			default:
				matched += g.pair(int32(v), mate, heaviest)
			}
		}
	}
	return matched
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (g *graph) pair(v int32, mate []int32, heaviest int32) int {
	vw := g.vw
	light := heaviest - vw[v]
	best, most := none, int32(0)
	lo, hi := g.ptr[v], g.ptr[v+1]
	weights := g.ew[lo:hi]
	for k, u := range g.idx[lo:hi] {
		if x := weights[k]; x > most && mate[u] == none && vw[u] <= light {
			best, most = u, x
		}
	}
	if best == none {
		return 0
	}
	mate[v], mate[best] = best, v
	return 2
}

func (g *graph) chain(v int32, mate []int32, heaviest int32) int {
	const length = 4
	vw := g.vw
	light := heaviest - vw[v]
	first, size := v, 1
	for ; size < length; size++ {
		best := none
		for _, u := range g.row(v) {
			if mate[u] == none && u != first && vw[u] <= light {
				best = u
				break
			}
		}
		if best == none {
			break
		}
		light -= vw[best]
		mate[v], mate[best] = best, first
		v = best
	}
	if size == 1 {
		return 0
	}
	return size
}

// matchTwoHops pairs unmatched nodes that share their heaviest neighbour, such
// as the leaves of a star, and nodes without neighbours.
func matchTwoHops(g *graph, mate []int32, heaviest int32) (matched int) {
	waiting := g.coarse // not in use yet
	for v := range waiting {
		waiting[v] = none
	}
	isolated := none
	for v := range int32(g.n) {
		if mate[v] != none {
			continue
		}
		slot := &isolated
		if lo, hi := g.ptr[v], g.ptr[v+1]; hi > lo {
			via, most := g.idx[lo], int32(0)
			if g.ew != nil {
				for k, x := range g.ew[lo:hi] {
					if x > most {
						via, most = g.idx[int(lo)+k], x
					}
				}
			}
			slot = &waiting[via]
		}
		if u := *slot; u != none && g.vw[u]+g.vw[v] <= heaviest {
			mate[v], mate[u] = u, v
			*slot = none
			matched += 2
		} else {
			*slot = v
		}
	}
	return matched
}

// contract builds the graph of n clusters, given as rings in mate: weights of
// members add up, and so do those of parallel edges.
func (w *worker) contract(g *graph, mate []int32, n int) *graph {
	c := &graph{n: n, weight: g.weight, ptr: w.alloc(n + 1), vw: w.alloc(n)}
	room := len(g.idx) + 2
	buf := w.alloc(2 * room)
	idx, ew := buf[:room:room], buf[room:]
	w.place = grown(w.place, n) // where the row at hand has its edge to a node
	place := w.place
	for i := range place {
		place[i] = none
	}
	coarse := g.coarse
	k, cv := int32(0), int32(0)
	for v := range mate {
		if coarse[v] != cv {
			continue // not the first member of the next cluster
		}
		// The first entry takes the edges inside. An entry is new when its place
		// is below the row's start: m is −1 then, 0 otherwise, and the entry to
		// come is kept at weight 0, so that no branch has to be guessed.
		first := k
		c.ptr[cv] = k
		place[cv], idx[k], ew[k] = k, cv, 0
		k++
		ew[k] = 0
		weight := int32(0)
		for m := int32(v); ; {
			weight += g.vw[m]
			lo, hi := g.ptr[m], g.ptr[m+1]
			if g.ew == nil {
				for _, x := range g.idx[lo:hi] {
					d := coarse[x]
					p := place[d]
					m := (p - first) >> 31
					p ^= (p ^ k) & m
					k -= m
					place[d], idx[p] = p, d
					ew[p]++
					ew[k] = 0
				}
			} else {
				weights := g.ew[lo:hi]
				for q, x := range g.idx[lo:hi] {
					d := coarse[x]
					p := place[d]
					m := (p - first) >> 31
					p ^= (p ^ k) & m
					k -= m
					place[d], idx[p] = p, d
					ew[p] += weights[q]
					ew[k] = 0
				}
			}
			if m = mate[m]; int(m) == v {
				break
			}
		}
		k--
		idx[first], ew[first] = idx[k], ew[k]
		place[idx[k]] = none // k may be the next row's start
		c.vw[cv] = weight
		cv++
	}
	c.ptr[n] = k
	c.idx = idx[:k]
	c.ew = buf[k : 2*k] // next to the indices; the rest goes back
	copy(c.ew, ew[:k])
	w.trim(buf, int(2*k))
	return c
}

// inherit gives p, the part of g that has these nodes, its part of the graph next
// to g, so that parts need not be coarsened from the finest graph again. A
// cluster may lose members to the separator or the other side; the edges they had
// stay, which is harmless: what separates the clusters separates the nodes.
func (w *worker) inherit(g, p *graph, nodes []int32) {
	c := g.next
	w.place = grown(w.place, c.n)
	number := w.place
	for v := range number {
		number[v] = none
	}
	p.coarse = w.alloc(p.n)
	w.members = grown(w.members, 2*c.n)
	clusters, weight := w.members[:c.n], w.members[c.n:]
	k := int32(0)
	for i, v := range nodes {
		x := g.coarse[v]
		if number[x] < 0 {
			number[x], clusters[k], weight[k] = k, x, 0
			k++
		}
		p.coarse[i] = number[x]
		weight[number[x]] += p.vw[i]
	}
	p.next = c.subgraph(&w.arena, clusters[:k], number)
	copy(p.next.vw, weight[:k])
	p.next.weight = p.weight
}
