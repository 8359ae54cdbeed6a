package interop_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	jb "github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/gcrfbc/gcrfbc/sparse/interop"
)

func drawCSR(t *rapid.T) *sparse.CSR {
	r, c := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 9).Draw(t, "cols")
	b := sparse.NewBuilder(r, c)
	for range rapid.IntRange(0, 30).Draw(t, "entries") {
		b.Add(rapid.IntRange(0, r-1).Draw(t, "i"), rapid.IntRange(0, c-1).Draw(t, "j"), float64(rapid.IntRange(1, 9).Draw(t, "v")))
	}
	a, err := b.CSR(sparse.SumDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func drawGraph(t *rapid.T) *sparse.Graph {
	n := rapid.IntRange(1, 9).Draw(t, "n")
	b := sparse.NewBuilder(n, n)
	for range rapid.IntRange(0, 20).Draw(t, "edges") {
		if i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j"); i != j {
			b.Add(i, j, rapid.Float64Range(0, 3).Draw(t, "w"))
		}
	}
	g, err := b.Graph(sparse.SumDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func same(a, b *sparse.CSR) bool {
	return a.Pattern().Equal(b.Pattern()) && cmp.Equal(a.Values(), b.Values())
}

func TestMatrixRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawCSR(t)
		d := interop.ToDense(a)
		if !mat.Equal(a, d) {
			t.Fatal("dense copy differs")
		}
		for _, m := range []mat.Matrix{d, a, interop.ToJB(a)} {
			back, err := interop.FromMatrix(m)
			if err != nil || !same(a, back) {
				t.Fatalf("%T: round trip differs (%v)", m, err)
			}
		}
		back, err := interop.FromMatrix(d.T())
		if err != nil || !same(a.Transpose(), back) {
			t.Fatalf("transpose differs (%v)", err)
		}
	})
}

func TestSymmetricRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		d := mat.NewSymDense(n, nil)
		for range rapid.IntRange(0, 30).Draw(t, "entries") {
			d.SetSym(rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j"), rapid.Float64Range(-2, 2).Draw(t, "v"))
		}
		a, err := interop.FromSymmetric(d)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(a, d) || !mat.Equal(interop.ToSymDense(a), d) {
			t.Fatal("round trip differs")
		}
		if b, err := interop.FromSymmetric(a); b != a || err != nil {
			t.Fatal("a Symmetric must come back as it is")
		}
	})
}

func TestEmptyMatrices(t *testing.T) {
	a, err := sparse.NewBuilder(0, 3).CSR(sparse.ErrorOnDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	if !interop.ToDense(a).IsEmpty() {
		t.Error("want an empty Dense")
	}
	s, err := sparse.NewBuilder(0, 0).Symmetric(sparse.ErrorOnDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	if !interop.ToSymDense(s).IsEmpty() {
		t.Error("want an empty SymDense")
	}
}

func TestGraphRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		h := interop.ToGonum(g, 0)
		if h.Nodes().Len() != g.N() {
			t.Fatalf("%d nodes, want %d", h.Nodes().Len(), g.N())
		}
		for i := range g.N() {
			for j := range g.N() {
				want, _ := g.Weight(i, j)
				if got, _ := h.Weight(int64(i), int64(j)); got != want {
					t.Fatalf("weight (%d, %d): %v, want %v", i, j, got, want)
				}
			}
		}
		back, ids, err := interop.FromGonum(h)
		if err != nil || !cmp.Equal(back.Edges(), g.Edges()) || back.N() != g.N() {
			t.Fatalf("round trip differs (%v)", err)
		}
		for i, id := range ids {
			if id != int64(i) {
				t.Fatalf("id %d of node %d", id, i)
			}
		}
	})
}

func TestFromGonum(t *testing.T) {
	h := simple.NewUndirectedGraph() // no weights, scattered IDs
	for _, e := range [][2]int64{{70, 5}, {5, -3}} {
		h.SetEdge(simple.Edge{F: simple.Node(e[0]), T: simple.Node(e[1])})
	}
	g, ids, err := interop.FromGonum(h)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ids, []int64{-3, 5, 70}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(g.Edges(), []sparse.Edge{{I: 1, J: 0, W: 1}, {I: 2, J: 1, W: 1}}); diff != "" {
		t.Error(diff)
	}
	w := simple.NewWeightedUndirectedGraph(0, 0)
	w.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(0), T: simple.Node(1), W: math.Inf(1)})
	var entry *sparse.EntryError
	if _, _, err := interop.FromGonum(w); !errors.As(err, &entry) || entry.Fault != sparse.FaultNotFinite {
		t.Errorf("infinite weight: %v", err)
	}
}

func TestJBSharesValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawCSR(t)
		b := interop.ToJB(a)
		if !mat.Equal(a, b) {
			t.Fatal("conversion differs")
		}
		c, shared, err := interop.FromJB(b)
		if err != nil || !shared || !same(a, c) {
			t.Fatalf("round trip differs (shared %v, %v)", shared, err)
		}
		if a.NNZ() > 0 {
			b.RawMatrix().Data[0] = 77
			if a.Values()[0] != 77 || c.Values()[0] != 77 {
				t.Fatal("values are not shared")
			}
		}
	})
}

func TestFromJBUnsortedAndBroken(t *testing.T) {
	a, shared, err := interop.FromJB(jb.NewCSR(2, 3, []int{0, 2, 3}, []int{2, 0, 1}, []float64{1, 2, 3}))
	if err != nil || shared {
		t.Fatalf("shared %v, %v", shared, err)
	}
	if want := mat.NewDense(2, 3, []float64{2, 0, 1, 0, 3, 0}); !mat.Equal(a, want) {
		t.Errorf("got %v", mat.Formatted(a))
	}
	for name, c := range map[string]struct {
		ptr, idx []int
		fault    sparse.Fault
	}{
		"duplicate":          {[]int{0, 2, 2}, []int{1, 1}, sparse.FaultDuplicate},
		"unsorted duplicate": {[]int{0, 3, 3}, []int{1, 0, 1}, sparse.FaultDuplicate},
		"column too large":   {[]int{0, 1, 1}, []int{3}, sparse.FaultRange},
		"column beyond 32":   {[]int{0, 1, 1}, []int{1 << 32}, sparse.FaultRange},
		"negative column":    {[]int{0, 1, 1}, []int{-1}, sparse.FaultRange},
	} {
		_, _, err := interop.FromJB(jb.NewCSR(2, 3, c.ptr, c.idx, make([]float64, len(c.idx))))
		var entry *sparse.EntryError
		if !errors.As(err, &entry) || entry.Fault != c.fault {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, ptr := range map[string][]int{"decreasing": {0, 2, 1}, "beyond": {0, 1, 9}, "start": {1, 1, 1}} {
		var shape *sparse.ShapeError
		if _, _, err := interop.FromJB(jb.NewCSR(2, 3, ptr, []int{0}, []float64{1})); !errors.As(err, &shape) {
			t.Errorf("%s offsets: %v", name, err)
		}
	}
}
