package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// shape is the size of a data set: one point of a scaling study.
type shape struct {
	n, m, k, l, threads int
	edges               float64 // wanted, per node
}

// family makes the graphs of a scaling study.
type family struct {
	name     string
	edges    float64 // per node, unless told; 0: they follow from the graph
	sized    bool    // takes any number of nodes
	pictures bool
	about    string
	graph    func(s shape) (*sparse.Graph, error)
}

var families = []family{
	{name: "grid", sized: true, about: "rows × columns, nearly square, joined to 4 neighbours", graph: func(s shape) (*sparse.Graph, error) {
		rows, columns := nearlySquare(s.n)
		return sparse.Grid2D(rows, columns), nil
	}},
	{name: "geometric", sized: true, edges: 4, about: "random points in a square, joined when close", graph: func(s shape) (*sparse.Graph, error) {
		return generatedGraph(fmt.Sprintf("rgg:%d:%d", s.n, max(1, int(math.Round(2*s.edges)))))
	}},
	{name: "power-law", sized: true, edges: 2, about: "Barabási–Albert: new nodes join old ones in proportion to their edges", graph: func(s shape) (*sparse.Graph, error) {
		if s.n == 1 {
			return sparse.NewGraph(1, nil)
		}
		return generatedGraph(fmt.Sprintf("ba:%d:%d", s.n, min(max(1, int(math.Round(s.edges))), s.n-1)))
	}},
	{name: "road-like", sized: true, edges: 1.4, about: "a random spanning tree of a grid and some of its other edges", graph: roadGraph},
	{name: "pictures", sized: true, pictures: true, about: "each instance a picture: a grid, and the same grid weighted by colour contrast", graph: func(s shape) (*sparse.Graph, error) {
		rows, columns := nearlySquare(s.n)
		return sparse.Grid2D(rows, columns), nil
	}},
}

func familyNames() string {
	var names []string
	for _, f := range families {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

func familyNamed(name string) (*family, error) {
	for i := range families {
		if families[i].name == name {
			return &families[i], nil
		}
	}
	return nil, usagef("--family %q is none of %s", name, familyNames())
}

func nearlySquare(n int) (rows, columns int) {
	rows = max(1, int(math.Round(math.Sqrt(float64(n)))))
	return rows, max(1, int(math.Round(float64(n)/float64(rows))))
}

// generatedGraph is the graph of a matrix specification: an edge for every entry off
// the diagonal.
func generatedGraph(spec string) (*sparse.Graph, error) {
	n, ptr, idx, _, err := matgen.Generate(spec)
	if err != nil {
		return nil, err
	}
	strict, edges := make([]int, n+1), make([]int32, 0, len(idx)-n)
	for i := range n {
		edges = append(edges, idx[ptr[i]:ptr[i+1]-1]...) // the diagonal is last
		strict[i+1] = len(edges)
	}
	p, err := sparse.NewPattern(n, n, strict, edges)
	if err != nil {
		return nil, err
	}
	return sparse.NewGraphFromPattern(p, nil)
}

// roadGraph keeps of a grid's edges in random order those that join what is not yet
// joined, and then others up to the number wanted.
func roadGraph(s shape) (*sparse.Graph, error) {
	rows, columns := nearlySquare(s.n)
	n := rows * columns
	all := sparse.Grid2D(rows, columns).Edges()
	rng := rand.New(rand.NewPCG(12345, uint64(n)))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	parent := make([]int32, n)
	for i := range parent {
		parent[i] = int32(i)
	}
	root := func(i int) int32 {
		r := int32(i)
		for parent[r] != r {
			parent[r] = parent[parent[r]] // halve the path
			r = parent[r]
		}
		return r
	}
	var kept, others []sparse.Edge
	for _, e := range all {
		if a, b := root(e.I), root(e.J); a != b {
			parent[a] = b
			kept = append(kept, e)
		} else {
			others = append(others, e)
		}
	}
	more := int(math.Round(s.edges*float64(n))) - len(kept)
	return sparse.NewGraph(n, append(kept, others[:min(max(more, 0), len(others))]...))
}

// synthesize makes the data set of a shape: graphs of the family, and scores and
// labels of a field that varies smoothly along their edges. The same shape gives the
// same data on every machine.
func (f *family) synthesize(s shape) (*gcrfbc.Dataset, error) {
	g, err := f.graph(s)
	if err != nil {
		return nil, err
	}
	n := g.N()
	d := &gcrfbc.Dataset{K: s.k, Graphs: []*sparse.Graph{g}, Instances: make([]gcrfbc.Instance, s.m)}
	for l := 1; l < s.l && !f.pictures; l++ { // the same edges with other weights
		rng := rand.New(rand.NewPCG(54321, uint64(l)))
		w := make([]float64, g.NumEdges())
		for e := range w {
			w[e] = 2 * rng.Float64()
		}
		other, err := sparse.NewGraphFromPattern(g.Pattern(), w)
		if err != nil {
			return nil, err
		}
		d.Graphs = append(d.Graphs, other)
	}
	low, high := extreme{value: math.Inf(1)}, extreme{value: math.Inf(-1)}
	for j := range d.Instances {
		rng := rand.New(rand.NewPCG(2026, uint64(j)))
		z := smoothField(g, rng)
		for i, v := range z {
			if v < low.value {
				low = extreme{v, j, i}
			}
			if v > high.value {
				high = extreme{v, j, i}
			}
		}
		in := &d.Instances[j]
		in.Scores, in.Labels = observe(z, s.k, rng)
		if f.pictures {
			own, err := contrastGraph(g, z, rng)
			if err != nil {
				return nil, err
			}
			in.Graphs = []*sparse.Graph{own}
		}
		if len(in.Labels) != n {
			panic("gcrfbc-bench: labels of another graph")
		}
	}
	// A fit needs both classes, and a few nodes may have drawn one only.
	switch zeros, ones, _ := d.LabelCounts(); {
	case zeros+ones < 2:
	case zeros == 0:
		d.Instances[low.instance].Labels[low.node] = 0
	case ones == 0:
		d.Instances[high.instance].Labels[high.node] = 1
	}
	return d, nil
}

// extreme is the node where the field is lowest or highest.
type extreme struct {
	value          float64
	instance, node int
}

// smoothField is white noise averaged over neighbours a few times, with unit variance.
func smoothField(g *sparse.Graph, rng *rand.Rand) []float64 {
	n := g.N()
	z, sum, degree := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	ptr, idx := g.Pattern().Ptr(), g.Pattern().Idx()
	for range 4 {
		copy(sum, z)
		for i := range degree {
			degree[i] = 1
		}
		for i := range n {
			for _, j := range idx[ptr[i]:ptr[i+1]] {
				sum[i] += z[j]
				sum[j] += z[i]
				degree[i]++
				degree[j]++
			}
		}
		for i := range z {
			z[i] = sum[i] / degree[i]
		}
	}
	mean, square := 0.0, 0.0
	for _, v := range z {
		mean += v / float64(n)
	}
	for i, v := range z {
		z[i] = v - mean
		square += z[i] * z[i]
	}
	scale := 1 / math.Sqrt(square/float64(n))
	if !(scale < 1e6) { // one node, or a constant
		scale = 1
	}
	for i := range z {
		z[i] *= scale
	}
	return z
}

// observe makes K noisy scores of a field, each noisier than the one before, and
// labels of probability 1/(1+exp(−2.5z)).
func observe(z []float64, k int, rng *rand.Rand) (scores []float64, labels []int8) {
	scores, labels = make([]float64, len(z)*k), make([]int8, len(z))
	for i, v := range z {
		for q := range k {
			scores[i*k+q] = v + (1+.3*float64(q))*rng.NormFloat64()
		}
		if rng.Float64() < 1/(1+math.Exp(-2.5*v)) {
			labels[i] = 1
		}
	}
	return scores, labels
}

// contrastGraph weights the edges of a grid by exp(−2d), d the difference of colours.
func contrastGraph(g *sparse.Graph, z []float64, rng *rand.Rand) (*sparse.Graph, error) {
	colour := make([]float64, len(z))
	for i, v := range z {
		colour[i] = v + .1*rng.NormFloat64()
	}
	w := make([]float64, 0, g.NumEdges())
	ptr, idx := g.Pattern().Ptr(), g.Pattern().Idx()
	for i := range colour {
		for _, j := range idx[ptr[i]:ptr[i+1]] {
			w = append(w, math.Exp(-2*math.Abs(colour[i]-colour[j])))
		}
	}
	return sparse.NewGraphFromPattern(g.Pattern(), w)
}

// given is a family of one graph that was generated or read before: --matrix.
func given(spec string) (*family, error) {
	g, err := generatedGraph(spec)
	if err != nil {
		return nil, err
	}
	return &family{name: spec, about: "the graph of the matrix " + spec, graph: func(shape) (*sparse.Graph, error) { return g, nil }}, nil
}

// tableData are a node table, graphs and the columns to use: --nodes.
type tableData struct {
	nodes, label, scores string
	graphs               []string
}

// load reads the table as a data set of one instance.
func (t tableData) load() (*gcrfbc.Dataset, error) {
	if t.label == "" || t.scores == "" {
		return nil, usagef("--nodes %s: name its columns by --label and --scores", t.nodes)
	}
	table, err := dataio.ReadTable(t.nodes)
	if err != nil {
		return nil, err
	}
	names := strings.Split(t.scores, ",")
	in := gcrfbc.Instance{}
	if in.Scores, err = table.Scores(names); err != nil {
		return nil, err
	}
	if in.Labels, err = table.Labels(t.label); err != nil {
		return nil, err
	}
	d := &gcrfbc.Dataset{K: len(names), Instances: []gcrfbc.Instance{in}}
	for _, spec := range t.graphs {
		g, _, err := dataio.ReadGraphSpec(spec, table.N(), t.nodes)
		if err != nil {
			return nil, err
		}
		d.Graphs = append(d.Graphs, g)
	}
	return d, d.ValidateLabels()
}

// instances reads an .npz file: --npz.
func instances(file string, opts dataio.InstanceOptions) (*gcrfbc.Dataset, error) {
	in, err := dataio.ReadInstances(file, opts)
	if err != nil {
		return nil, err
	}
	if !in.HasLabels {
		return nil, &dataio.Error{File: file, Name: "array Y", Msg: "is missing; learning cannot be measured without labels"}
	}
	return in.Dataset, in.Dataset.ValidateLabels()
}

// copies returns a data set of the first m instances of d, over and over again where
// d has fewer.
func copies(d *gcrfbc.Dataset, m int) *gcrfbc.Dataset {
	out := *d
	out.Instances = make([]gcrfbc.Instance, m)
	for j := range out.Instances {
		out.Instances[j] = d.Instances[j%len(d.Instances)]
	}
	return &out
}
