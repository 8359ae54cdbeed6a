package chol

import "github.com/gcrfbc/gcrfbc/internal/dense"

// The update matrix of a front, the r×r lower triangle that it passes to its
// parent, is stored column by column with leading dimension ldu if r is small.
// A large one is cut into strips of columns that begin at their own diagonal,
// which takes little more than half of the space: narrow fronts over many rows,
// as scale-free graphs have, would otherwise hold many times the factor.

const (
	stripB     = 128        // columns of a strip
	minStripsR = 2 * stripB // r from which there are strips
)

// strip is one strip: columns from ≤ j < to; entry (i, j) of the update matrix is
// at base + i + j·ld.
type strip struct{ from, to, base, ld int }

// strip returns the strip of column j.
func (nd *node) strip(j int) strip {
	r, ld := int(nd.r), int(nd.ldu)
	if r < minStripsR {
		return strip{to: r, ld: ld}
	}
	b := j / stripB
	from := b * stripB
	// The strips before have ld, ld−stripB, … rows; the first of these rows is from.
	at := from*ld - stripB*stripB*(b*(b-1)/2)
	ld -= from
	return strip{from: from, to: min(from+stripB, r), base: at - from*ld - from, ld: ld}
}

// updateSize is the length of nd's update matrix.
func updateSize(nd *node) int {
	r := int(nd.r)
	if r == 0 {
		return 0
	}
	p := nd.strip(r - 1)
	return p.base + r*p.ld + p.from
}

// column returns column j of the update matrix u of nd, from the diagonal on.
func (nd *node) column(u []float64, j int) []float64 {
	p := nd.strip(j)
	at := p.base + j*p.ld
	return u[at+j : at+int(nd.r)]
}

// stripsFactor is dense.FrontFactor for an update matrix in strips.
func stripsFactor(ws *dense.Workspace, nd *node, panel, upd []float64) (info int) {
	nr, w, r, ld := int(nd.w+nd.r), int(nd.w), int(nd.r), int(nd.ld)
	if info = dense.PanelFactor(ws, nr, w, panel, ld); info >= 0 {
		return info
	}
	for c := 0; c < r; {
		p := nd.strip(c)
		n := p.to - c
		at := p.base + c*p.ld
		dense.Syrk(ws, n, w, panel[w+c:], ld, upd[at+c:], p.ld)
		if c = p.to; c < r {
			dense.GemmNT(ws, r-c, n, w, -1, panel[w+c:], ld, panel[w+p.from:], ld, upd[at+c:], p.ld)
		}
	}
	return -1
}

// updateTile subtracts L21 L21ᵀ in rows i ≤ … < i+m, columns c ≤ … < c+n of the
// update matrix, c and c+n at borders of strips (or the matrix's), c+n ≤ i or c = i.
func (b *bigFront) updateTile(w *worker, i, m, c, n int) {
	nd, ker := b.nd, w.crew.sym.kernels
	nw, ld := int(nd.w), int(nd.ld)
	diagonal := i == c
	for end := c + n; c < end; {
		p := nd.strip(c)
		n := min(p.to, end) - c
		row := i
		if diagonal {
			ker.Syrk(&w.ws, n, nw, b.panel[nw+c:], ld, b.upd[p.base+c+c*p.ld:], p.ld)
			row = c + n
		}
		if m := i + m - row; m > 0 {
			ker.GemmNT(&w.ws, m, n, nw, -1, b.panel[nw+row:], ld, b.panel[nw+c:], ld, b.upd[p.base+row+c*p.ld:], p.ld)
		}
		c += n
	}
}
