//go:build netlib && cgo

package dense

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/netlib/blas/netlib"
)

// Netlib is the backend over a CBLAS library, by gonum.org/v1/netlib. It is
// compiled under the build tag netlib, with cgo and a library to link, e.g.
//
//	CGO_LDFLAGS=-lopenblas go build -tags netlib ./...
//
// The factorization is blocked here over the library's products and solves. A
// threaded library should be told to use one thread (OPENBLAS_NUM_THREADS=1):
// parallelism is above these kernels.
//
// The library is called in row-major terms: a column-major matrix is the
// transpose of the row-major one with the same leading dimension.
type Netlib struct{}

var nl netlib.Implementation

// Name is "netlib".
func (Netlib) Name() string { return "netlib" }

// netlibBlock is the width of the factorization's column panels.
const netlibBlock = 64

func (Netlib) Potrf(ws *Workspace, n int, a []float64, lda int) int {
	checkMat(n, n, a, lda)
	return Netlib{}.factorPanel(ws, n, n, a, lda)
}

func (b Netlib) factorPanel(ws *Workspace, rows, w int, a []float64, lda int) int {
	for j := 0; j < w; j += netlibBlock {
		nb := min(netlibBlock, w-j)
		d := j + j*lda
		if i := factorPanel(ws, nb, nb, a[d:], lda); i >= 0 {
			return j + i
		}
		e := j + nb
		if e == rows {
			break
		}
		b.TrsmRight(ws, rows-e, nb, a[d:], lda, a[e+j*lda:], lda)
		if e < w {
			// the trailing trapezoid: a triangle and the rows below it
			b.Syrk(ws, w-e, nb, a[e+j*lda:], lda, a[e+e*lda:], lda)
			if w < rows {
				b.GemmNT(ws, rows-w, w-e, nb, -1, a[w+j*lda:], lda, a[e+j*lda:], lda, a[w+e*lda:], lda)
			}
		}
	}
	return -1
}

// B := B L⁻ᵀ, transposed: Bᵀ := L⁻¹ Bᵀ, with L upper and transposed in
// row-major terms.
func (Netlib) TrsmRight(_ *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int) {
	trsmNetlib(blas.Trans, m, n, l, ldl, b, ldb)
}

func (Netlib) TrsmRightN(_ *Workspace, m, n int, l []float64, ldl int, b []float64, ldb int) {
	trsmNetlib(blas.NoTrans, m, n, l, ldl, b, ldb)
}

// trsmNetlib solves with the m×n column-major matrix b.
func trsmNetlib(trans blas.Transpose, m, n int, l []float64, ldl int, b []float64, ldb int) {
	checkMat(n, n, l, ldl)
	checkMat(m, n, b, ldb)
	if m > 0 && n > 0 {
		nl.Dtrsm(blas.Left, blas.Upper, trans, blas.NonUnit, n, m, 1, l, ldl, b, ldb)
	}
}

func (Netlib) Syrk(_ *Workspace, n, k int, a []float64, lda int, c []float64, ldc int) {
	checkMat(n, k, a, lda)
	checkMat(n, n, c, ldc)
	if n > 0 && k > 0 {
		nl.Dsyrk(blas.Upper, blas.Trans, n, k, -1, a, lda, 1, c, ldc)
	}
}

func (Netlib) GemmNT(_ *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	checkMat(m, k, a, lda)
	checkMat(n, k, b, ldb)
	gemmNetlib(blas.Trans, blas.NoTrans, m, n, k, alpha, a, lda, b, ldb, c, ldc)
}

func (Netlib) GemmNN(_ *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	checkMat(m, k, a, lda)
	checkMat(k, n, b, ldb)
	gemmNetlib(blas.NoTrans, blas.NoTrans, m, n, k, alpha, a, lda, b, ldb, c, ldc)
}

func (Netlib) GemmTN(_ *Workspace, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	checkMat(k, m, a, lda)
	checkMat(k, n, b, ldb)
	gemmNetlib(blas.NoTrans, blas.Trans, m, n, k, alpha, a, lda, b, ldb, c, ldc)
}

// gemmNetlib computes Cᵀ += alpha op(B)ᵀ op(A)ᵀ.
func gemmNetlib(tb, ta blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	checkMat(m, n, c, ldc)
	if m > 0 && n > 0 && k > 0 {
		nl.Dgemm(tb, ta, n, m, k, alpha, b, ldb, a, lda, 1, c, ldc)
	}
}

func (Netlib) Symm(_ *Workspace, m, n int, alpha float64, z []float64, ldz int, y []float64, ldy int, c []float64, ldc int) {
	checkMat(m, m, z, ldz)
	checkMat(m, n, y, ldy)
	checkMat(m, n, c, ldc)
	if m > 0 && n > 0 {
		nl.Dsymm(blas.Right, blas.Upper, n, m, alpha, z, ldz, y, ldy, 1, c, ldc)
	}
}

func (b Netlib) Potri(ws *Workspace, n int, l []float64, ldl int, z []float64, ldz int) {
	b.FrontInverse(ws, n, n, l, ldl, z, ldz)
}

func (b Netlib) FrontFactor(ws *Workspace, nr, w int, a []float64, lda int, u []float64, ldu int) int {
	checkMat(nr, w, a, lda)
	if w > nr {
		panic("dense: front wider than tall")
	}
	checkMat(nr-w, nr-w, u, ldu)
	if info := b.factorPanel(ws, nr, w, a, lda); info >= 0 {
		return info
	}
	if w > 0 && nr > w {
		b.Syrk(ws, nr-w, w, a[w:], lda, u, ldu)
	}
	return -1
}

func (b Netlib) FrontInverse(ws *Workspace, nr, w int, l []float64, ldl int, z []float64, ldz int) {
	checkMat(nr, w, l, ldl)
	checkMat(nr, nr, z, ldz)
	if w > nr {
		panic("dense: front wider than tall")
	}
	if w == 0 {
		return
	}
	// my = [M; Y] = [I; L21] L11⁻¹; the lower triangle of Z11 is a column at a
	// time within blocks, as a product of two different matrices.
	my := ws.temp(nr * w)
	for j := range w {
		x := my[j*nr : j*nr+nr]
		clear(x[:w])
		x[j] = 1
		copy(x[w:], l[w+j*ldl:nr+j*ldl])
		clear(z[j+j*ldz : nr+j*ldz])
	}
	b.TrsmRightN(ws, nr, w, l, ldl, my, nr)
	r := nr - w
	if r > 0 {
		b.Symm(ws, r, w, -1, z[w+w*ldz:], ldz, my[w:], nr, z[w:], ldz)
	}
	const nb = 32
	t := ws.packA(nb * nb)
	for j := 0; j < w; j += nb {
		n := min(nb, w-j)
		clear(t[:n*n])
		b.GemmTN(ws, n, n, w-j, 1, my[j+j*nr:], nr, my[j+j*nr:], nr, t, n)
		if r > 0 {
			b.GemmTN(ws, n, n, r, -1, my[w+j*nr:], nr, z[w+j*ldz:], ldz, t, n)
		}
		for q := range n {
			copy(z[j+q+(j+q)*ldz:j+n+(j+q)*ldz], t[q+q*n:n+q*n])
		}
		if e := j + n; e < w {
			b.GemmTN(ws, w-e, n, w-e, 1, my[e+e*nr:], nr, my[e+j*nr:], nr, z[e+j*ldz:], ldz)
			if r > 0 {
				b.GemmTN(ws, w-e, n, r, -1, my[w+e*nr:], nr, z[w+j*ldz:], ldz, z[e+j*ldz:], ldz)
			}
		}
	}
}

var _ Backend = Netlib{}
