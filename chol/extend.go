package chol

import (
	"slices"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
)

// extendAdd adds columns from ≤ j < to of the update matrix src of child c to
// the front of its parent p: those that belong to p's pivots into its panel,
// the others into its update matrix upd (Duff & Reid 1983).
func (st *structure) extendAdd(c, p *node, src, panel, upd []float64, from, to int) {
	rel := st.rel[c.rows : c.rows+int(c.r)]
	for from < to { // as far as one strip of either goes
		a := c.strip(from)
		b := p.strip(max(0, int(rel[from]-p.w)))
		end := min(to, a.to)
		if last := p.w + int32(b.to); rel[end-1] >= last {
			end, _ = slices.BinarySearch(rel[:end], last)
		}
		st.extendStrip(c, p, src[a.base:], a.ld, panel, upd[b.base:], b.ld, from, end)
		from = end
	}
}

func (st *structure) extendStrip(c, p *node, src []float64, ldc int, panel, upd []float64, ldu, from, to int) {
	r, w, ldp := int(c.r), int(p.w), int(p.ld)
	rel := st.rel[c.rows : c.rows+r]
	if c.nruns > 0 {
		kernel.AddRuns(from, to, r, src, ldc, rel, st.runs[c.runs:c.runs+c.nruns+1], panel, ldp, w, upd, ldu)
		return
	}
	for j := from; j < to; j++ {
		d := int(rel[j])
		s := src[j*ldc : j*ldc+r]
		dst, shift := panel, int32(0)
		if d < w {
			dst = panel[d*ldp : d*ldp+int(p.w+p.r)]
		} else {
			dst, shift = upd[(d-w)*ldu:(d-w)*ldu+int(p.r)], p.w
		}
		for i := j; i < len(rel) && i < len(s); i++ {
			dst[rel[i]-shift] += s[i]
		}
	}
}

// gather copies columns from ≤ j < to of the block of the inverse that belongs
// to the rows of c, from the front zp of its parent p, into c's own front z.
// The inverse of extendAdd.
func (st *structure) gather(c, p *node, zp, z []float64, from, to int) {
	r, w, ld, ldp := int(c.r), int(c.w), int(c.ld), int(p.ld)
	rel := st.rel[c.rows : c.rows+r]
	z = z[w+w*ld:]
	if c.nruns > 0 {
		kernel.CopyRuns(from, to, r, z, ld, rel, st.runs[c.runs:c.runs+c.nruns+1], zp, ldp)
		return
	}
	for j := from; j < to; j++ {
		d := int(rel[j])
		src := zp[d*ldp : d*ldp+int(p.w+p.r)]
		dst := z[j*ld : j*ld+r]
		for i := j; i < len(rel) && i < len(dst); i++ {
			dst[i] = src[rel[i]]
		}
	}
}
