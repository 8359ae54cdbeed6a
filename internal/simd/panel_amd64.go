//go:build amd64 && !noasm

package simd

// GemmBlock computes C += alpha A B, C m×n: 2mnk operations.
//
//	A(i,p) = a[(i/MR)*as + i%MR + p*lda]
//	B(p,j) = b[p*rsb + (j%NR)*csb + (j/NR)*bs]
//
// as = MR with lda ≥ m is a plain matrix; as = MR*k, lda = MR are packed
// strips. For a plain B, bs = NR*csb. mode is a sum of Lower and Overwrite; in
// mode Lower with n > NR, A must be plain. k may be 0.
func GemmBlock(m, n, k int, alpha float64, a *float64, lda, as int, b *float64, rsb, csb, bs int, c *float64, ldc, mode int) {
	switch level {
	case AVX512:
		gemmBlockAVX512(m, n, k, alpha, a, lda, as, b, rsb, csb, bs, c, ldc, mode)
	case AVX2:
		gemmBlockAVX2(m, n, k, alpha, a, lda, as, b, rsb, csb, bs, c, ldc, mode)
	default:
		gemmBlockGo(m, n, k, alpha, a, lda, as, b, rsb, csb, bs, c, ldc, mode)
	}
}

// TrsmPanel computes C := (C − A B) L⁻ᵀ, C m×n with n ≤ NR, A m×k plain, L n×n
// lower; B as in GemmBlock. k may be 0. mn(2k+n) operations.
func TrsmPanel(m, n, k int, a *float64, lda int, b *float64, rsb, csb int, c *float64, ldc int, l *float64, ldl int) {
	switch level {
	case AVX512:
		trsmPanelAVX512(m, n, k, a, lda, b, rsb, csb, c, ldc, l, ldl)
	case AVX2:
		trsmPanelAVX2(m, n, k, a, lda, b, rsb, csb, c, ldc, l, ldl)
	default:
		trsmPanelGo(m, n, k, a, lda, b, rsb, csb, c, ldc, l, ldl)
	}
}

// TrsmPanelN computes C := (C − A B) L⁻¹; otherwise as TrsmPanel.
func TrsmPanelN(m, n, k int, a *float64, lda int, b *float64, rsb, csb int, c *float64, ldc int, l *float64, ldl int) {
	switch level {
	case AVX512:
		trsmPanelNAVX512(m, n, k, a, lda, b, rsb, csb, c, ldc, l, ldl)
	case AVX2:
		trsmPanelNAVX2(m, n, k, a, lda, b, rsb, csb, c, ldc, l, ldl)
	default:
		trsmPanelNGo(m, n, k, a, lda, b, rsb, csb, c, ldc, l, ldl)
	}
}

// PotrfPanel factorizes a column panel: a points at the first of m rows and
// k+n columns, n ≤ NR. The first k columns hold the factor's; the lower
// triangle of the next n columns is updated by them, factorized, and the rows
// below solved. It returns −1, or the first of the n columns whose pivot is not
// in [2⁻¹⁰²², +Inf); then the panel's contents are unspecified.
func PotrfPanel(m, n, k int, a *float64, lda int) int {
	switch level {
	case AVX512:
		return potrfPanelAVX512(m, n, k, a, lda)
	case AVX2:
		return potrfPanelAVX2(m, n, k, a, lda)
	}
	return potrfPanelGo(m, n, k, a, lda)
}

// InvertLower writes the transposed inverse of the lower triangle l, n ≤ MR, to
// t: upper triangular with zeros below; column j is row j of the inverse. Whole
// vectors of NR are written, so ldt ≥ n rounded up to NR. n³/3 operations.
func InvertLower(n int, l *float64, ldl int, t *float64, ldt int) {
	switch {
	case n == 0:
	case level == AVX512:
		invertLowerAVX512(n, l, ldl, t, ldt)
	case level == AVX2:
		invertLowerAVX2(n, l, ldl, t, ldt)
	default:
		invertLowerGo(n, l, ldl, t, ldt)
	}
}

// PackA copies the m×k matrix a into strips of MR rows: element (i,p) to
// dst[(i/MR)*MR*k + p*MR + i%MR]. Whole strips are written; lanes beyond m are
// unspecified.
func PackA(m, k int, a *float64, lda int, dst *float64) {
	switch level {
	case AVX512:
		packAAVX512(m, k, a, lda, dst)
	case AVX2:
		packAAVX2(m, k, a, lda, dst)
	default:
		packStripsGo(m, k, a, lda, dst, goMR)
	}
}

// PackB is PackA for strips of NR rows.
func PackB(m, k int, a *float64, lda int, dst *float64) {
	switch level {
	case AVX512:
		packBAVX512(m, k, a, lda, dst)
	case AVX2:
		packBAVX2(m, k, a, lda, dst)
	default:
		packStripsGo(m, k, a, lda, dst, goNR)
	}
}

// PackRows packs c ≤ NR rows of an operand, one column after the other ldd
// elements apart in dst: n1 plain columns from src1 (element (i,p) at
// src1[i+p*ld]); if diag ≠ 0 the c×c diagonal block of a symmetric matrix,
// lower triangle at srcd; n2 columns from the transpose of src2 (element (i,p)
// at src2[p+i*ld]). NR elements of each column are written, those from c on
// unspecified. A source of no columns is not used and may be nil.
func PackRows(c, n1 int, src1 *float64, diag int, srcd *float64, n2 int, src2 *float64, ld int, dst *float64, ldd int) {
	switch level {
	case AVX512:
		packRowsAVX512(c, n1, src1, diag, srcd, n2, src2, ld, dst, ldd)
	case AVX2:
		packRowsAVX2(c, n1, src1, diag, srcd, n2, src2, ld, dst, ldd)
	default:
		packRowsGo(c, n1, src1, diag, srcd, n2, src2, ld, dst, ldd)
	}
}
