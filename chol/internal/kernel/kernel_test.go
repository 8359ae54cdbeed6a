package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// levels runs fn at every instruction set of this machine.
func levels(t *testing.T, fn func(t *testing.T)) {
	for l := simd.Go; l <= simd.Best(); l++ {
		t.Run(l.String(), func(t *testing.T) {
			defer simd.SetLevel(simd.SetLevel(l))
			fn(t)
		})
	}
}

const guard = 12345.5

// guarded returns n random numbers inside a slice whose other entries must
// not change.
func guarded(rng *rand.Rand, n int) (all, in []float64) {
	all = make([]float64, n+32)
	for i := range all {
		all[i] = guard
	}
	in = all[16 : 16+n : 16+n]
	for i := range in {
		in[i] = rng.NormFloat64()
	}
	return all, in
}

func checkGuard(t *testing.T, all []float64) {
	t.Helper()
	for i := range 16 {
		if all[i] != guard || all[len(all)-1-i] != guard {
			t.Fatal("wrote outside its argument")
		}
	}
}

// randomRuns maps r child rows into m ≥ r parent rows.
func randomRuns(rng *rand.Rand, r, m int, stick float64) (rel []int32, runs []Run) {
	at := rng.IntN(m - r + 1)
	slack := m - r - at
	for k := range r {
		if k > 0 && slack > 0 && rng.Float64() > stick {
			skip := 1 + rng.IntN(slack)
			at += skip
			slack -= skip
		}
		if k == 0 || int(rel[k-1])+1 != at {
			runs = append(runs, Run{int32(k), int32(at)})
		}
		rel = append(rel, int32(at))
		at++
	}
	return rel, append(runs, Run{Src: int32(r)})
}

func TestRuns(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 3000 {
			r := 1 + rng.IntN(40)
			m := r + rng.IntN(30)
			w := 1 + rng.IntN(m)
			rel, runs := randomRuns(rng, r, m, rng.Float64())
			ldc, ldp, ldu := r+rng.IntN(3), m+rng.IntN(3), m-w+rng.IntN(3)
			_, c := guarded(rng, ldc*(r-1)+r)
			pAll, p := guarded(rng, ldp*(w-1)+m)
			uAll, u := guarded(rng, max(0, ldu*(m-w-1)+m-w))
			from := rng.IntN(r)
			to := from + rng.IntN(r-from+1)
			wantP, wantU := append([]float64(nil), p...), append([]float64(nil), u...)
			for j := from; j < to; j++ {
				for i := j; i < r; i++ {
					if d := int(rel[j]); d < w {
						wantP[d*ldp+int(rel[i])] += c[j*ldc+i]
					} else {
						wantU[(d-w)*ldu+int(rel[i])-w] += c[j*ldc+i]
					}
				}
			}
			AddRuns(from, to, r, c, ldc, rel, runs, p, ldp, w, u, ldu)
			checkGuard(t, pAll)
			checkGuard(t, uAll)
			equal(t, "panel", p, wantP, 0)
			equal(t, "update", u, wantU, 0)

			_, f := guarded(rng, m*m)
			cAll, c := guarded(rng, ldc*(r-1)+r)
			want := append([]float64(nil), c...)
			for j := from; j < to; j++ {
				for i := j; i < r; i++ {
					want[j*ldc+i] = f[int(rel[j])*m+int(rel[i])]
				}
			}
			CopyRuns(from, to, r, c, ldc, rel, runs, f, m)
			checkGuard(t, cAll)
			equal(t, "copy", c, want, 0)
		}
	})
}

func equal(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*(1+math.Abs(want[i]))) {
			t.Fatalf("%s[%d] = %g, want %g", what, i, got[i], want[i])
		}
	}
}

func TestEntries(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for n := range 70 {
			whole := make([]Entry, Ahead+n+Ahead)
			list := whole[Ahead:]
			perm := rng.Perm(2 * n)
			for k := range n {
				list[k] = Entry{int32(perm[k]), int32(rng.IntN(2*n)/2*2 + k%2)}
			}
			seen := map[int32]bool{}
			for k := range n {
				for seen[list[k].Dst] {
					list[k].Dst = (list[k].Dst + 1) % int32(2*n)
				}
				seen[list[k].Dst] = true
			}
			_, values := guarded(rng, 2*n)
			all, panel := guarded(rng, 2*n)
			want := append([]float64(nil), panel...)
			for _, e := range list[:n] {
				want[e.Dst] = values[e.Src]
			}
			Scatter(list[:n], values, panel)
			checkGuard(t, all)
			equal(t, "panel", panel, want, 0)
			back := append([]float64(nil), values...)
			for _, e := range list[:n] {
				values[e.Src] = 0
			}
			Collect(whole, Ahead, Ahead+n, values, panel)
			equal(t, "values", values, back, 0)
		}
	})
}
