package sparse

// Components returns the connected components: labels[i] is the component of
// node i, numbered from 0 in order of their smallest nodes, and count their
// number. Edges of weight 0 connect too: it is the pattern that is asked.
// Union-find with path halving, O(edges · α(n)) (Tarjan and van Leeuwen 1984).
func (g *Graph) Components() (labels []int32, count int) {
	parent := IdentityPerm(g.p.rows)
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range g.p.rows {
		for _, j := range g.p.Row(i) {
			a, b := find(int32(i)), find(j)
			if a != b { // the smaller node is the root: labels follow in order
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	for i := range parent { // parents precede their children
		if p := parent[i]; int(p) == i {
			parent[i] = int32(count)
			count++
		} else {
			parent[i] = parent[p]
		}
	}
	return parent, count
}
