package chol

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestStripLayout checks that the entries of an update matrix have places of
// their own, and that there is no more room than strips need.
func TestStripLayout(t *testing.T) {
	for _, r := range []int{0, 1, 63, minStripsR - 1, minStripsR, minStripsR + 1, 3*stripB - 1, 3 * stripB, 777} {
		nd := node{r: int32(r), ldu: int32(leading(r))}
		used, u := make([]bool, updateSize(&nd)), make([]float64, updateSize(&nd))
		for j := range r {
			p := nd.strip(j)
			if j < p.from || j >= p.to {
				t.Fatalf("r %d: column %d is said to be in strip %d … %d", r, j, p.from, p.to)
			}
			for i := j; i < r; i++ {
				k := p.base + i + j*p.ld
				if used[k] {
					t.Fatalf("r %d: entry (%d, %d) has the place of another", r, i, j)
				}
				used[k] = true
			}
			if c := nd.column(u, j); len(c) != r-j {
				t.Fatalf("r %d: column %d has %d entries", r, j, len(c))
			}
		}
		if most := r*r/2 + r*(stripB/2+72); r >= minStripsR && len(used) > most {
			t.Errorf("r %d: %d entries, want at most %d", r, len(used), most)
		}
	}
}

// TestStrips compares fronts whose update matrices are in strips, and their
// children's too, with dense results: three groups of columns, the third over
// the rows of the others, and all over a part of the rest.
func TestStrips(t *testing.T) {
	const w, window, n = 70, 330, 3*70 + 800
	rng := rand.New(rand.NewPCG(21, 22))
	var edges [][2]int
	for i := range 3 * w {
		for j := range i {
			if i/w == j/w || i/w == 2 && rng.IntN(20) == 0 {
				edges = append(edges, [2]int{i, j})
			}
		}
		for k := range window {
			if rng.IntN(40) == 0 && k%7 != i/w {
				edges = append(edges, [2]int{3*w + k, i})
			}
		}
	}
	for i := 3*w + 1; i < n; i++ {
		edges = append(edges, [2]int{i, i - 1})
		for range 3 {
			if j := 3*w + rng.IntN(i-3*w); j < i-1 {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	m := laplacian("hubs", n, edges, 0.1, 3)
	perm := make([]int32, n)
	for k := range perm {
		perm[k] = int32(k)
	}
	var want mat.Cholesky
	if !want.Factorize(m.denseOf()) {
		t.Fatal("dense factorization failed")
	}
	for _, tune := range []tuning{defaultTuning, tinyTasks} {
		s, err := analyze(t.Context(), m.p, Options{Ordering: Given, Perm: perm, Threads: 3}, tune)
		if err != nil {
			t.Fatal(err)
		}
		children, parents := 0, 0
		for k := range s.layout.(*structure).nodes {
			if nd := &s.layout.(*structure).nodes[k]; nd.r >= minStripsR {
				children++
				if int(nd.first) != k {
					parents++
				}
			}
		}
		if children < 3 || parents < 1 {
			t.Fatalf("only %d update matrices in strips, %d of them with children", children, parents)
		}
		f := mustFactor(t, s, m.values)
		near(t, "log det", f.LogDet(), want.LogDet(), 1e-12)
		diag := make([]float64, n)
		if err := f.InverseDiagTo(t.Context(), diag); err != nil {
			t.Fatal(err)
		}
		b, x := make([]float64, n), mat.NewVecDense(n, nil)
		for i := 0; i < n; i += 17 {
			clear(b)
			b[i] = 1
			if err := want.SolveVecTo(x, mat.NewVecDense(n, b)); err != nil {
				t.Fatal(err)
			}
			if err := f.SolveTo(b, b); err != nil {
				t.Fatal(err)
			}
			near(t, fmt.Sprintf("diagonal %d of the inverse", i), diag[i], x.AtVec(i), 1e-11)
			for j := range b {
				near(t, fmt.Sprintf("entry (%d, %d) of the inverse", j, i), b[j], x.AtVec(j), 1e-11)
			}
		}
	}
}
