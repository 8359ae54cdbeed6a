package chol

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// matrix is a test matrix: lower triangle with values.
type matrix struct {
	name   string
	p      *sparse.Pattern
	values []float64
}

// laplacian returns L(G) + ridge·I with random edge weights.
func laplacian(name string, n int, edges [][2]int, ridge float64, seed uint64) matrix {
	rng := rand.New(rand.NewPCG(seed, 1))
	rows := make([][]int32, n)
	for _, e := range edges {
		i, j := max(e[0], e[1]), min(e[0], e[1])
		rows[i] = append(rows[i], int32(j))
	}
	ptr, idx := make([]int, n+1), []int32{}
	for i, r := range rows {
		slices.Sort(r)
		idx = append(append(idx, slices.Compact(r)...), int32(i))
		ptr[i+1] = len(idx)
	}
	p, err := sparse.NewPattern(n, n, ptr, idx)
	if err != nil {
		panic(err)
	}
	values := make([]float64, len(idx))
	diag := make([]float64, n)
	for i := range n {
		for k := ptr[i]; k < ptr[i+1]-1; k++ {
			w := 0.5 + rng.Float64()
			values[k] = -w
			diag[i] += w
			diag[idx[k]] += w
		}
	}
	for i := range n {
		values[ptr[i+1]-1] = diag[i] + ridge*(0.5+rng.Float64())
	}
	return matrix{name, p, values}
}

func gridEdges(a, b, c int) (e [][2]int) {
	at := func(i, j, k int) int { return (i*b+j)*c + k }
	for i := range a {
		for j := range b {
			for k := range c {
				if i > 0 {
					e = append(e, [2]int{at(i, j, k), at(i-1, j, k)})
				}
				if j > 0 {
					e = append(e, [2]int{at(i, j, k), at(i, j-1, k)})
				}
				if k > 0 {
					e = append(e, [2]int{at(i, j, k), at(i, j, k-1)})
				}
			}
		}
	}
	return e
}

func geometricEdges(n int, degree float64, seed uint64) (e [][2]int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	xy := make([][2]float64, n)
	for i := range xy {
		xy[i] = [2]float64{rng.Float64(), rng.Float64()}
	}
	d2 := degree / (math.Pi * float64(n))
	for i := range n {
		for j := range i {
			dx, dy := xy[i][0]-xy[j][0], xy[i][1]-xy[j][1]
			if dx*dx+dy*dy < d2 {
				e = append(e, [2]int{i, j})
			}
		}
	}
	return e
}

func scaleFreeEdges(n, m int, seed uint64) (e [][2]int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	ends := []int{0}
	for i := 1; i < n; i++ {
		for range min(i, m) {
			j := ends[rng.IntN(len(ends))]
			e = append(e, [2]int{i, j})
			ends = append(ends, j)
		}
		ends = append(ends, i)
	}
	return e
}

func randomTreeEdges(n int, seed uint64) (e [][2]int) {
	rng := rand.New(rand.NewPCG(seed, 4))
	for i := 1; i < n; i++ {
		e = append(e, [2]int{i, rng.IntN(i)})
	}
	return e
}

func denseEdges(n int) (e [][2]int) {
	for i := range n {
		for j := range i {
			e = append(e, [2]int{i, j})
		}
	}
	return e
}

func pathEdges(n int) (e [][2]int) {
	for i := 1; i < n; i++ {
		e = append(e, [2]int{i - 1, i})
	}
	return e
}

func starEdges(n, centre int) (e [][2]int) {
	for i := range n {
		if i != centre {
			e = append(e, [2]int{i, centre})
		}
	}
	return e
}

// arrowEdges couples a band with one dense row.
func arrowEdges(n, band int) (e [][2]int) {
	for i := range n - 1 {
		e = append(e, [2]int{i, n - 1})
		for d := 1; d <= band && i-d >= 0; d++ {
			e = append(e, [2]int{i, i - d})
		}
	}
	return e
}

func corpus() []matrix {
	return []matrix{
		laplacian("grid2d", 17*13, gridEdges(17, 13, 1), 0.1, 1),
		laplacian("grid3d", 6*7*5, gridEdges(6, 7, 5), 0.1, 2),
		laplacian("tree", 150, randomTreeEdges(150, 1), 0.1, 3),
		laplacian("path", 101, pathEdges(101), 0.1, 4),
		laplacian("star-first", 60, starEdges(60, 0), 0.1, 5),
		laplacian("star-last", 60, starEdges(60, 59), 0.1, 6),
		laplacian("arrow", 90, arrowEdges(90, 3), 0.1, 7),
		laplacian("scalefree", 200, scaleFreeEdges(200, 3, 1), 0.1, 8),
		laplacian("geometric", 250, geometricEdges(250, 7, 1), 0.1, 9),
		laplacian("disconnected", 70, append(pathEdges(30), [2]int{40, 50}, [2]int{50, 60}, [2]int{40, 60}), 0.1, 10),
		laplacian("dense", 75, denseEdges(75), 0.1, 11),
		laplacian("duplicates", 4*25, blowUp(pathEdges(25), 25, 4), 0.1, 15),
		laplacian("diagonal", 20, nil, 1, 12),
		laplacian("single", 1, nil, 1, 13),
		laplacian("empty", 0, nil, 1, 14),
	}
}

func (m matrix) n() int { n, _ := m.p.Dims(); return n }

// both returns the matrix with both triangles stored.
func (m matrix) both() matrix {
	p, err := m.p.Symmetrized()
	if err != nil {
		panic(err)
	}
	values := make([]float64, p.NNZ())
	for i := range m.n() {
		for k := p.Ptr()[i]; k < p.Ptr()[i+1]; k++ {
			j := int(p.Idx()[k])
			pos, _ := m.p.Find(max(i, j), min(i, j))
			values[k] = m.values[pos]
		}
	}
	return matrix{m.name + "-both", p, values}
}

func mustAnalyze(t testing.TB, p *sparse.Pattern, opts Options) *Symbolic {
	t.Helper()
	s, err := Analyze(t.Context(), p, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustFactor(t testing.TB, s *Symbolic, values []float64) *Factor {
	t.Helper()
	f := s.NewFactor()
	if err := f.Refactorize(t.Context(), values); err != nil {
		t.Fatal(err)
	}
	return f
}

func randomVector(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 5))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Fatalf("%s = %.17g, want %.17g", what, got, want)
	}
}

// blowUp replaces every node by copies that are joined to each other and to all
// copies of its neighbours: rows with duplicate patterns.
func blowUp(edges [][2]int, n, copies int) [][2]int {
	var out [][2]int
	for i := range n {
		for a := range copies {
			for b := range a {
				out = append(out, [2]int{i*copies + a, i*copies + b})
			}
		}
	}
	for _, e := range edges {
		for a := range copies {
			for b := range copies {
				out = append(out, [2]int{e[0]*copies + a, e[1]*copies + b})
			}
		}
	}
	return out
}
