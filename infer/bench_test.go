package infer

import (
	"fmt"
	"testing"
)

// BenchmarkEvaluate is one value and gradient, the parameters never twice the
// same so that the sites have some way to go; factorizations/op counts them.
func BenchmarkEvaluate(b *testing.B) {
	for _, v := range variants {
		for _, size := range []struct {
			n, M int
			own  bool
		}{{10, 1000, false}, {4, 100000, false}, {7, 1000, true}} {
			b.Run(fmt.Sprintf("approx=%s/N=%d/M=%d/own=%t", v.name, size.n, size.M, size.own), func(b *testing.B) {
				d := randomDataset(1, size.M, size.n, 3, 2, size.own)
				p := randomParams(1, 3, 2)
				ev, err := NewEvaluator(b.Context(), d, v.opts)
				if err != nil {
					b.Fatal(err)
				}
				grad := make([]float64, GradientLen(3, 2))
				if _, err := ev.Evaluate(b.Context(), p, grad); err != nil {
					b.Fatal(err)
				}
				before := ev.Factorizations()
				b.ReportAllocs()
				step := 1.05
				for b.Loop() {
					p.Alpha[0] *= step
					p.Beta[0] *= step
					if p.Alpha[0] > 2 || p.Alpha[0] < 0.05 {
						step = 1 / step
					}
					if _, err := ev.Evaluate(b.Context(), p, grad); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(ev.Factorizations()-before)/float64(b.N*size.M), "factorizations/instance")
			})
		}
	}
}

// BenchmarkFirstEvaluation includes the analysis of the data.
func BenchmarkFirstEvaluation(b *testing.B) {
	for _, size := range []struct {
		n, M int
		own  bool
	}{{10, 1000, false}, {4, 100000, false}, {4, 100000, true}} {
		b.Run(fmt.Sprintf("N=%d/M=%d/own=%t", size.n, size.M, size.own), func(b *testing.B) {
			d := randomDataset(1, size.M, size.n, 3, 2, size.own)
			p := randomParams(1, 3, 2)
			grad := make([]float64, GradientLen(3, 2))
			for b.Loop() {
				ev, err := NewEvaluator(b.Context(), d, variants[1].opts)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := ev.Evaluate(b.Context(), p, grad); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
