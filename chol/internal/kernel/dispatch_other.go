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

func prefetch(n int, x *byte) {}

func panelSolve(w, nr int, a *float64, lda int, t, x *float64) bool { return false }

func panelSolveT(w, r int, a *float64, lda int, x *float64, rows *int32, y, t *float64) bool {
	return false
}

func addRows(nb, r int, rel *int32, c, x *float64, w int, u *float64) bool { return false }

func wide() bool { return false }

func forwardMany(nb, tri, rows, k int, l *float64, ld int, x, c *float64, ahead, fresh int, p Parent) {
}

func backwardMany(nb, tri, w, r int, l *float64, ld int, x *float64, rows *int32, y *float64, ahead int) {
}

func transpose(src *float64, from *int, dst *float64, to *int, next *float64, ahead *int, stream bool) bool {
	return false
}

func permute(n int, at *int32, src, dst *float64) bool { return false }

func columnsForward(nb, n, stop int, ptr, rows *int32, l, x, y *float64) bool { return false }

func columnsBackward(nb, n int, ptr, rows *int32, l, d, x, y *float64) bool { return false }
