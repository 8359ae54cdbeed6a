package chol

// Kernels of solves with one right-hand side. a is column-major with leading
// dimension ld.

// lowerSolve computes x := L⁻¹ x, L n×n lower.
func lowerSolve(n int, l []float64, ld int, x []float64) {
	x = x[:n]
	for k := range n {
		col := l[k*ld : k*ld+n]
		v := x[k] / col[k]
		x[k] = v
		for i := k + 1; i < len(col) && i < len(x); i++ {
			x[i] -= col[i] * v
		}
	}
}

// lowerSolveT computes x := L⁻ᵀ x.
func lowerSolveT(n int, l []float64, ld int, x []float64) {
	x = x[:n]
	for k := n - 1; k >= 0; k-- {
		col := l[k*ld : k*ld+n]
		v := x[k]
		for i := k + 1; i < len(col) && i < len(x); i++ {
			v -= col[i] * x[i]
		}
		x[k] = v / col[k]
	}
}

// subMulVec computes y −= A x, A len(y)×len(x).
func subMulVec(a []float64, ld int, x, y []float64) {
	m := len(y)
	if m == 0 {
		return
	}
	k := 0
	for ; k+4 <= len(x); k += 4 {
		x0, x1, x2, x3 := x[k], x[k+1], x[k+2], x[k+3]
		a0, a1, a2, a3 := a[k*ld:][:m], a[(k+1)*ld:][:m], a[(k+2)*ld:][:m], a[(k+3)*ld:][:m]
		for i := range y {
			y[i] -= a0[i]*x0 + a1[i]*x1 + a2[i]*x2 + a3[i]*x3
		}
	}
	for ; k < len(x); k++ {
		x0, a0 := x[k], a[k*ld:][:m]
		for i := range y {
			y[i] -= a0[i] * x0
		}
	}
}

// subMulVecT computes y −= Aᵀ x, A len(x)×len(y).
func subMulVecT(a []float64, ld int, x, y []float64) {
	m := len(x)
	if m == 0 {
		return
	}
	k := 0
	for ; k+4 <= len(y); k += 4 {
		a0, a1, a2, a3 := a[k*ld:][:m], a[(k+1)*ld:][:m], a[(k+2)*ld:][:m], a[(k+3)*ld:][:m]
		var s0, s1, s2, s3 float64
		for i, v := range x {
			s0 += a0[i] * v
			s1 += a1[i] * v
			s2 += a2[i] * v
			s3 += a3[i] * v
		}
		y[k] -= s0
		y[k+1] -= s1
		y[k+2] -= s2
		y[k+3] -= s3
	}
	for ; k < len(y); k++ {
		a0 := a[k*ld:][:m]
		s := 0.0
		for i, v := range x {
			s += a0[i] * v
		}
		y[k] -= s
	}
}
