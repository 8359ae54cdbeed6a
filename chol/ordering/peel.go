package ordering

// minPeeled is the share of the nodes, 1/minPeeled, that must hang on trees for
// PeeledAMD to take these off.
const minPeeled = 4

// PeeledAMD is AMD for graphs that may be forests, or have many trees hanging on
// them: these are eliminated first, leaf by leaf, which makes no fill, and AMD
// orders what is left. It is what AMD would do as well, in a small part of the
// time. Where few nodes hang on trees it is AMD.
func PeeledAMD(n int, ptr []int, idx []int32, opts AMDOptions) []int32 {
	if !leafy(n, ptr) {
		return AMD(n, ptr, idx, opts)
	}
	order, degree := peel(n, ptr, idx)
	if len(order) < n/minPeeled {
		return AMD(n, ptr, idx, opts)
	}
	if len(order) == n {
		return order
	}
	// The rest, renumbered.
	rest := make([]int32, 0, n-len(order))
	number := make([]int32, n)
	nnz := 0
	for v, d := range degree {
		number[v] = -1
		if d >= 0 {
			number[v] = int32(len(rest))
			rest = append(rest, int32(v))
			nnz += int(d)
		}
	}
	subptr, subidx := make([]int, len(rest)+1), make([]int32, 0, nnz)
	for k, v := range rest {
		for _, u := range idx[ptr[v]:ptr[v+1]] {
			if x := number[u]; x >= 0 {
				subidx = append(subidx, x)
			}
		}
		subptr[k+1] = len(subidx)
	}
	for _, k := range AMD(len(rest), subptr, subidx, opts) {
		order = append(order, rest[k])
	}
	return order
}

// leafy reports whether a node has at most one neighbour.
func leafy(n int, ptr []int) bool {
	for v := range n {
		if ptr[v+1]-ptr[v] <= 1 {
			return true
		}
	}
	return false
}

// peel takes nodes with at most one neighbour off, as long as there are any. It
// returns their order, with room for all, and the degrees of the others, -1 for
// those in it. The last neighbour of a node is the exclusive or of all it had and
// those that were taken off. Nodes are looked at by number, and from a leaf inwards
// as far as nodes were looked at before; in the end they are sorted into a
// postorder.
func peel(n int, ptr []int, idx []int32) (order, degree []int32) {
	order = make([]int32, 0, n)
	degree = make([]int32, n)
	last := make([]int32, n)
	for v := range n {
		row := idx[ptr[v]:ptr[v+1]]
		x := int32(0)
		for _, u := range row {
			x ^= u
		}
		degree[v], last[v] = int32(len(row)), x
	}
	for v := range n {
		for u := int32(v); uint32(degree[u]) <= 1; {
			p, d := last[u], degree[u]
			degree[u] = -1
			order = append(order, u)
			if d == 0 {
				last[u] = -1
				break
			}
			last[p] ^= u
			degree[p]--
			if p > int32(v) {
				break // its turn comes
			}
			u = p
		}
	}
	if len(order) >= n/minPeeled {
		sortTrees(order, degree, last)
	}
	return order, degree
}

// sortTrees rearranges the order of peel so that the nodes of every subtree are
// consecutive, which keeps them together in memory from now on. parent is -1 for
// the last node of a tree.
func sortTrees(order, degree, parent []int32) {
	buf := make([]int32, 2*len(degree))
	size, start := buf[:len(degree)], buf[len(degree):]
	inside := func(p int32) bool { return p >= 0 && degree[p] < 0 }
	for _, v := range order {
		size[v]++
		if p := parent[v]; inside(p) {
			size[p] += size[v]
		}
	}
	top := int32(0)
	sorted := make([]int32, len(order))
	for k := len(order) - 1; k >= 0; k-- {
		v := order[k]
		at := top
		if p := parent[v]; inside(p) {
			at = start[p]
			start[p] += size[v]
		} else {
			top += size[v]
		}
		start[v] = at
		sorted[at+size[v]-1] = v
	}
	copy(order, sorted)
}
