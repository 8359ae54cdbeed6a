package sparse_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/gcrfbc/gcrfbc/sparse"
)

type triplet struct {
	i, j int
	v    float64
}

func drawTriplets(t *rapid.T, rows, cols, most int) []triplet {
	out := make([]triplet, rapid.IntRange(0, most).Draw(t, "entries"))
	for k := range out {
		// Small whole values add up exactly in any order.
		out[k] = triplet{rapid.IntRange(0, rows-1).Draw(t, "i"), rapid.IntRange(0, cols-1).Draw(t, "j"), float64(rapid.IntRange(-4, 4).Draw(t, "v"))}
	}
	return out
}

// TestBuilderAgainstMap covers CSR and Symmetric, both policies.
func TestBuilderAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 40).Draw(t, "rows"), rapid.IntRange(1, 40).Draw(t, "cols")
		list := drawTriplets(t, rows, cols, 200)
		b := sparse.NewBuilder(rows, cols)
		want := map[[2]int]float64{}
		for _, e := range list {
			b.Add(e.i, e.j, e.v)
			want[[2]int{e.i, e.j}] += e.v
		}
		a, err := b.CSR(sparse.SumDuplicates)
		if err != nil {
			t.Fatal(err)
		}
		checkPattern(t, a.Pattern())
		if a.NNZ() != len(want) || b.Len() != len(list) {
			t.Fatalf("%d entries, want %d", a.NNZ(), len(want))
		}
		for key, v := range want {
			if a.At(key[0], key[1]) != v {
				t.Fatalf("entry %v: %v, want %v", key, a.At(key[0], key[1]), v)
			}
		}
		var entry *sparse.EntryError
		if _, err := b.CSR(sparse.ErrorOnDuplicates); (err != nil) != (len(want) < len(list)) {
			t.Fatalf("duplicates: %v", err)
		} else if err != nil && (!errors.As(err, &entry) || entry.Fault != sparse.FaultDuplicate) {
			t.Fatalf("wrong error %v", err)
		}

		n := max(rows, cols)
		b = sparse.NewBuilder(n, n)
		d := mat.NewSymDense(n, nil)
		for _, e := range list {
			b.Add(e.i, e.j, e.v)
			d.SetSym(e.i, e.j, d.At(e.i, e.j)+e.v)
		}
		s, err := b.Symmetric(sparse.SumDuplicates)
		if err != nil {
			t.Fatal(err)
		}
		checkPattern(t, s.Pattern())
		if !s.Pattern().IsLower() || !mat.Equal(s, d) || !mat.Equal(s.CSR(), d) {
			t.Fatal("symmetric matrix differs")
		}
		back, err := s.CSR().LowerSymmetric()
		if err != nil || !mat.Equal(back, d) {
			t.Fatalf("CSR and back: %v", err)
		}
	})
}

// TestLongRow takes the sorting of rows beyond insertion sort.
func TestLongRow(t *testing.T) {
	const n = 1000
	b := sparse.NewBuilder(2, n)
	for k := range 3 * n {
		b.Add(1, (k*617)%n, float64(k/n+1))
	}
	a := must(b.CSR(sparse.SumDuplicates))
	checkPattern(t, a.Pattern())
	for j := range n {
		if a.At(1, j) != 6 {
			t.Fatalf("column %d: %v, want 6", j, a.At(1, j))
		}
	}
}

// TestManyBlocks makes the builder grow over several blocks, values starting
// to differ from 1 in the middle.
func TestManyBlocks(t *testing.T) {
	const n = 300_000
	b := sparse.NewBuilder(n, 1)
	for i := range n {
		v := 1.0
		if i >= n/2 {
			v = float64(i)
		}
		b.Add(n-1-i, 0, v)
	}
	a := must(b.CSR(sparse.ErrorOnDuplicates))
	for i, v := range a.Values() {
		want := 1.0
		if k := n - 1 - i; k >= n/2 {
			want = float64(k)
		}
		if v != want {
			t.Fatalf("row %d: %v, want %v", i, v, want)
		}
	}
}

func TestPatternOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		cols := rapid.IntRange(1, 12).Draw(t, "cols")
		draw := func(rows, cols int) *sparse.Pattern {
			b := sparse.NewBuilder(rows, cols)
			for _, e := range drawTriplets(t, rows, cols, 30) {
				b.Add(e.i, e.j, 1)
			}
			return must(b.CSR(sparse.SumDuplicates)).Pattern()
		}
		has := func(p *sparse.Pattern, i, j int) bool { _, ok := p.Find(i, j); return ok }
		check := func(what string, p *sparse.Pattern, rows, cols int, want func(i, j int) bool) {
			checkPattern(t, p)
			if r, c := p.Dims(); r != rows || c != cols {
				t.Fatalf("%s: %d×%d", what, r, c)
			}
			nnz := 0
			for i := range rows {
				for j := range cols {
					if has(p, i, j) != want(i, j) {
						t.Fatalf("%s: entry (%d, %d) present %v", what, i, j, has(p, i, j))
					}
					if want(i, j) {
						nnz++
					}
				}
			}
			if nnz != p.NNZ() {
				t.Fatalf("%s: %d entries, want %d", what, p.NNZ(), nnz)
			}
		}
		p := draw(n, cols)
		check("transpose", p.Transpose(), cols, n, func(i, j int) bool { return has(p, j, i) })
		check("lower", p.Lower(), n, cols, func(i, j int) bool { return has(p, i, j) && j <= i })
		check("strict lower", p.StrictLower(), n, cols, func(i, j int) bool { return has(p, i, j) && j < i })
		list := []*sparse.Pattern{p}
		for range rapid.IntRange(0, 4).Draw(t, "more") {
			list = append(list, draw(n, cols))
		}
		check("union", must(sparse.Union(list...)), n, cols, func(i, j int) bool {
			return slices.ContainsFunc(list, func(q *sparse.Pattern) bool { return has(q, i, j) })
		})
		s := draw(n, n)
		check("symmetrized", must(s.Symmetrized()), n, n, func(i, j int) bool { return has(s, i, j) || has(s, j, i) })
		check("with diagonal", must(s.WithDiagonal()), n, n, func(i, j int) bool { return i == j || j < i && has(s, i, j) })
		if !p.Equal(p.Transpose().Transpose()) {
			t.Fatal("transposing twice changes the pattern")
		}
	})
}

func TestPatternErrors(t *testing.T) {
	for name, c := range map[string]struct {
		rows, cols int
		ptr        []int
		idx        []int32
		fault      sparse.Fault // 0: a ShapeError
	}{
		"negative rows":      {-1, 2, []int{0}, nil, 0},
		"too many columns":   {0, 1 << 31, []int{0}, nil, 0},
		"short ptr":          {2, 2, []int{0, 0}, nil, 0},
		"first offset":       {1, 2, []int{1, 1}, []int32{0}, 0},
		"last offset":        {1, 2, []int{0, 1}, nil, 0},
		"decreasing offsets": {3, 2, []int{0, 1, 0, 1}, []int32{0}, 0},
		"offset beyond":      {2, 2, []int{0, 5, 1}, []int32{0}, 0},
		"column range":       {1, 2, []int{0, 1}, []int32{2}, sparse.FaultRange},
		"negative column":    {1, 2, []int{0, 1}, []int32{-1}, sparse.FaultRange},
		"duplicate":          {1, 2, []int{0, 2}, []int32{1, 1}, sparse.FaultDuplicate},
		"unsorted":           {1, 2, []int{0, 2}, []int32{1, 0}, sparse.FaultUnsorted},
	} {
		p, err := sparse.NewPattern(c.rows, c.cols, c.ptr, c.idx)
		if p != nil {
			t.Errorf("%s: accepted", name)
		}
		wantFault(t, name, err, c.fault)
	}
}

// wantFault checks for an *EntryError of a fault, or for 0 a *ShapeError.
func wantFault(t *testing.T, name string, err error, fault sparse.Fault) {
	t.Helper()
	var entry *sparse.EntryError
	var shape *sparse.ShapeError
	switch {
	case fault == 0 && errors.As(err, &shape):
	case fault != 0 && errors.As(err, &entry) && entry.Fault == fault:
	default:
		t.Errorf("%s: error %v, want fault %v", name, err, fault)
	}
}

func TestConstructionErrors(t *testing.T) {
	upper := must(sparse.NewPattern(2, 2, []int{0, 1, 1}, []int32{1}))
	diagonal := must(sparse.NewPattern(2, 2, []int{0, 1, 1}, []int32{0}))
	lower := must(sparse.NewPattern(2, 2, []int{0, 0, 1}, []int32{0}))
	wide := must(sparse.NewPattern(1, 2, []int{0, 0}, nil))
	one := []float64{1}
	second := func(_ any, err error) error { return err }
	builder := func(rows, cols int, list ...triplet) *sparse.Builder {
		b := sparse.NewBuilder(rows, cols)
		for _, e := range list {
			b.Add(e.i, e.j, e.v)
		}
		return b
	}
	huge := math.MaxFloat64
	for _, c := range []struct {
		name  string
		err   error
		fault sparse.Fault
	}{
		{"CSR nil", second(sparse.NewCSR(nil, nil)), 0},
		{"CSR values", second(sparse.NewCSR(upper, nil)), 0},
		{"symmetric nil", second(sparse.NewSymmetric(nil, nil)), 0},
		{"symmetric values", second(sparse.NewSymmetric(lower, nil)), 0},
		{"symmetric upper", second(sparse.NewSymmetric(upper, one)), sparse.FaultTriangle},
		{"symmetric wide", second(sparse.NewSymmetric(wide, nil)), 0},
		{"lower of wide", second(must(sparse.NewCSR(wide, nil)).LowerSymmetric()), 0},
		{"lower of unpaired", second(must(sparse.NewCSR(upper, one)).LowerSymmetric()), sparse.FaultAsymmetric},
		{"lower of unpaired below", second(must(sparse.NewCSR(lower, one)).LowerSymmetric()), sparse.FaultAsymmetric},
		{"lower of unequal", second(must(builder(2, 2, triplet{0, 1, 1}, triplet{1, 0, 2}).CSR(0)).LowerSymmetric()), sparse.FaultAsymmetric},
		{"graph nil", second(sparse.NewGraphFromPattern(nil, nil)), 0},
		{"graph upper", second(sparse.NewGraphFromPattern(upper, one)), sparse.FaultTriangle},
		{"graph diagonal", second(sparse.NewGraphFromPattern(diagonal, one)), sparse.FaultSelfLoop},
		{"graph weights", second(sparse.NewGraphFromPattern(lower, []float64{1, 2})), 0},
		{"graph wide", second(builder(1, 2).Graph(0)), 0},
		{"symmetric from wide", second(builder(1, 2).Symmetric(0)), 0},
		{"graph size", second(sparse.NewGraph(-1, nil)), 0},
		{"self loop", second(sparse.NewGraph(2, []sparse.Edge{{1, 1, 1}})), sparse.FaultSelfLoop},
		{"edge range", second(sparse.NewGraph(2, []sparse.Edge{{0, 2, 1}})), sparse.FaultRange},
		{"edge negative", second(sparse.NewGraph(2, []sparse.Edge{{-1, 0, 1}})), sparse.FaultRange},
		{"edge twice", second(sparse.NewGraph(2, []sparse.Edge{{0, 1, 1}, {1, 0, 1}})), sparse.FaultDuplicate},
		{"negative weight", second(sparse.NewGraph(2, []sparse.Edge{{0, 1, -1}})), sparse.FaultNegative},
		{"NaN weight", second(sparse.NewGraph(2, []sparse.Edge{{0, 1, math.NaN()}})), sparse.FaultNotFinite},
		{"Inf weight", second(sparse.NewGraph(2, []sparse.Edge{{0, 1, math.Inf(-1)}})), sparse.FaultNotFinite},
		{"degree overflow", second(sparse.NewGraph(3, []sparse.Edge{{0, 1, huge}, {0, 2, huge}})), sparse.FaultNotFinite},
		{"union of none", second(sparse.Union()), 0},
		{"union of nil", second(sparse.Union(lower, nil)), 0},
		{"union sizes", second(sparse.Union(lower, wide)), 0},
		{"symmetrized wide", second(wide.Symmetrized()), 0},
		{"diagonal of wide", second(wide.WithDiagonal()), 0},
		{"perm range", sparse.Perm{0, 2}.Validate(), sparse.FaultRange},
		{"perm twice", sparse.Perm{0, 0}.Validate(), sparse.FaultDuplicate},
		{"perm length", second(sparse.Perm{0}.Graph(sparse.Grid2D(1, 2))), 0},
	} {
		wantFault(t, c.name, c.err, c.fault)
	}
}

func TestPerm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, rapid.IntRange(1, 40).Draw(t, "n"), "graph")
		n := g.N()
		p := sparse.Perm(rapid.Permutation(sparse.IdentityPerm(n)).Draw(t, "perm"))
		if !p.Valid() || !p.Inverse().Valid() || !cmp.Equal(p.Inverse().Inverse(), p) {
			t.Fatal("inverse of the inverse differs")
		}
		x, y, z := vec(t, n, "x"), make([]float64, n), make([]float64, n)
		p.ApplyTo(y, x)
		p.ApplyInverseTo(z, y)
		if !cmp.Equal(x, z) {
			t.Fatal("ApplyInverseTo does not undo ApplyTo")
		}
		p.Inverse().ApplyTo(z, y)
		if !cmp.Equal(x, z) {
			t.Fatal("applying the inverse does not undo ApplyTo")
		}
		a := g.Laplacian()
		b, err := p.Symmetric(a)
		if err != nil {
			t.Fatal(err)
		}
		h, err := p.Graph(g)
		if err != nil {
			t.Fatal(err)
		}
		checkPattern(t, b.Pattern())
		checkPattern(t, h.Pattern())
		for k := range n {
			for l := range n {
				if b.At(k, l) != a.At(int(p[k]), int(p[l])) {
					t.Fatalf("entry (%d, %d)", k, l)
				}
				w, ok := h.Weight(k, l)
				if want, has := g.Weight(int(p[k]), int(p[l])); w != want || ok != has {
					t.Fatalf("edge (%d, %d)", k, l)
				}
			}
		}
	})
}

func TestMatrixInterface(t *testing.T) {
	a := sparse.Grid2D(3, 3).Laplacian().CSR()
	for _, at := range [][2]int{{-1, 0}, {9, 0}, {0, -1}, {0, 9}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("At%v: mat.Matrix asks for a panic", at)
				}
			}()
			a.At(at[0], at[1])
		}()
	}
	var m, d mat.Dense
	d.CloneFrom(a)
	m.Mul(a, a.T())
	var want mat.Dense
	want.Mul(&d, d.T())
	if !mat.Equal(&m, &want) {
		t.Error("product through mat.Matrix differs")
	}
}

func TestMulVec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		b := sparse.NewBuilder(n, n)
		for _, e := range drawTriplets(t, n, n, 300) {
			b.Add(e.i, e.j, e.v)
		}
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(i%7 - 3) // whole numbers: sums are exact
		}
		for _, m := range []interface {
			mat.Matrix
			MulVecTo(dst, x []float64)
		}{must(b.CSR(sparse.SumDuplicates)), must(b.Symmetric(sparse.SumDuplicates))} {
			for i := range y {
				y[i] = math.NaN()
			}
			m.MulVecTo(y, x)
			var want mat.VecDense
			want.MulVec(mat.DenseCopyOf(m), mat.NewVecDense(n, x))
			if !cmp.Equal(y, want.RawVector().Data) {
				t.Fatalf("%T: %v, want %v", m, y, want.RawVector().Data)
			}
		}
	})
}

// TestMulVecSameBits runs products big enough for goroutines on 1 to 8.
func TestMulVecSameBits(t *testing.T) {
	g := randomGraph(40_000, 250_000, true)
	hub := sparse.NewBuilder(g.N(), g.N()) // long rows and columns too
	for i := 1; i < g.N(); i++ {
		hub.Add(i, 0, 1/float64(i))
		hub.Add(g.N()-1, i-1, 1/float64(i+3))
	}
	for _, e := range g.Edges() {
		hub.Add(e.I, e.J, e.W)
	}
	sym := must(hub.Symmetric(sparse.SumDuplicates))
	csr := sym.CSR()
	x, first, y := make([]float64, g.N()), make([]float64, g.N()), make([]float64, g.N())
	for i := range x {
		x[i] = math.Sin(float64(i))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for name, mul := range map[string]func(dst, x []float64){"CSR": csr.MulVecTo, "Symmetric": sym.MulVecTo} {
		runtime.GOMAXPROCS(1)
		mul(first, x)
		for _, workers := range []int{2, 3, 4, 5, 8} {
			runtime.GOMAXPROCS(workers)
			mul(y, x)
			if !slices.Equal(first, y) {
				t.Errorf("%s: %d workers give other bits than one", name, workers)
			}
		}
	}
	csr.MulVecTo(first, x)
	sym.MulVecTo(y, x)
	for i := range y {
		near(t, "CSR and Symmetric", y[i], first[i], 1000)
	}
}
