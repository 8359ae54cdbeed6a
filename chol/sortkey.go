package chol

import "slices"

// sortByKey sorts list by increasing key, stably; short lists by insertion.
func sortByKey(list []int32, key func(int32) int64) {
	if len(list) <= 12 {
		for i := 1; i < len(list); i++ {
			c := list[i]
			k := key(c)
			j := i
			for ; j > 0 && key(list[j-1]) > k; j-- {
				list[j] = list[j-1]
			}
			list[j] = c
		}
		return
	}
	slices.SortStableFunc(list, func(a, b int32) int {
		ka, kb := key(a), key(b)
		switch {
		case ka < kb:
			return -1
		case ka > kb:
			return 1
		}
		return 0
	})
}
