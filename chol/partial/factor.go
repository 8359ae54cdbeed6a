package partial

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/gcrfbc/gcrfbc/chol"
)

// Factor is an approximate factor of one matrix: exact columns, and an
// incomplete factor M = LDL' of the core K. Solves and log-determinants may be
// called by several goroutines at a time, Refactorize and SelectedInverse by
// one.
type Factor struct {
	s     *Symbolic
	valid bool

	u     []float64 // per slot: w/D of its column, minus the entry of L
	given []float64 // per position: row sum of the matrix
	ridge []float64 // the same when the node is eliminated
	pivot []float64 // D

	// The core K: its edges per slot, its diagonal and its row sums.
	coreValue, coreDiag, coreRidge []float64
	excess                         []float64 // row sums of L D at the core: D(1 − Σu)

	approx       *approximate // the other preconditioner, where it is in use
	preferApprox bool

	z, zd               []float64 // selected inverse per slot and position
	haveZ               bool
	coreDone, exactDone *progress   // of the columns of z
	walks               [][]float64 // scratch of invertCore, one a goroutine
	delta               []float64   // 1 − M⁻¹ g
	deltaSum            []float64   // per component, g'δ
	rest                []float64   // scratch of balance
	lanczos             probeTraces
	tracing             sync.Mutex // of lanczos

	mu sync.Mutex // of the preconditioner's choice
}

// Symbolic returns the analysis that the factor belongs to.
func (f *Factor) Symbolic() *Symbolic { return f.s }

// Refactorize computes the factor of the matrix with the given values, aligned
// with the analysed pattern; entries above the diagonal are not read. The
// matrix must be a graph's Laplacian plus a ridge ≥ 0: entries off the diagonal
// ≤ 0, row sums ≥ 0, and not all 0 in a connected component. The ridge is the
// row sum and loses digits when it is small; RefactorizeGraph keeps them.
//
// Errors: *MatrixError, *chol.NotPositiveDefiniteError, *chol.ValueError.
func (f *Factor) Refactorize(ctx context.Context, values []float64) error {
	return f.refactorize(ctx, values, nil)
}

// RefactorizeGraph is Refactorize with the row sums given apart, by node; the
// diagonal of values is not read.
func (f *Factor) RefactorizeGraph(ctx context.Context, ridge, values []float64) error {
	if len(ridge) != f.s.n {
		return &chol.ShapeError{What: "length of ridge", Got: len(ridge), Want: f.s.n}
	}
	return f.refactorize(ctx, values, ridge)
}

func (f *Factor) refactorize(ctx context.Context, values, ridge []float64) error {
	f.valid, f.haveZ, f.approx = false, false, nil
	f.lanczos.valid = false
	if len(values) != len(f.s.where) {
		return &chol.ShapeError{What: "length of values", Got: len(values), Want: len(f.s.where)}
	}
	if err := f.load(values, ridge); err != nil {
		return err
	}
	copy(f.given, f.ridge)
	if err := f.eliminateExactly(ctx); err != nil {
		return err
	}
	f.loadCore()
	if err := f.eliminateCore(ctx); err != nil {
		return err
	}
	f.valid = true
	return nil
}

// ridgeSlack is how far below zero rounding may put a row sum, relatively.
const ridgeSlack = 1e-13

// load scatters the values: edge weights into u, row sums into ridge.
func (f *Factor) load(values, ridge []float64) error {
	s := f.s
	clear(f.u)
	clear(f.ridge)
	clear(f.pivot) // absolute row sums meanwhile
	ptr, idx := s.pattern.Ptr(), s.pattern.Idx()
	for i := range s.n {
		for q := ptr[i]; q < ptr[i+1]; q++ {
			j := int(idx[q])
			if j > i {
				continue
			}
			v := values[q]
			if j == i && ridge != nil {
				continue
			}
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &chol.ValueError{Row: i, Col: j, Pos: q, Value: v}
			}
			if j == i {
				k := -1 - s.where[q]
				f.ridge[k] += v
				f.pivot[k] += math.Abs(v)
				continue
			}
			if v > 0 {
				return &MatrixError{Row: i, Col: j, Msg: fmt.Sprintf("is %g; entries off the diagonal must be ≤ 0", v)}
			}
			f.u[s.where[q]] = -v
		}
	}
	if ridge != nil {
		for k, v := range s.perm {
			r := ridge[v]
			if !(r >= 0) || math.IsInf(r, 0) {
				return &MatrixError{Row: int(v), Col: -1, Msg: fmt.Sprintf("has ridge %g; want a finite number ≥ 0", r)}
			}
			f.ridge[k] = r
		}
		return nil
	}
	for i := range s.n {
		for q := ptr[i]; q < ptr[i+1]; q++ {
			if j := int(idx[q]); j < i {
				di, dj := s.at[i], s.at[j]
				f.ridge[di] += values[q]
				f.ridge[dj] += values[q]
			}
		}
	}
	for k, r := range f.ridge {
		if r < 0 {
			if r < -ridgeSlack*f.pivot[k] {
				return &MatrixError{Row: int(s.perm[k]), Col: -1, Msg: fmt.Sprintf("has sum %g; the diagonal must be at least the sum of the others' absolute values", r)}
			}
			f.ridge[k] = 0
		}
	}
	return nil
}

// eliminateExactly removes the nodes of small degree: node v with ridge g and
// edges w to its neighbours leaves edges w_i w_j/D among them and adds w_i g/D
// to their ridges, D = g + Σw. Everything is a sum of numbers ≥ 0.
func (f *Factor) eliminateExactly(ctx context.Context) error {
	s := f.s
	pairs := s.pairs
	for k := range s.first {
		if k&0x3fff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from, rows := s.column(k)
		w := f.u[from : from+len(rows)]
		g := f.ridge[k]
		d := g
		for _, x := range w {
			d += x
		}
		if !(d > 0) || math.IsInf(d, 0) {
			return &chol.NotPositiveDefiniteError{Row: int(s.perm[k]), Pivot: d}
		}
		f.pivot[k] = d
		inv := 1 / d
		for a, r := range rows {
			t := w[a] * inv
			f.ridge[r] += t * g
			rest := w[a+1:]
			slots := pairs[:len(rest)]
			pairs = pairs[len(rest):]
			for i, x := range rest {
				f.u[slots[i]] += t * x
			}
			w[a] = t
		}
	}
	return nil
}

// loadCore copies what is left, K, before it is eliminated itself.
func (f *Factor) loadCore() {
	s := f.s
	copy(f.coreRidge, f.ridge[s.first:])
	copy(f.coreValue, f.u[s.colPtr[s.first]:])
	copy(f.coreDiag, f.coreRidge)
	rows := s.rowIdx[s.colPtr[s.first]:]
	for c := range f.coreDiag {
		sum := 0.0
		for e := s.corePtr[c]; e < s.corePtr[c+1]; e++ {
			w := f.coreValue[e]
			sum += w
			f.coreDiag[rows[e]] += w
		}
		f.coreDiag[c] += sum
	}
}

// eliminateCore is IC(0): fill outside the pattern is dropped, and goes to the
// ridges of both its ends, as the matrix's row sums do when an entry is dropped.
// M ≥ K therefore, and it exists for every K here.
func (f *Factor) eliminateCore(ctx context.Context) error {
	s := f.s
	base := s.colPtr[s.first]
	all := f.u[base:]
	ridge := f.ridge[s.first:]
	kept := make([]float64, maxLen(s))
	for c := range ridge {
		if c&0x3ff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from, rows := s.column(s.first + c)
		w := all[from-base : from-base+len(rows)]
		g := ridge[c]
		sum := 0.0
		for _, x := range w {
			sum += x
		}
		d := g + sum
		if !(d > 0) || math.IsInf(d, 0) {
			return &chol.NotPositiveDefiniteError{Row: int(s.perm[s.first+c]), Pivot: d}
		}
		f.pivot[s.first+c] = d
		f.excess[c] = g
		inv := 1 / d
		k := kept[:len(rows)]
		copy(k, w)
		for _, t := range s.triangles[s.triPtr[c]:s.triPtr[c+1]] {
			wa, wb := w[t.a], w[t.b]
			all[t.slot] += wa * wb * inv
			k[t.a] += wb
			k[t.b] += wa
		}
		for a, r := range rows {
			dropped := 0.0
			if !s.complete[c] {
				dropped = max(0, sum-k[a])
			}
			ridge[r] += w[a] * inv * (g + dropped)
		}
		for a := range w {
			w[a] *= inv
		}
	}
	return nil
}

func maxLen(s *Symbolic) int {
	m := 0
	for c := s.first; c < s.n; c++ {
		m = max(m, s.colPtr[c+1]-s.colPtr[c])
	}
	return m
}

// PivotsTo writes the pivots D at the caller's nodes: the squared diagonal of
// the Cholesky factor where the elimination is exact.
func (f *Factor) PivotsTo(dst []float64) error {
	if !f.valid {
		return chol.ErrNotFactorized
	}
	if len(dst) != f.s.n {
		return &chol.ShapeError{What: "length of dst", Got: len(dst), Want: f.s.n}
	}
	for k, v := range f.s.perm {
		dst[v] = f.pivot[k]
	}
	return nil
}
