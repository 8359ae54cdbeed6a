package dense

import "github.com/gcrfbc/gcrfbc/internal/simd"

// Tile divides every level's tile of rows: row ranges that begin at multiples
// of Tile may be computed separately, by any number of workers, with the bits
// of the whole.
const Tile = 24

// SyrkRows computes rows i0 ≤ i < i1 of Syrk's result: the lower triangle of
// C −= A Aᵀ, A n×k, C n×n, n ≥ i1. i0 is a multiple of Tile.
func SyrkRows(ws *Workspace, i0, i1, n, k int, a []float64, lda int, c []float64, ldc int) {
	checkMat(n, k, a, lda)
	checkMat(n, n, c, ldc)
	checkRows(i0, i1, n)
	if i0 >= i1 || k == 0 {
		return
	}
	left := operand{form: plain, a: a[i0:], ld: lda}
	product(ws, i1-i0, i0, k, -1, left, a, lda, 1, c[i0:], ldc, 0)
	product(ws, i1-i0, i1-i0, k, -1, left, a[i0:], lda, 1, c[i0+i0*ldc:], ldc, simd.Lower)
}

// SymmRows computes rows i0 ≤ i < i1 of Symm's result. i0 is a multiple of
// Tile.
func SymmRows(ws *Workspace, i0, i1, m, n int, alpha float64, z []float64, ldz int, y []float64, ldy int, c []float64, ldc int) {
	checkMat(m, m, z, ldz)
	checkMat(m, n, y, ldy)
	checkMat(m, n, c, ldc)
	checkRows(i0, i1, m)
	if i0 >= i1 || n == 0 {
		return
	}
	product(ws, i1-i0, n, m, alpha, operand{form: symmetric, a: z, ld: ldz, row: i0}, y, 1, ldy, c[i0:], ldc, 0)
}

func checkRows(i0, i1, n int) {
	if i0 < 0 || i1 > n || i0%Tile != 0 {
		panic("dense: bad row range")
	}
}
