package chol

import (
	"context"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
)

var specs = []string{"rgg:200000:8", "grid2d:300", "ba:20000:2", "grid3d:20"}

func benchmarkEach(b *testing.B, run func(b *testing.B, s *Symbolic, f *Factor, values []float64)) {
	for _, spec := range specs {
		n, ptr, idx, values, err := matgen.Generate(spec)
		if err != nil {
			b.Fatal(err)
		}
		p, err := sparse.NewPattern(n, n, ptr, idx)
		if err != nil {
			b.Fatal(err)
		}
		for _, threads := range []int{1, 2} {
			b.Run("matrix="+spec+"/threads="+string(rune('0'+threads)), func(b *testing.B) {
				s, err := Analyze(context.Background(), p, Options{Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
				f := mustFactorB(b, s, values)
				b.ReportAllocs()
				b.ResetTimer()
				run(b, s, f, values)
			})
		}
	}
}

func mustFactorB(b *testing.B, s *Symbolic, values []float64) *Factor {
	f := s.NewFactor()
	if err := f.Refactorize(context.Background(), values); err != nil {
		b.Fatal(err)
	}
	return f
}

func rate(b *testing.B, flops float64) {
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}

func BenchmarkRefactorize(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, s *Symbolic, f *Factor, values []float64) {
		for b.Loop() {
			if err := f.Refactorize(context.Background(), values); err != nil {
				b.Fatal(err)
			}
		}
		rate(b, s.Flops())
	})
}

func BenchmarkSelectedInverse(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, s *Symbolic, f *Factor, values []float64) {
		z := make([]float64, len(values))
		for b.Loop() {
			if err := f.SelectedInverse(context.Background(), z); err != nil {
				b.Fatal(err)
			}
		}
		rate(b, s.Forecast().InverseFlops)
	})
}

func BenchmarkSolve(b *testing.B) {
	for _, nrhs := range []int{1, 32} {
		b.Run("nrhs="+map[int]string{1: "1", 32: "32"}[nrhs], func(b *testing.B) {
			benchmarkEach(b, func(b *testing.B, s *Symbolic, f *Factor, _ []float64) {
				x := make([]float64, nrhs*s.N())
				for i := range x {
					x[i] = float64(i%7) - 3
				}
				for b.Loop() {
					if err := f.SolveManyTo(x, x, nrhs); err != nil {
						b.Fatal(err)
					}
				}
				rate(b, 4*float64(s.NNZ())*float64(nrhs))
			})
		})
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for _, spec := range specs {
		n, ptr, idx, _, err := matgen.Generate(spec)
		if err != nil {
			b.Fatal(err)
		}
		p, err := sparse.NewPattern(n, n, ptr, idx)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("matrix="+spec, func(b *testing.B) {
			for b.Loop() {
				if _, err := Analyze(context.Background(), p, Options{Ordering: AMD}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
