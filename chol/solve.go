package chol

import (
	"context"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
	"github.com/gcrfbc/gcrfbc/internal/dense"
)

// Right-hand sides are solved in blocks, interleaved: y[k*nb+v] is component
// k of vector v, so that a supernode's part of y is a dense nb×w matrix.

const (
	solveBlock = 32
	// solveParallel is the stored size of L times the right-hand sides of a
	// block from which a solve uses more than one thread.
	solveParallel = 1 << 20
)

type solveMode uint8

const (
	solveFull solveMode = iota
	solveForward
	solveBackward
)

// SolveTo solves A x = b. dst and rhs have length n, in the caller's order;
// they may be the same slice. Nothing is allocated after the first call on
// one thread. Cost: 4·nnz(L) operations, bound by the memory traffic of
// reading L twice.
func (f *Factor) SolveTo(dst, rhs []float64) error { return f.solve(dst, rhs, 1, solveFull) }

// SolveManyTo solves A X = B for nrhs right-hand sides: vector k is
// rhs[k*n:(k+1)*n]. dst may be rhs. Blocks of 32 share one reading of L.
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
		c.solveBlock(f, dst[k*n:(k+nb)*n], rhs[k*n:(k+nb)*n], nb, mode)
	}
	return nil
}

// solveBlock solves nb interleaved right-hand sides.
func (c *crew) solveBlock(f *Factor, dst, rhs []float64, nb int, mode solveMode) {
	st := f.sym.st
	n := len(st.perm)
	if cap(c.y) < n*nb {
		c.y = make([]float64, n*nb)
	}
	j := &c.solveJob
	*j = solveJob{f: f, y: c.y[:n*nb], nb: nb}
	// dst may be rhs: all of rhs is read before dst is written.
	from, to := st.iperm, st.iperm
	switch mode {
	case solveBackward:
		from = nil
	case solveForward:
		to = nil
	}
	kernel.Interleave(j.y, rhs, n, nb, from, 0, n)
	workers := len(c.workers)
	if st.lsize*nb < solveParallel {
		workers = 1
	}
	if p := f.sym.plan; len(c.commonVec) < p.commonVec*nb {
		c.commonVec = make([]float64, p.commonVec*nb)
	}
	ctx := context.Background()
	if mode != solveBackward {
		_ = c.process(ctx, j, true, workers) // the background never ends
	}
	if mode != solveForward {
		j.backward = true
		_ = c.process(ctx, j, false, workers)
	}
	kernel.Separate(j.y, dst, n, nb, to, 0, n)
	*j = solveJob{}
}

// solveJob solves with L (children before parents) or L' (parents first).
type solveJob struct {
	f        *Factor
	y        []float64
	nb       int
	backward bool
}

// vector returns the place of supernode s's part of a forward solve: its
// pivots, then what its subtree subtracts from the right-hand sides of its
// rows. Passing this up the tree instead of adding to y fixes the order of the
// sums.
func (w *worker) vector(s int32, nd *node, nb int) []float64 {
	p := w.crew.sym.plan
	at, size := p.vector[s]*nb, int(nd.w+nd.r)*nb
	if p.shared[s] {
		return w.crew.commonVec[at : at+size]
	}
	return w.vec[at : at+size]
}

func (j *solveJob) run(w *worker, it *item) {
	p, st := w.crew.sym.plan, w.crew.sym.st
	if need := max(p.workerVec, st.maxRows) * j.nb; len(w.vec) < need {
		w.vec = make([]float64, need)
	}
	switch {
	case !j.backward && j.nb == 1:
		for s := it.lo; s < it.hi; s++ {
			j.forwardOne(w, s)
		}
	case !j.backward:
		for s := it.lo; s < it.hi; s++ {
			j.forward(w, s)
		}
	case j.nb == 1:
		for s := it.hi - 1; s >= it.lo; s-- {
			j.backwardOne(w, s)
		}
	default:
		for s := it.hi - 1; s >= it.lo; s-- {
			j.back(w, s)
		}
	}
}

// forward solves L11 x1 = b1 and subtracts L21 x1 from the rows below:
// transposed, X1 := X1 L11⁻ᵀ and V := V − X1 L21ᵀ.
func (j *solveJob) forward(w *worker, s int32) {
	st := w.crew.sym.st
	nd := &st.nodes[s]
	nb, nw, r, ld := j.nb, int(nd.w), int(nd.r), int(nd.ld)
	x := j.y[int(nd.start)*nb : (int(nd.start)+nw)*nb]
	v := w.vector(s, nd, nb)[nw*nb:]
	clear(v)
	for c := s - 1; c >= nd.first; c = st.nodes[c].first - 1 {
		ch := &st.nodes[c]
		cv := w.vector(c, ch, nb)[int(ch.w)*nb:]
		kernel.AddRows(nb, st.rel[ch.rows:ch.rows+int(ch.r)], cv, x, nw, v)
	}
	panel := j.f.l[nd.panel : nd.panel+ld*nw]
	dense.TrsmRight(&w.ws, nb, nw, panel, ld, x, nb)
	if r > 0 && !kernel.SubGemm(nb, r, nw, x, panel[nw:], ld, 1, v) {
		dense.GemmNT(&w.ws, nb, r, nw, -1, x, nb, panel[nw:], ld, v, nb)
	}
}

// back solves L11' x1 = b1 − L21' x2, transposed.
func (j *solveJob) back(w *worker, s int32) {
	st := w.crew.sym.st
	nd := &st.nodes[s]
	nb, nw, r, ld := j.nb, int(nd.w), int(nd.r), int(nd.ld)
	x := j.y[int(nd.start)*nb : (int(nd.start)+nw)*nb]
	panel := j.f.l[nd.panel : nd.panel+ld*nw]
	if r > 0 {
		t := w.vec[:r*nb]
		for k, i := range st.rows[nd.rows : nd.rows+r] {
			copy(t[k*nb:(k+1)*nb], j.y[int(i)*nb:(int(i)+1)*nb])
		}
		if !kernel.SubGemm(nb, nw, r, t, panel[nw:], 1, ld, x) {
			dense.GemmNN(&w.ws, nb, nw, r, -1, t, nb, panel[nw:], ld, x, nb)
		}
	}
	dense.TrsmRightN(&w.ws, nb, nw, panel, ld, x, nb)
}

// forwardOne is forward for one right-hand side.
func (j *solveJob) forwardOne(w *worker, s int32) {
	st := w.crew.sym.st
	nd := &st.nodes[s]
	nw, nr, ld := int(nd.w), int(nd.w+nd.r), int(nd.ld)
	x := j.y[nd.start : nd.start+nd.w]
	t := w.vector(s, nd, 1)
	copy(t, x)
	clear(t[nw:])
	for c := s - 1; c >= nd.first; c = st.nodes[c].first - 1 {
		ch := &st.nodes[c]
		cv := w.vector(c, ch, 1)[ch.w:]
		for k, d := range st.rel[ch.rows : ch.rows+int(ch.r)] {
			t[d] += cv[k]
		}
	}
	kernel.PanelSolve(nw, nr, j.f.l[nd.panel:nd.panel+ld*nw], ld, t)
	copy(x, t)
}

// backwardOne is back for one right-hand side.
func (j *solveJob) backwardOne(w *worker, s int32) {
	st := w.crew.sym.st
	nd := &st.nodes[s]
	nw, nr, ld := int(nd.w), int(nd.w+nd.r), int(nd.ld)
	x := j.y[nd.start : nd.start+nd.w]
	t := w.vec[:nr]
	copy(t, x)
	below := t[nw:]
	for k, i := range st.rows[nd.rows : nd.rows+int(nd.r)] {
		below[k] = j.y[i]
	}
	kernel.PanelSolveT(nw, nr, j.f.l[nd.panel:nd.panel+ld*nw], ld, t)
	copy(x, t)
}
