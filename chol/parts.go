package chol

import "sync"

// inParts splits 0…n−1 into ranges of about the same length and runs f on all of
// them at once.
func inParts(parts, n int, f func(part, lo, hi int)) {
	if parts <= 1 {
		f(0, 0, n)
		return
	}
	var wait sync.WaitGroup
	for k := range parts {
		wait.Go(func() { f(k, k*n/parts, (k+1)*n/parts) })
	}
	wait.Wait()
}
