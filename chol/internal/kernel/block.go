package kernel

// Kernels of solves with several right-hand sides, which are interleaved: row
// k of all of them is one block of nb numbers.

// AddRows adds row k of c to row rel[k] of a front whose first w rows are x
// and whose others are u.
func AddRows(nb int, rel []int32, c, x []float64, w int, u []float64) {
	r := len(rel)
	if r == 0 {
		return
	}
	last := int(rel[r-1])
	if len(c) < r*nb || len(x) < min(last+1, w)*nb || len(u) < (last+1-w)*nb {
		panic("kernel: short rows")
	}
	up := &c[0] // any pointer will do when u is empty
	if len(u) > 0 {
		up = &u[0]
	}
	if !addRows(nb, r, &rel[0], &c[0], &x[0], w, up) {
		addRowsGo(nb, rel, c, x, w, u)
	}
}

func addRowsGo(nb int, rel []int32, c, x []float64, w int, u []float64) {
	for k, d := range rel {
		dst := x
		if int(d) >= w {
			dst, d = u, d-int32(w)
		}
		dst = dst[int(d)*nb:][:nb]
		for i, v := range c[k*nb:][:nb] {
			dst[i] += v
		}
	}
}

// SubGemm computes C −= A B, C m×n and A m×k with leading dimension m, B(p,j)
// = b[p*rsb+j*csb]. It returns false, having done nothing, where it has no
// kernel: for m other than 8, 16 and 32, and without AVX-512.
func SubGemm(m, n, k int, a, b []float64, rsb, csb int, c []float64) bool {
	if n == 0 || k == 0 {
		return true
	}
	if len(a) < m*k || len(c) < m*n || len(b) < (k-1)*rsb+(n-1)*csb+1 {
		panic("kernel: short matrix")
	}
	return subGemm(m, n, k, &a[0], &b[0], rsb, csb, &c[0])
}

// Interleave sets y[at[i]*nb+v] = x[v*n+i] for lo ≤ i < hi; a nil at is the
// identity. Separate is its inverse. Both go through tiles of consecutive rows
// of x, so that whole cache lines are used on either side.
func Interleave(y, x []float64, n, nb int, at []int32, lo, hi int) {
	interleave(y, x, n, nb, at, lo, hi, false)
}

// Separate sets x[v*n+i] = y[at[i]*nb+v] for lo ≤ i < hi.
func Separate(y, x []float64, n, nb int, at []int32, lo, hi int) {
	interleave(y, x, n, nb, at, lo, hi, true)
}

// tileRows is the number of consecutive rows of a tile.
const tileRows = 128

func interleave(y, x []float64, n, nb int, at []int32, lo, hi int, back bool) {
	if hi <= lo {
		return
	}
	if hi > n || len(x) < (nb-1)*n+hi || at != nil && len(at) < hi {
		panic("kernel: short right-hand sides")
	}
	if nb == 1 && at != nil {
		for i, k := range at[lo:hi] {
			if back {
				x[lo+i] = y[k]
			} else {
				y[k] = x[lo+i]
			}
		}
		return
	}
	var rows [tileRows]int // offsets in y
	for ; lo < hi; lo += tileRows {
		t := rows[:min(tileRows, hi-lo)]
		for i := range t {
			k := lo + i
			if at != nil {
				k = int(at[k])
			}
			if k*nb+nb > len(y) {
				panic("kernel: short interleaved block")
			}
			t[i] = k * nb
		}
		v := 0
		for ; v+8 <= nb; v += 8 {
			var vectors [8]int // offsets in x, beyond the first
			for q := range vectors {
				vectors[q] = q * n
			}
			i := 0
			for ; i+8 <= len(t); i += 8 {
				src, dst := &x[v*n+lo+i], &y[v]
				var done bool
				if back {
					done = transpose(dst, &t[i], src, &vectors[0])
				} else {
					done = transpose(src, &vectors[0], dst, &t[i])
				}
				if !done {
					break
				}
			}
			moveGo(y, x, n, t[i:], v, v+8, lo+i, back)
		}
		moveGo(y, x, n, t, v, nb, lo, back)
	}
}

// moveGo moves right-hand sides from ≤ v < to of consecutive rows.
func moveGo(y, x []float64, n int, rows []int, from, to, lo int, back bool) {
	for v := from; v < to; v++ {
		col := x[v*n+lo:][:len(rows)]
		if back {
			for i, r := range rows {
				col[i] = y[r+v]
			}
			continue
		}
		for i, r := range rows {
			y[r+v] = col[i]
		}
	}
}
