package dense

import "github.com/gcrfbc/gcrfbc/internal/simd"

// trsmLeaf is the width up to which a solve goes column panel by column panel;
// wider ones are halved, the coupling being a product.
const trsmLeaf = 96

// TrsmRight computes B := B L⁻ᵀ: B m×n, L n×n lower. mn² operations. Rows are
// independent: solving them in groups gives the same bits.
func TrsmRight(ws *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int) {
	checkMat(n, n, l, ldl)
	checkMat(m, n, b, ldb)
	if m > 0 && n > 0 {
		trsmRight(ws, m, n, l, ldl, b, ldb)
	}
}

func trsmRight(ws *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int) {
	nr := simd.NR()
	if n > trsmLeaf {
		h := (n/2 + nr - 1) / nr * nr
		trsmRight(ws, m, h, l, ldl, b, ldb)
		product(ws, m, n-h, h, -1, operand{form: plain, a: b, ld: ldb}, l[h:], ldl, 1, b[h*ldb:], ldb, 0)
		trsmRight(ws, m, n-h, l[h+h*ldl:], ldl, b[h*ldb:], ldb)
		return
	}
	for j := 0; j < n; j += nr {
		simd.TrsmPanel(m, min(nr, n-j), j, &b[0], ldb, &l[j], ldl, 1, &b[j*ldb], ldb, &l[j+j*ldl], ldl)
	}
}

// TrsmRightN computes B := B L⁻¹: B m×n, L n×n lower. mn² operations. Rows are
// independent: solving them in groups gives the same bits.
func TrsmRightN(ws *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int) {
	checkMat(n, n, l, ldl)
	checkMat(m, n, b, ldb)
	if m > 0 && n > 0 {
		trsmRightN(ws, m, n, l, ldl, b, ldb)
	}
}

func trsmRightN(ws *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int) {
	nr := simd.NR()
	if n > trsmLeaf {
		h := (n/2 + nr - 1) / nr * nr
		trsmRightN(ws, m, n-h, l[h+h*ldl:], ldl, b[h*ldb:], ldb)
		product(ws, m, h, n-h, -1, operand{form: plain, a: b[h*ldb:], ld: ldb}, l[h:], 1, ldl, b, ldb, 0)
		trsmRightN(ws, m, h, l, ldl, b, ldb)
		return
	}
	for j := (n - 1) / nr * nr; j >= 0; j -= nr {
		nb := min(nr, n-j)
		k := n - j - nb
		e := j + nb
		if k == 0 {
			e = j // addresses only
		}
		simd.TrsmPanelN(m, nb, k, &b[e*ldb], ldb, &l[e+j*ldl], 1, ldl, &b[j*ldb], ldb, &l[j+j*ldl], ldl)
	}
}

// TrsmLeft computes B := L⁻¹ B: L n×n lower, B n×nrhs. n²nrhs operations.
func TrsmLeft(ws *Workspace, n, nrhs int, l []float64, ldl int, b []float64, ldb int) {
	checkMat(n, n, l, ldl)
	checkMat(n, nrhs, b, ldb)
	if n == 0 {
		return
	}
	if nrhs < fewRight {
		for r := range nrhs {
			simd.SolveForward(n, n, &l[0], ldl, &b[r*ldb])
		}
		return
	}
	x, ldx := transposeIn(ws, n, nrhs, b, ldb)
	trsmRight(ws, nrhs, n, l, ldl, x, ldx)
	transposeOut(n, nrhs, x, ldx, b, ldb)
}

// TrsmLeftT computes B := L⁻ᵀ B: L n×n lower, B n×nrhs. n²nrhs operations.
func TrsmLeftT(ws *Workspace, n, nrhs int, l []float64, ldl int, b []float64, ldb int) {
	checkMat(n, n, l, ldl)
	checkMat(n, nrhs, b, ldb)
	if n == 0 {
		return
	}
	if nrhs < fewRight {
		for r := range nrhs {
			simd.SolveBackward(n, n, &l[0], ldl, &b[r*ldb])
		}
		return
	}
	x, ldx := transposeIn(ws, n, nrhs, b, ldb)
	trsmRightN(ws, nrhs, n, l, ldl, x, ldx)
	transposeOut(n, nrhs, x, ldx, b, ldb)
}

// fewRight is the number of right-hand sides from which solving for the
// transpose pays: (L⁻¹ B)ᵀ = Bᵀ L⁻ᵀ.
const fewRight = 3

// transposeIn returns Bᵀ, nrhs×n.
func transposeIn(ws *Workspace, n, nrhs int, b []float64, ldb int) (x []float64, ldx int) {
	nr := simd.NR()
	ldx = (nrhs + nr - 1) / nr * nr
	x = ws.temp(ldx * n)
	o := operand{form: transposed, a: b, ld: ldb}
	for g := 0; g < nrhs; g += nr {
		o.packRows(g, min(nr, nrhs-g), 0, n, &x[g], ldx)
	}
	return x, ldx
}

// transposeOut writes the transpose of x, nrhs×n, to B.
func transposeOut(n, nrhs int, x []float64, ldx int, b []float64, ldb int) {
	nr := simd.NR()
	o := operand{form: transposed, a: x, ld: ldx}
	g := 0
	for ; g+nr <= n; g += nr {
		o.packRows(g, nr, 0, nrhs, &b[g], ldb)
	}
	for ; g < n; g++ {
		for r := range nrhs {
			b[g+r*ldb] = x[r+g*ldx]
		}
	}
}
