package kernel

import (
	"math/rand/v2"
	"testing"
)

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

func TestPermute(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(13, 14))
		for _, n := range []int{0, 1, 7, 127, 128, 129, 135, 136, 137, 144, 300, 1001} {
			_, src := guarded(rng, n+3)
			all, dst := guarded(rng, n)
			at := make([]int32, n)
			want := make([]float64, n)
			for k, i := range rng.Perm(n) {
				at[k] = int32(i) + 3
				want[k] = src[at[k]]
			}
			Permute(dst, src, at)
			checkGuard(t, all)
			equal(t, "permuted", dst, want, 0)
		}
	})
}

func TestInterleave(t *testing.T) {
	size := streamSize
	defer func() { streamSize = size }()
	levels(t, func(t *testing.T) {
		for _, streamSize = range []int{size, 0} {
			testInterleave(t)
		}
	})
}

// lined returns n numbers that begin at a cache line.
func lined(n int) []float64 {
	s := make([]float64, n+8)
	for !aligned(&s[0]) {
		s = s[1:]
	}
	return s[:n]
}

func testInterleave(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{1, 7, 8, 130, 300, 304} {
		for nb := 1; nb <= 33; nb++ {
			var at []int32
			if nb%2 == 0 {
				for _, k := range rng.Perm(n) {
					at = append(at, int32(k))
				}
			}
			x := lined(n * nb)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			stride := nb
			if nb%3 == 0 {
				stride += rng.IntN(3)
			}
			y := lined(n*stride + 1)
			y[n*stride] = guard
			Interleave(y, x, n, nb, stride, at, 0, n)
			if y[n*stride] != guard {
				t.Fatal("wrote too far")
			}
			for i := range n {
				k := i
				if at != nil {
					k = int(at[i])
				}
				for v := range stride {
					want := 0.0
					if v < nb {
						want = x[v*n+i]
					}
					if y[k*stride+v] != want {
						t.Fatalf("n %d nb %d: row %d vector %d", n, nb, i, v)
					}
				}
			}
			z := lined(n*nb + 1)
			z[n*nb] = guard
			Separate(y, z, n, nb, stride, at, 0, n)
			if z[n*nb] != guard {
				t.Fatal("wrote too far")
			}
			equal(t, "separated", z, x, 0)
		}
	}
}
