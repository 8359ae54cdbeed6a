package chol

import (
	"fmt"
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
	"gonum.org/v1/gonum/mat"
)

// denseOf returns the matrix as gonum's type.
func (m matrix) denseOf() *mat.SymDense {
	a := mat.NewSymDense(m.n(), nil)
	for i := range m.n() {
		for k := m.p.Ptr()[i]; k < m.p.Ptr()[i+1]; k++ {
			if j := int(m.p.Idx()[k]); j <= i {
				a.SetSym(i, j, m.values[k])
			}
		}
	}
	return a
}

// TestAgainstDense checks every result on every graph against gonum's dense
// Cholesky.
func TestAgainstDense(t *testing.T) { eachLayout(t, testAgainstDense) }

func testAgainstDense(t *testing.T) {
	for _, m := range corpus() {
		for _, o := range []Ordering{Natural, AMD} {
			list := []matrix{m, m.both()}
			if defaultTuning.layout == layoutSimplicial { // half of it
				list = list[o&1 : o&1+1]
			}
			for _, m := range list {
				t.Run(fmt.Sprintf("%s/%v", m.name, o), func(t *testing.T) { compareDense(t, m, Options{Ordering: o, Threads: 1}) })
			}
		}
	}
}

// TestLevels repeats the comparison with lesser instruction sets.
func TestLevels(t *testing.T) { eachLayout(t, testLevels) }

func testLevels(t *testing.T) {
	for l := simd.Go; l < simd.Best(); l++ {
		t.Run(l.String(), func(t *testing.T) {
			defer simd.SetLevel(simd.SetLevel(l))
			list := corpus()
			if defaultTuning.layout == layoutSimplicial { // only solves have kernels
				list = list[1:5]
			}
			for _, m := range list {
				compareDense(t, m, Options{Threads: 1})
			}
		})
	}
}

func compareDense(t *testing.T, m matrix, opts Options) {
	s := mustAnalyze(t, m.p, opts)
	f := mustFactor(t, s, m.values)
	n := m.n()
	if n == 0 {
		if f.LogDet() != 0 {
			t.Fatalf("log det of the empty matrix is %g", f.LogDet())
		}
		if err := f.SolveTo(nil, nil); err != nil {
			t.Fatal(err)
		}
		if err := f.SelectedInverse(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	a := m.denseOf()
	perm := s.Perm()

	// L L' = P A P'.
	l := denseL(f)
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for k := range j + 1 {
				sum += l[i][k] * l[j][k]
			}
			near(t, fmt.Sprintf("(LL')[%d,%d]", i, j), sum, a.At(int(perm[i]), int(perm[j])), 1e-12)
		}
	}

	var chol mat.Cholesky
	if !chol.Factorize(a) {
		t.Fatal("dense factorization failed")
	}
	near(t, "log det", f.LogDet(), chol.LogDet(), 1e-12)
	pivots, sum := make([]float64, n), 0.0
	if err := f.PivotsTo(pivots); err != nil {
		t.Fatal(err)
	}
	for _, v := range pivots {
		sum += math.Log(v)
	}
	near(t, "Σ log pivot", sum, f.LogDet(), 1e-12)

	// Solves: 1, and blocks of several sizes; in place.
	const nrhs = 37
	b := randomVector(n*nrhs, 1)
	x := append([]float64(nil), b...)
	if err := f.SolveManyTo(x, x, nrhs); err != nil {
		t.Fatal(err)
	}
	one := make([]float64, n)
	for k := range nrhs {
		var want mat.VecDense
		if err := chol.SolveVecTo(&want, mat.NewVecDense(n, b[k*n:(k+1)*n])); err != nil {
			t.Fatal(err)
		}
		if err := f.SolveTo(one, b[k*n:(k+1)*n]); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			near(t, fmt.Sprintf("x[%d,%d]", k, i), x[k*n+i], want.AtVec(i), 1e-10)
			near(t, fmt.Sprintf("one[%d,%d]", k, i), one[i], want.AtVec(i), 1e-10)
		}
	}
	// Half solves: w'w = b'A⁻¹b, and together a whole solve.
	w := make([]float64, n)
	if err := f.HalfSolveTo(w, b[:n]); err != nil {
		t.Fatal(err)
	}
	ww, bx := 0.0, 0.0
	for i := range n {
		ww += w[i] * w[i]
		bx += b[i] * x[i]
	}
	near(t, "w'w", ww, bx, 1e-10)
	if err := f.HalfSolveTransposeTo(w, w); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		near(t, "two half solves", w[i], x[i], 1e-10)
	}

	// Selected inverse on A's and on L's pattern, and the diagonal.
	var inv mat.SymDense
	if err := chol.InverseTo(&inv); err != nil {
		t.Fatal(err)
	}
	z := make([]float64, m.p.NNZ())
	if err := f.SelectedInverse(t.Context(), z); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for k := m.p.Ptr()[i]; k < m.p.Ptr()[i+1]; k++ {
			j := int(m.p.Idx()[k])
			near(t, fmt.Sprintf("Z[%d,%d]", i, j), z[k], inv.At(i, j), 1e-10)
		}
	}
	diag := make([]float64, n)
	if err := f.InverseDiagTo(t.Context(), diag); err != nil {
		t.Fatal(err)
	}
	full, err := f.InverseOnFactor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	iperm := invert(perm)
	for i := range n {
		near(t, "diag Z", diag[i], inv.At(i, i), 1e-10)
		for j := range n {
			v, ok := full.At(i, j)
			if ok {
				near(t, fmt.Sprintf("full Z[%d,%d]", i, j), v, inv.At(i, j), 1e-10)
			} else if r, c := max(iperm[i], iperm[j]), min(iperm[i], iperm[j]); l[r][c] != 0 {
				t.Fatalf("entry (%d, %d) of L's pattern is missing from the inverse", i, j)
			}
		}
	}
	if _, ok := full.At(n, 0); ok {
		t.Fatal("entry outside the matrix")
	}
}

// denseL unpacks the factor.
func denseL(f *Factor) [][]float64 {
	l := make([][]float64, f.sym.N())
	for i := range l {
		l[i] = make([]float64, len(l))
	}
	if s, ok := f.sym.layout.(*columns); ok {
		for k := range l {
			d := math.Sqrt(f.pivots[k])
			l[k][k] = d
			for p := s.ptr[k]; p < s.ptr[k+1]; p++ {
				l[s.rows[p]][k] = f.l[p] * d
			}
		}
		return l
	}
	st := f.sym.layout.(*structure)
	for s := range st.nodes {
		nd := &st.nodes[s]
		for k := int32(0); k < nd.w; k++ {
			col := f.l[nd.panel+int(k)*int(nd.ld):]
			for i := k; i < nd.w; i++ {
				l[nd.start+i][nd.start+k] = col[i]
			}
			for i, row := range st.rows[nd.rows : nd.rows+int(nd.r)] {
				l[row][nd.start+k] = col[int(nd.w)+i]
			}
		}
	}
	return l
}
