package chol

import "sort"

// Large fronts are computed in blocks of fixed size, so that several workers
// can share one and cancellation is noticed inside it. The blocks do not
// depend on the number of workers, and neither do the bits.

const (
	assembleB = 64  // columns assembled or gathered as one block
	panelB    = 128 // pivot columns factorized at a time
	chunkB    = 256 // rows of a chunk of a panel
	tileB     = 384 // order of a tile of the update matrix: whole strips
	inverseB  = 128 // pivot columns inverted at a time
)

// bigFront is the state of a large front, shared with helping workers.
type bigFront struct {
	factor *factorJob
	owner  *worker
	st     *structure
	s      int32
	nd     *node
	panel  []float64 // nr×w
	upd    []float64 // r×r
	j0, nb int       // current block of pivot columns
	z, zp  []float64 // the inverse's front and its parent's
	y      []float64 // L21 L11⁻¹ of the current block
	below  int       // rows below the current block
}

// bigStep is a parallel loop over blocks of a large front.
type bigStep uint8

const (
	stepClear bigStep = iota
	stepExtend
	stepPanel
	stepUpdate
	stepGather
	stepY
	stepZ21
	stepZ11
)

func blocks(n, size int) int { return (n + size - 1) / size }

// bigFront factorizes the large front of s.
func (j *factorJob) bigFront(w *worker, s int32) {
	st, ker := j.st, w.crew.sym.kernels
	nd := &st.nodes[s]
	nr, nw, ld, r := int(nd.w+nd.r), int(nd.w), int(nd.ld), int(nd.r)
	b := &w.big
	*b = bigFront{factor: j, owner: w, st: st, s: s, nd: nd, y: b.y,
		panel: j.f.l[nd.panel : nd.panel+ld*nw], upd: w.update(s, nd)}
	w.blocks(stepClear, blocks(nw, assembleB))
	j.scatter(st, s, b.panel)
	w.blocks(stepExtend, blocks(nr, assembleB))
	d := j.f.pivots[nd.start : nd.start+nd.w]
	for b.j0 = 0; b.j0 < nw; b.j0 += panelB {
		b.nb = min(panelB, nw-b.j0)
		j0 := b.j0
		if w.cancelled(nr * b.nb * max(j0, 1)) {
			return
		}
		diag := b.panel[j0+j0*ld:]
		if j0 > 0 {
			ker.Syrk(&w.ws, b.nb, j0, b.panel[j0:], ld, diag, ld)
		}
		if info := ker.Potrf(&w.ws, b.nb, diag, ld); info >= 0 {
			j.fail(w, s, j0+info)
			return
		}
		for k := range b.nb {
			v := diag[k*(ld+1)]
			d[j0+k] = v * v
		}
		w.blocks(stepPanel, blocks(nr-j0-b.nb, chunkB))
	}
	t := blocks(r, tileB)
	if w.cancelled(r * r * nw / 2) {
		return
	}
	w.blocks(stepUpdate, t*(t+1)/2)
}

// extendColumns adds the updates of children with least rows or more to columns
// lo ≤ j < hi of the front of s. Those of its update matrix are cleared here, as
// they are about to be used; the panel's hold entries of A.
func (w *worker) extendColumns(st *structure, s int32, panel, upd []float64, least int32, lo, hi int) {
	nodes := st.nodes
	nd := &nodes[s]
	for c := max(lo, int(nd.w)); c < hi; c++ {
		clear(nd.column(upd, c-int(nd.w)))
	}
	for c := s - 1; c >= nd.first; c = nodes[c].first - 1 {
		ch := &nodes[c]
		if ch.r < least {
			continue
		}
		rel := st.rel[ch.rows : ch.rows+int(ch.r)]
		from := sort.Search(len(rel), func(i int) bool { return int(rel[i]) >= lo })
		to := from + sort.Search(len(rel)-from, func(i int) bool { return int(rel[from+i]) >= hi })
		st.extendAdd(ch, nd, w.update(c, ch), panel, upd, from, to)
	}
}

// block executes block k of a step with the storage of w.
func (b *bigFront) block(w *worker, step bigStep, k int) {
	nd, ker := b.nd, w.crew.sym.kernels
	nr, nw, r, ld := int(nd.w+nd.r), int(nd.w), int(nd.r), int(nd.ld)
	switch step {
	case stepClear:
		lo, hi := k*assembleB, min((k+1)*assembleB, nw)
		for c := lo; c < hi; c++ {
			clear(b.panel[c*ld : c*ld+nr])
		}
	case stepExtend:
		b.owner.extendColumns(b.st, b.s, b.panel, b.upd, 0, k*assembleB, min((k+1)*assembleB, nr))
	case stepPanel:
		j0 := b.j0
		i0 := j0 + b.nb + k*chunkB
		m := min(chunkB, nr-i0)
		if j0 > 0 {
			ker.GemmNT(&w.ws, m, b.nb, j0, -1, b.panel[i0:], ld, b.panel[j0:], ld, b.panel[i0+j0*ld:], ld)
		}
		ker.TrsmRight(&w.ws, m, b.nb, b.panel[j0+j0*ld:], ld, b.panel[i0+j0*ld:], ld)
	case stepUpdate:
		if w.cancelled(tileB * tileB * nw) {
			return
		}
		row := 0
		for k > row {
			k -= row + 1
			row++
		}
		i, c := row*tileB, k*tileB
		b.updateTile(w, i, min(tileB, r-i), c, min(tileB, r-c))
	case stepGather:
		b.st.gather(nd, &b.st.nodes[nd.parent], b.zp, b.z, k*assembleB, min((k+1)*assembleB, r))
	case stepY, stepZ21, stepZ11:
		b.inverseBlock(w, step, k)
	}
}

// inverse runs the selected inverse through the large front, the last pivot
// columns first: b.z[w:, w:] is there, all of b.z is filled.
func (b *bigFront) inverse(w *worker) {
	nd, ker := b.nd, w.crew.sym.kernels
	nw, ld, nr := int(nd.w), int(nd.ld), int(nd.w+nd.r)
	for j := (nw - 1) / inverseB * inverseB; j >= 0; j -= inverseB {
		b.j0, b.nb = j, min(inverseB, nw-j)
		b.below = nr - j - b.nb
		if w.cancelled(b.below * b.below * b.nb) {
			return
		}
		if need := b.below * b.nb; cap(b.y) < need {
			b.y = make([]float64, nr*inverseB)
		}
		w.blocks(stepY, blocks(b.below, chunkB))
		w.blocks(stepZ21, blocks(b.below, chunkB))
		ker.Potri(&w.ws, b.nb, b.panel[j+j*ld:], ld, b.z[j+j*ld:], ld)
		if b.below > 0 {
			w.blocks(stepZ11, blocks(b.nb, 32))
		}
	}
}

func (b *bigFront) inverseBlock(w *worker, step bigStep, k int) {
	ld, ker := int(b.nd.ld), w.crew.sym.kernels
	j, nb, r := b.j0, b.nb, b.below
	e := j + nb
	y := b.y[:r*nb]
	i := k * chunkB
	m := min(chunkB, r-i)
	switch step {
	case stepY:
		for c := range nb {
			copy(y[c*r+i:c*r+i+m], b.panel[(j+c)*ld+e+i:])
		}
		ker.TrsmRightN(&w.ws, m, nb, b.panel[j+j*ld:], ld, y[i:], r)
	case stepZ21:
		if w.cancelled(m * r * nb) {
			return
		}
		z21 := b.z[e+i+j*ld:]
		for c := range nb {
			clear(z21[c*ld : c*ld+m])
		}
		z22 := b.z[e+e*ld:]
		if i > 0 {
			ker.GemmNN(&w.ws, m, nb, i, -1, z22[i:], ld, y, r, z21, ld)
		}
		ker.Symm(&w.ws, m, nb, -1, z22[i+i*ld:], ld, y[i:], r, z21, ld)
		if t := i + m; t < r {
			ker.GemmTN(&w.ws, m, nb, r-t, -1, z22[t+i*ld:], ld, y[t:], r, z21, ld)
		}
	case stepZ11:
		c := k * 32
		n := min(32, nb-c)
		// The block's upper triangle is scratch.
		ker.GemmTN(&w.ws, nb-c, n, r, -1, y[c*r:], r, b.z[e+(j+c)*ld:], ld, b.z[j+c+(j+c)*ld:], ld)
	}
}
