package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestColumns compares both solves by columns with loops over a dense L, for all
// ranges of columns and with a stop.
func TestColumns(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(17, 18))
		for _, nb := range []int{3, 8, 16, 24, 32, 40} {
			for _, n := range []int{1, 2, 5, 13} {
				for _, fill := range []float64{0, 0.3, 1} {
					checkColumnSolves(t, rng, nb, n, fill)
				}
			}
		}
	})
}

func checkColumnSolves(t *testing.T, rng *rand.Rand, nb, n int, fill float64) {
	ptr, rows := []int32{0}, []int32{}
	for k := range n {
		for i := k + 1; i < n; i++ {
			if rng.Float64() < fill {
				rows = append(rows, int32(i))
			}
		}
		ptr = append(ptr, int32(len(rows)))
	}
	_, l := guarded(rng, len(rows))
	_, d := guarded(rng, n)
	for i := range d {
		d[i] = 1 + d[i]*d[i]
	}
	yAll, y := guarded(rng, n*nb)
	for lo := range n + 1 {
		for hi := lo; hi <= n; hi++ {
			stop := lo + rng.IntN(n+2)
			name := fmt.Sprintf("nb %d, columns %d to %d of %d, stop %d", nb, lo, hi, n, stop)
			want := slices.Clone(y)
			for k := lo; k < hi; k++ {
				for p := ptr[k]; p < ptr[k+1]; p++ {
					if int(rows[p]) < stop {
						for v := range nb {
							want[int(rows[p])*nb+v] -= l[p] * want[k*nb+v]
						}
					}
				}
			}
			ColumnsForward(nb, lo, hi, stop, ptr, rows, l, y)
			checkGuard(t, yAll)
			equal(t, name+" forward", y, want, 1e-10)
			copy(want, y)
			for k := hi - 1; k >= lo; k-- {
				for v := range nb {
					want[k*nb+v] /= d[k]
					for p := ptr[k]; p < ptr[k+1]; p++ {
						want[k*nb+v] -= l[p] * want[int(rows[p])*nb+v]
					}
				}
			}
			ColumnsBackward(nb, lo, hi, ptr, rows, l, d, y)
			checkGuard(t, yAll)
			equal(t, name+" backward", y, want, 1e-10)
			for i := range y { // keep the size
				y[i] = rng.NormFloat64()
			}
		}
	}
	// One column alone has the bits of a range.
	for k := range n {
		want := slices.Clone(y)
		ColumnsForward(nb, k, k+1, n, ptr, rows, l, want)
		part := [2]int32{ptr[k], ptr[k+1]}
		ColumnForward(nb, k, &part, rows, l, y)
		if !slices.Equal(y, want) {
			t.Fatalf("nb %d, column %d alone differs", nb, k)
		}
	}
}
