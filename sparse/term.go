package sparse

import (
	"fmt"
	"math"
)

// Term is one symmetric matrix A = diag(Ridge) + Lap(Graph) of a Family. A nil
// Ridge is zero, a nil Graph has no edges. Identity, Laplacian and
// FromSymmetric build the usual ones.
type Term struct {
	Ridge []float64
	Graph *Graph

	signed *Graph // as Graph, but its weights may be negative (FromSymmetric)
}

// Identity returns the identity matrix of size n.
func Identity(n int) Term {
	r := make([]float64, max(n, 0))
	for i := range r {
		r[i] = 1
	}
	return Term{Ridge: r}
}

// Laplacian returns diag(W1) − W of a graph. Its ridge is exactly zero, so
// quadratic forms of constant vectors are exactly zero.
func Laplacian(g *Graph) Term { return Term{Graph: g} }

// FromSymmetric splits any symmetric matrix as diag(r) + Lap(w) with r = A1
// and w = −offdiagonal, which reproduces A up to rounding of its diagonal. The
// row sums are accumulated with compensation (Neumaier 1974): a matrix with
// zero row sums has a ridge of the size of its own rounding errors.
func FromSymmetric(a *Symmetric) Term {
	n := a.p.rows
	sum, comp := make([]float64, n), make([]float64, n)
	add := func(i int, v float64) {
		t := sum[i] + v
		if math.Abs(sum[i]) >= math.Abs(v) {
			comp[i] += (sum[i] - t) + v
		} else {
			comp[i] += (v - t) + sum[i]
		}
		sum[i] = t
	}
	off := a.p.StrictLower()
	w := make([]float64, 0, off.NNZ())
	for i := range n {
		for k := a.p.ptr[i]; k < a.p.ptr[i+1]; k++ {
			j := int(a.p.idx[k])
			add(i, a.v[k])
			if j != i {
				add(j, a.v[k])
				w = append(w, -a.v[k])
			}
		}
	}
	for i := range sum {
		sum[i] += comp[i]
	}
	return Term{Ridge: sum, signed: &Graph{off, w}}
}

// prepare validates term k of a family of n nodes and detects ridges that need
// no vector.
func (t Term) prepare(n, k int) (familyTerm, error) {
	var ft familyTerm
	g := t.Graph
	if t.signed != nil {
		if g != nil {
			return ft, &ShapeError{What: fmt.Sprintf("term %d", k), Msg: "made by FromSymmetric, it cannot have a Graph too; use two terms"}
		}
		g = t.signed
	}
	if g != nil {
		if g.N() != n {
			return ft, &ShapeError{What: fmt.Sprintf("number of nodes of term %d", k), Got: g.N(), Want: n}
		}
		if g.NumEdges() > 0 {
			ft.own, ft.w = g.p, g.w
		}
	}
	if t.Ridge != nil {
		if len(t.Ridge) != n {
			return ft, &ShapeError{What: fmt.Sprintf("length of the ridge of term %d", k), Got: len(t.Ridge), Want: n}
		}
		constant := true
		for i, r := range t.Ridge {
			if math.IsNaN(r) || math.IsInf(r, 0) {
				return ft, &EntryError{Row: i, Col: i, Fault: FaultNotFinite, Msg: fmt.Sprintf("ridge %v of term %d is not finite", r, k)}
			}
			constant = constant && r == t.Ridge[0]
		}
		if constant && n > 0 {
			ft.constant = t.Ridge[0]
		} else {
			ft.ridge = t.Ridge
		}
	}
	return ft, nil
}
