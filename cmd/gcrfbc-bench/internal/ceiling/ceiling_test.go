package ceiling

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// TestKernels compares every level with the definitions.
func TestKernels(t *testing.T) {
	for level := simd.Go; level <= simd.Best(); level++ {
		old := simd.SetLevel(level)
		for _, n := range []int{1, 2, 7} {
			want, got := []float64{.9, .3, 0}, []float64{.9, .3, 0}
			multiplyAddGo(n, want)
			chains := multiplyAdd(n, got)
			lanes := [...]int{simd.Go: 1, simd.AVX2: 4, simd.AVX512: 8}[level] // the sum is of one element of each vector
			if w := want[2] / goChains * float64(chains/lanes); math.Abs(got[2]-w) > 1e-12*w {
				t.Errorf("%v: %d rounds end in %g, want %g", level, n, got[2], w)
			}
		}
		for _, n := range []int{0, 64, 128, 192, 1024} {
			a, b, c, want := make([]float64, n+1), make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range n {
				b[i], c[i] = float64(i), float64(3*i+1)
			}
			a[n] = 42
			triadGo(.5, want, b, c)
			triad(.5, a[:n], b, c)
			for i, w := range want {
				if a[i] != w {
					t.Fatalf("%v: element %d of %d is %g, want %g", level, i, n, a[i], w)
				}
			}
			if a[n] != 42 {
				t.Errorf("%v: wrote beyond the end", level)
			}
		}
		simd.SetLevel(old)
	}
}

func TestRates(t *testing.T) {
	ctx := context.Background()
	for _, threads := range []int{1, 3} {
		for _, v := range append(FMA(ctx, threads, 2, time.Millisecond), Triad(ctx, threads, 2, 1<<16, time.Millisecond)...) {
			if !(v > 1e-3 && v < 1e6) {
				t.Errorf("%d threads: rate %g", threads, v)
			}
		}
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if got := FMA(canceled, 1, 3, time.Hour); len(got) != 0 {
		t.Errorf("%d runs after cancellation", len(got))
	}
}

func TestSideCounts(t *testing.T) {
	var n [3]int
	calls, seconds := Side(context.Background(), 3, 0, func(w int) { n[w]++ })
	if calls != 3 || n != [3]int{1, 1, 1} || seconds <= 0 {
		t.Errorf("%d calls, %v, %g s", calls, n, seconds)
	}
}

func BenchmarkFMA(b *testing.B) {
	c := []float64{.5, .5, 0}
	chains := 0
	for b.Loop() {
		chains = multiplyAdd(1000, c)
	}
	b.ReportMetric(float64(b.N)*8000*float64(chains)/b.Elapsed().Seconds()/1e9, "GF/s")
}
