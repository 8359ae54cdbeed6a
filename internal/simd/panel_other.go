//go:build !amd64 || noasm

package simd

// The routines are documented in panel_amd64.go.

func GemmBlock(m, n, k int, alpha float64, a *float64, lda, as int, b *float64, rsb, csb, bs int, c *float64, ldc, mode int) {
	gemmBlockGo(m, n, k, alpha, a, lda, as, b, rsb, csb, bs, c, ldc, mode)
}

func TrsmPanel(m, n, k int, a *float64, lda int, b *float64, rsb, csb int, c *float64, ldc int, l *float64, ldl int) {
	trsmPanelGo(m, n, k, a, lda, b, rsb, csb, c, ldc, l, ldl)
}

func TrsmPanelN(m, n, k int, a *float64, lda int, b *float64, rsb, csb int, c *float64, ldc int, l *float64, ldl int) {
	trsmPanelNGo(m, n, k, a, lda, b, rsb, csb, c, ldc, l, ldl)
}

func PotrfPanel(m, n, k int, a *float64, lda int) int { return potrfPanelGo(m, n, k, a, lda) }

func InvertLower(n int, l *float64, ldl int, t *float64, ldt int) {
	invertLowerGo(n, l, ldl, t, ldt)
}

func PackA(m, k int, a *float64, lda int, dst *float64) { packStripsGo(m, k, a, lda, dst, goMR) }

func PackB(m, k int, a *float64, lda int, dst *float64) { packStripsGo(m, k, a, lda, dst, goNR) }

func PackRows(c, n1 int, src1 *float64, diag int, srcd *float64, n2 int, src2 *float64, ld int, dst *float64, ldd int) {
	packRowsGo(c, n1, src1, diag, srcd, n2, src2, ld, dst, ldd)
}
