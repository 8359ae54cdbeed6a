package ceiling

import "math"

// multiplyAddGo advances chains x := c[0] x + c[1] from 0 by 4n steps each and
// writes the sum of their ends to c[2].
func multiplyAddGo(n int, c []float64) {
	m, a := c[0], c[1]
	var x0, x1, x2, x3, x4, x5, x6, x7 float64
	for range 4 * n {
		x0 = math.FMA(m, x0, a)
		x1 = math.FMA(m, x1, a)
		x2 = math.FMA(m, x2, a)
		x3 = math.FMA(m, x3, a)
		x4 = math.FMA(m, x4, a)
		x5 = math.FMA(m, x5, a)
		x6 = math.FMA(m, x6, a)
		x7 = math.FMA(m, x7, a)
	}
	c[2] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7
}

const goChains = 8

// triadGo sets a = b + s c.
func triadGo(s float64, a, b, c []float64) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		a[i] = b[i] + s*c[i]
	}
}
