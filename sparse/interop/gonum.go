package interop

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/mat"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// FromMatrix copies the non-zero entries of any matrix. Matrices that know
// their non-zeros (mat.NonZeroDoer) are not searched for them; entries they
// name twice are added up. Cost otherwise: O(rows·cols).
func FromMatrix(a mat.Matrix) (*sparse.CSR, error) {
	if c, ok := a.(*sparse.CSR); ok {
		return c, nil
	}
	r, c := a.Dims()
	b := sparse.NewBuilder(r, c)
	if nz, ok := a.(mat.NonZeroDoer); ok {
		nz.DoNonZero(b.Add)
		return b.CSR(sparse.SumDuplicates)
	}
	for i := range r {
		for j := range c {
			if v := a.At(i, j); v != 0 {
				b.Add(i, j, v)
			}
		}
	}
	return b.CSR(sparse.ErrorOnDuplicates)
}

// FromSymmetric copies the non-zero entries of the lower triangle of any
// symmetric matrix, in O(n²).
func FromSymmetric(a mat.Symmetric) (*sparse.Symmetric, error) {
	if s, ok := a.(*sparse.Symmetric); ok {
		return s, nil
	}
	n := a.SymmetricDim()
	b := sparse.NewBuilder(n, n)
	for i := range n {
		for j := range i + 1 {
			if v := a.At(i, j); v != 0 {
				b.Add(i, j, v)
			}
		}
	}
	return b.Symmetric(sparse.ErrorOnDuplicates)
}

// ToDense copies a into dense storage. Gonum has no matrices without rows or
// columns: such an a gives the empty Dense.
func ToDense(a *sparse.CSR) *mat.Dense {
	r, c := a.Dims()
	if r == 0 || c == 0 {
		return new(mat.Dense)
	}
	d := mat.NewDense(r, c, nil)
	a.DoNonZero(d.Set)
	return d
}

// ToSymDense copies a into dense symmetric storage; see ToDense for n = 0.
func ToSymDense(a *sparse.Symmetric) *mat.SymDense {
	n := a.SymmetricDim()
	if n == 0 {
		return new(mat.SymDense)
	}
	d := mat.NewSymDense(n, nil)
	p, v := a.Pattern(), a.Values()
	for i := range n {
		for k, j := range p.Row(i) {
			d.SetSym(int(j), i, v[p.Ptr()[i]+k])
		}
	}
	return d
}

// FromGonum copies an undirected graph. Nodes are numbered in order of their
// IDs; ids[i] is the ID of node i. Weights are taken if g is graph.Weighted,
// else they are 1. Self loops are errors.
func FromGonum(g graph.Undirected) (out *sparse.Graph, ids []int64, err error) {
	for _, n := range graph.NodesOf(g.Nodes()) {
		ids = append(ids, n.ID())
	}
	slices.Sort(ids)
	index := make(map[int64]int, len(ids))
	for i, id := range ids {
		index[id] = i
	}
	weights, weighted := g.(graph.Weighted)
	b := sparse.NewBuilder(len(ids), len(ids))
	for i, id := range ids {
		for to := g.From(id); to.Next(); {
			other := to.Node().ID()
			j, ok := index[other]
			if !ok {
				return nil, nil, fmt.Errorf("interop: node %d has a neighbour %d that Nodes does not list", id, other)
			}
			if j > i {
				continue // met again from the other end
			}
			w := 1.0
			if weighted {
				w, _ = weights.Weight(id, other)
			}
			b.Add(i, j, w)
		}
	}
	out, err = b.Graph(sparse.ErrorOnDuplicates)
	return out, ids, err
}

// ToGonum copies a graph; node i gets the ID i. absent is the weight that the
// result reports between nodes without an edge: 0 where weights say how close
// nodes are, +Inf where they say how far.
func ToGonum(g *sparse.Graph, absent float64) *simple.WeightedUndirectedGraph {
	out := simple.NewWeightedUndirectedGraph(0, absent)
	for i := range g.N() {
		out.AddNode(simple.Node(i))
	}
	for _, e := range g.Edges() {
		out.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(e.J), T: simple.Node(e.I), W: e.W})
	}
	return out
}
