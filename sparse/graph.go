package sparse

import (
	"fmt"
	"math"
)

// Edge is an undirected edge {I, J} of weight W.
type Edge struct {
	I, J int
	W    float64
}

// Graph is an immutable weighted undirected graph on nodes 0…N-1: a strictly
// lower-triangular Pattern (edge {i, j} with j < i sits in row i) and a finite
// weight ≥ 0 for every edge. Edges of weight 0 are kept. An edge's number is
// its position in the pattern. Memory: 12 bytes an edge, 8 a node.
type Graph struct {
	p *Pattern
	w []float64
}

// NewGraph builds a graph of n nodes. A self loop, an edge given twice (in
// either direction), an index outside 0…n-1 and a weight that is negative or
// not finite are errors (*EntryError).
func NewGraph(n int, edges []Edge) (*Graph, error) {
	b := NewBuilder(n, n)
	for _, e := range edges {
		b.Add(e.I, e.J, e.W)
	}
	return b.Graph(ErrorOnDuplicates)
}

// NewGraphFromPattern joins a strictly lower-triangular pattern and weights
// aligned with it, keeping both without copying; nil weights are ones.
func NewGraphFromPattern(p *Pattern, weights []float64) (*Graph, error) {
	if p == nil {
		return nil, &ShapeError{What: "pattern", Msg: "nil"}
	}
	if err := p.requireLower(1); err != nil {
		return nil, err
	}
	if weights == nil {
		weights = make([]float64, p.NNZ())
		for k := range weights {
			weights[k] = 1
		}
	}
	if len(weights) != p.NNZ() {
		return nil, &ShapeError{What: "number of weights", Got: len(weights), Want: p.NNZ()}
	}
	g := &Graph{p, weights}
	if err := g.checkWeights(); err != nil {
		return nil, err
	}
	return g, nil
}

// checkWeights also refuses weights so large that a node's degree overflows.
func (g *Graph) checkWeights() error {
	largest := 0.0
	for k, w := range g.w {
		if !(w >= 0 && w <= math.MaxFloat64) {
			i, j := g.endpoints(k)
			if w < 0 && !math.IsInf(w, 0) {
				return &EntryError{Row: i, Col: j, Fault: FaultNegative, Msg: fmt.Sprintf("weight %v is negative; weights must be ≥ 0", w)}
			}
			return &EntryError{Row: i, Col: j, Fault: FaultNotFinite, Msg: fmt.Sprintf("weight %v is not finite", w)}
		}
		largest = max(largest, w)
	}
	if largest*float64(g.p.rows) <= math.MaxFloat64/4 {
		return nil
	}
	for i, d := range g.Degrees() {
		if math.IsInf(d, 1) {
			return &EntryError{Row: i, Col: i, Fault: FaultNotFinite, Msg: "the node's weights add up beyond float64; scale the weights"}
		}
	}
	return nil
}

// endpoints returns the nodes j < i of edge k, by binary search.
func (g *Graph) endpoints(k int) (i, j int) {
	lo, hi := 0, g.p.rows
	for lo+1 < hi { // ptr[lo] <= k < ptr[hi]
		if m := (lo + hi) / 2; g.p.ptr[m] <= k {
			lo = m
		} else {
			hi = m
		}
	}
	return lo, int(g.p.idx[k])
}

// N returns the number of nodes.
func (g *Graph) N() int { return g.p.rows }

// NumEdges returns the number of edges.
func (g *Graph) NumEdges() int { return len(g.w) }

// Pattern returns the strictly lower-triangular pattern of the edges.
func (g *Graph) Pattern() *Pattern { return g.p }

// Weights returns the edge weights aligned with Pattern, a read-only view.
func (g *Graph) Weights() []float64 { return g.w }

// Weight returns the weight of edge {i, j}; ok is false when there is none.
func (g *Graph) Weight(i, j int) (w float64, ok bool) {
	k, ok := g.p.Find(max(i, j), min(i, j))
	if !ok {
		return 0, false
	}
	return g.w[k], true
}

// Edges returns all edges with J < I, ordered by I, then J.
func (g *Graph) Edges() []Edge {
	out := make([]Edge, 0, len(g.w))
	for i := range g.p.rows {
		for k := g.p.ptr[i]; k < g.p.ptr[i+1]; k++ {
			out = append(out, Edge{i, int(g.p.idx[k]), g.w[k]})
		}
	}
	return out
}

// Degrees returns the weighted degrees d_i = Σ_j w_ij, length N.
func (g *Graph) Degrees() []float64 {
	d := make([]float64, g.p.rows)
	degreesTo(d, g.p, g.w)
	return d
}

func degreesTo(d []float64, p *Pattern, w []float64) {
	for i := range p.rows {
		s := 0.0
		for k := p.ptr[i]; k < p.ptr[i+1]; k++ {
			s += w[k]
			d[p.idx[k]] += w[k]
		}
		d[i] += s
	}
}

// DegreeNormalized returns the graph of D^-1/2 W D^-1/2 with D the weighted
// degrees, on the same pattern. A node without weight stays without.
func (g *Graph) DegreeNormalized() *Graph {
	root := g.Degrees()
	for i, d := range root {
		root[i] = math.Sqrt(d)
	}
	w := make([]float64, len(g.w))
	for i := range g.p.rows {
		for k := g.p.ptr[i]; k < g.p.ptr[i+1]; k++ {
			if g.w[k] > 0 {
				// w ≤ d_i, so neither quotient overflows.
				w[k] = g.w[k] / root[i] / root[g.p.idx[k]]
			}
		}
	}
	return &Graph{g.p, w}
}

// Grid2D returns the 4-neighbour grid of rows×cols nodes with unit weights;
// the node at (r, c) is r*cols + c. It panics if a size is negative or the
// number of nodes exceeds the 32-bit index range.
func Grid2D(rows, cols int) *Graph {
	if rows < 0 || cols < 0 || cols > 0 && rows > maxDim/cols {
		panic("sparse: grid size out of range")
	}
	n := rows * cols
	edges := max(0, rows*(cols-1)+(rows-1)*cols)
	if n == 0 {
		edges = 0
	}
	ptr, idx := make([]int, 1, n+1), make([]int32, 0, edges)
	for r := range rows {
		for c := range cols {
			v := r*cols + c
			if r > 0 {
				idx = append(idx, int32(v-cols))
			}
			if c > 0 {
				idx = append(idx, int32(v-1))
			}
			ptr = append(ptr, len(idx))
		}
	}
	w := make([]float64, len(idx))
	for k := range w {
		w[k] = 1
	}
	return &Graph{&Pattern{rows: n, cols: n, ptr: ptr, idx: idx}, w}
}
