//go:build !amd64 || noasm

package kernel

func addRuns(from, to, r int, c *float64, ldc int, rel *int32, runs *Run, panel *float64, ldp, w int, upd *float64, ldu int) bool {
	return false
}

func copyRuns(from, to, r int, c *float64, ldc int, rel *int32, runs *Run, front *float64, ldf int) bool {
	return false
}

func scatter(n int, list *Entry, values, panel *float64) bool { return false }

func collect(n int, list *Entry, values, panel *float64) bool { return false }

func panelSolve(w, nr int, a *float64, lda int, t *float64) bool { return false }

func panelSolveT(w, nr int, a *float64, lda int, t *float64) bool { return false }

func addRows(nb, r int, rel *int32, c, x *float64, w int, u *float64) bool { return false }

func subGemm(m, n, k int, a, b *float64, rsb, csb int, c *float64) bool { return false }

func transpose(src *float64, from *int, dst *float64, to *int) bool { return false }
