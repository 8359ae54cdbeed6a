package ordering

// breadthFirst lists the nodes that are reached from root in the order of
// distance. number[v] < 0 marks nodes not visited yet; visited ones get their
// place in order.
func (g *graph) breadthFirst(root int32, order, number []int32) []int32 {
	k := len(order)
	number[root] = int32(k)
	order = append(order, root)
	for ; k < len(order); k++ {
		for _, u := range g.row(order[k]) {
			if number[u] < 0 {
				number[u] = int32(len(order))
				order = append(order, u)
			}
		}
	}
	return order
}

// connected reports whether one component holds all nodes of g.
func (w *worker) connected(g *graph) bool {
	number := w.scratch(g.n)
	for v := range number {
		number[v] = none
	}
	w.order = grown(w.order, g.n)
	return len(g.breadthFirst(0, w.order[:0], number)) == g.n
}

// components orders the connected components of g one after the other. The small
// ones share a block.
func (w *worker) components(g *graph, first int32, seed uint64) {
	rnd := random(seed)
	m := w.mark()
	defer w.release(m)
	number, order := w.alloc(g.n), w.alloc(g.n)[:0]
	for v := range number {
		number[v] = none
	}
	var end []int32 // of every component in order
	small := int32(0)
	for root := range int32(g.n) {
		if number[root] >= 0 {
			continue
		}
		base := len(order)
		order = g.breadthFirst(root, order, number)
		end = append(end, int32(len(order)))
		if nodes := order[base:]; len(nodes) <= w.d.leaf {
			for _, v := range nodes {
				w.d.block[g.label[v]] = first
				small += g.vw[v]
			}
		}
	}
	scattered := g.scattered()
	if len(end) == 1 && !scattered {
		w.release(m)
		w.dissect(g, first, seed)
		return
	}
	if !scattered {
		g.restoreOrder(order, end, number)
	}
	at, base := first+small, int32(0)
	for _, e := range end {
		nodes := order[base:e]
		base = e
		if len(nodes) <= w.d.leaf {
			continue
		}
		for k, v := range nodes {
			number[v] = int32(k)
		}
		m := w.mark()
		c := g.subgraph(&w.arena, nodes, number)
		w.dissect(c, at, rnd.next())
		at += int32(c.weight)
		w.release(m)
	}
}

// scattered reports whether neighbours are far apart in the numbering, as good
// as random, so that renumbering breadth first brings them together in memory.
func (g *graph) scattered() bool {
	far := int64(0)
	for v := range int32(g.n) {
		for _, u := range g.row(v) {
			far += int64(max(u-v, v-u))
		}
	}
	return far > int64(len(g.idx))*int64(g.n)/16
}

// restoreOrder sorts the nodes of every component, which order lists up to its
// end.
func (g *graph) restoreOrder(order, end, component []int32) {
	base := int32(0)
	for c, e := range end {
		for _, v := range order[base:e] {
			component[v] = int32(c)
		}
		base = e
	}
	at := make([]int32, len(end))
	for c := 1; c < len(end); c++ {
		at[c] = end[c-1]
	}
	for v, c := range component {
		order[at[c]] = int32(v)
		at[c]++
	}
}
