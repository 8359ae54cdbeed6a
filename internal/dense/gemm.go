package dense

import "github.com/gcrfbc/gcrfbc/internal/simd"

// GemmNT computes C += alpha A Bᵀ: A m×k, B n×k, C m×n. 2mnk operations.
func GemmNT(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	checkMat(m, k, a, lda)
	checkMat(n, k, b, ldb)
	checkMat(m, n, c, ldc)
	product(ws, m, n, k, alpha, operand{form: plain, a: a, ld: lda}, b, ldb, 1, c, ldc, 0)
}

// GemmNN computes C += alpha A B: A m×k, B k×n, C m×n. 2mnk operations.
func GemmNN(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	checkMat(m, k, a, lda)
	checkMat(k, n, b, ldb)
	checkMat(m, n, c, ldc)
	product(ws, m, n, k, alpha, operand{form: plain, a: a, ld: lda}, b, 1, ldb, c, ldc, 0)
}

// GemmTN computes C += alpha Aᵀ B: A k×m, B k×n, C m×n. 2mnk operations.
func GemmTN(ws *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	checkMat(k, m, a, lda)
	checkMat(k, n, b, ldb)
	checkMat(m, n, c, ldc)
	product(ws, m, n, k, alpha, operand{form: transposed, a: a, ld: lda}, b, 1, ldb, c, ldc, 0)
}

// Symm computes C += alpha Z Y: Z m×m symmetric by its lower triangle, Y and C
// m×n. 2m²n operations.
func Symm(ws *Workspace, m, n int, alpha float64, z []float64, ldz int, y []float64, ldy int, c []float64, ldc int) {
	checkMat(m, m, z, ldz)
	checkMat(m, n, y, ldy)
	checkMat(m, n, c, ldc)
	product(ws, m, n, m, alpha, operand{form: symmetric, a: z, ld: ldz}, y, 1, ldy, c, ldc, 0)
}

// Syrk computes the lower triangle of C −= A Aᵀ: A n×k, C n×n. n²k operations.
func Syrk(ws *Workspace, n, k int, a []float64, lda int, c []float64, ldc int) {
	checkMat(n, k, a, lda)
	checkMat(n, n, c, ldc)
	product(ws, n, n, k, -1, operand{form: plain, a: a, ld: lda}, a, lda, 1, c, ldc, simd.Lower)
}

// product computes C += alpha A B, C m×n, B(p,j) = b[p*rsb + j*csb], in a mode
// of simd.GemmBlock; in mode Lower n ≤ m. Each element is the sum over blocks of
// p of alpha times the block's sum, whichever path is taken. If k is zero C
// stays, in any mode.
func product(ws *Workspace, m, n, k int, alpha float64, a operand, b []float64, rsb, csb int, c []float64, ldc, mode int) {
	if m == 0 || n == 0 || k == 0 {
		return
	}
	if a.form == plain && direct(m, n, k, a.ld, max(rsb, csb)) {
		mr, nr := simd.MR(), simd.NR()
		kb := split(k, kBlock, nr)
		for p := 0; p < k; p += kb {
			simd.GemmBlock(m, n, min(kb, k-p), alpha, &a.a[p*a.ld], a.ld, mr, &b[p*rsb], rsb, csb, nr*csb, &c[0], ldc, mode)
			mode &^= simd.Overwrite
		}
		return
	}
	packed(ws, m, n, k, alpha, a, b, rsb, csb, c, ldc, mode)
}

// direct says that packing would not pay: few columns use each row, or a block
// of A stays in the second-level cache as it is. A leading dimension that is a
// multiple of 2 KiB makes columns compete for the same cache lines.
func direct(m, n, k, lda, ldb int) bool {
	if m <= 48 || n <= 24 || k <= 16 {
		return true
	}
	if nr := simd.NR(); (lda%256 == 0 || ldb%256 == 0) && k > nr*nr {
		return false
	}
	return m*min(k, kBlock) <= 1<<16
}

// packed is product with A packed in strips, and B too where its rows lie
// contiguous (csb = 1): then each step along k would be another page.
func packed(ws *Workspace, m, n, k int, alpha float64, a operand, b []float64, rsb, csb int, c []float64, ldc, mode int) {
	mr, nr := simd.MR(), simd.NR()
	kb := split(k, kBlock, nr)
	mb := split(m, mBlock, mr)
	nb := split(n, nBlock, nr)
	lower := mode&simd.Lower != 0
	if lower {
		nb = (nb + mr - 1) / mr * mr
	}
	pa := ws.packA(strips(min(m, mb), min(k, kb)))
	var pb []float64
	packB := csb == 1 && m > 2*mr
	if packB {
		pb = ws.packB((min(n, nb) + nr) * min(k, kb))
	}
	for j := 0; j < n; j += nb {
		nj := min(nb, n-j)
		for p := 0; p < k; p += kb {
			kp := min(kb, k-p)
			bp, rs, cs, bs := &b[p*rsb+j*csb], rsb, csb, nr*csb
			if packB {
				simd.PackB(nj, kp, bp, rsb, &pb[0])
				bp, rs, cs, bs = &pb[0], nr, 1, nr*kp
			}
			over := 0
			if p == 0 {
				over = mode & simd.Overwrite
			}
			i := 0
			if lower {
				i = j
			}
			for ; i < m; i += mb {
				mi := min(mb, m-i)
				a.pack(i, mi, p, kp, pa)
				if lower && i < j+nj {
					lowerBlock(mi, nj, i-j, kp, alpha, pa, bp, rs, cs, bs, c[i+j*ldc:], ldc, over)
				} else {
					simd.GemmBlock(mi, nj, kp, alpha, &pa[0], mr, mr*kp, bp, rs, cs, bs, &c[i+j*ldc], ldc, over)
				}
			}
		}
	}
}

// lowerBlock multiplies packed strips where the block meets the diagonal: row 0
// is shift ≥ 0 rows below column 0's diagonal element.
func lowerBlock(m, n, shift, k int, alpha float64, pa []float64, b *float64, rsb, csb, bs int, c []float64, ldc, over int) {
	mr, nr := simd.MR(), simd.NR()
	full := min(n, shift/nr*nr) // columns wholly below the diagonal
	if full > 0 {
		simd.GemmBlock(m, full, k, alpha, &pa[0], mr, mr*k, b, rsb, csb, bs, &c[0], ldc, over)
	}
	for j := full; j < n; j += nr {
		nj := min(nr, n-j)
		i := j - shift // the diagonal's row in the block, a multiple of NR
		if i >= m {
			return
		}
		bj := offset(b, j/nr*bs)
		s := i / mr * mr
		rows := min(s+mr, m) - i
		simd.GemmBlock(rows, nj, k, alpha, &pa[s*k+i-s], mr, mr, bj, rsb, csb, bs, &c[i+j*ldc], ldc, over|simd.Lower)
		if s += mr; s < m {
			simd.GemmBlock(m-s, nj, k, alpha, &pa[s*k], mr, mr*k, bj, rsb, csb, bs, &c[s+j*ldc], ldc, over)
		}
	}
}
