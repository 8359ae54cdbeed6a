package ordering

// order lists the nodes element by element in a postorder of the assembly tree,
// in which the parent of an element is the one that absorbed it. Elements come
// with the variables eliminated along with them; dense rows are last.
func (q *quotient[P]) order() []int32 {
	nodes, pivots := q.nodes, q.pivots
	// Elements are numbered in the order of elimination, parents after children:
	// an element's nodes stand at the end of its subtree's places, and neither
	// sizes nor places take a search of the tree.
	buf := q.list // which nobody needs any more
	if len(buf) < 2*len(pivots) {
		buf = make([]int32, 2*len(pivots))
	}
	parent, size := buf[:len(pivots)], buf[len(pivots):2*len(pivots)]
	clear(size)
	for k, e := range pivots {
		v := &nodes[e]
		size[k] += v.prev
		parent[k] = none
		if v.start < 0 {
			p := nodes[^int32(v.start)].elems - 1
			parent[k] = p
			size[p] += size[k]
		}
	}
	perm := make([]int32, q.n)
	end := int32(q.total) // of the places not given away yet
	for k := len(pivots) - 1; k >= 0; k-- {
		to := &end
		if p := parent[k]; p != none {
			to = &parent[p] // the end of what is left of its parent's places
		}
		last := *to
		*to -= size[k]
		e := pivots[k]
		v := &nodes[e]
		at := last - v.prev
		perm[at] = e
		v.next = at + 1 // where its next variable goes
		parent[k] = at
	}
	for i := range nodes {
		if nodes[i].elems != 0 {
			continue // an element or a dense row
		}
		r := ^int32(nodes[i].start)
		for nodes[r].elems == 0 {
			r = ^int32(nodes[r].start)
		}
		for j := int32(i); ; {
			up := ^int32(nodes[j].start)
			if up == r {
				break
			}
			nodes[j].start = P(^r)
			j = up
		}
		perm[nodes[r].next] = int32(i)
		nodes[r].next++
	}
	copy(perm[q.total:], q.dense)
	return perm
}
