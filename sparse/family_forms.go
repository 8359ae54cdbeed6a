package sparse

// QuadTo writes dst[k] = x'A_k z. x and z have length N and may be the same.
// Cost: one pass over the edges of every term.
func (f *Family) QuadTo(dst, x, z []float64) {
	if len(dst) != len(f.terms) || len(x) != f.n || len(z) != f.n {
		panic("sparse: wrong length in QuadTo")
	}
	for k := range f.terms {
		t := &f.terms[k]
		dst[k] = t.ridgeQuad(x, z)
		if t.own == nil {
			continue
		}
		if f.n > 0 && &x[0] == &z[0] {
			dst[k] += t.edgeSquares(x)
		} else {
			dst[k] += t.edgeProducts(x, z)
		}
	}
}

// Sums run over rows, then over blocks of rows, so that rounding errors grow
// with the depth of the sum, not with the number of edges.

func (t *familyTerm) ridgeQuad(x, z []float64) float64 {
	if t.ridge == nil && t.constant == 0 {
		return 0
	}
	total := 0.0
	for lo := 0; lo < len(x); lo += blockRows {
		hi := min(lo+blockRows, len(x))
		xs, zs := x[lo:hi], z[lo:hi]
		zs = zs[:len(xs)]
		s := 0.0
		if t.ridge == nil {
			for i, v := range xs {
				s += v * zs[i]
			}
			s *= t.constant
		} else {
			r := t.ridge[lo:hi][:len(xs)]
			for i, v := range xs {
				s += r[i] * v * zs[i]
			}
		}
		total += s
	}
	return total
}

func (t *familyTerm) edgeSquares(x []float64) float64 {
	p, total := t.own, 0.0
	for lo := 0; lo < p.rows; lo += blockRows {
		block, start := 0.0, p.ptr[lo]
		for i := lo; i < min(lo+blockRows, p.rows); i++ {
			end := p.ptr[i+1]
			idx, w, xi, s := p.idx[start:end], t.w[start:end], x[i], 0.0
			w = w[:len(idx)]
			for k, j := range idx {
				d := xi - x[j]
				s += w[k] * (d * d)
			}
			block += s
			start = end
		}
		total += block
	}
	return total
}

func (t *familyTerm) edgeProducts(x, z []float64) float64 {
	p, total := t.own, 0.0
	z = z[:len(x)]
	for lo := 0; lo < p.rows; lo += blockRows {
		block, start := 0.0, p.ptr[lo]
		for i := lo; i < min(lo+blockRows, p.rows); i++ {
			end := p.ptr[i+1]
			idx, w, xi, zi, s := p.idx[start:end], t.w[start:end], x[i], z[i], 0.0
			w = w[:len(idx)]
			for k, j := range idx {
				s += w[k] * ((xi - x[j]) * (zi - z[j]))
			}
			block += s
			start = end
		}
		total += block
	}
	return total
}

// TraceTo writes dst[k] = tr(A_k Z) of a symmetric Z given on Pattern, such as
// a selected inverse. Cost: one pass over the edges of every term.
func (f *Family) TraceTo(dst, z []float64) {
	if len(dst) != len(f.terms) || len(z) != len(f.pattern.idx) {
		panic("sparse: wrong length in TraceTo")
	}
	ptr := f.pattern.ptr
	for k := range f.terms {
		t := &f.terms[k]
		ridge := t.ridge != nil || t.constant != 0
		total := 0.0
		for lo := 0; lo < f.n; lo += blockRows {
			block := 0.0
			for i := lo; i < min(lo+blockRows, f.n); i++ {
				row := z[ptr[i]:ptr[i+1]]
				zii, s := row[len(row)-1], 0.0
				if ridge {
					r := t.constant
					if t.ridge != nil {
						r = t.ridge[i]
					}
					s = r * zii
				}
				if t.own != nil {
					s += t.rowTrace(i, row, zii, ptr, z)
				}
				block += s
			}
			total += block
		}
		dst[k] = total
	}
}

func (t *familyTerm) rowTrace(i int, row []float64, zii float64, ptr []int, z []float64) float64 {
	start, end := t.own.ptr[i], t.own.ptr[i+1]
	idx, w, s := t.own.idx[start:end], t.w[start:end], 0.0
	w = w[:len(idx)]
	if t.off == nil {
		row = row[:len(idx)]
		for k, j := range idx {
			s += w[k] * ((zii - row[k]) + (z[ptr[j+1]-1] - row[k]))
		}
		return s
	}
	off := t.off[start:end]
	off = off[:len(idx)]
	for k, j := range idx {
		zij := row[off[k]]
		s += w[k] * ((zii - zij) + (z[ptr[j+1]-1] - zij))
	}
	return s
}

// EdgeDotTo writes dst[k] = Σ_e w_k[e] q[e] with q aligned with Edges and w_k
// the edge weights of term k: with q_ij a function of the edge, the derivative
// of Σ θ_k Σ_e w_k[e] q[e]. Ridges do not count.
func (f *Family) EdgeDotTo(dst, q []float64) {
	if len(dst) != len(f.terms) || len(q) != len(f.edges.idx) {
		panic("sparse: wrong length in EdgeDotTo")
	}
	for k := range f.terms {
		t := &f.terms[k]
		total := 0.0
		for lo := 0; t.own != nil && lo < f.n; lo += blockRows {
			hi := min(lo+blockRows, f.n)
			if t.off == nil {
				total += dot(t.w[t.own.ptr[lo]:t.own.ptr[hi]], q[f.edges.ptr[lo]:f.edges.ptr[hi]])
				continue
			}
			block := 0.0
			for i := lo; i < hi; i++ {
				start, end := t.own.ptr[i], t.own.ptr[i+1]
				row, off := q[f.edges.ptr[i]:f.edges.ptr[i+1]], t.off[start:end]
				for k, w := range t.w[start:end] {
					block += w * row[off[k]]
				}
			}
			total += block
		}
		dst[k] = total
	}
}

// dot keeps four sums: one would wait for itself at every element.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for k, v := range x {
		s0 += v * y[k]
	}
	return (s0 + s1) + (s2 + s3)
}
