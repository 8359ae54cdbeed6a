package infer

import (
	"context"
	"errors"
	"fmt"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/chol/partial"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// structure is what does not depend on parameters: the precision family of one
// set of graphs and how its matrices are factorized.
type structure struct {
	prec  *gcrfbc.Precision
	diag  []int             // positions of the diagonal in the pattern
	dense []int32           // positions in the dense triangle; nil on the sparse path
	sym   *chol.Symbolic    // nil on the dense path
	side  *chol.Symbolic    // the same for factors that run side by side
	part  *partial.Symbolic // instead of sym, where factors are approximate

	quality float64 // of an approximate factor, as partial.Factor.Quality; see judge
}

func (st *structure) n() int { return st.prec.N() }

// structureSet builds structures and shares the symbolic analysis between
// those with equal patterns (pictures of one size, say).
type structureSet struct {
	chol   chol.Options
	solver Solver
	part   partial.Options
	side   int          // threads inside the factors that run side by side
	known  []*structure // one for each pattern seen

	maxBytes int64 // of all factors together, 0 for no limit
	factors  int64 // how many are held at once
}

// limit bounds the memory of the given number of factors together.
func (ss *structureSet) limit(maxBytes int64, factors int) {
	ss.maxBytes, ss.factors = maxBytes, int64(factors)
	if maxBytes > 0 {
		ss.chol.MaxBytes = max(1, maxBytes/ss.factors)
		ss.part.MaxBytes = ss.chol.MaxBytes
	}
}

// analyze is chol.Analyze, with a memory error in terms of all factors.
func (ss *structureSet) analyze(ctx context.Context, p *sparse.Pattern) (*chol.Symbolic, error) {
	sym, err := chol.Analyze(ctx, p, ss.chol)
	if e := (*chol.MemoryError)(nil); errors.As(err, &e) && ss.maxBytes > 0 && ss.factors > 1 {
		return nil, &chol.MemoryError{Need: ss.factors * e.Need, Limit: ss.maxBytes, What: fmt.Sprintf("holding %d factors at once", ss.factors)}
	}
	return sym, err
}

// maxKnownPatterns bounds the search for an equal pattern; data sets either
// have a few patterns or a different one each instance.
const maxKnownPatterns = 16

func (ss *structureSet) build(ctx context.Context, n int, graphs []*sparse.Graph) (*structure, error) {
	prec, err := gcrfbc.NewPrecision(n, graphs)
	if err != nil {
		return nil, err
	}
	st := &structure{prec: prec}
	p := prec.Pattern()
	for _, k := range ss.known {
		if q := k.prec.Pattern(); q == p || q.Equal(p) {
			st.diag, st.dense, st.sym, st.side, st.part, st.quality = k.diag, k.dense, k.sym, k.side, k.part, k.quality
			return st, nil
		}
	}
	st.diag = diagonalPositions(p)
	if n <= denseMax {
		st.dense = denseIndex(p)
	} else if st.sym, st.part, err = ss.choose(ctx, p); err != nil {
		return nil, err
	} else if err = ss.settle(ctx, st); err != nil {
		return nil, err
	}
	if len(ss.known) < maxKnownPatterns {
		ss.known = append(ss.known, st)
	}
	return st, nil
}

// newField returns a field for the structure's pattern, reusing old if it fits;
// alone says that it gets all threads to itself.
func (st *structure) newField(old Field, alone bool) Field {
	if st.dense != nil {
		if f, ok := old.(*denseField); ok {
			f.reset(st.n(), st.dense)
			return f
		}
		return newDenseField(st.n(), st.dense)
	}
	if st.part != nil {
		if f, ok := old.(*partialField); ok && f.factor.Symbolic() == st.part {
			return f
		}
		return newPartialField(st.part)
	}
	sym := st.side
	if alone {
		sym = st.sym
	}
	if f, ok := old.(*sparseField); ok && f.factor.Symbolic() == sym {
		f.inverse = false
		return f
	}
	return newSparseField(sym, st.prec.Pattern())
}

// grow returns a slice of length n, reusing s if it is large enough.
func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// prior is the field before any label: P factorized at some parameters, and
// the entries of Σ on the pattern when they are asked for.
type prior struct {
	st       *structure
	field    Field
	coef     []float64 // coefficients of the family: 2Σα, 2β
	values   []float64 // P on the pattern
	sigma    []float64 // Σ on the pattern
	missing  []float64 // what its traces miss, by term of the family and probe
	haveSig  bool
	sumAlpha float64
}

// attach points the prior at a structure, keeping its memory if it can.
func (pr *prior) attach(st *structure, alone bool) {
	if pr.st == st {
		return
	}
	pr.st = st
	nnz := st.prec.Pattern().NNZ()
	pr.field = st.newField(pr.field, alone)
	pr.coef = grow(pr.coef, 1+st.prec.NumGraphs())
	pr.values = grow(pr.values, nnz)
	pr.sigma = grow(pr.sigma, nnz)
	pr.missing = grow(pr.missing, traceProbes*len(pr.coef))
	pr.haveSig = false
}

// update assembles and factorizes P; withSigma adds the selected inverse.
func (pr *prior) update(ctx context.Context, params gcrfbc.Params, withSigma bool) error {
	pr.st.prec.CoefficientsTo(pr.coef, params)
	pr.sumAlpha = params.SumAlpha()
	pr.st.prec.AssembleTo(pr.values, pr.coef)
	pr.haveSig = false
	if err := pr.field.Update(ctx, pr.values); err != nil {
		return err
	}
	if !withSigma {
		return nil
	}
	pr.haveSig = true
	return invertTo(ctx, pr.field, pr.st.prec.Family(), pr.sigma, pr.missing)
}

// average writes the trust-weighted average of the scores, r̄ = Rα/Σα.
func average(dst, scores []float64, params gcrfbc.Params, sumAlpha float64) {
	K := len(params.Alpha)
	if K == 1 {
		copy(dst, scores)
		return
	}
	for i := range dst {
		s := 0.0
		for k, r := range scores[i*K : i*K+K] {
			s += params.Alpha[k] * r
		}
		dst[i] = s / sumAlpha
	}
}

// deviationRHS writes −Σ_l 2β_l Lap_l r̄, the right-hand side of the deviation
// h = Σ 2Rα − r̄ of the smoothed mean from the average score. Solving for the
// deviation, from edge differences, keeps it exact where neighbours agree and 0
// without edges, however small α is.
func (pr *prior) deviationRHS(dst, average []float64) {
	clear(dst)
	p := pr.st.prec.Pattern()
	ptr, idx := p.Ptr(), p.Idx()
	for i := range dst {
		for q := ptr[i]; q < ptr[i+1]-1; q++ { // the diagonal is last
			j := idx[q]
			d := pr.values[q] * (average[i] - average[j])
			dst[i] += d
			dst[j] -= d
		}
	}
}
