//go:build amd64 && !noasm

package kernel

import "github.com/gcrfbc/gcrfbc/internal/simd"

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

func panelSolve(w, nr int, a *float64, lda int, t *float64) bool {
	switch simd.Current() {
	case simd.AVX512:
		panelSolveAVX512(w, nr, a, lda, t)
	case simd.AVX2:
		panelSolveAVX2(w, nr, a, lda, t)
	default:
		return false
	}
	return true
}

func panelSolveT(w, nr int, a *float64, lda int, t *float64) bool {
	switch simd.Current() {
	case simd.AVX512:
		panelSolveTAVX512(w, nr, a, lda, t)
	case simd.AVX2:
		panelSolveTAVX2(w, nr, a, lda, t)
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

func subGemm(m, n, k int, a, b *float64, rsb, csb int, c *float64) bool {
	if simd.Current() != simd.AVX512 {
		return false
	}
	switch m {
	case 8:
		subGemm8AVX512(n, k, a, b, rsb, csb, c)
	case 16:
		subGemm16AVX512(n, k, a, b, rsb, csb, c)
	case 32:
		subGemm32AVX512(n, k, a, b, rsb, csb, c)
	default:
		return false
	}
	return true
}

func transpose(src *float64, from *int, dst *float64, to *int) bool {
	if simd.Current() != simd.AVX512 {
		return false
	}
	transposeAVX512(src, from, dst, to)
	return true
}
