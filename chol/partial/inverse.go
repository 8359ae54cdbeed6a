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
// restricted to the pattern of the incomplete factor, a lower bound, plus a
// correction of rank one in each connected component that makes A⁻¹A1 = 1 hold;
// from them the exact columns' follow exactly. Cost: about twice a
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
		f.delta = make([]float64, s.CoreN())
		f.deltaSum = make([]float64, s.components)
	}
	if err := f.invertCore(ctx); err != nil {
		return err
	}
	f.correct()
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
// over the neighbours a, b with an entry. All terms are ≥ 0.
func (f *Factor) invertCore(ctx context.Context) error {
	s := f.s
	base := s.colPtr[s.first]
	u, z, zd := f.u[base:], f.z[base:], f.zd[s.first:]
	rowsOf := func(c int) []int32 { return s.rowIdx[base+s.corePtr[c] : base+s.corePtr[c+1]] }
	return f.coreDone.downward(ctx, pool.Threads(s.opts.Threads), s.coreParts, rowsOf, func(c int) {
		rows := rowsOf(c)
		from := s.corePtr[c]
		uc := u[from : from+len(rows)]
		zc := z[from : from+len(rows)]
		for a, r := range rows {
			zc[a] = uc[a] * zd[r]
		}
		for _, t := range s.triangles[s.triPtr[c]:s.triPtr[c+1]] {
			v := z[t.slot]
			zc[t.a] += uc[t.b] * v
			zc[t.b] += uc[t.a] * v
		}
		sum := 1 / f.pivot[s.first+c]
		for a := range zc {
			sum += uc[a] * zc[a]
		}
		zd[c] = sum
	})
}

// correct adds δδ'/g'δ, δ = 1 − M⁻¹g, to the core's entries: K1 = g makes the
// inverse's action on g known.
func (f *Factor) correct() {
	s := f.s
	nc := s.CoreN()
	if nc == 0 {
		return
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
	for c, d := range f.delta {
		g := f.deltaSum[s.component[c]]
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
}

// invertExactly is the recursion over the exact columns, whose pairs of
// neighbours all have entries.
func (f *Factor) invertExactly(ctx context.Context) error {
	s := f.s
	rowsOf := func(k int) []int32 { return s.rowIdx[s.colPtr[k]:s.colPtr[k+1]] }
	return f.exactDone.downward(ctx, pool.Threads(s.opts.Threads), s.exactParts, rowsOf, func(k int) {
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
