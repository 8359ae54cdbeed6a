package ordering

// Count returns what eliminating in the order perm costs: the entries of the
// Cholesky factor, diagonal included, and the operations of the factorization,
// multiplications and additions: Σ over the columns of the squared number of
// entries. Time is almost O(n + edges), memory 28 n bytes; the factor is not
// formed.
//
// J. R. Gilbert, E. G. Ng, B. W. Peyton, An efficient algorithm to compute row
// and column counts for sparse Cholesky factorization, SIAM J. Matrix Anal.
// Appl. 15 (1994) 1075–1091.
func Count(n int, ptr []int, idx []int32, perm []int32) (nnz int64, flops float64) {
	place := make([]int32, n)
	for k, v := range perm {
		place[v] = int32(k)
	}
	parent := eliminationTree(n, ptr, idx, perm, place)
	post := postorder(parent)
	// first[j] is the first descendant of j in postorder; j is a leaf of row i's
	// subtree when it comes after the last leaf's descendants.
	first, maxFirst := fill(n, none), fill(n, none)
	prevLeaf, set, count := fill(n, none), Natural(n), make([]int32, n)
	for k, j := range post {
		if first[j] == none {
			count[j] = 1
		}
		for a := j; a != none && first[a] == none; a = parent[a] {
			first[a] = int32(k)
		}
	}
	for _, j := range post {
		if p := parent[j]; p != none {
			count[p]--
		}
		v := perm[j]
		for _, u := range idx[ptr[v]:ptr[v+1]] {
			i := place[u]
			if i <= j || first[j] <= maxFirst[i] {
				continue
			}
			maxFirst[i] = first[j]
			count[j]++
			if leaf := prevLeaf[i]; leaf != none {
				// Counted twice from the common ancestor upwards.
				q := leaf
				for set[q] != q {
					q = set[q]
				}
				for s := leaf; s != q; {
					s, set[s] = set[s], q
				}
				count[q]--
			}
			prevLeaf[i] = j
		}
		if p := parent[j]; p != none {
			set[j] = p
		}
	}
	for _, j := range post {
		c := count[j]
		if p := parent[j]; p != none {
			count[p] += c
		}
		nnz += int64(c)
		flops += float64(c) * float64(c)
	}
	return nnz, flops
}

func fill(n int, x int32) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = x
	}
	return s
}

// eliminationTree returns the parent of every row of the permuted matrix, none
// for roots (J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11 (1990) 134–172).
func eliminationTree(n int, ptr []int, idx []int32, perm, place []int32) []int32 {
	parent, ancestor := fill(n, none), fill(n, none)
	for k, v := range perm {
		for _, u := range idx[ptr[v]:ptr[v+1]] {
			r := place[u]
			for int(r) < k {
				a := ancestor[r]
				if int(a) == k {
					break
				}
				ancestor[r] = int32(k)
				if a == none {
					parent[r] = int32(k)
					break
				}
				r = a
			}
		}
	}
	return parent
}

// postorder lists the nodes of a forest with every subtree contiguous and its
// root last.
func postorder(parent []int32) []int32 {
	n := len(parent)
	head, next := fill(n+1, none), make([]int32, n)
	for c := n - 1; c >= 0; c-- {
		p := parent[c]
		if p == none {
			p = int32(n)
		}
		next[c] = head[p]
		head[p] = int32(c)
	}
	post, stack := make([]int32, 0, n), []int32(nil)
	for r := head[n]; r != none; r = next[r] {
		stack = append(stack, r)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if c := head[v]; c != none {
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
