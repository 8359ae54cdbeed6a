package ordering

// Natural returns the order 0, 1, …, n−1.
func Natural(n int) []int32 {
	perm := make([]int32, n)
	for k := range perm {
		perm[k] = int32(k)
	}
	return perm
}
