package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func benchLevels(b *testing.B, f func(b *testing.B)) {
	for l := Go; l <= best; l++ {
		b.Run("level="+l.String(), func(b *testing.B) {
			defer SetLevel(SetLevel(l))
			f(b)
		})
	}
}

// BenchmarkTile is the rate of one tile within the first-level cache: about 97 %
// of the processor's peak at the clock of the moment, the ceiling of all else.
func BenchmarkTile(b *testing.B) {
	benchLevels(b, func(b *testing.B) {
		const k = 128
		m, n := MR(), NR()
		x, y, c := make([]float64, m*k), make([]float64, n*k), make([]float64, m*n)
		for b.Loop() {
			GemmBlock(m, n, k, 1, &x[0], m, m*k, &y[0], n, 1, n*k, &c[0], m, 0)
		}
		b.ReportMetric(2*float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
	})
}

func BenchmarkElementary(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 1000), make([]float64, 1000)
	for i := range x {
		x[i] = 10 * (2*rnd.Float64() - 1)
	}
	benchLevels(b, func(b *testing.B) {
		for _, f := range []struct {
			name string
			run  func(dst, x []float64)
		}{{"exp", Exp}, {"logistic", Logistic}, {"log1pExp", Log1pExp}} {
			b.Run("f="+f.name, func(b *testing.B) {
				for b.Loop() {
					f.run(y, x)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(len(x)), "ns/elem")
			})
		}
	})
}

func BenchmarkScatterAddLower(b *testing.B) {
	benchLevels(b, func(b *testing.B) {
		for _, run := range []int{2, 8, 40} {
			b.Run(fmt.Sprintf("m=40/run=%d", run), func(b *testing.B) {
				const m, ld = 40, 100
				rel := make([]int32, m)
				for i := range rel {
					rel[i] = int32(i + i/run)
				}
				u, f := make([]float64, m*m), make([]float64, ld*ld)
				for b.Loop() {
					ScatterAddLower(0, m, u, m, rel, 0, f, ld)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/(m*(m+1)/2), "ns/elem")
			})
		}
	})
}

func BenchmarkSolve(b *testing.B) {
	benchLevels(b, func(b *testing.B) {
		for _, s := range [][2]int{{4, 12}, {16, 48}, {64, 128}, {256, 512}} {
			w, m := s[0], s[0]+s[1]
			l, x := make([]float64, m*w), make([]float64, m)
			for j := range w {
				l[j+j*m] = 1
			}
			b.Run(fmt.Sprintf("w=%d/r=%d", w, s[1]), func(b *testing.B) {
				for b.Loop() {
					SolveForward(m, w, &l[0], m, &x[0])
					SolveBackward(m, w, &l[0], m, &x[0])
				}
				b.ReportMetric(16*float64(w)*(float64(m)-float64(w)/2)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GB/s")
			})
		}
	})
}
