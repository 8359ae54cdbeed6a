package chol

// etree returns the elimination tree of the matrix whose row k is node
// perm[k] (Liu 1990, SIAM J. Matrix Anal. Appl. 11:134, algorithm 4.2):
// parent[k] is the row of the first nonzero below the diagonal in column k
// of the factor, or -1. Cost: O(nnz·α).
func etree(g *adjacency, perm, iperm []int32) []int32 {
	n := g.n
	parent := make([]int32, n)
	ancestor := make([]int32, n) // path-compressed
	for k := range n {
		parent[k], ancestor[k] = -1, -1
		v := perm[k]
		for _, u := range g.idx[g.ptr[v]:g.ptr[v+1]] {
			r := iperm[u]
			if int(r) >= k {
				continue
			}
			for {
				a := ancestor[r]
				if int(a) == k {
					break
				}
				ancestor[r] = int32(k)
				if a < 0 {
					parent[r] = int32(k)
					break
				}
				r = a
			}
		}
	}
	return parent
}

// childLists threads the children of every node into lists: head[p] is the
// first child of p and next links its siblings, in increasing order. Roots
// are linked under the extra index len(parent).
func childLists(parent []int32) (head, next []int32) {
	n := len(parent)
	head, next = make([]int32, n+1), make([]int32, n)
	for i := range head {
		head[i] = -1
	}
	for c := n - 1; c >= 0; c-- {
		p := parent[c]
		if p < 0 {
			p = int32(n)
		}
		next[c] = head[p]
		head[p] = int32(c)
	}
	return head, next
}

// postorder returns the nodes of a forest with children before parents and
// every subtree contiguous: post[k] is the k-th node. head is consumed.
func postorder(head, next []int32) []int32 {
	n := len(next)
	post := make([]int32, 0, n)
	stack := make([]int32, 0, 64)
	for r := head[n]; r >= 0; r = next[r] {
		stack = append(stack, r)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if c := head[v]; c >= 0 {
				head[v] = next[c]
				stack = append(stack, c)
				continue
			}
			stack = stack[:len(stack)-1]
			post = append(post, v)
		}
	}
	return post
}
