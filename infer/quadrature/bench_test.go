package quadrature

import (
	"fmt"
	"testing"
)

var sink float64

func benchmark(b *testing.B, f func(mu, v float64) float64) {
	for _, c := range [][2]float64{{-0.7, 0.01}, {-0.7, 1}, {2, 1}, {-5, 3}, {-40, 3}, {-0.7, 10}, {2, 30}, {-0.7, 90}, {-40, 150}, {-5, 1e3}, {2, 1e6}} {
		b.Run(fmt.Sprintf("mu=%v/v=%v", c[0], c[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink += f(c[0], c[1])
			}
		})
	}
}

func BenchmarkMoments(b *testing.B) {
	benchmark(b, func(mu, v float64) float64 { return Moments(mu, v, 1).LogZ })
}

func BenchmarkLogisticNormal(b *testing.B) {
	benchmark(b, func(mu, v float64) float64 { p, _ := LogisticNormal(mu, v); return p })
}

func BenchmarkFast(b *testing.B) { benchmark(b, Fast) }

func BenchmarkPaperRule(b *testing.B) {
	benchmark(b, func(mu, v float64) float64 { p, _ := PaperRule(mu, v); return p })
}

// BenchmarkTo runs over a field as inference meets it: all methods mixed.
func BenchmarkTo(b *testing.B) {
	const n = 1 << 14
	mu, v, p := make([]float64, n), make([]float64, n), make([]float64, n)
	state := uint64(1)
	uniform := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>11) * 0x1p-53
	}
	for i := range mu {
		mu[i] = 12*uniform() - 6
		v[i] = 0.05 + 15*uniform()*uniform()
	}
	for _, c := range []struct {
		name string
		f    func() error
	}{
		{"LogisticNormalTo", func() error { return LogisticNormalTo(p, nil, mu, v) }},
		{"FastTo", func() error { return FastTo(p, mu, v) }},
	} {
		b.Run("func="+c.name, func(b *testing.B) {
			for b.Loop() {
				if err := c.f(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
		})
	}
}
