package simd

import (
	"math"
	"unsafe"
)

// The definitions of the panel routines. Indices: i row, j column (j < n ≤ NR),
// p inner dimension. A(i,p) = a[(i/MR)*as + i%MR + p*lda], so as = MR describes
// a plain column-major matrix and as = MR*k, lda = MR packed strips.
// B(p,j) = b[p*rsb + j*csb].

const (
	goMR = 4
	goNR = 4
)

// view makes a slice of the n elements at p; nil for n ≤ 0.
func view(p *float64, n int) []float64 {
	if n <= 0 {
		return nil
	}
	return unsafe.Slice(p, n)
}

func extent(rows, cols, rs, cs int) int {
	if rows <= 0 || cols <= 0 {
		return 0
	}
	return (rows-1)*rs + (cols-1)*cs + 1
}

// extentA is the number of elements A(0..m-1, 0..k-1) spans.
func extentA(m, k, lda, as int) int {
	if m <= 0 || k <= 0 {
		return 0
	}
	last := (m-1)/goMR*as + (m-1)%goMR
	if as >= goMR && m >= goMR {
		last = max(last, ((m-goMR)/goMR)*as+goMR-1)
	}
	return last + (k-1)*lda + 1
}

// Modes of GemmBlock.
const (
	Lower     = 1 // only the elements i ≥ j of C
	Overwrite = 2 // C = alpha A B
)

// gemmBlockGo: C(i,j) += alpha Σ_p A(i,p) B(p,j), in column panels of NR; the
// next panel of B begins bs elements further. In mode Lower A must be plain.
func gemmBlockGo(m, n, k int, alpha float64, ap *float64, lda, as int, bp *float64, rsb, csb, bs int, cp *float64, ldc, mode int) {
	lower := mode&Lower != 0
	for j := 0; j < n && m > 0; j += goNR {
		gemmPanelGo(m, min(goNR, n-j), k, alpha, ap, lda, as, bp, rsb, csb, cp, ldc, mode)
		if j+goNR >= n || lower && m <= goNR {
			return
		}
		bp = at(bp, bs)
		cp = at(cp, goNR*ldc)
		if lower {
			m -= goNR
			ap = at(ap, goNR)
			cp = at(cp, goNR)
		}
	}
}

// at is &p[n].
func at(p *float64, n int) *float64 {
	return (*float64)(unsafe.Add(unsafe.Pointer(p), n*8))
}

// gemmPanelGo is gemmBlockGo for n ≤ NR.
func gemmPanelGo(m, n, k int, alpha float64, ap *float64, lda, as int, bp *float64, rsb, csb int, cp *float64, ldc, mode int) {
	a := view(ap, extentA(m, k, lda, as))
	b := view(bp, extent(k, n, rsb, csb))
	c := view(cp, extent(m, n, 1, ldc))
	lower, beta := mode&Lower != 0, mode&Overwrite == 0
	store := func(i, j int, t float64) {
		switch p := i + j*ldc; {
		case lower && i < j:
		case beta:
			c[p] = fma(alpha, t, c[p])
		default:
			c[p] = alpha * t
		}
	}
	i := 0
	for ; i+goMR <= m; i += goMR {
		var t [goNR][goMR]float64
		ai := a
		if k > 0 {
			ai = a[i/goMR*as:]
		}
		if n == goNR {
			tile4x4(&t, k, ai, lda, b, rsb, csb)
		} else {
			for j := range n {
				for p := range k {
					v := b[p*rsb+j*csb]
					s := ai[p*lda : p*lda+4]
					t[j][0] = fma(s[0], v, t[j][0])
					t[j][1] = fma(s[1], v, t[j][1])
					t[j][2] = fma(s[2], v, t[j][2])
					t[j][3] = fma(s[3], v, t[j][3])
				}
			}
		}
		for j := range n {
			for ii := range goMR {
				store(i+ii, j, t[j][ii])
			}
		}
	}
	for ; i < m; i++ {
		for j := range n {
			var t float64
			for p := range k {
				t = fma(a[i/goMR*as+i%goMR+p*lda], b[p*rsb+j*csb], t)
			}
			store(i, j, t)
		}
	}
}

func tile4x4(t *[goNR][goMR]float64, k int, a []float64, lda int, b []float64, rsb, csb int) {
	var (
		c00, c10, c20, c30 float64
		c01, c11, c21, c31 float64
		c02, c12, c22, c32 float64
		c03, c13, c23, c33 float64
	)
	for p := range k {
		s := a[p*lda : p*lda+4 : p*lda+4]
		a0, a1, a2, a3 := s[0], s[1], s[2], s[3]
		q := p * rsb
		v := b[q]
		c00 = fma(a0, v, c00)
		c10 = fma(a1, v, c10)
		c20 = fma(a2, v, c20)
		c30 = fma(a3, v, c30)
		v = b[q+csb]
		c01 = fma(a0, v, c01)
		c11 = fma(a1, v, c11)
		c21 = fma(a2, v, c21)
		c31 = fma(a3, v, c31)
		v = b[q+2*csb]
		c02 = fma(a0, v, c02)
		c12 = fma(a1, v, c12)
		c22 = fma(a2, v, c22)
		c32 = fma(a3, v, c32)
		v = b[q+3*csb]
		c03 = fma(a0, v, c03)
		c13 = fma(a1, v, c13)
		c23 = fma(a2, v, c23)
		c33 = fma(a3, v, c33)
	}
	t[0] = [4]float64{c00, c10, c20, c30}
	t[1] = [4]float64{c01, c11, c21, c31}
	t[2] = [4]float64{c02, c12, c22, c32}
	t[3] = [4]float64{c03, c13, c23, c33}
}

// trsmPanelGo: C := (C − A B) L⁻ᵀ; L is n×n lower, A plain, k may be 0.
func trsmPanelGo(m, n, k int, ap *float64, lda int, bp *float64, rsb, csb int, cp *float64, ldc int, lp *float64, ldl int) {
	if k > 0 {
		gemmBlockGo(m, n, k, -1, ap, lda, goMR, bp, rsb, csb, goNR*csb, cp, ldc, 0)
	}
	c := view(cp, extent(m, n, 1, ldc))
	l := view(lp, extent(n, n, 1, ldl))
	for j := range n {
		cj := c[j*ldc : j*ldc+m]
		for q := range j {
			v := l[j+q*ldl]
			cq := c[q*ldc : q*ldc+m]
			for i := range cj {
				cj[i] = fma(-v, cq[i], cj[i])
			}
		}
		r := 1 / l[j+j*ldl]
		for i := range cj {
			cj[i] *= r
		}
	}
}

// trsmPanelNGo: C := (C − A B) L⁻¹.
func trsmPanelNGo(m, n, k int, ap *float64, lda int, bp *float64, rsb, csb int, cp *float64, ldc int, lp *float64, ldl int) {
	if k > 0 {
		gemmBlockGo(m, n, k, -1, ap, lda, goMR, bp, rsb, csb, goNR*csb, cp, ldc, 0)
	}
	c := view(cp, extent(m, n, 1, ldc))
	l := view(lp, extent(n, n, 1, ldl))
	for j := n - 1; j >= 0; j-- {
		cj := c[j*ldc : j*ldc+m]
		for q := n - 1; q > j; q-- {
			v := l[q+j*ldl]
			cq := c[q*ldc : q*ldc+m]
			for i := range cj {
				cj[i] = fma(-v, cq[i], cj[i])
			}
		}
		r := 1 / l[j+j*ldl]
		for i := range cj {
			cj[i] *= r
		}
	}
}

// MinPivot is the least normal number: the reciprocal of a smaller pivot may
// overflow.
const MinPivot = 0x1p-1022

// potrfPanelGo factorizes a column panel: a points at the first of m rows and
// k+n columns; the first k columns are done, the lower triangle of the next n
// columns becomes the factor's. It returns −1, or the first of the n columns
// whose pivot is not in [2⁻¹⁰²², +Inf).
func potrfPanelGo(m, n, k int, ap *float64, lda int) int {
	cp := at(ap, k*lda)
	if k > 0 {
		gemmBlockGo(n, n, k, -1, ap, lda, goMR, ap, lda, 1, goNR, cp, lda, Lower)
	}
	c := view(cp, extent(n, n, 1, lda))
	for j := range n {
		cj := c[j*lda : j*lda+n]
		p := cj[j]
		if !(p >= MinPivot && p <= math.MaxFloat64) {
			return j
		}
		s := math.Sqrt(p)
		r := 1 / s
		cj[j] = s
		for i := j + 1; i < n; i++ {
			cj[i] *= r
		}
		for q := j + 1; q < n; q++ {
			v := cj[q]
			cq := c[q*lda : q*lda+n]
			for i := q; i < n; i++ {
				cq[i] = fma(-v, cj[i], cq[i])
			}
		}
	}
	if m > n {
		trsmPanelGo(m-n, n, k, at(ap, n), lda, ap, lda, 1, at(cp, n), lda, cp, lda)
	}
	return -1
}

// invertLowerGo: T = L⁻ᵀ, n×n; rows beyond n of its columns are unspecified.
func invertLowerGo(n int, lp *float64, ldl int, tp *float64, ldt int) {
	l := view(lp, extent(n, n, 1, ldl))
	t := view(tp, extent(n, n, 1, ldt))
	for i := range n { // row i of the inverse
		ti := t[i*ldt : i*ldt+n]
		clear(ti)
		ti[i] = 1
		for p := range i {
			v := l[i+p*ldl]
			for c := range p + 1 {
				ti[c] = fma(-v, t[p*ldt+c], ti[c])
			}
		}
		r := 1 / l[i+i*ldl]
		for c := range i + 1 {
			ti[c] *= r
		}
	}
}
