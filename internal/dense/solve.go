package dense

import "github.com/gcrfbc/gcrfbc/internal/simd"

// FrontSolve is the forward step of a solve with one front: l is the nr×w panel
// of FrontFactor and x, of nr elements, holds the right-hand side at the pivot
// rows, then whatever the rows below have gathered:
//
//	x(:w) := L11⁻¹ x(:w),  x(w:) −= L21 x(:w)
//
// One pass over the panel; w(2nr−w) operations.
func FrontSolve(nr, w int, l []float64, ldl int, x []float64) {
	checkSolve(nr, w, l, ldl, len(x))
	if w > 0 {
		simd.SolveForward(nr, w, &l[0], ldl, &x[0])
	}
}

// FrontSolveT is the backward step; x(w:) holds the solution at the rows below:
//
//	x(:w) := L11⁻ᵀ (x(:w) − L21ᵀ x(w:))
func FrontSolveT(nr, w int, l []float64, ldl int, x []float64) {
	checkSolve(nr, w, l, ldl, len(x))
	if w > 0 {
		simd.SolveBackward(nr, w, &l[0], ldl, &x[0])
	}
}

func checkSolve(nr, w int, l []float64, ldl, n int) {
	checkMat(nr, w, l, ldl)
	if w > nr {
		panic("dense: front wider than tall")
	}
	if n < nr {
		panic("dense: slice too short")
	}
}

// FrontSolveMany is FrontSolve for nrhs right-hand sides stored side by side: x
// is nrhs×nr, the values of one row of the front contiguous, so that gathering
// and scattering move whole columns and the solve is all products.
func FrontSolveMany(ws *Workspace, nr, w, nrhs int, l []float64, ldl int, x []float64, ldx int) {
	checkSolve(nr, w, l, ldl, nr)
	checkMat(nrhs, nr, x, ldx)
	if w == 0 || nrhs == 0 {
		return
	}
	trsmRight(ws, nrhs, w, l, ldl, x, ldx)
	if nr > w {
		product(ws, nrhs, nr-w, w, -1, operand{form: plain, a: x, ld: ldx}, l[w:], ldl, 1, x[w*ldx:], ldx, 0)
	}
}

// FrontSolveManyT is FrontSolveT for the layout of FrontSolveMany.
func FrontSolveManyT(ws *Workspace, nr, w, nrhs int, l []float64, ldl int, x []float64, ldx int) {
	checkSolve(nr, w, l, ldl, nr)
	checkMat(nrhs, nr, x, ldx)
	if w == 0 || nrhs == 0 {
		return
	}
	if nr > w {
		product(ws, nrhs, w, nr-w, -1, operand{form: plain, a: x[w*ldx:], ld: ldx}, l[w:], 1, ldl, x, ldx, 0)
	}
	trsmRightN(ws, nrhs, w, l, ldl, x, ldx)
}
