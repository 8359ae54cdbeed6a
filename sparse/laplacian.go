package sparse

// Laplacian returns diag(W1) − W on the lower triangle, the diagonal present
// in every row.
func (g *Graph) Laplacian() *Symmetric {
	p := g.p.appendDiagonal()
	v := make([]float64, p.NNZ())
	deg := g.Degrees()
	for i := range g.p.rows {
		out := p.ptr[i]
		for _, w := range g.w[g.p.ptr[i]:g.p.ptr[i+1]] {
			v[out] = -w
			out++
		}
		v[out] = deg[i]
	}
	return &Symmetric{p, v}
}

// Adjacency returns the weight matrix W, sharing the graph's storage. The way
// back is NewGraphFromPattern(a.Pattern(), a.Values()).
func (g *Graph) Adjacency() *Symmetric { return &Symmetric{g.p, g.w} }
