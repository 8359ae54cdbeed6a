package chol

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRandomMatrices draws graphs, weights, orders and thread counts and
// checks A x = b by multiplication, tr(A Z) = n, det by pivots, and that a
// scaled matrix gives scaled results.
func TestRandomMatrices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		var edges [][2]int
		for range rapid.IntRange(0, 4*n).Draw(t, "edges") {
			i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
			if i != j {
				edges = append(edges, [2]int{i, j})
			}
		}
		m := laplacian("random", n, edges, rapid.Float64Range(0.01, 3).Draw(t, "ridge"), rapid.Uint64().Draw(t, "seed"))
		opts := Options{Threads: rapid.IntRange(1, 4).Draw(t, "threads"), Ordering: Given}
		opts.Perm = natural(n)
		opts.Perm = rapid.Permutation(opts.Perm).Draw(t, "perm")
		if rapid.Bool().Draw(t, "auto") {
			opts.Ordering = Auto
		}
		tune := tuning{minTask: rapid.Float64Range(100, 1e6).Draw(t, "task"), bigWork: rapid.IntRange(1, 1<<20).Draw(t, "big"),
			layout: rapid.SampledFrom([]layoutKind{layoutAuto, layoutSupernodal, layoutSimplicial}).Draw(t, "layout")}
		s, err := analyze(t.Context(), m.p, opts, tune)
		if err != nil {
			t.Fatal(err)
		}
		if perm := s.Perm(); !isPermutation(perm) {
			t.Fatalf("Perm() = %v", perm)
		}
		f := s.NewFactor()
		if err := f.Refactorize(t.Context(), m.values); err != nil {
			t.Fatal(err)
		}
		b := randomVector(n, 1)
		x := slices.Clone(b)
		if err := f.SolveTo(x, x); err != nil {
			t.Fatal(err)
		}
		z := make([]float64, m.p.NNZ())
		if err := f.SelectedInverse(t.Context(), z); err != nil {
			t.Fatal(err)
		}
		ax, trace := make([]float64, n), 0.0
		for i := range n {
			for k := m.p.Ptr()[i]; k < m.p.Ptr()[i+1]; k++ {
				j := int(m.p.Idx()[k])
				ax[i] += m.values[k] * x[j]
				trace += m.values[k] * z[k]
				if i != j {
					ax[j] += m.values[k] * x[i]
					trace += m.values[k] * z[k]
				}
			}
		}
		for i := range n {
			if math.Abs(ax[i]-b[i]) > 1e-10*(1+math.Abs(b[i])) {
				t.Fatalf("(Ax)[%d] = %g, want %g", i, ax[i], b[i])
			}
		}
		if math.Abs(trace-float64(n)) > 1e-9*float64(n) {
			t.Fatalf("tr(AZ) = %g, want %d", trace, n)
		}
		half := slices.Clone(m.values)
		for k := range half {
			half[k] *= 0.25
		}
		before := f.LogDet()
		if err := f.Refactorize(t.Context(), half); err != nil {
			t.Fatal(err)
		}
		if d := before - f.LogDet() - float64(n)*math.Log(4); math.Abs(d) > 1e-9*(1+math.Abs(before)) {
			t.Fatalf("log det of A/4 is off by %g", d)
		}
	})
}

func isPermutation(p []int32) bool {
	q := slices.Clone(p)
	slices.Sort(q)
	for i, v := range q {
		if int(v) != i {
			return false
		}
	}
	return true
}
