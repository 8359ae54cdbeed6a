package chol

import (
	"fmt"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// TestSolveMany compares any number of right-hand sides with one at a time, at
// every instruction set, in place or not.
func TestSolveMany(t *testing.T) { eachLayout(t, testSolveMany) }

func testSolveMany(t *testing.T) {
	list := []matrix{
		laplacian("grid", 23*17, gridEdges(23, 17, 1), 0.1, 1),
		laplacian("scalefree", 300, scaleFreeEdges(300, 3, 1), 0.1, 8),
		laplacian("dense", 130, denseEdges(130), 0.1, 11),
	}
	if defaultTuning.layout == layoutSimplicial {
		list = list[:2]
	}
	for level := simd.Go; level <= simd.Best(); level++ {
		for _, m := range list {
			t.Run(fmt.Sprintf("%v/%s", level, m.name), func(t *testing.T) {
				defer simd.SetLevel(simd.SetLevel(level))
				s, err := analyze(t.Context(), m.p, Options{Threads: 2}, tinyTasks)
				if err != nil {
					t.Fatal(err)
				}
				f := mustFactor(t, s, m.values)
				n := m.n()
				const most = 70
				b, want := randomVector(n*most, 5), make([]float64, n*most)
				for k := range most {
					if err := f.SolveTo(want[k*n:(k+1)*n], b[k*n:(k+1)*n]); err != nil {
						t.Fatal(err)
					}
				}
				for _, nrhs := range []int{1, 2, 3, 5, 7, 8, 9, 12, 16, 17, 23, 24, 31, 32, 33, 40, 57, most} {
					x := make([]float64, n*nrhs)
					if err := f.SolveManyTo(x, b[:n*nrhs], nrhs); err != nil {
						t.Fatal(err)
					}
					in := append([]float64(nil), b[:n*nrhs]...)
					if err := f.SolveManyTo(in, in, nrhs); err != nil {
						t.Fatal(err)
					}
					for i := range x {
						near(t, fmt.Sprintf("%d right-hand sides, entry %d", nrhs, i), x[i], want[i], 1e-11)
						if in[i] != x[i] {
							t.Fatalf("%d right-hand sides: entry %d differs in place: %g, %g", nrhs, i, in[i], x[i])
						}
					}
				}
			})
		}
	}
}
