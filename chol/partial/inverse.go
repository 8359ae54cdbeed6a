package partial

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/internal/pool"
)

// SelectedInverse writes the entries of A⁻¹ on the analysed pattern.
//
// The core's are those of Takahashi's recursion (Takahashi, Fagan & Chin 1973)
// restricted to the pattern of the incomplete factor, with the shortest walks
// through dropped entries, a lower bound; plus a correction of rank one in each
// connected component that makes A⁻¹A1 = 1 hold, and one of the entries off the
// diagonal that makes tr(AA⁻¹) = n hold; from them the exact columns' follow
// exactly. Cost: about twice a
// factorization, no solves but one with the incomplete factor.
func (f *Factor) SelectedInverse(ctx context.Context, entries []float64) error {
	if !f.valid {
		return chol.ErrNotFactorized
	}
	if len(entries) != len(f.s.where) {
		return &chol.ShapeError{What: "length of entries", Got: len(entries), Want: len(f.s.where)}
	}
	if err := f.invert(ctx); err != nil {
		return err
	}
	for q, slot := range f.s.where {
		if slot < 0 {
			entries[q] = f.zd[-1-slot]
		} else {
			entries[q] = f.z[slot]
		}
	}
	return nil
}

// InverseDiagTo writes the diagonal of A⁻¹, by the caller's nodes.
func (f *Factor) InverseDiagTo(ctx context.Context, diag []float64) error {
	if !f.valid {
		return chol.ErrNotFactorized
	}
	if len(diag) != f.s.n {
		return &chol.ShapeError{What: "length of diag", Got: len(diag), Want: f.s.n}
	}
	if err := f.invert(ctx); err != nil {
		return err
	}
	for k, v := range f.s.perm {
		diag[v] = f.zd[k]
	}
	return nil
}

func (f *Factor) invert(ctx context.Context) error {
	if f.haveZ {
		return nil
	}
	s := f.s
	if f.z == nil {
		f.z = make([]float64, len(f.u))
		f.zd = make([]float64, s.n)
		f.delta, f.rest = make([]float64, s.CoreN()), make([]float64, s.CoreN())
		f.deltaSum = make([]float64, s.components)
	}
	if err := f.invertCore(ctx); err != nil {
		return err
	}
	if err := f.correct(ctx); err != nil {
		return err
	}
	if err := f.balance(ctx); err != nil {
		return err
	}
	if err := f.invertExactly(ctx); err != nil {
		return err
	}
	f.haveZ = true
	return nil
}

// invertCore is Takahashi's recursion from the last node to the first: with u
// the entries of −L in column v,
//
//	Z_av = Σ_b u_b Z_ab,   Z_vv = 1/D + Σ_a u_a Z_av
//
// over the neighbours a, b. A pair of them without an entry, whose fill w_a w_b/D
// = D u_a u_b was dropped, gets the shortest walk that the fill was to stand for,
// from a over v to b: Z_aa D u_a u_b Z_bb, which is again less than the inverse's
// entry, (M − fill)⁻¹ being the sum of (M⁻¹ fill)^k M⁻¹, all of it ≥ 0. All pairs
// are given that, and those with an entry have it taken back.
func (f *Factor) invertCore(ctx context.Context) error {
	s := f.s
	base := s.colPtr[s.first]
	u, z, zd := f.u[base:], f.z[base:], f.zd[s.first:]
	rowsOf := func(c int) []int32 { return s.rowIdx[base+s.corePtr[c] : base+s.corePtr[c+1]] }
	threads := pool.Threads(s.opts.Threads)
	for len(f.walks) < threads {
		f.walks = append(f.walks, make([]float64, maxLen(s)))
	}
	return f.coreDone.downward(ctx, threads, s.coreParts, rowsOf, func(worker, c int) {
		rows := rowsOf(c)
		from := s.corePtr[c]
		uc := u[from : from+len(rows)]
		zc := z[from : from+len(rows)]
		q := f.walks[worker][:len(rows)] // u_a Z_aa
		sum := 0.0
		for a, r := range rows {
			q[a] = uc[a] * zd[r]
			sum += uc[a] * q[a]
		}
		d, dropped := f.pivot[s.first+c], f.pivot[s.first+c]
		if s.complete[c] {
			dropped = 0
		}
		for a, w := range q {
			zc[a] = w + dropped*w*(sum-uc[a]*w)
		}
		for _, t := range s.triangles[s.triPtr[c]:s.triPtr[c+1]] {
			v := z[t.slot] - dropped*q[t.a]*q[t.b]
			zc[t.a] += uc[t.b] * v
			zc[t.b] += uc[t.a] * v
		}
		sum = 1 / d
		for a := range zc {
			sum += uc[a] * zc[a]
		}
		zd[c] = sum
	})
}

// correct adds δδ'/g'δ, δ = 1 − M⁻¹g, to the core's entries: K1 = g makes the
// inverse's action on g known.
func (f *Factor) correct(ctx context.Context) error {
	s := f.s
	nc := s.CoreN()
	if nc == 0 {
		return nil
	}
	copy(f.delta, f.coreRidge)
	inc := f.incomplete()
	inc.forward(f.delta, 1)
	inc.backward(f.delta, 1)
	clear(f.deltaSum)
	for c, v := range f.delta {
		d := math.Max(0, 1-v)
		f.delta[c] = d
		f.deltaSum[s.component[c]] += d * f.coreRidge[c]
	}
	z, zd := f.z, f.zd[s.first:]
	return s.blocks(ctx, nc, func(_, lo, hi int) error {
		for c := lo; c < hi; c++ {
			d, g := f.delta[c], f.deltaSum[s.component[c]]
			if !(g > 0) || d == 0 {
				continue
			}
			t := d / g
			if math.IsInf(t, 0) {
				continue
			}
			zd[c] += d * t
			from, rows := s.column(s.first + c)
			for a, r := range rows {
				z[from+a] += t * f.delta[r]
			}
		}
		return nil
	})
}

// balance adjusts the core's entries off the diagonal so that what they have in
// common with the inverse's, (KZ)_cc = 1 in each row, holds on the whole: with
//
//	ρ_c = 1 − g_c Z_cc − Σ_r w_cr (Z_cc − Z_cr)
//
// Z_cr is lessened by ρ_c/2W_c + ρ_r/2W_r, W being the sum of a node's weights, so
// that tr(KZ) is the number of nodes and the errors of sums over edges are those
// of sums over the diagonal. An entry stays between half of what it was and the
// lesser of its diagonal entries.
func (f *Factor) balance(ctx context.Context) error {
	s := f.s
	z, zd := f.z[s.colPtr[s.first]:], f.zd[s.first:]
	rows := s.rowIdx[s.colPtr[s.first]:]
	x := f.rest
	for c := range x {
		x[c] = 1 - f.coreRidge[c]*zd[c]
	}
	for c := range x {
		sum := 0.0
		for e := s.corePtr[c]; e < s.corePtr[c+1]; e++ {
			r, w := rows[e], f.coreValue[e]
			sum += w * (zd[c] - z[e])
			x[r] -= w * (zd[r] - z[e])
		}
		x[c] -= sum
	}
	for c := range x {
		if w := f.coreDiag[c] - f.coreRidge[c]; w > 0 {
			x[c] /= 2 * w
		} else {
			x[c] = 0
		}
	}
	return s.blocks(ctx, len(x), func(_, lo, hi int) error {
		for c := lo; c < hi; c++ {
			for e := s.corePtr[c]; e < s.corePtr[c+1]; e++ {
				r := rows[e]
				z[e] = max(z[e]/2, min(z[e]-x[c]-x[r], zd[c], zd[r]))
			}
		}
		return nil
	})
}

// invertExactly is the recursion over the exact columns, whose pairs of
// neighbours all have entries.
func (f *Factor) invertExactly(ctx context.Context) error {
	s := f.s
	rowsOf := func(k int) []int32 { return s.rowIdx[s.colPtr[k]:s.colPtr[k+1]] }
	return f.exactDone.downward(ctx, pool.Threads(s.opts.Threads), s.exactParts, rowsOf, func(_, k int) {
		rows := rowsOf(k)
		from, d := s.colPtr[k], len(rows)
		u, z := f.u[from:from+d], f.z[from:from+d]
		for a, r := range rows {
			z[a] = u[a] * f.zd[r]
		}
		pairs := s.pairs[s.pairPtr[k]:s.pairPtr[k+1]]
		for a := range rows {
			rest := u[a+1:]
			slots := pairs[:len(rest)]
			pairs = pairs[len(rest):]
			ua, sum := u[a], 0.0
			tail := z[a+1:]
			tail = tail[:len(rest)]
			for i, ub := range rest {
				v := f.z[slots[i]]
				sum += ub * v
				tail[i] += ua * v
			}
			z[a] += sum
		}
		sum := 1 / f.pivot[k]
		for a := range z {
			sum += u[a] * z[a]
		}
		f.zd[k] = sum
	})
}
