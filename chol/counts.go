package chol

// columnCounts returns the number of nonzeros in every column of the factor,
// diagonal included, without forming it (Gilbert, Ng & Peyton 1994, SIAM J.
// Matrix Anal. Appl. 15:1075, figure 3). The rows must be postordered:
// parent[k] > k and subtrees contiguous. Cost: O(nnz·α).
func columnCounts(g *adjacency, perm, iperm, parent []int32) []int32 {
	n := g.n
	count := make([]int32, n)
	buf := make([]int32, 3*n)
	first, prevLeaf, set := buf[:n], buf[n:2*n], buf[2*n:]
	for k := range n {
		first[k], prevLeaf[k], set[k] = -1, -1, int32(k)
	}
	for k := range n { // first descendant of every node, in postorder
		if first[k] >= 0 {
			continue
		}
		count[k] = 1 // k is a leaf of the tree
		for a := int32(k); a >= 0 && first[a] < 0; a = parent[a] {
			first[a] = int32(k)
		}
	}
	for j := range n {
		if p := parent[j]; p >= 0 {
			count[p]--
		}
		v, from := perm[j], first[j]
		for _, u := range g.idx[g.ptr[v]:g.ptr[v+1]] {
			i := iperm[u]
			if int(i) <= j {
				continue // above the diagonal
			}
			prev := prevLeaf[i]
			if prev >= from {
				continue // below j: j is no leaf of row i's subtree
			}
			count[j]++
			if prev >= 0 {
				// The path from j meets the one from the previous leaf at
				// their least common ancestor, counted twice.
				q := prev
				for set[q] != q {
					q = set[q]
				}
				for s := prev; s != q; {
					s, set[s] = set[s], q
				}
				count[q]--
			}
			prevLeaf[i] = int32(j)
		}
		if p := parent[j]; p >= 0 {
			set[j] = p
		}
	}
	for k := range n {
		if p := parent[k]; p >= 0 {
			count[p] += count[k]
		}
	}
	return count
}

// countedWork returns Σ count and Σ count²: the nonzeros of the factor and
// the operations (multiplications and additions) of the factorization.
func countedWork(count []int32) (nnz int64, flops float64) {
	for _, c := range count {
		nnz += int64(c)
		flops += float64(c) * float64(c)
	}
	return nnz, flops
}
