package dense

// checkMat panics unless a holds a rows×cols matrix of leading dimension ld.
func checkMat(rows, cols int, a []float64, ld int) {
	if rows < 0 || cols < 0 {
		panic("dense: negative dimension")
	}
	if rows == 0 || cols == 0 {
		return
	}
	if ld < rows {
		panic("dense: leading dimension less than rows")
	}
	if len(a) < (cols-1)*ld+rows {
		panic("dense: slice too short")
	}
}
