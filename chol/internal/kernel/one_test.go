package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// roomy returns a copy of s that goes on for Ahead.
func roomy[T any](s []T, fill T) []T {
	c := append(make([]T, 0, len(s)+Ahead), s...)
	for range Ahead {
		c = append(c, fill)
	}
	return c[:len(s)]
}

func TestPanelSolve(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		for w := range 27 {
			for r := range 37 {
				nr := w + r
				a, lda := randomPanel(rng, w, r)
				a = roomy(a, nan)
				all, v := guarded(rng, Pad(nr))
				xAll, x := guarded(rng, w)
				wantV, wantX := slices.Clone(v), slices.Clone(x)
				panelSolveGo(w, nr, a, lda, wantV, wantX)
				PanelSolve(w, nr, a, lda, v, x)
				checkGuard(t, all)
				checkGuard(t, xAll)
				name := fmt.Sprintf("%d+%d ", w, r)
				equal(t, name+"x", x, wantX, 1e-11)
				equal(t, name+"below", v[w:nr], wantV[w:nr], 1e-11)
			}
		}
	})
}

func TestPanelSolveT(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for w := range 27 {
			for r := range 37 {
				a, lda := randomPanel(rng, w, r)
				y := make([]float64, 50)
				for i := range y {
					y[i] = rng.NormFloat64()
				}
				rows := make([]int32, r)
				for i, k := range rng.Perm(len(y))[:r] {
					rows[i] = int32(k)
				}
				rows = roomy(rows, 3)
				all, x := guarded(rng, w)
				tAll, v := guarded(rng, Pad(r))
				want := slices.Clone(x)
				panelSolveTGo(w, a, lda, want, rows, y)
				PanelSolveT(w, a, lda, x, rows, y, v)
				checkGuard(t, all)
				checkGuard(t, tAll)
				equal(t, fmt.Sprintf("%d+%d", w, r), x, want, 1e-11)
			}
		}
	})
}
