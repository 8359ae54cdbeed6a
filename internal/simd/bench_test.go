package simd

import (
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
