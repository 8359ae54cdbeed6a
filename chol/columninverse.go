package chol

// columnInverse computes the inverse by columns, the last first (Takahashi, Fagan
// & Chin 1973): with x the entries of column k of L and Z22 the inverse at their
// rows, z = −Z22 x and z_kk = 1/d_k − x'z. The entries of Z22 are where pairs say.
type columnInverse struct {
	want wanted
	s    *columns
	l, d []float64
	z    []float64 // of the entries of L, then of the diagonal
}

func (s *columns) inverseJob(c *crew, want wanted) job {
	j := &c.columnInverse
	*j = columnInverse{want: want, s: s, l: want.f.l, d: want.f.pivots, z: want.onFactor}
	if j.z == nil {
		c.need(c.sym.plan.inverse)
		j.z = c.common[:s.inverseSize()]
	}
	return j
}

func (j *columnInverse) run(w *worker, it *item) {
	s := j.s
	if it.isTop {
		list := w.crew.sym.plan.upper
		for q := len(list) - 1; q >= 0; q-- {
			if u := list[q]; u.top {
				if w.cancelled(s.work(u.k)) {
					return
				}
				j.columns(u.k, u.k+1, u.pairs+pairCount(int(s.ptr[u.k+1]-s.ptr[u.k])))
			}
		}
		return
	}
	pairs := it.pairs[1]
	for hi := it.hi; hi > it.lo; {
		if w.cancelled(stepWork) {
			return
		}
		lo := s.before(it.lo, hi)
		pairs = j.columns(lo, hi, pairs)
		hi = lo
	}
}

// columns takes columns hi > k ≥ lo, whose pairs end at pairs, and returns where
// they begin.
func (j *columnInverse) columns(lo, hi int32, pairs int) int {
	s := j.s
	m := len(s.rows)
	l, d, rows, ptr := j.l, j.d, s.rows, s.ptr
	z, zd := j.z[:m], j.z[m:]
	e := ptr[hi]
	for k := hi - 1; k >= lo; k-- {
		b := ptr[k]
		sum := 1 / d[k]
		switch e - b {
		case 0:
		case 1:
			x := l[b]
			v := -zd[rows[b]] * x
			z[b] = v
			sum -= x * v
		case 2: // as below
			pairs--
			x0, x1 := l[b], l[b+1]
			y := z[s.pairs[pairs]]
			v0, v1 := -zd[rows[b]]*x0, -zd[rows[b+1]]*x1
			v0 -= y * x1
			v1 -= y * x0
			z[b], z[b+1] = v0, v1
			sum -= x0 * v0
			sum -= x1 * v1
		default:
			x, t, c := l[b:e], z[b:e], rows[b:e]
			pairs -= pairCount(len(x))
			p := s.pairs[pairs:]
			for a, r := range c {
				t[a] = -zd[r] * x[a]
			}
			for a, v := range x {
				rest := x[a+1:]
				q := p[:len(rest)]
				p = p[len(rest):]
				below := t[a+1:][:len(rest)]
				own := t[a]
				for i, u := range rest {
					y := z[q[i]]
					own -= y * u
					below[i] -= y * v
				}
				t[a] = own
				sum -= v * own
			}
		}
		zd[k] = sum
		e = b
	}
	switch {
	case j.want.entries != nil:
		entries := j.want.entries
		for p, q := range s.src[ptr[lo]:ptr[hi]] {
			if q >= 0 {
				entries[q] = z[int(ptr[lo])+p]
			}
		}
		for k := lo; k < hi; k++ {
			entries[s.diag[k]] = zd[k]
		}
	case j.want.diag != nil:
		for k := lo; k < hi; k++ {
			j.want.diag[s.perm[k]] = zd[k]
		}
	}
	return pairs
}
