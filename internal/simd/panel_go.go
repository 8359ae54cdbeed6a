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

// gemmBlockGo: C(i,j) += alpha Σ_p A(i,p) B(p,j), in column panels of NR; the
// next panel of B begins bs elements further. With lower only i ≥ j, and A must
// be plain.
func gemmBlockGo(m, n, k int, alpha float64, ap *float64, lda, as int, bp *float64, rsb, csb, bs int, cp *float64, ldc int, lower bool) {
	for j := 0; j < n && m > 0; j += goNR {
		gemmPanelGo(m, min(goNR, n-j), k, alpha, ap, lda, as, bp, rsb, csb, cp, ldc, lower)
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
func gemmPanelGo(m, n, k int, alpha float64, ap *float64, lda, as int, bp *float64, rsb, csb int, cp *float64, ldc int, lower bool) {
	a := view(ap, extentA(m, k, lda, as))
	b := view(bp, extent(k, n, rsb, csb))
	c := view(cp, extent(m, n, 1, ldc))
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
					t[j][0] = math.FMA(s[0], v, t[j][0])
					t[j][1] = math.FMA(s[1], v, t[j][1])
					t[j][2] = math.FMA(s[2], v, t[j][2])
					t[j][3] = math.FMA(s[3], v, t[j][3])
				}
			}
		}
		for j := range n {
			for ii := range goMR {
				if lower && i+ii < j {
					continue
				}
				c[i+ii+j*ldc] = math.FMA(alpha, t[j][ii], c[i+ii+j*ldc])
			}
		}
	}
	for ; i < m; i++ {
		for j := range n {
			if lower && i < j {
				break
			}
			var t float64
			for p := range k {
				t = math.FMA(a[i/goMR*as+i%goMR+p*lda], b[p*rsb+j*csb], t)
			}
			c[i+j*ldc] = math.FMA(alpha, t, c[i+j*ldc])
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
		c00 = math.FMA(a0, v, c00)
		c10 = math.FMA(a1, v, c10)
		c20 = math.FMA(a2, v, c20)
		c30 = math.FMA(a3, v, c30)
		v = b[q+csb]
		c01 = math.FMA(a0, v, c01)
		c11 = math.FMA(a1, v, c11)
		c21 = math.FMA(a2, v, c21)
		c31 = math.FMA(a3, v, c31)
		v = b[q+2*csb]
		c02 = math.FMA(a0, v, c02)
		c12 = math.FMA(a1, v, c12)
		c22 = math.FMA(a2, v, c22)
		c32 = math.FMA(a3, v, c32)
		v = b[q+3*csb]
		c03 = math.FMA(a0, v, c03)
		c13 = math.FMA(a1, v, c13)
		c23 = math.FMA(a2, v, c23)
		c33 = math.FMA(a3, v, c33)
	}
	t[0] = [4]float64{c00, c10, c20, c30}
	t[1] = [4]float64{c01, c11, c21, c31}
	t[2] = [4]float64{c02, c12, c22, c32}
	t[3] = [4]float64{c03, c13, c23, c33}
}

// trsmPanelGo: C := (C − A B) L⁻ᵀ; L is n×n lower, A plain, k may be 0.
func trsmPanelGo(m, n, k int, ap *float64, lda int, bp *float64, rsb, csb int, cp *float64, ldc int, lp *float64, ldl int) {
	if k > 0 {
		gemmPanelGo(m, n, k, -1, ap, lda, goMR, bp, rsb, csb, cp, ldc, false)
	}
	c := view(cp, extent(m, n, 1, ldc))
	l := view(lp, extent(n, n, 1, ldl))
	for j := range n {
		cj := c[j*ldc : j*ldc+m]
		for q := range j {
			v := l[j+q*ldl]
			cq := c[q*ldc : q*ldc+m]
			for i := range cj {
				cj[i] = math.FMA(-v, cq[i], cj[i])
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
		gemmPanelGo(m, n, k, -1, ap, lda, goMR, bp, rsb, csb, cp, ldc, false)
	}
	c := view(cp, extent(m, n, 1, ldc))
	l := view(lp, extent(n, n, 1, ldl))
	for j := n - 1; j >= 0; j-- {
		cj := c[j*ldc : j*ldc+m]
		for q := n - 1; q > j; q-- {
			v := l[q+j*ldl]
			cq := c[q*ldc : q*ldc+m]
			for i := range cj {
				cj[i] = math.FMA(-v, cq[i], cj[i])
			}
		}
		r := 1 / l[j+j*ldl]
		for i := range cj {
			cj[i] *= r
		}
	}
}

// minPivot is the least normal number: the reciprocal of a smaller pivot may
// overflow.
const minPivot = 0x1p-1022

// potrfPanelGo factorizes a column panel: a points at the first of m rows and
// k+n columns; the first k columns are done, the lower triangle of the next n
// columns becomes the factor's. It returns −1, or the first of the n columns
// whose pivot is not in [2⁻¹⁰²², +Inf).
func potrfPanelGo(m, n, k int, ap *float64, lda int) int {
	cp := at(ap, k*lda)
	if k > 0 {
		gemmPanelGo(n, n, k, -1, ap, lda, goMR, ap, lda, 1, cp, lda, true)
	}
	c := view(cp, extent(n, n, 1, lda))
	for j := range n {
		cj := c[j*lda : j*lda+n]
		p := cj[j]
		if !(p >= minPivot && p <= math.MaxFloat64) {
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
				cq[i] = math.FMA(-v, cj[i], cq[i])
			}
		}
	}
	if m > n {
		trsmPanelGo(m-n, n, k, at(ap, n), lda, ap, lda, 1, at(cp, n), lda, cp, lda)
	}
	return -1
}
