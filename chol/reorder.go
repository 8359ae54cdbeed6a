package chol

// reorderColumns permutes the columns within every supernode, where any order
// gives the same stored structure (in an amalgamated one explicit zeros may
// turn into nonzeros), by the first column of L that touches each. Rows
// that a subtree shares then lie together, so relative indices fall into few
// runs of consecutive integers, and assembly moves vectors: 2 to 5 times
// longer runs than the order of METIS or AMD gives. (The aim of Pichon,
// Faverge, Ramet & Roman 2017, SIAM J. Matrix Anal. Appl. 38:226, by a sort.)
//
// It returns the inverse of the new perm, and for every supernode the number of
// edges of g from its columns to later ones.
func reorderColumns(g *adjacency, perm []int32, t *supertree) (iperm, later []int32) {
	iperm = invert(perm)
	later = make([]int32, len(t.r))
	first := make([]int32, g.n) // by node: column of the first nonzero in its row of L
	inParts(g.parts, len(t.r), func(_, lo, hi int) {
		for s := lo; s < hi; s++ {
			count := int32(0)
			for k := t.start[s]; k < t.start[s+1]; k++ {
				v, f := perm[k], k
				for _, u := range g.idx[g.ptr[v]:g.ptr[v+1]] {
					c := iperm[u]
					f = min(f, c)
					count -= (k - c) >> 31 // +1 where c > k
				}
				first[v] = f
			}
			later[s] = count
		}
	})
	// The numbers above are of the order before; so they must all be there first.
	for s := range t.r {
		lo, hi := t.start[s], t.start[s+1]
		if hi-lo == 1 {
			continue
		}
		columns := perm[lo:hi]
		sortByKey(columns, func(v int32) int64 { return int64(first[v]) })
		for k, v := range columns {
			iperm[v] = lo + int32(k)
		}
	}
	return iperm, later
}
