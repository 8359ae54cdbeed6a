package chol

import (
	"context"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
	"github.com/gcrfbc/gcrfbc/internal/dense"
)

// SelectedInverse computes the entries of Z = A⁻¹ on the pattern of A, without
// forming other parts of the inverse than those on the pattern of L: entries[k]
// is the entry at position k of the analyzed pattern, in both triangles if it
// has both. From the top of the tree down, every front gathers the inverse's
// block of its rows from its parent's and extends it to its pivots (Takahashi,
// Fagan & Chin 1973; Erisman & Tinney 1975; in supernodal form Lin, Yang, Lu,
// Ying & E 2011, ACM TOMS 37:40). About 2.2 times the operations of the
// factorization; nothing is allocated after the first call.
//
// Errors: *ShapeError, ErrNotFactorized, ctx.Err(); entries is then undefined.
func (f *Factor) SelectedInverse(ctx context.Context, entries []float64) error {
	if err := f.check("entries", len(entries), f.sym.pattern.NNZ()); err != nil {
		return err
	}
	if err := f.invert(ctx, wanted{f: f, entries: entries}); err != nil {
		return err
	}
	for _, m := range f.sym.mirror {
		entries[m[0]] = entries[m[1]]
	}
	return nil
}

// InverseDiagTo computes the diagonal of A⁻¹ in the caller's order, at the cost
// of SelectedInverse.
func (f *Factor) InverseDiagTo(ctx context.Context, diag []float64) error {
	if err := f.check("diag", len(diag), f.sym.N()); err != nil {
		return err
	}
	return f.invert(ctx, wanted{f: f, diag: diag})
}

func (f *Factor) invert(ctx context.Context, want wanted) error {
	c := f.sym.pool.get(f.sym)
	defer f.sym.pool.put(c)
	err := c.process(ctx, f.sym.layout.inverseJob(c, want), false, len(c.workers))
	c.inverseJob, c.columnInverse = inverseJob{}, columnInverse{}
	return err
}

// inverseJob computes fronts of the inverse, parents before children, and
// writes what is asked for.
type inverseJob struct {
	wanted
	st *structure
}

func (st *structure) inverseJob(c *crew, want wanted) job {
	c.need(c.sym.plan.inverse)
	c.inverseJob = inverseJob{wanted: want, st: st}
	return &c.inverseJob
}

// front returns the place of supernode s's front of the inverse.
func (w *worker) front(s int32, nd *node) []float64 {
	p := w.crew.sym.plan
	at, size := p.front[s], frontSize(nd)
	if p.top[s] {
		return w.crew.common[at : at+size]
	}
	return w.arena[at : at+size]
}

func (j *inverseJob) run(w *worker, it *item) {
	st := j.st
	for s := it.hi - 1; s >= it.lo; s-- {
		nd := &st.nodes[s]
		work := int(nd.w) * int(nd.ld) * int(nd.ld)
		if w.cancelled(2*work + 256) {
			return
		}
		nr, nw, ld, r := int(nd.w+nd.r), int(nd.w), int(nd.ld), int(nd.r)
		panel := st.panel(j.f.l, s)
		if s > it.lo {
			if soon := j.f.forwardOf(s - 1); len(soon) > 0 {
				kernel.Prefetch(soon, soonBytes)
			} else {
				kernel.Prefetch(st.panel(j.f.l, s-1), soonBytes)
			}
		}
		z := w.front(s, nd)
		var zp []float64
		if r > 0 {
			zp = w.front(nd.parent, &st.nodes[nd.parent])
		}
		if nd.big {
			b := &w.big
			*b = bigFront{owner: w, st: st, s: s, nd: nd, panel: panel, z: z, zp: zp, y: b.y}
			w.blocks(stepGather, blocks(r, assembleB))
			b.inverse(w)
		} else {
			if r > 0 {
				st.gather(nd, &st.nodes[nd.parent], zp, z, 0, r)
			}
			dense.FrontBackward(&w.ws, nr, nw, panel, ld, j.f.forwardOf(s), z, ld)
		}
		j.write(st, s, z)
	}
}

// write takes the wanted entries out of the front of s.
func (j *inverseJob) write(st *structure, s int32, z []float64) {
	nd := &st.nodes[s]
	switch {
	case j.entries != nil:
		lo, hi := st.entryRange(s)
		kernel.Collect(st.scatter, lo, hi, j.entries, z) // z has the panel's leading dimension
	case j.diag != nil:
		for k := range int(nd.w) {
			j.diag[st.perm[int(nd.start)+k]] = z[k*(int(nd.ld)+1)]
		}
	case j.onFactor != nil:
		copy(j.onFactor[nd.panel:nd.panel+int(nd.ld)*int(nd.w)], z)
	}
}
