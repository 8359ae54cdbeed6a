package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestSubGemm(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 8))
		for _, m := range []int{8, 16, 24, 32} {
			for n := range 21 {
				for k := range 12 {
					_, a := guarded(rng, m*k)
					rsb, csb := 1, k+rng.IntN(3)
					if n%2 == 0 {
						rsb, csb = n+rng.IntN(3), 1
					}
					_, b := guarded(rng, max(0, (k-1)*rsb+(n-1)*csb+1))
					all, c := guarded(rng, m*n)
					want := append([]float64(nil), c...)
					for j := range n {
						for p := range k {
							for i := range m {
								want[j*m+i] -= a[p*m+i] * b[p*rsb+j*csb]
							}
						}
					}
					if SubGemm(m, n, k, a, b, rsb, csb, c) {
						checkGuard(t, all)
						equal(t, fmt.Sprintf("%d×%d×%d", m, n, k), c, want, 1e-13)
					}
				}
			}
		}
	})
}

func TestAddRows(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 10))
		for _, nb := range []int{1, 3, 8, 12, 16, 24, 32} {
			for r := range 20 {
				m := r + 1 + rng.IntN(5)
				w := 1 + rng.IntN(m)
				rel, _ := randomRuns(rng, max(r, 1), m, 0.5)
				_, c := guarded(rng, len(rel)*nb)
				xAll, x := guarded(rng, w*nb)
				uAll, u := guarded(rng, (m-w)*nb)
				wantX, wantU := append([]float64(nil), x...), append([]float64(nil), u...)
				addRowsGo(nb, rel, c, wantX, w, wantU)
				AddRows(nb, rel, c, x, w, u)
				checkGuard(t, xAll)
				checkGuard(t, uAll)
				equal(t, "x", x, wantX, 0)
				equal(t, "u", u, wantU, 0)
			}
		}
	})
}

func TestInterleave(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 12))
		for _, n := range []int{1, 7, 8, 130, 300} {
			for nb := 1; nb <= 33; nb++ {
				var at []int32
				if nb%2 == 0 {
					for _, k := range rng.Perm(n) {
						at = append(at, int32(k))
					}
				}
				_, x := guarded(rng, n*nb)
				all, y := guarded(rng, n*nb)
				Interleave(y, x, n, nb, at, 0, n)
				checkGuard(t, all)
				for i := range n {
					k := i
					if at != nil {
						k = int(at[i])
					}
					for v := range nb {
						if y[k*nb+v] != x[v*n+i] {
							t.Fatalf("n %d nb %d: row %d vector %d", n, nb, i, v)
						}
					}
				}
				all, z := guarded(rng, n*nb)
				Separate(y, z, n, nb, at, 0, n)
				checkGuard(t, all)
				equal(t, "separated", z, x, 0)
			}
		}
	})
}
