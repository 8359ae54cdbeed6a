package kernel

// Pad rounds the length of a front's vector up to whole vectors.
func Pad(n int) int { return (n + 7) &^ 7 }

// PanelSolve solves with a panel of L, w columns of nr rows, for one right-hand
// side: x := L11⁻¹ t[:w], then t[w:nr] −= L21 x. What is left in t[:w] and
// t[nr:Pad(nr)] means nothing; a goes on for Ahead.
func PanelSolve(w, nr int, a []float64, lda int, t, x []float64) {
	if w == 0 {
		return
	}
	if nr < w || len(a) < (w-1)*lda+nr || cap(a) < len(a)+Ahead || len(t) < Pad(nr) || len(x) < w {
		panic("kernel: short panel")
	}
	if !panelSolve(w, nr, &a[0], lda, &t[0], &x[0]) {
		panelSolveGo(w, nr, a, lda, t, x)
	}
}

func panelSolveGo(w, nr int, a []float64, lda int, t, x []float64) {
	for k := range w {
		col := a[k*lda:][:nr]
		v := t[k] / col[k]
		x[k] = v
		y := t[:len(col)]
		for i := k + 1; i < len(col); i++ {
			y[i] -= col[i] * v
		}
	}
}

// PanelSolveT solves with the transpose: x := L11⁻ᵀ (x − L21ᵀ y[rows]). t is
// scratch for Pad(len(rows)) numbers; rows goes on for Ahead, and these too are
// valid positions in y.
func PanelSolveT(w int, a []float64, lda int, x []float64, rows []int32, y, t []float64) {
	if w == 0 {
		return
	}
	r := len(rows)
	if len(a) < (w-1)*lda+w+r || len(x) < w || len(t) < Pad(r) || cap(rows) < r+Ahead {
		panic("kernel: short panel")
	}
	if r == 0 {
		rows, y, t = unused[:], x, x
	}
	if !panelSolveT(w, r, &a[0], lda, &x[0], &rows[0], &y[0], &t[0]) {
		panelSolveTGo(w, a, lda, x, rows[:r], y)
	}
}

var unused [1]int32

func panelSolveTGo(w int, a []float64, lda int, x []float64, rows []int32, y []float64) {
	for k := w - 1; k >= 0; k-- {
		col := a[k*lda:][:w+len(rows)]
		v := x[k]
		for i := k + 1; i < w; i++ {
			v -= col[i] * x[i]
		}
		below := col[w:]
		for i, at := range rows {
			v -= below[i] * y[at]
		}
		x[k] = v / col[k]
	}
}
