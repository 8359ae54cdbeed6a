package kernel

import "math"

// ColumnsForward solves with columns lo ≤ k < hi of a unit lower triangular L for
// nb interleaved right-hand sides: row r of y loses l[p] times row k for every
// entry ptr[k] ≤ p < ptr[k+1] with r = rows[p] < stop. Rows of a column ascend.
func ColumnsForward(nb, lo, hi, stop int, ptr, rows []int32, l, y []float64) {
	if lo >= hi || nb == 0 {
		return
	}
	checkColumns(nb, lo, hi, ptr, rows, l, y)
	columns(nb, lo, stop, ptr[lo:hi+1], rows, l, y)
}

// ColumnForward is ColumnsForward for the entries part[0] ≤ p < part[1] of column
// k alone.
func ColumnForward(nb, k int, part *[2]int32, rows []int32, l, y []float64) {
	if int(part[1]) > len(rows) || len(l) < len(rows) {
		panic("kernel: short columns")
	}
	columns(nb, k, math.MaxInt32, part[:], rows, l, y)
}

func columns(nb, lo, stop int, ptr, rows []int32, l, y []float64) {
	n := len(ptr) - 1
	if columnsForward(nb, n, stop, &ptr[0], start(rows), start(l), &y[lo*nb], &y[0]) {
		return
	}
	for k := range n {
		x := y[(lo+k)*nb : (lo+k+1)*nb]
		for p := ptr[k]; p < ptr[k+1] && int(rows[p]) < stop; p++ {
			subtract(l[p], x, y[int(rows[p])*nb:])
		}
	}
}

func subtract(m float64, x, y []float64) {
	y = y[:len(x)]
	for q, v := range x {
		y[q] -= m * v
	}
}

// ColumnsBackward solves with D L': from column hi-1 down to lo, row k of y
// becomes itself divided by d[k], less l[p] times row rows[p] for every entry.
func ColumnsBackward(nb, lo, hi int, ptr, rows []int32, l, d, y []float64) {
	if lo >= hi || nb == 0 {
		return
	}
	checkColumns(nb, lo, hi, ptr, rows, l, y)
	if columnsBackward(nb, hi-lo, &ptr[lo], start(rows), start(l), &d[lo], &y[lo*nb], &y[0]) {
		return
	}
	for k := hi - 1; k >= lo; k-- {
		x := y[k*nb : (k+1)*nb]
		inv := 1 / d[k]
		for q := range x {
			x[q] *= inv
		}
		for p := ptr[k]; p < ptr[k+1]; p++ {
			subtract(l[p], y[int(rows[p])*nb:][:nb], x)
		}
	}
}

// checkColumns panics where slices are too short; rows must be valid for y.
func checkColumns(nb, lo, hi int, ptr, rows []int32, l, y []float64) {
	if lo < 0 || len(ptr) <= hi || len(y) < hi*nb || int(ptr[hi]) > len(rows) || len(l) < len(rows) {
		panic("kernel: short columns")
	}
}

// start returns a pointer to the first element of x, nil without one.
func start[T any](x []T) *T {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}
