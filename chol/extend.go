package chol

// extendAdd adds columns from ≤ j < to of the update matrix src of child c to
// the front of its parent p: those that belong to p's pivots into its panel,
// the others into its update matrix upd (Duff & Reid 1983).
func (st *structure) extendAdd(c, p *node, src, panel, upd []float64, from, to int) {
	r, ldc := int(c.r), int(c.ldu)
	w, ldp, ldu := int(p.w), int(p.ld), int(p.ldu)
	rel := st.rel[c.rows : c.rows+r]
	var runs []run
	at := 0 // the run that holds column j
	if c.nruns > 0 {
		runs = st.runs[c.runs : c.runs+c.nruns+1]
	}
	for j := from; j < to; j++ {
		d := int(rel[j])
		s := src[j*ldc : j*ldc+r]
		dst, shift := panel, 0
		if d < w {
			dst = panel[d*ldp : d*ldp+int(p.w+p.r)]
		} else {
			dst, shift = upd[(d-w)*ldu:(d-w)*ldu+int(p.r)], w
		}
		if runs == nil {
			for i := j; i < len(rel) && i < len(s); i++ {
				dst[int(rel[i])-shift] += s[i]
			}
			continue
		}
		for int(runs[at+1].src) <= j {
			at++
		}
		b, to := j, d
		for k := at; ; {
			e := int(runs[k+1].src)
			add(dst[to-shift:], s[b:e])
			if k++; k+1 >= len(runs) {
				break
			}
			b, to = int(runs[k].src), int(runs[k].dst)
		}
	}
}

// add computes dst += src.
func add(dst, src []float64) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] += v
	}
}

// gather copies columns from ≤ j < to of the block of the inverse that belongs
// to the rows of c, from the front zp of its parent p, into c's own front z.
// The inverse of extendAdd.
func (st *structure) gather(c, p *node, zp, z []float64, from, to int) {
	r, w, ld, ldp := int(c.r), int(c.w), int(c.ld), int(p.ld)
	rel := st.rel[c.rows : c.rows+r]
	var runs []run
	at := 0
	if c.nruns > 0 {
		runs = st.runs[c.runs : c.runs+c.nruns+1]
	}
	for j := from; j < to; j++ {
		d := int(rel[j])
		src := zp[d*ldp : d*ldp+int(p.w+p.r)]
		dst := z[w+(w+j)*ld : w+(w+j)*ld+r]
		if runs == nil {
			for i := j; i < len(rel) && i < len(dst); i++ {
				dst[i] = src[rel[i]]
			}
			continue
		}
		for int(runs[at+1].src) <= j {
			at++
		}
		b, at2 := j, d
		for k := at; ; {
			copy(dst[b:runs[k+1].src], src[at2:])
			if k++; k+1 >= len(runs) {
				break
			}
			b, at2 = int(runs[k].src), int(runs[k].dst)
		}
	}
}
