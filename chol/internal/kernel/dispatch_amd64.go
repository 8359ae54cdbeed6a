//go:build amd64 && !noasm

package kernel

import (
	"unsafe"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// The functions below run the assembly of the level in use and return true, or
// return false to leave the work to the Go definition.

func addRuns(from, to, r int, c *float64, ldc int, rel *int32, runs *Run, panel *float64, ldp, w int, upd *float64, ldu int) bool {
	switch simd.Current() {
	case simd.AVX512:
		addRunsAVX512(from, to, r, c, ldc, rel, &runs.Src, panel, ldp, w, upd, ldu)
	case simd.AVX2:
		addRunsAVX2(from, to, r, c, ldc, rel, &runs.Src, panel, ldp, w, upd, ldu)
	default:
		return false
	}
	return true
}

func copyRuns(from, to, r int, c *float64, ldc int, rel *int32, runs *Run, front *float64, ldf int) bool {
	switch simd.Current() {
	case simd.AVX512:
		copyRunsAVX512(from, to, r, c, ldc, rel, &runs.Src, front, ldf)
	case simd.AVX2:
		copyRunsAVX2(from, to, r, c, ldc, rel, &runs.Src, front, ldf)
	default:
		return false
	}
	return true
}

func scatter(n int, list *Entry, values, panel *float64) bool {
	if simd.Current() < simd.AVX2 {
		return false
	}
	scatterAVX2(n, &list.Src, values, panel)
	return true
}

func collect(n int, list *Entry, values, panel *float64) bool {
	if simd.Current() < simd.AVX2 {
		return false
	}
	collectAVX2(n, &list.Src, values, panel)
	return true
}

func prefetch(n int, x *byte) {
	if simd.Current() >= simd.AVX2 {
		prefetchAVX2(n, x)
	}
}

func panelSolve(w, nr int, a *float64, lda int, t, x *float64) bool {
	switch simd.Current() {
	case simd.AVX512:
		panelSolveAVX512(w, nr, a, lda, t, x)
	case simd.AVX2:
		panelSolveAVX2(w, nr, a, lda, t, x)
	default:
		return false
	}
	return true
}

func panelSolveT(w, r int, a *float64, lda int, x *float64, rows *int32, y, t *float64) bool {
	switch simd.Current() {
	case simd.AVX512:
		panelSolveTAVX512(w, r, a, lda, x, rows, y, t)
	case simd.AVX2:
		panelSolveTAVX2(w, r, a, lda, x, rows, y, t)
	default:
		return false
	}
	return true
}

func addRows(nb, r int, rel *int32, c, x *float64, w int, u *float64) bool {
	switch {
	case nb%8 != 0 || simd.Current() < simd.AVX2:
		return false
	case simd.Current() == simd.AVX512:
		addRowsAVX512(nb, r, rel, c, x, w, u)
	default:
		addRowsAVX2(nb, r, rel, c, x, w, u)
	}
	return true
}

// wide says that there are kernels for blocks of 8 right-hand sides.
func wide() bool { return simd.Current() >= simd.AVX2 }

func forwardMany(nb, tri, rows, k int, l *float64, ld int, x, c *float64, ahead, fresh int, p Parent) {
	rel, px, pv := p.pointers()
	level := simd.Current()
	for v := 0; v < nb; {
		lanes := 8
		switch {
		case level == simd.AVX2:
			forward8AVX2(tri, rows, k, l, ld, x, c, nb, ahead, fresh, rel, px, p.W, pv)
		case nb-v >= 32:
			lanes = 32
			forward32AVX512(tri, rows, k, l, ld, x, c, nb, ahead, fresh, rel, px, p.W, pv)
		case nb-v >= 16:
			lanes = 16
			forward16AVX512(tri, rows, k, l, ld, x, c, nb, ahead, fresh, rel, px, p.W, pv)
		default:
			forward8AVX512(tri, rows, k, l, ld, x, c, nb, ahead, fresh, rel, px, p.W, pv)
		}
		if v += lanes; v == nb {
			return
		}
		x, c = at(x, lanes), at(c, lanes)
		if rel != nil {
			px, pv = at(px, lanes), at(pv, lanes)
		}
	}
}

func backwardMany(nb, tri, w, r int, l *float64, ld int, x *float64, rows *int32, y *float64, ahead int) {
	level := simd.Current()
	for v := 0; v < nb; {
		xv, yv := at(x, v), at(y, v)
		switch {
		case level == simd.AVX2:
			backward8AVX2(tri, w, r, l, ld, xv, rows, yv, nb, ahead)
			v += 8
		case nb-v >= 32:
			backward32AVX512(tri, w, r, l, ld, xv, rows, yv, nb, ahead)
			v += 32
		case nb-v >= 16:
			backward16AVX512(tri, w, r, l, ld, xv, rows, yv, nb, ahead)
			v += 16
		default:
			backward8AVX512(tri, w, r, l, ld, xv, rows, yv, nb, ahead)
			v += 8
		}
	}
}

// at is &p[n].
func at(p *float64, n int) *float64 {
	return (*float64)(unsafe.Add(unsafe.Pointer(p), n*8))
}

func transpose(src *float64, from *int, dst *float64, to *int, next *float64, ahead *int, stream bool) bool {
	switch {
	case simd.Current() != simd.AVX512:
		return false
	case stream:
		transposeStreamAVX512(src, from, dst, to, next, ahead)
	default:
		transposeAVX512(src, from, dst, to, next, ahead)
	}
	return true
}

func permute(n int, at *int32, src, dst *float64) bool {
	if simd.Current() < simd.AVX2 {
		return false
	}
	permuteAVX2(n, at, src, dst)
	return true
}

func columnsForward(nb, n, stop int, ptr, rows *int32, l, x, y *float64) bool {
	level := simd.Current()
	if nb%8 != 0 || level < simd.AVX2 {
		return false
	}
	for v := 0; v < nb; {
		xv, yv := at(x, v), at(y, v)
		switch {
		case level == simd.AVX2:
			columnsForward8AVX2(n, stop, ptr, rows, l, xv, yv, nb)
			v += 8
		case nb-v >= 32:
			columnsForward32AVX512(n, stop, ptr, rows, l, xv, yv, nb)
			v += 32
		case nb-v >= 16:
			columnsForward16AVX512(n, stop, ptr, rows, l, xv, yv, nb)
			v += 16
		default:
			columnsForward8AVX512(n, stop, ptr, rows, l, xv, yv, nb)
			v += 8
		}
	}
	return true
}

func columnsBackward(nb, n int, ptr, rows *int32, l, d, x, y *float64) bool {
	level := simd.Current()
	if nb%8 != 0 || level < simd.AVX2 {
		return false
	}
	for v := 0; v < nb; {
		xv, yv := at(x, v), at(y, v)
		switch {
		case level == simd.AVX2:
			columnsBackward8AVX2(n, ptr, rows, l, d, xv, yv, nb)
			v += 8
		case nb-v >= 32:
			columnsBackward32AVX512(n, ptr, rows, l, d, xv, yv, nb)
			v += 32
		case nb-v >= 16:
			columnsBackward16AVX512(n, ptr, rows, l, d, xv, yv, nb)
			v += 16
		default:
			columnsBackward8AVX512(n, ptr, rows, l, d, xv, yv, nb)
			v += 8
		}
	}
	return true
}
