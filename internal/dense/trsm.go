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
