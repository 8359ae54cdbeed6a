package simd

// solveForwardGo: L is an m×n panel, m ≥ n, its top n×n part lower triangular:
// x(0..n−1) := L11⁻¹ x(0..n−1), x(n..m−1) −= L21 x(0..n−1).
func solveForwardGo(m, n int, lp *float64, ldl int, xp *float64) {
	l := view(lp, extent(m, n, 1, ldl))
	x := view(xp, m)
	for j := range n {
		lj := l[j*ldl : j*ldl+m]
		v := x[j] / lj[j]
		x[j] = v
		for i := j + 1; i < m; i++ {
			x[i] -= v * lj[i]
		}
	}
}

// solveBackwardGo: x(0..n−1) := L11⁻ᵀ (x(0..n−1) − L21ᵀ x(n..m−1)).
func solveBackwardGo(m, n int, lp *float64, ldl int, xp *float64) {
	l := view(lp, extent(m, n, 1, ldl))
	x := view(xp, m)
	for j := n - 1; j >= 0; j-- {
		lj := l[j*ldl : j*ldl+m]
		s := x[j]
		for i := j + 1; i < m; i++ {
			s -= x[i] * lj[i]
		}
		x[j] = s / lj[j]
	}
}
