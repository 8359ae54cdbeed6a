package sparse_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// drawGraph draws a weighted graph of n nodes.
func drawGraph(t *rapid.T, n int, label string) *sparse.Graph {
	b := sparse.NewBuilder(n, n)
	if n > 1 {
		m := rapid.IntRange(0, 2*n).Draw(t, label+" edges")
		for range m {
			i := rapid.IntRange(0, n-1).Draw(t, "i")
			j := rapid.IntRange(0, n-1).Draw(t, "j")
			if i != j {
				b.Add(i, j, rapid.Float64Range(0, 4).Draw(t, "w"))
			}
		}
	}
	g, err := b.Graph(sparse.SumDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func denseLaplacian(g *sparse.Graph) *mat.Dense {
	a := mat.NewDense(g.N(), g.N(), nil)
	for _, e := range g.Edges() {
		a.Set(e.I, e.J, a.At(e.I, e.J)-e.W)
		a.Set(e.J, e.I, a.At(e.J, e.I)-e.W)
		a.Set(e.I, e.I, a.At(e.I, e.I)+e.W)
		a.Set(e.J, e.J, a.At(e.J, e.J)+e.W)
	}
	return a
}

func vec(t *rapid.T, n int, label string) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n).Draw(t, label)
}

func near(t interface{ Fatalf(string, ...any) }, what string, got, want, scale float64) {
	if math.Abs(got-want) > 1e-12*(1+scale) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

// TestFamilyAgainstDense compares every method with dense matrices, for mixes
// of identity, ridge, shared, nested and distinct graphs.
func TestFamilyAgainstDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		var terms []sparse.Term
		var dense []*mat.Dense
		var shared *sparse.Graph
		for range rapid.IntRange(0, 5).Draw(t, "terms") {
			switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); kind {
			case 0:
				terms = append(terms, sparse.Identity(n))
				d := mat.NewDense(n, n, nil)
				for i := range n {
					d.Set(i, i, 1)
				}
				dense = append(dense, d)
			case 1, 2: // Laplacian, with a ridge if 2
				g := drawGraph(t, n, "graph")
				if shared == nil {
					shared = g
				}
				d, term := denseLaplacian(g), sparse.Laplacian(g)
				if kind == 2 {
					term.Ridge = vec(t, n, "ridge")
					for i, r := range term.Ridge {
						d.Set(i, i, d.At(i, i)+r)
					}
				}
				terms, dense = append(terms, term), append(dense, d)
			case 3: // a graph used before
				if shared == nil {
					shared = drawGraph(t, n, "graph")
				}
				g := shared.DegreeNormalized()
				terms, dense = append(terms, sparse.Laplacian(g)), append(dense, denseLaplacian(g))
			case 4: // any symmetric matrix
				b := sparse.NewBuilder(n, n)
				for range rapid.IntRange(0, 2*n).Draw(t, "entries") {
					b.Add(rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j"), rapid.Float64Range(-2, 2).Draw(t, "v"))
				}
				a, err := b.Symmetric(sparse.SumDuplicates)
				if err != nil {
					t.Fatal(err)
				}
				terms, dense = append(terms, sparse.FromSymmetric(a)), append(dense, mat.DenseCopyOf(a))
			case 5: // nothing
				terms, dense = append(terms, sparse.Term{}), append(dense, mat.NewDense(n, n, nil))
			}
		}
		f, err := sparse.NewFamily(n, terms...)
		if err != nil {
			t.Fatal(err)
		}
		if f.N() != n || f.NumTerms() != len(terms) {
			t.Fatalf("N %d NumTerms %d", f.N(), f.NumTerms())
		}
		p := f.Pattern()
		checkPattern(t, p)
		checkPattern(t, f.Edges())
		if !must(f.Edges().WithDiagonal()).Equal(p) {
			t.Fatalf("Pattern is not Edges with the diagonal")
		}

		theta := vec(t, len(terms), "theta")
		values := make([]float64, p.NNZ())
		for i := range values {
			values[i] = math.NaN() // must all be overwritten
		}
		f.AssembleTo(values, theta)
		want := mat.NewDense(n, n, nil)
		for k, d := range dense {
			want.Apply(func(i, j int, v float64) float64 { return v + theta[k]*d.At(i, j) }, want)
		}
		got, err := sparse.NewSymmetric(p, values)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range n {
				near(t, "P", got.At(i, j), want.At(i, j), 50)
			}
		}

		x, z := vec(t, n, "x"), vec(t, n, "z")
		y := make([]float64, n)
		f.MulVecTo(y, x, values)
		for i := range n {
			s := 0.0
			for j := range n {
				s += want.At(i, j) * x[j]
			}
			near(t, "P x", y[i], s, 300)
		}
		dst := make([]float64, len(terms))
		for _, second := range [][]float64{z, x} {
			f.QuadTo(dst, x, second)
			for k, d := range dense {
				near(t, "quad", dst[k], mat.Inner(mat.NewVecDense(n, x), d, mat.NewVecDense(n, second)), 300)
			}
		}

		zz := mat.NewSymDense(n, vec(t, n*n, "Z"))
		onPattern := make([]float64, p.NNZ())
		for i := range n {
			for k, j := range p.Row(i) {
				onPattern[p.Ptr()[i]+k] = zz.At(i, int(j))
			}
		}
		f.TraceTo(dst, onPattern)
		for k, d := range dense {
			var m mat.Dense
			m.Mul(d, zz)
			near(t, "trace", dst[k], m.Trace(), 300)
		}

		q := vec(t, f.Edges().NNZ(), "q")
		f.EdgeDotTo(dst, q)
		for k, d := range dense {
			s := 0.0
			for i := range n {
				for e, j := range f.Edges().Row(i) {
					s -= d.At(i, int(j)) * q[f.Edges().Ptr()[i]+e]
				}
			}
			near(t, "edge dot", dst[k], s, 100)
		}
	})
}

// TestLaplacianOfConstant shows what the edge-difference form is for: on a
// constant vector plus noise far below it, nothing cancels.
func TestLaplacianOfConstant(t *testing.T) {
	g := sparse.Grid2D(30, 40)
	f, err := sparse.NewFamily(g.N(), sparse.Laplacian(g))
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, g.N())
	for i := range x {
		x[i] = 1e8
	}
	dst := make([]float64, 1)
	if f.QuadTo(dst, x, x); dst[0] != 0 {
		t.Fatalf("x'Lx of a constant is %v, want exactly 0", dst[0])
	}
	x[17]++ // an inner node of the first row: 3 neighbours
	if f.QuadTo(dst, x, x); dst[0] != 3 {
		t.Fatalf("x'Lx is %v, want exactly 3", dst[0])
	}
	if f.Edges() != g.Pattern() {
		t.Fatal("one graph: its pattern must be used, not copied")
	}
}

func TestFamilyErrors(t *testing.T) {
	g := sparse.Grid2D(2, 2)
	a, err := sparse.NewSymmetric(must(sparse.NewPattern(4, 4, []int{0, 0, 0, 0, 0}, nil)), nil)
	if err != nil {
		t.Fatal(err)
	}
	both := sparse.FromSymmetric(a)
	both.Graph = g
	for name, c := range map[string]struct {
		n    int
		term sparse.Term
	}{
		"negative n":   {-1, sparse.Term{}},
		"huge n":       {1 << 40, sparse.Term{}},
		"graph size":   {5, sparse.Laplacian(g)},
		"ridge length": {3, sparse.Identity(4)},
		"NaN ridge":    {1, sparse.Term{Ridge: []float64{math.NaN()}}},
		"two graphs":   {4, both},
	} {
		if f, err := sparse.NewFamily(c.n, c.term); err == nil || f != nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Log(err)
		}
	}
}

func TestFamilyAllocatesNothing(t *testing.T) {
	g := sparse.Grid2D(20, 20)
	h, err := sparse.NewGraph(g.N(), []sparse.Edge{{0, 1, 2}, {5, 300, 1}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := sparse.NewFamily(g.N(), sparse.Identity(g.N()), sparse.Laplacian(g), sparse.Laplacian(h))
	if err != nil {
		t.Fatal(err)
	}
	values, q := make([]float64, f.Pattern().NNZ()), make([]float64, f.Edges().NNZ())
	x, y := make([]float64, g.N()), make([]float64, g.N())
	theta, dst := []float64{1, 2, 3}, make([]float64, 3)
	if n := testing.AllocsPerRun(10, func() {
		f.AssembleTo(values, theta)
		f.MulVecTo(y, x, values)
		f.QuadTo(dst, x, y)
		f.TraceTo(dst, values)
		f.EdgeDotTo(dst, q)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
