//go:build !amd64 || noasm

package ceiling

// multiplyAdd runs n rounds of four steps and returns how many chains it has.
func multiplyAdd(n int, c []float64) (chains int) {
	multiplyAddGo(n, c)
	return goChains
}

// triad sets a = b + s c; lengths are equal.
func triad(s float64, a, b, c []float64) { triadGo(s, a, b, c) }
