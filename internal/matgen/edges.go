package matgen

// edges collects undirected edges in any order, each once, as {low, high}.
type edges struct{ low, high []int32 }

func (e *edges) add(u, v int) {
	if u > v {
		u, v = v, u
	}
	e.low = append(e.low, int32(u))
	e.high = append(e.high, int32(v))
}

// laplacian returns the lower triangle of Lap + Ridge·I by rows, columns
// ascending, so that the diagonal is last in its row. Two counting sorts, by
// column and then by row, order the edges in O(n + edges).
func (e *edges) laplacian(n int) (ptr []int, idx []int32, values []float64) {
	count := make([]int, n+1)
	degree := make([]float64, n)
	for k, u := range e.low {
		count[u+1]++
		degree[u]++
		degree[e.high[k]]++
	}
	for i := range n {
		count[i+1] += count[i]
	}
	byLow := make([]int32, len(e.low))
	for k, u := range e.low {
		byLow[count[u]] = int32(k)
		count[u]++
	}
	ptr = make([]int, n+1)
	for _, v := range e.high {
		ptr[v+1]++
	}
	for i := range n {
		ptr[i+1] += ptr[i] + 1
	}
	idx = make([]int32, ptr[n])
	values = make([]float64, ptr[n])
	next := count[:n]
	copy(next, ptr)
	for _, k := range byLow {
		v := e.high[k]
		idx[next[v]], values[next[v]] = e.low[k], -1
		next[v]++
	}
	for i := range n {
		idx[next[i]], values[next[i]] = int32(i), degree[i]+Ridge
	}
	return ptr, idx, values
}
