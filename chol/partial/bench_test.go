package partial

import (
	"context"
	"fmt"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// BenchmarkAnalyze is the analysis of preferential-attachment graphs.
func BenchmarkAnalyze(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		for _, c := range []struct{ cmax, threads int }{{4, 1}, {16, 1}, {16, 2}} {
			b.Run(fmt.Sprintf("matrix=ba:%d:4/cmax=%d/threads=%d", n, c.cmax, c.threads), func(b *testing.B) {
				_, ptr, idx, _, err := matgen.Generate(fmt.Sprintf("ba:%d:4", n))
				if err != nil {
					b.Fatal(err)
				}
				p, err := sparse.NewPattern(n, n, ptr, idx)
				if err != nil {
					b.Fatal(err)
				}
				var s *Symbolic
				for b.Loop() {
					if s, err = Analyze(context.Background(), p, Options{Cmax: c.cmax, Threads: c.threads}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(s.CoreN()), "core-nodes")
				b.ReportMetric(float64(s.CoreNNZ()), "core-edges")
			})
		}
	}
}
