package kernel

// columnBlock bounds the columns of a panel that a forward solve takes at a
// time, in bytes: the lines of L under all rows of such a block, which the
// next one's prefetch fills, stay in the second-level cache.
const (
	columnBytes = 128 << 10
	minColumns  = 16
	minAhead    = 1024 // elements
)

// Parent is where a front's rows go: row i to row Rel[i] of the parent's front,
// whose first W rows are X and whose others are V.
type Parent struct {
	Rel  []int32
	X, V []float64
	W    int
}

// ForwardMany solves with a panel of L, w columns of w+r rows, for nb
// interleaved right-hand sides: X := L11⁻¹ X, then V −= L21 X; X has w and V r
// rows of nb. fresh: V is not read but taken as zero. If p has rows, V is then
// added to these, and what it holds means nothing.
func ForwardMany(nb, w, r int, l []float64, ld int, x, v []float64, fresh bool, p Parent) {
	if w == 0 || nb == 0 {
		return
	}
	nr := w + r
	if len(l) < (w-1)*ld+nr || len(x) < w*nb || len(v) < r*nb {
		panic("kernel: short panel")
	}
	if len(p.Rel) > 0 {
		p.check(nb, r)
	}
	if nb%8 != 0 || !wide() {
		forwardManyGo(nb, w, w, 0, l, ld, x, x)
		if fresh {
			clear(v[:r*nb])
		}
		forwardManyGo(nb, 0, r, w, l[w:], ld, x, v)
		addRowsGo(nb, p.Rel, v, p.X, p.W, p.V)
		return
	}
	cols := max(columnBytes/(8*ld), minColumns)
	if w <= cols+cols/2 {
		cols = w
	}
	zero := 0
	if fresh {
		zero = 1
	}
	vp := &x[0]
	if r > 0 {
		vp = &v[0]
	}
	for j := 0; j < w; j += cols {
		n := min(cols, w-j)
		ahead := max(n*ld, minAhead)
		e := j + n
		if e == w {
			forwardMany(nb, n, r, n, &l[j+j*ld], ld, &x[j*nb], vp, ahead, zero, p)
			return
		}
		// Rows of later pivots, then those below.
		forwardMany(nb, n, w-e, n, &l[j+j*ld], ld, &x[j*nb], &x[e*nb], ahead, 0, Parent{})
		if r > 0 {
			forwardMany(nb, 0, r, n, &l[w+j*ld], ld, &x[j*nb], vp, ahead, zero, Parent{})
		}
		zero = 0
	}
}

func (p *Parent) check(nb, r int) {
	last := int(p.Rel[len(p.Rel)-1])
	if len(p.Rel) != r || len(p.X) < min(last+1, p.W)*nb || len(p.V) < (last+1-p.W)*nb {
		panic("kernel: short parent")
	}
}

// pointers returns the first elements of Rel, X and V; rel is nil if there are no
// rows, and x or v any element where it is empty.
func (p *Parent) pointers() (rel *int32, x, v *float64) {
	if len(p.Rel) == 0 {
		return nil, nil, nil
	}
	switch {
	case len(p.X) == 0:
		v = &p.V[0]
		x = v
	case len(p.V) == 0:
		x = &p.X[0]
		v = x
	default:
		x, v = &p.X[0], &p.V[0]
	}
	return &p.Rel[0], x, v
}

// forwardManyGo: the first tri rows of l are triangular: X := L⁻¹ X with these;
// then C −= L X for rows more, k columns.
func forwardManyGo(nb, tri, rows, k int, l []float64, ld int, x, c []float64) {
	for i := range rows {
		n := k
		if tri > 0 {
			n = i
		}
		y := c[i*nb : (i+1)*nb]
		for p := range n {
			m := l[i+p*ld]
			for q, v := range x[p*nb : (p+1)*nb] {
				y[q] -= m * v
			}
		}
		if tri > 0 {
			inv := 1 / l[i+i*ld]
			for q := range y {
				y[q] *= inv
			}
		}
	}
}

// belowRows is how many rows below the pivots a backward solve takes at a time:
// their part of the solution stays in the second-level cache.
const belowRows = 1024

// BackwardMany solves with the transpose of a panel: X := L11⁻ᵀ (X − L21ᵀ Y),
// Y the rows of y at the positions rows.
func BackwardMany(nb, w int, l []float64, ld int, x []float64, rows []int32, y []float64) {
	if w == 0 || nb == 0 {
		return
	}
	r := len(rows)
	if len(l) < (w-1)*ld+w+r || len(x) < w*nb || r > 0 && len(y) < (int(rows[r-1])+1)*nb {
		panic("kernel: short panel")
	}
	if nb%8 != 0 || !wide() {
		backwardManyGo(nb, w, l, ld, x, rows, y)
		return
	}
	ahead := max(6*ld, minAhead)
	for r > belowRows {
		r -= belowRows
		backwardMany(nb, 0, w, belowRows, &l[r], ld, &x[0], &rows[r], &y[0], ahead)
	}
	var rp *int32
	yp := &x[0]
	if r > 0 {
		rp, yp = &rows[0], &y[0]
	}
	backwardMany(nb, 1, w, r, &l[0], ld, &x[0], rp, yp, ahead)
}

func backwardManyGo(nb, w int, l []float64, ld int, x []float64, rows []int32, y []float64) {
	for j := w - 1; j >= 0; j-- {
		t := x[j*nb : (j+1)*nb]
		for i := j + 1; i < w; i++ {
			m := l[i+j*ld]
			for q, v := range x[i*nb : (i+1)*nb] {
				t[q] -= m * v
			}
		}
		for i, at := range rows {
			m := l[w+i+j*ld]
			for q, v := range y[int(at)*nb : (int(at)+1)*nb] {
				t[q] -= m * v
			}
		}
		inv := 1 / l[j+j*ld]
		for q := range t {
			t[q] *= inv
		}
	}
}
