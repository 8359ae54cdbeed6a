package ordering

// order lists the nodes element by element in a postorder of the assembly tree,
// in which the parent of an element is the one that absorbed it. Elements come
// with the variables eliminated along with them; dense rows are last.
func (q *quotient[P]) order() []int32 {
	n := q.n
	nodes := q.nodes
	// Reuse fields that elimination is done with: elems is the position of an
	// element in a postorder, next and prev link children and siblings.
	const variable = -2
	for i := range nodes {
		nodes[i].elems, nodes[i].next, nodes[i].prev = variable, none, none
	}
	roots := none
	for k := len(q.pivots) - 1; k >= 0; k-- {
		e := q.pivots[k]
		v := &nodes[e]
		v.elems = none
		if v.start >= 0 {
			v.prev = roots
			roots = e
			continue
		}
		parent := &nodes[^int32(v.start)]
		v.prev = parent.next
		parent.next = e
	}
	perm := make([]int32, n)
	at := int32(0)
	stack := make([]int32, 0, 64)
	for r := roots; r != none; r = nodes[r].prev {
		stack = append(stack, r)
		for len(stack) > 0 {
			e := stack[len(stack)-1]
			v := &nodes[e]
			if c := v.next; c != none {
				v.next = nodes[c].prev
				stack = append(stack, c)
				continue
			}
			stack = stack[:len(stack)-1]
			perm[at] = e
			v.elems = at + 1 // where its next variable goes
			at += v.weight
		}
	}
	for _, i := range q.dense {
		nodes[i].elems = none
	}
	for i := range nodes {
		if nodes[i].elems != variable {
			continue
		}
		r := ^int32(nodes[i].start)
		for nodes[r].elems == variable {
			r = ^int32(nodes[r].start)
		}
		for j := int32(i); nodes[j].elems == variable; {
			up := ^int32(nodes[j].start)
			nodes[j].start = P(^r)
			if up == r {
				break
			}
			j = up
		}
		perm[nodes[r].elems] = int32(i)
		nodes[r].elems++
	}
	copy(perm[n-len(q.dense):], q.dense)
	return perm
}
