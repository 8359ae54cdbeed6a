package chol

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/chol/internal/kernel"
)

// columnSolve solves with L, columns in order, or with D and L', the last column
// first. Several right-hand sides are in y, interleaved. One is read from rhs by
// each task, in a loop by itself like the matrix's entries, and written to dst
// where its columns are done.
type columnSolve struct {
	s        *columns
	l, d     []float64
	y        []float64
	nb       int
	rhs, dst []float64 // one right-hand side, in the caller's order
	backward bool
	part     [2]int32 // of a column, for upperMany
}

func (s *columns) solveBlock(c *crew, f *Factor, dst, rhs []float64, nb int, mode solveMode) {
	n := len(s.perm)
	w := lanes(nb)
	if cap(c.y) < n*w {
		c.y = make([]float64, n*w)
	}
	workers := len(c.workers)
	if f.sym.plan.below*w < solveParallel {
		workers = 1
	}
	j := &c.columnSolve
	*j = columnSolve{s: s, l: f.l, d: f.pivots, y: c.y[:n*w], nb: w}
	ctx := context.Background() // never ends
	if nb > 1 {
		c.move(j.y, rhs, nb, s.iperm, false, workers)
		_ = c.process(ctx, j, true, workers)
		j.backward = true
		_ = c.process(ctx, j, false, workers)
		c.move(j.y, dst, nb, s.iperm, true, workers)
		*j = columnSolve{}
		return
	}
	// dst may be rhs: all of rhs is read before dst is written.
	if mode != solveBackward {
		j.rhs = rhs
		_ = c.process(ctx, j, true, workers)
	} else {
		for k, v := range rhs {
			j.y[k] = v * math.Sqrt(j.d[k])
		}
	}
	if mode != solveForward {
		j.backward, j.dst = true, dst
		_ = c.process(ctx, j, false, workers)
	} else {
		for k, v := range j.y {
			dst[k] = v / math.Sqrt(j.d[k])
		}
	}
	*j = columnSolve{}
}

func (j *columnSolve) run(w *worker, it *item) {
	many := j.nb > 1
	switch {
	case it.isTop && many:
		j.upperMany(w)
	case it.isTop:
		j.upper(w)
	case many && j.backward:
		kernel.ColumnsBackward(j.nb, int(it.lo), int(it.hi), j.s.ptr, j.s.rows, j.l, j.d, j.y)
	case many:
		kernel.ColumnsForward(j.nb, int(it.lo), int(it.hi), int(it.hi), j.s.ptr, j.s.rows, j.l, j.y)
	case j.backward:
		j.back(it.lo, it.hi)
	default:
		j.load(it.lo, it.hi)
		j.forward(it.lo, it.hi, it.hi)
	}
}

func (j *columnSolve) load(lo, hi int32) {
	kernel.Permute(j.y[lo:hi], j.rhs, j.s.perm[lo:hi])
}

// forward subtracts columns lo ≤ k < hi from the rows before stop.
func (j *columnSolve) forward(lo, hi, stop int32) {
	s := j.s
	y, l, rows, ptr := j.y, j.l, s.rows, s.ptr
	b := ptr[lo]
	for k := lo; k < hi; k++ {
		e := ptr[k+1]
		x := y[k]
		for p := b; p < e; p++ {
			if r := rows[p]; r < stop {
				y[r] -= l[p] * x
			}
		}
		b = e
	}
}

func (j *columnSolve) back(lo, hi int32) {
	s := j.s
	y, l, d, dst, perm, rows, ptr := j.y, j.l, j.d, j.dst, s.perm, s.rows, s.ptr
	e := ptr[hi]
	for k := hi - 1; k >= lo; k-- {
		b := ptr[k]
		x := y[k] / d[k]
		for p := b; p < e; p++ {
			x -= l[p] * y[rows[p]]
		}
		y[k] = x
		dst[perm[k]] = x
		e = b
	}
}

func (j *columnSolve) upper(w *worker) {
	s := j.s
	list := w.crew.sym.plan.upper
	if j.backward {
		for q := len(list) - 1; q >= 0; q-- {
			if u := &list[q]; u.top {
				j.back(u.k, u.k+1)
			}
		}
		return
	}
	for q := range list {
		if u := &list[q]; u.top {
			j.load(u.k, u.k+1)
		}
	}
	for q := range list {
		u := &list[q]
		if u.top {
			j.forward(u.k, u.k+1, math.MaxInt32)
			continue
		}
		x := j.y[u.k]
		for p := s.ptr[u.k] + u.from; p < s.ptr[u.k+1]; p++ {
			j.y[s.rows[p]] -= j.l[p] * x
		}
	}
}

func (j *columnSolve) upperMany(w *worker) {
	s := j.s
	list := w.crew.sym.plan.upper
	if j.backward {
		for q := len(list) - 1; q >= 0; q-- {
			if u := &list[q]; u.top {
				kernel.ColumnsBackward(j.nb, int(u.k), int(u.k)+1, s.ptr, s.rows, j.l, j.d, j.y)
			}
		}
		return
	}
	for q := range list {
		u := &list[q]
		j.part = [2]int32{s.ptr[u.k] + u.from, s.ptr[u.k+1]}
		kernel.ColumnForward(j.nb, int(u.k), &j.part, s.rows, j.l, j.y)
	}
}
