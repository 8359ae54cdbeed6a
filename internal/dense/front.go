package dense

import (
	"math"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// Potrf factorizes the lower triangle of the n×n matrix a as L Lᵀ in place.
// It returns −1, or the first column whose pivot is not a positive normal
// number; then a is partly overwritten. n³/3 operations.
func Potrf(ws *Workspace, n int, a []float64, lda int) (info int) {
	checkMat(n, n, a, lda)
	return factorPanel(ws, n, n, a, lda)
}

// leaf is the width up to which column panels look left one by one; wider
// panels are halved.
const leaf = 64

// factorPanel factorizes the rows×w panel a, w ≤ rows.
func factorPanel(ws *Workspace, rows, w int, a []float64, lda int) (info int) {
	nr := simd.NR()
	if w > leaf {
		h := (w/2 + nr - 1) / nr * nr
		if info = factorPanel(ws, rows, h, a, lda); info >= 0 {
			return info
		}
		product(ws, rows-h, w-h, h, -1, operand{form: plain, a: a[h:], ld: lda}, a[h:], lda, 1, a[h+h*lda:], lda, simd.Lower)
		if info = factorPanel(ws, rows-h, w-h, a[h+h*lda:], lda); info >= 0 {
			return h + info
		}
		return -1
	}
	for j := 0; j < w; j += nr {
		if i := simd.PotrfPanel(rows-j, min(nr, w-j), j, &a[j], lda); i >= 0 {
			return j + i
		}
	}
	return -1
}

// PanelFactor factorizes the rows×w panel a, w ≤ rows, lower part valid: L11 over
// L21. It returns −1, or the first column whose pivot is not a positive normal
// number; then a is partly overwritten.
func PanelFactor(ws *Workspace, rows, w int, a []float64, lda int) (info int) {
	checkMat(rows, w, a, lda)
	if w > rows {
		panic("dense: panel wider than tall")
	}
	return factorPanel(ws, rows, w, a, lda)
}

// FrontFactor factorizes a front. a is its nr×w panel of pivot columns, lower
// part valid; on return it holds L11 (w×w lower) over L21 (r×w, r = nr−w). u is
// the r×r lower triangle of the update matrix: u −= L21 L21ᵀ. It returns −1, or
// the first column whose pivot is not a positive normal number; then a is partly
// overwritten and u unchanged.
func FrontFactor(ws *Workspace, nr, w int, a []float64, lda int, u []float64, ldu int) (info int) {
	checkMat(nr, w, a, lda)
	if w > nr {
		panic("dense: front wider than tall")
	}
	r := nr - w
	checkMat(r, r, u, ldu)
	if w == 1 && nr <= tiny {
		return columnFactor(nr, a, u, ldu)
	}
	if info = factorPanel(ws, nr, w, a, lda); info >= 0 {
		return info
	}
	if r > 0 && w > 0 {
		Syrk(ws, r, w, a[w:], lda, u, ldu)
	}
	return -1
}

// tiny is the order up to which a front of one column goes without the tiles.
const tiny = 8

// columnFactor is FrontFactor for w = 1, nr ≤ tiny.
func columnFactor(nr int, a, u []float64, ldu int) (info int) {
	d := a[0]
	if !(d >= simd.MinPivot && d <= math.MaxFloat64) {
		return 0
	}
	d = math.Sqrt(d)
	a[0] = d
	d = 1 / d
	a = a[1:nr]
	for i := range a {
		a[i] *= d
	}
	for j, v := range a {
		uj := u[j*ldu : j*ldu+len(a)]
		for i := j; i < len(a); i++ {
			uj[i] -= a[i] * v
		}
	}
	return -1
}
