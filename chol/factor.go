package chol

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
	"github.com/gcrfbc/gcrfbc/internal/dense"
)

// Factor is a Cholesky factorization P A P' = L L': the values that belong to
// a Symbolic. Refactorize must not run at the same time as any other method of
// the same factor; solves, determinants and inverses may run concurrently.
type Factor struct {
	sym    *Symbolic
	l      []float64 // panels of all supernodes; or the columns of L below the diagonal, which is 1
	pivots []float64 // L_kk², or D, by elimination position
	logDet float64
	valid  bool

	// The forward parts of the fronts' inverses and where they begin; nil unless
	// kept.
	forward   []float64
	forwardAt []int
}

// NewFactor allocates a factor without values: Forecast().Bytes bytes.
func (s *Symbolic) NewFactor() *Factor {
	size := s.layout.size()
	// Kernels may read a little beyond a panel.
	return &Factor{sym: s, l: make([]float64, size, size+kernel.Ahead), pivots: make([]float64, s.N())}
}

// Symbolic returns the analysis of the factor.
func (f *Factor) Symbolic() *Symbolic { return f.sym }

// Clone returns an independent copy.
func (f *Factor) Clone() *Factor {
	c := f.sym.NewFactor()
	if f.forward != nil {
		c = f.sym.NewFactorForInverse()
	}
	copy(c.forward, f.forward)
	copy(c.l, f.l)
	copy(c.pivots, f.pivots)
	c.logDet, c.valid = f.logDet, f.valid
	return c
}

// Refactorize computes the factorization of the matrix with the given values,
// aligned with the entries of the analyzed pattern; those above the diagonal
// are not read. It replaces the previous factorization; nothing but values
// changes, and nothing is allocated after the first call.
//
// Errors: *ShapeError; *NotPositiveDefiniteError names the row whose pivot
// fails (the first one in elimination order); *ValueError names a NaN or
// infinite entry; ctx.Err() on cancellation, answered within about a
// millisecond. After an error the factor holds no factorization.
//
// The result is backward stable: L L' differs from P A P' by at most about
// 1.2e-16·k·√(a_ii a_jj) in entry (i, j), k the length of a row of L (Higham
// 2002, Accuracy and Stability of Numerical Algorithms, theorem 10.3).
func (f *Factor) Refactorize(ctx context.Context, values []float64) error {
	f.valid = false
	s := f.sym
	if len(values) != s.pattern.NNZ() {
		return &ShapeError{What: "length of values", Got: len(values), Want: s.pattern.NNZ()}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c := s.pool.get(s)
	defer s.pool.put(c)
	c.need(s.plan.factor)
	err := c.process(ctx, s.layout.factorJob(c, f, values), true, len(c.workers))
	c.factorJob, c.columnFactor = factorJob{}, columnFactor{}
	if err != nil {
		return err
	}
	if c.fail.Load() != noFailure {
		if err := s.findNonFinite(values); err != nil {
			return err
		}
		return &NotPositiveDefiniteError{Row: int(s.perm[c.badColumn]), Pivot: c.badPivot}
	}
	f.logDet = sumLog(f.pivots)
	f.valid = true
	return nil
}

// findNonFinite names the first NaN or infinite entry of the lower triangle.
func (s *Symbolic) findNonFinite(values []float64) error {
	n := s.N()
	ptr, idx := s.pattern.Ptr(), s.pattern.Idx()
	for i := range n {
		for k := ptr[i]; k < ptr[i+1] && int(idx[k]) <= i; k++ {
			if v := values[k]; math.IsNaN(v) || math.IsInf(v, 0) {
				return &ValueError{Row: i, Col: int(idx[k]), Pos: k, Value: v}
			}
		}
	}
	return nil
}

// factorJob factorizes fronts, children before parents.
type factorJob struct {
	st     *structure
	f      *Factor
	values []float64
}

func (st *structure) factorJob(c *crew, f *Factor, values []float64) job {
	c.factorJob = factorJob{st: st, f: f, values: values}
	return &c.factorJob
}

// update returns the place of supernode s's update matrix.
func (w *worker) update(s int32, nd *node) []float64 {
	p := w.crew.sym.plan
	at, size := p.update[s], updateSize(nd)
	if p.shared[s] {
		return w.crew.common[at : at+size]
	}
	return w.arena[at : at+size]
}

func (j *factorJob) run(w *worker, it *item) {
	c := w.crew
	st := j.st
	nodes := st.nodes
	for s := it.lo; s < it.hi; s++ {
		nd := &nodes[s]
		work := int(nd.w) * int(nd.ld) * int(nd.ld)
		if int64(s) > c.fail.Load() || w.cancelled(work+256) {
			return
		}
		if nd.big {
			j.bigFront(w, s)
			continue
		}
		if s+1 < it.hi {
			kernel.Prefetch(st.panel(j.f.l, s+1), soonBytes)
		}
		panel := st.panel(j.f.l, s)
		upd := w.update(s, nd)
		j.assemble(w, s, panel, upd)
		nr, nw, ld := int(nd.w+nd.r), int(nd.w), int(nd.ld)
		var info int
		if nr-nw < minStripsR {
			info = dense.FrontFactor(&w.ws, nr, nw, panel, ld, upd, int(nd.ldu))
		} else {
			info = stripsFactor(&w.ws, nd, panel, upd)
		}
		if info >= 0 {
			j.fail(w, s, info)
			return
		}
		if t := j.f.forwardOf(s); len(t) > 0 {
			dense.FrontForward(&w.ws, nr, nw, panel, ld, t)
		}
		d := j.f.pivots[nd.start : nd.start+nd.w]
		for k := range d {
			v := panel[k*(ld+1)]
			d[k] = v * v
		}
	}
}

// assemble forms the front of s: entries of A plus the children's updates.
func (j *factorJob) assemble(w *worker, s int32, panel, upd []float64) {
	st := j.st
	nd := &st.nodes[s]
	clear(panel)
	r := int(nd.r)
	whole := int32(math.MaxInt32) // children with fewer rows are added as a whole
	switch {
	case r < 64:
		clear(upd)
	case r < minStripsR:
		for k := range r { // half as much
			clear(nd.column(upd, k))
		}
	default: // too large for the second-level cache
		whole = assembleB
	}
	j.scatter(st, s, panel)
	if r >= minStripsR {
		for lo, nr := 0, int(nd.w)+r; lo < nr; lo += assembleB {
			w.extendColumns(st, s, panel, upd, whole, lo, min(lo+assembleB, nr))
		}
	}
	for c := s - 1; c >= nd.first; c = st.nodes[c].first - 1 {
		if ch := &st.nodes[c]; ch.r < whole {
			st.extendAdd(ch, nd, w.update(c, ch), panel, upd, 0, int(ch.r))
		}
	}
}

func (j *factorJob) scatter(st *structure, s int32, panel []float64) {
	lo, hi := st.entryRange(s)
	kernel.Scatter(st.scatter[lo:hi], j.values, panel)
}

// entryRange returns where the entries of A in the panel of s begin and end in
// scatter.
func (st *structure) entryRange(s int32) (lo, hi int) {
	lo = kernel.Ahead
	if s > 0 {
		lo = int(st.nodes[s-1].scatEnd)
	}
	return lo, int(st.nodes[s].scatEnd)
}

// fail records that column info of supernode s has no positive pivot, whose
// value it computes anew: kernels do not keep it.
func (j *factorJob) fail(w *worker, s int32, info int) {
	c := w.crew
	st := j.st
	nd := &st.nodes[s]
	panel := st.panel(j.f.l, s)
	j.assemble(w, s, panel, w.update(s, nd))
	ld := int(nd.ld)
	for k := 0; k <= info; k++ {
		col := panel[k*ld:]
		for p := range k {
			m := panel[k+p*ld]
			for i := k; i <= info; i++ {
				col[i] -= m * panel[i+p*ld]
			}
		}
		if k < info {
			piv := math.Sqrt(col[k])
			for i := k; i <= info; i++ {
				col[i] /= piv
			}
		}
	}
	c.failed(int64(s), int(nd.start)+info, panel[info*(ld+1)])
}

// sumLog returns Σ log d for positive finite d, taking one logarithm for many
// mantissas.
func sumLog(d []float64) float64 {
	const (
		fraction = 1<<52 - 1
		one      = 1023 << 52
		group    = 256
	)
	sum, exponents := 0.0, 0
	for len(d) > 0 {
		g := d[:min(group, len(d))]
		d = d[len(g):]
		m := 1.0
		for _, v := range g {
			b := math.Float64bits(v)
			e := int(b >> 52)
			if e == 0 { // subnormal
				sum += math.Log(v)
				continue
			}
			exponents += e - 1023
			m *= math.Float64frombits(b&fraction | one)
		}
		sum += math.Log(m)
	}
	return sum + float64(exponents)*math.Ln2
}

// LogDet returns log det A = Σ log L_kk². It is NaN without a factorization.
func (f *Factor) LogDet() float64 {
	if !f.valid {
		return math.NaN()
	}
	return f.logDet
}

// PivotsTo writes the pivots d_i = L_kk² of the rows i in the caller's
// numbering: det A is their product, and d_i is the reciprocal of the
// conditional variance of i given all rows eliminated after it, for a Gaussian
// of precision A.
func (f *Factor) PivotsTo(dst []float64) error {
	if err := f.check("dst", len(dst), f.sym.N()); err != nil {
		return err
	}
	for k, i := range f.sym.perm {
		dst[i] = f.pivots[k]
	}
	return nil
}

// check verifies that there is a factorization and that a length fits.
func (f *Factor) check(what string, got, want int) error {
	if !f.valid {
		return ErrNotFactorized
	}
	if got != want {
		return &ShapeError{What: "length of " + what, Got: got, Want: want}
	}
	return nil
}
