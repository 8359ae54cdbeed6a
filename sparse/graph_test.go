package sparse_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/gcrfbc/gcrfbc/sparse"
)

func TestGraphAgainstDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, rapid.IntRange(1, 15).Draw(t, "n"), "graph")
		n := g.N()
		d := denseLaplacian(g)
		if lap := g.Laplacian(); !mat.EqualApprox(lap, d, 1e-13) || lap.Pattern().NNZ() != g.NumEdges()+n {
			t.Fatal("Laplacian differs")
		}
		deg := g.Degrees()
		for i := range n {
			near(t, "degree", deg[i], d.At(i, i), 20)
		}
		h := g.DegreeNormalized()
		if h.Pattern() != g.Pattern() {
			t.Fatal("normalising must keep the pattern")
		}
		for _, e := range h.Edges() {
			w, _ := g.Weight(e.I, e.J)
			want := 0.0
			if w > 0 {
				want = w / (math.Sqrt(deg[e.I]) * math.Sqrt(deg[e.J]))
			}
			near(t, "normalised weight", e.W, want, 1)
		}
		back, err := sparse.NewGraph(n, g.Edges())
		if err != nil || !back.Pattern().Equal(g.Pattern()) || !cmp.Equal(back.Weights(), g.Weights()) {
			t.Fatalf("Edges and back: %v", err)
		}
		adj := g.Adjacency()
		if again, err := sparse.NewGraphFromPattern(adj.Pattern(), adj.Values()); err != nil || again.NumEdges() != g.NumEdges() {
			t.Fatalf("Adjacency and back: %v", err)
		}

		// Components against the closure of the adjacency relation.
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
			reach[i][i] = true
		}
		for _, e := range g.Edges() {
			reach[e.I][e.J], reach[e.J][e.I] = true, true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		labels, count := g.Components()
		next := int32(0)
		for i := range n {
			if labels[i] > next {
				t.Fatalf("labels %v are not in order of smallest nodes", labels)
			}
			if labels[i] == next {
				next++
			}
			for j := range n {
				if (labels[i] == labels[j]) != reach[i][j] {
					t.Fatalf("nodes %d and %d", i, j)
				}
			}
		}
		if int(next) != count {
			t.Fatalf("count %d, want %d", count, next)
		}
	})
}

func TestGrid2D(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {0, 4}, {4, 0}, {1, 1}, {1, 5}, {5, 1}, {3, 4}} {
		rows, cols := size[0], size[1]
		g := sparse.Grid2D(rows, cols)
		checkPattern(t, g.Pattern())
		edges := 0
		for a := range rows * cols {
			for b := range a {
				want := a-b == cols || a-b == 1 && a%cols != 0
				if want {
					edges++
				}
				if w, ok := g.Weight(a, b); ok != want || ok && w != 1 {
					t.Errorf("%v: edge (%d, %d) %v %v", size, a, b, ok, w)
				}
			}
		}
		if g.N() != rows*cols || g.NumEdges() != edges {
			t.Errorf("%v: %d nodes, %d edges, want %d", size, g.N(), g.NumEdges(), edges)
		}
	}
}

func TestZeroWeightsAndIsolatedNodes(t *testing.T) {
	g := must(sparse.NewGraph(4, []sparse.Edge{{0, 1, 0}, {2, 1, 0}}))
	if g.NumEdges() != 2 {
		t.Fatalf("%d edges, want 2: weight 0 is kept", g.NumEdges())
	}
	if diff := cmp.Diff(g.DegreeNormalized().Weights(), []float64{0, 0}); diff != "" {
		t.Error(diff)
	}
	empty := must(sparse.NewGraph(0, nil))
	if labels, count := empty.Components(); len(labels) != 0 || count != 0 {
		t.Error("components of the empty graph")
	}
	if empty.Laplacian().SymmetricDim() != 0 || empty.DegreeNormalized().N() != 0 {
		t.Error("empty graph")
	}
	f := must(sparse.NewFamily(0, sparse.Identity(0), sparse.Laplacian(empty)))
	f.AssembleTo(nil, []float64{1, 2})
	f.QuadTo(make([]float64, 2), nil, nil)
	f.TraceTo(make([]float64, 2), nil)
}
