package kernel

import "unsafe"

// Kernels that move right-hand sides, which are interleaved: row k of all of
// them is one block of nb numbers.

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

// permuteAhead is how many elements the assembly of Permute looks ahead.
const permuteAhead = 128

// Permute sets dst[k] = src[at[k]] for k < len(at).
func Permute(dst, src []float64, at []int32) {
	if len(dst) < len(at) {
		panic("kernel: short vector")
	}
	k := 0
	if n := (len(at) - permuteAhead) &^ 7; n > 0 && permute(n, &at[0], &src[0], &dst[0]) {
		k = n
	}
	for ; k < len(at); k++ {
		dst[k] = src[at[k]]
	}
}

// Interleave sets y[at[i]*stride+v] = x[v*n+i] for v < nb and lo ≤ i < hi, and
// zero for nb ≤ v < stride; a nil at is the identity. Separate is its inverse.
// Both go through tiles of consecutive rows of x, so that whole cache lines are
// used on either side.
func Interleave(y, x []float64, n, nb, stride int, at []int32, lo, hi int) {
	interleave(y, x, n, nb, stride, at, lo, hi, false)
}

// Separate sets x[v*n+i] = y[at[i]*stride+v] for v < nb and lo ≤ i < hi.
func Separate(y, x []float64, n, nb, stride int, at []int32, lo, hi int) {
	interleave(y, x, n, nb, stride, at, lo, hi, true)
}

// tileRows is the number of consecutive rows of a tile.
const tileRows = 128

// streamSize is the number of entries from which results go past the caches,
// which are too small for them. A variable for tests.
var streamSize = 3 << 20

func interleave(y, x []float64, n, nb, stride int, at []int32, lo, hi int, back bool) {
	if hi <= lo {
		return
	}
	if nb < 1 || stride < nb || hi > n || len(x) < (nb-1)*n+hi || at != nil && len(at) < hi {
		panic("kernel: short right-hand sides")
	}
	var tiles [2][tileRows]int // offsets in y: of a tile and of the next
	fill := func(t []int, lo int) []int {
		t = t[:min(tileRows, hi-lo)]
		for i := range t {
			k := lo + i
			if at != nil {
				k = int(at[k])
			}
			k *= stride
			if k+stride > len(y) {
				panic("kernel: short interleaved block")
			}
			if !back && nb < stride {
				clear(y[k+nb : k+stride])
			}
			t[i] = k
		}
		return t
	}
	// Only lines that are written as a whole may go past the caches.
	stream := nb == stride && nb%8 == 0 && nb*n > streamSize && aligned(&y[0])
	if back {
		stream = stream && n%8 == 0 && lo%8 == 0 && aligned(&x[0])
	}
	var vectors [8]int // offsets in x, beyond the first
	for q := range vectors {
		vectors[q] = q * n
	}
	t := fill(tiles[0][:], lo)
	for k := 1; lo < hi; k++ {
		var next []int
		if lo+tileRows < hi {
			next = fill(tiles[k%2][:], lo+tileRows)
		}
		v := 0
		for ; v+8 <= nb; v += 8 {
			i := 0
			for ; i+8 <= len(t); i += 8 {
				src, dst, ahead := &x[v*n+lo+i], &y[v], &t[i]
				if i+8 <= len(next) {
					ahead = &next[i]
				}
				var done bool
				switch {
				case back:
					done = transpose(dst, &t[i], src, &vectors[0], dst, ahead, stream)
				case stream: // what comes next is read from x
					after := &x[v*n+min(lo+i+tileRows, n-8)]
					done = transpose(src, &vectors[0], dst, &t[i], after, &vectors[0], true)
				default:
					done = transpose(src, &vectors[0], dst, &t[i], dst, ahead, false)
				}
				if !done {
					break
				}
			}
			moveGo(y, x, n, t[i:], v, v+8, lo+i, back)
		}
		moveGo(y, x, n, t, v, nb, lo, back)
		t = next
		lo += tileRows
	}
}

func aligned(p *float64) bool { return uintptr(unsafe.Pointer(p))%64 == 0 }

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
