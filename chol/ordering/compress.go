package ordering

// compress finds nodes with the same neighbours, themselves included, which may
// be numbered together without loss (Ashcraft 1995; Hendrickson & Rothberg
// 1998). group[v] is the first node that v cannot be told from; nil when too few
// nodes coincide to be worth it. Nodes with out[v] < 0 are left alone.
func compress(n int, ptr []int, idx []int32, out []int32) (group []int32) {
	const worth = 0.85 // of the nodes left at most
	hash := make([]uint64, n)
	for v := range hash {
		h := mix(uint64(v) + 1)
		for _, u := range idx[ptr[v]:ptr[v+1]] {
			h += mix(uint64(u) + 1)
		}
		hash[v] = h
	}
	size := 16
	for size < n {
		size *= 2
	}
	head := make([]int32, size)
	for b := range head {
		head[b] = none
	}
	next := make([]int32, n)
	group = make([]int32, n)
	seen := make([]int32, n) // seen[u] = v+1: u is v or next to v
	groups := n
	for v := range n {
		group[v] = int32(v)
		if out[v] < 0 {
			continue
		}
		b := hash[v] & uint64(size-1)
		for u := head[b]; u != none; u = next[u] {
			if hash[u] == hash[v] && ptr[u+1]-ptr[u] == ptr[v+1]-ptr[v] && sameNeighbours(ptr, idx, u, int32(v), seen) {
				group[v] = u
				groups--
				break
			}
		}
		if group[v] == int32(v) {
			next[v] = head[b]
			head[b] = int32(v)
		}
	}
	if float64(groups) > worth*float64(n) {
		return nil
	}
	return group
}

func sameNeighbours(ptr []int, idx []int32, u, v int32, seen []int32) bool {
	seen[v] = v + 1
	for _, x := range idx[ptr[v]:ptr[v+1]] {
		seen[x] = v + 1
	}
	if seen[u] != v+1 {
		return false
	}
	for _, x := range idx[ptr[u]:ptr[u+1]] {
		if seen[x] != v+1 {
			return false
		}
	}
	return true
}
