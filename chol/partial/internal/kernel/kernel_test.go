package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// TestRows holds every level to the definitions, with guards around x.
func TestRows(t *testing.T) {
	for level := simd.Go; level <= simd.Best(); level++ {
		t.Run(level.String(), func(t *testing.T) {
			defer simd.SetLevel(simd.SetLevel(level))
			rng := rand.New(rand.NewPCG(1, 2))
			for n := range 19 {
				const m, guard = 23, 16
				x := make([]float64, guard+m*Lanes+guard)
				for i := range x {
					x[i] = rng.NormFloat64()
				}
				want := append([]float64(nil), x...)
				rows := rng.Perm(m)[:n]
				idx, u := make([]int32, n), make([]float64, n)
				for k, i := range rows {
					idx[k], u[k] = int32(i), rng.NormFloat64()
				}
				var v, sum, wantSum [Lanes]float64
				for q := range v {
					v[q], sum[q] = rng.NormFloat64(), rng.NormFloat64()
				}
				wantSum = sum
				for k, i := range rows {
					for q := range v {
						wantSum[q] += u[k] * x[guard+i*Lanes+q]
						want[guard+i*Lanes+q] += u[k] * v[q]
					}
				}
				Gather(idx, u, x[guard:], &sum)
				Scatter(idx, u, x[guard:], &v)
				for i := range x {
					if math.Abs(x[i]-want[i]) > 1e-14 {
						t.Fatalf("n=%d: x[%d] is %g, want %g", n, i, x[i], want[i])
					}
				}
				for q := range sum {
					if math.Abs(sum[q]-wantSum[q]) > 1e-13 {
						t.Fatalf("n=%d: sum[%d] is %g, want %g", n, q, sum[q], wantSum[q])
					}
				}
			}
		})
	}
}

func BenchmarkRows(b *testing.B) {
	const m = 10000
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, m*Lanes)
	for _, n := range []int{8, 64} {
		idx, u := make([]int32, n), make([]float64, n)
		for k := range idx {
			idx[k] = int32(rng.IntN(m))
		}
		var v [Lanes]float64
		b.Run(fmt.Sprintf("scatter/%d", n), func(b *testing.B) {
			for b.Loop() {
				Scatter(idx, u, x, &v)
			}
		})
		b.Run(fmt.Sprintf("gather/%d", n), func(b *testing.B) {
			for b.Loop() {
				Gather(idx, u, x, &v)
			}
		})
	}
}
