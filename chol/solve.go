package chol

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
)

// Right-hand sides are solved in blocks, interleaved: y[k*nb+v] is component
// k of vector v, nb a multiple of 8 (or 1): a row of a front is a few whole
// vectors of the processor, and an element of L is used for all of them.

const (
	solveBlock = 32
	// solveParallel is the stored size of the panels below the top times the
	// right-hand sides of a block from which a solve uses more than one thread.
	solveParallel = 1 << 20
)

type solveMode uint8

const (
	solveFull solveMode = iota
	solveForward
	solveBackward
)

// SolveTo solves A x = b. dst and rhs have length n, in the caller's order;
// they may be the same slice. Nothing is allocated after the first call. Cost: 4·nnz(L) operations, bound by the memory traffic of
// reading L twice.
func (f *Factor) SolveTo(dst, rhs []float64) error { return f.solve(dst, rhs, 1, solveFull) }

// SolveManyTo solves A X = B for nrhs right-hand sides: vector k is
// rhs[k*n:(k+1)*n]. dst may be rhs. Blocks of 32 share one reading of L; a last
// block of two or more costs as much as one padded to a multiple of 8.
func (f *Factor) SolveManyTo(dst, rhs []float64, nrhs int) error {
	return f.solve(dst, rhs, nrhs, solveFull)
}

// HalfSolveTo computes w = L⁻¹ P b, so that w·w = b'A⁻¹b. rhs is in the
// caller's order, dst in the order of elimination; they may be the same.
func (f *Factor) HalfSolveTo(dst, rhs []float64) error { return f.solve(dst, rhs, 1, solveForward) }

// HalfSolveTransposeTo computes x = P'L⁻ᵀ w: with w standard normal x is a
// sample of the Gaussian of precision A. rhs is in the order of elimination,
// dst in the caller's; they may be the same.
func (f *Factor) HalfSolveTransposeTo(dst, rhs []float64) error {
	return f.solve(dst, rhs, 1, solveBackward)
}

func (f *Factor) solve(dst, rhs []float64, nrhs int, mode solveMode) error {
	n := f.sym.N()
	if nrhs < 0 {
		return &ShapeError{What: "number of right-hand sides", Got: nrhs}
	}
	if err := f.check("rhs", len(rhs), n*nrhs); err != nil {
		return err
	}
	if err := f.check("dst", len(dst), n*nrhs); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	c := f.sym.pool.get(f.sym)
	defer f.sym.pool.put(c)
	for k := 0; k < nrhs; k += solveBlock {
		nb := min(solveBlock, nrhs-k)
		f.sym.layout.solveBlock(c, f, dst[k*n:(k+nb)*n], rhs[k*n:(k+nb)*n], nb, mode)
	}
	return nil
}

// lanes returns how many right-hand sides are stored for nb: whole vectors.
func lanes(nb int) int {
	if nb == 1 {
		return 1
	}
	return kernel.Pad(nb)
}

// solveBlock solves nb interleaved right-hand sides.
func (st *structure) solveBlock(c *crew, f *Factor, dst, rhs []float64, nb int, mode solveMode) {
	n := len(st.perm)
	w := lanes(nb)
	if cap(c.y) < n*w {
		c.y = make([]float64, n*w)
	}
	if p := f.sym.plan; len(c.commonVec) < p.solve.common*w {
		c.commonVec = make([]float64, p.solve.common*w)
	}
	workers := len(c.workers)
	if f.sym.plan.below*w < solveParallel {
		workers = 1
	}
	j := &c.solveJob
	*j = solveJob{st: st, f: f, y: c.y[:n*w], nb: w}
	// dst may be rhs: all of rhs is read before dst is written.
	from, to := st.iperm, st.iperm
	if nb == 1 {
		from = st.perm
	}
	switch mode {
	case solveBackward:
		from = nil
	case solveForward:
		to = nil
	}
	c.move(j.y, rhs, nb, from, false, workers)
	ctx := context.Background()
	if mode != solveBackward {
		_ = c.process(ctx, j, true, workers) // the background never ends
	}
	if mode != solveForward {
		j.backward = true
		_ = c.process(ctx, j, false, workers)
	}
	c.move(j.y, dst, nb, to, true, workers)
	*j = solveJob{}
}

// moveRows is the number of rows that a worker moves at a time, a multiple of
// 8 so that lines are written as a whole.
const moveRows = 1 << 14

// moving interleaves the right-hand sides x, row i at at[i] of y, or separates
// them again. One right-hand side is read row by row from at in both directions.
type moving struct {
	y, x []float64
	nb   int
	at   []int32
	back bool
	next atomic.Int64
}

func (c *crew) move(y, x []float64, nb int, at []int32, back bool, workers int) {
	n := len(x) / nb
	if workers == 1 || n <= moveRows {
		moveRange(y, x, n, nb, at, back, 0, n)
		return
	}
	m := &c.moving
	m.y, m.x, m.nb, m.at, m.back = y, x, nb, at, back
	m.next.Store(0)
	c.each(workers, (*crew).moveBlocks)
	m.y, m.x, m.at = nil, nil, nil
}

func (c *crew) moveBlocks(*worker) {
	m := &c.moving
	for n := len(m.x) / m.nb; ; {
		hi := int(m.next.Add(moveRows))
		if hi-moveRows >= n {
			return
		}
		moveRange(m.y, m.x, n, m.nb, m.at, m.back, hi-moveRows, min(hi, n))
	}
}

func moveRange(y, x []float64, n, nb int, at []int32, back bool, lo, hi int) {
	switch {
	case nb == 1 && at != nil && back:
		kernel.Permute(x[lo:hi], y, at[lo:hi])
	case nb == 1 && at != nil:
		kernel.Permute(y[lo:hi], x, at[lo:hi])
	case back:
		kernel.Separate(y, x, n, nb, lanes(nb), at, lo, hi)
	default:
		kernel.Interleave(y, x, n, nb, lanes(nb), at, lo, hi)
	}
}

// solveJob solves with L (children before parents) or L' (parents first).
type solveJob struct {
	st       *structure
	f        *Factor
	y        []float64
	nb       int
	backward bool
}

// vector returns the place of supernode s's part of a forward solve: its
// pivots, then what its subtree subtracts from the right-hand sides of its
// rows. Passing this up the tree instead of adding to y fixes the order of the
// sums: that of the children.
func (w *worker) vector(s int32, nd *node, nb int) []float64 {
	p := w.crew.sym.plan
	at, size := p.vector[s]*nb, vectorSize(nd)*nb
	if p.shared[s] {
		return w.crew.commonVec[at : at+size]
	}
	return w.vec[at : at+size]
}

// A solve with one right-hand side takes less time for a front than its panel
// takes to arrive, so it asks for those of fronts some way ahead.
const soon = 2

func (j *solveJob) run(w *worker, it *item) {
	p, st := w.crew.sym.plan, j.st
	if need := max(p.solve.worker, kernel.Pad(st.maxRows)) * j.nb; len(w.vec) < need {
		w.vec = make([]float64, need)
	}
	switch {
	case !j.backward && j.nb == 1:
		for s := it.lo; s < it.hi; s++ {
			if t := s + soon; t < it.hi {
				kernel.Prefetch(st.panel(j.f.l, t), soonBytes)
			}
			j.forwardOne(w, s)
		}
	case !j.backward:
		for s := it.lo; s < it.hi; s++ {
			j.forward(w, s)
		}
	case j.nb == 1:
		for s := it.hi - 1; s >= it.lo; s-- {
			if t := s - soon; t >= it.lo {
				nd := &st.nodes[t]
				kernel.Prefetch(st.panel(j.f.l, t), soonBytes)
				kernel.Prefetch(st.rows[nd.rows:nd.rows+int(nd.r)], soonBytes)
			}
			j.backwardOne(w, s)
		}
	default:
		for s := it.hi - 1; s >= it.lo; s-- {
			j.back(w, s)
		}
	}
}

// children lists the children of a top node in order.
func (w *worker) children(nodes []node, s int32, nd *node) []int32 {
	w.kids = w.kids[:0]
	for c := s - 1; c >= nd.first; c = nodes[c].first - 1 {
		w.kids = append(w.kids, c)
	}
	slices.Reverse(w.kids)
	return w.kids
}

// forward solves L11 X1 = B1 and subtracts L21 X1 from the rows below, which
// are then added to the parent's. A top node takes its children's, which were
// computed by several workers, when all are there.
func (j *solveJob) forward(w *worker, s int32) {
	p, st := w.crew.sym.plan, j.st
	nd := &st.nodes[s]
	nb, nw, r, ld := j.nb, int(nd.w), int(nd.r), int(nd.ld)
	x := j.y[int(nd.start)*nb : (int(nd.start)+nw)*nb]
	v := w.vector(s, nd, nb)[:r*nb]
	leaf := nd.first == s
	if p.top[s] && !leaf {
		clear(v)
		for _, c := range w.children(st.nodes, s, nd) {
			ch := &st.nodes[c]
			kernel.AddRows(nb, st.rel[ch.rows:ch.rows+int(ch.r)], w.vector(c, ch, nb), x, nw, v)
		}
	}
	var up kernel.Parent
	if q := nd.parent; q >= 0 && !p.top[q] {
		pd := &st.nodes[q]
		up = kernel.Parent{Rel: st.rel[nd.rows : nd.rows+r], X: j.y[int(pd.start)*nb : int(pd.start+pd.w)*nb],
			V: w.vector(q, pd, nb)[:int(pd.r)*nb], W: int(pd.w)}
		if pd.first == nd.first {
			clear(up.V)
		}
	}
	kernel.ForwardMany(nb, nw, r, j.f.l[nd.panel:nd.panel+ld*nw], ld, x, v, leaf, up)
}

// back solves L11' X1 = B1 − L21' X2.
func (j *solveJob) back(w *worker, s int32) {
	st := j.st
	nd := &st.nodes[s]
	nb, nw, r, ld := j.nb, int(nd.w), int(nd.r), int(nd.ld)
	x := j.y[int(nd.start)*nb : (int(nd.start)+nw)*nb]
	kernel.BackwardMany(nb, nw, j.f.l[nd.panel:nd.panel+ld*nw], ld, x, st.rows[nd.rows:nd.rows+r], j.y)
}

// forwardOne is forward for one right-hand side.
func (j *solveJob) forwardOne(w *worker, s int32) {
	p, st := w.crew.sym.plan, j.st
	nd := &st.nodes[s]
	nw, nr, ld := int(nd.w), int(nd.w+nd.r), int(nd.ld)
	x := j.y[nd.start : nd.start+nd.w]
	t := w.vector(s, nd, 1)
	if leaf := nd.first == s; leaf || p.top[s] {
		copy(t, x)
		clear(t[nw:nr])
		if !leaf {
			for _, c := range w.children(st.nodes, s, nd) {
				ch := &st.nodes[c]
				addIndexed(t, w.vector(c, ch, 1)[ch.w:], st.rel[ch.rows:ch.rows+int(ch.r)])
			}
		}
	}
	kernel.PanelSolve(nw, nr, j.f.l[nd.panel:nd.panel+ld*nw], ld, t, x)
	if q := nd.parent; q >= 0 && !p.top[q] {
		pd := &st.nodes[q]
		up := w.vector(q, pd, 1)
		if pd.first == nd.first {
			copy(up, j.y[pd.start:pd.start+pd.w])
			clear(up[pd.w : pd.w+pd.r])
		}
		addIndexed(up, t[nw:], st.rel[nd.rows:nd.rows+int(nd.r)])
	}
}

// addIndexed adds v[k] to t[at[k]].
func addIndexed(t, v []float64, at []int32) {
	v = v[:len(at)]
	for k, d := range at {
		t[d] += v[k]
	}
}

// backwardOne is back for one right-hand side.
func (j *solveJob) backwardOne(w *worker, s int32) {
	st := j.st
	nd := &st.nodes[s]
	nw, ld := int(nd.w), int(nd.ld)
	kernel.PanelSolveT(nw, j.f.l[nd.panel:nd.panel+ld*nw], ld, j.y[nd.start:nd.start+nd.w],
		st.rows[nd.rows:nd.rows+int(nd.r)], j.y, w.vec)
}
