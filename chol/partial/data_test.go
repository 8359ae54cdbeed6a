package partial

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// graphMatrix is beta times the Laplacian of a graph plus a ridge, and on every
// other node tau besides.
func graphMatrix(t testing.TB, path string, beta, ridge, tau float64) *problem {
	g, err := sparse.ReadGraphFile(path, sparse.ReadOptions{})
	if err != nil {
		t.Skip(err)
	}
	return laplacianProblem(t, g, beta, ridge, tau)
}

func laplacianProblem(t testing.TB, g *sparse.Graph, beta, ridge, tau float64) *problem {
	f, err := sparse.NewFamily(g.N(), sparse.Laplacian(g))
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{pattern: f.Pattern(), ridge: make([]float64, g.N())}
	p.values = make([]float64, p.pattern.NNZ())
	f.AssembleTo(p.values, []float64{beta})
	for i := range p.ridge {
		p.ridge[i] = ridge
		if i%2 == 0 {
			p.ridge[i] += tau
		}
		p.values[p.pattern.Ptr()[i+1]-1] += p.ridge[i]
	}
	return p
}

// dataFolder is where GCRFBC_DATA has the real graphs.
func dataFolder(t testing.TB) string {
	folder := os.Getenv("GCRFBC_DATA")
	if folder == "" {
		t.Skip("GCRFBC_DATA names no folder of graphs")
	}
	return folder
}

// TestDataAccuracy compares the diagonal of the inverse with the exact one.
func TestDataAccuracy(t *testing.T) {
	ctx := context.Background()
	folder := dataFolder(t)
	for _, c := range []struct {
		file        string
		ridge, rms  float64
		exactFactor bool
	}{
		{"github/graph.mtx.gz", 0.01, 0.0005, true},
		{"tolokers/graph.mtx.gz", 0.0013, 0.002, true},
		{"twitch_de/graph.mtx.gz", 0.01, 0.002, true},
		{"graphs/soc_epinions.mtx.gz", 0.01, 0.001, true},
	} {
		t.Run(c.file, func(t *testing.T) {
			p := graphMatrix(t, filepath.Join(folder, c.file), 1, c.ridge, 0.2)
			begin := time.Now()
			s, err := Analyze(ctx, p.pattern, Options{})
			if err != nil {
				t.Fatal(err)
			}
			analyzed := time.Now()
			f := s.NewFactor()
			if err := f.RefactorizeGraph(ctx, p.ridge, p.values); err != nil {
				t.Fatal(err)
			}
			factored := time.Now()
			diag := make([]float64, p.n())
			if err := f.InverseDiagTo(ctx, diag); err != nil {
				t.Fatal(err)
			}
			inverted := time.Now()
			e, err := chol.Analyze(ctx, p.pattern, chol.Options{})
			if err != nil {
				t.Fatal(err)
			}
			exact := e.NewFactor()
			if err := exact.Refactorize(ctx, p.values); err != nil {
				t.Fatal(err)
			}
			want := make([]float64, p.n())
			if err := exact.InverseDiagTo(ctx, want); err != nil {
				t.Fatal(err)
			}
			sum, worst := 0.0, 0.0
			for i, v := range diag {
				r := v/want[i] - 1
				sum += r * r
				worst = math.Max(worst, math.Abs(r))
			}
			rms := math.Sqrt(sum / float64(p.n()))
			ld, err := f.LogDet(ctx)
			if err != nil {
				t.Fatal(err)
			}
			q, err := f.Quality(ctx, 8)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("n %d core %d with %d edges; analysis %.3f s, factor %.3f s, inverse %.3f s; rms %.2g worst %.2g quality %.2g; log-determinant off by %.3f ± %.3f; forecast %d MB",
				p.n(), s.CoreN(), s.CoreNNZ(), analyzed.Sub(begin).Seconds(), factored.Sub(analyzed).Seconds(), inverted.Sub(factored).Seconds(),
				rms, worst, q, ld.Value-exact.LogDet(), ld.StdErr, (s.Forecast().Bytes+s.Forecast().Structure)>>20)
			if rms > c.rms {
				t.Errorf("the diagonal is off by %.2g, want %.2g at most", rms, c.rms)
			}
		})
	}
}

// BenchmarkSolve solves to 1e-8 at β/α = 1e5, eight right-hand sides a thread.
func BenchmarkSolve(b *testing.B) {
	ctx := context.Background()
	folder := dataFolder(b)
	for _, file := range []string{"github/graph.mtx.gz", "graphs/soc_epinions.mtx.gz", "graphs/web_notredame.mtx.gz"} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("graph=%s/threads=%d", file, threads), func(b *testing.B) {
				p := graphMatrix(b, filepath.Join(folder, file), 2, 2e-5, 0)
				f := p.factor(b, Options{Threads: threads})
				k := 8 * threads
				rhs, x := make([]float64, k*p.n()), make([]float64, k*p.n())
				matgen.RightHandSides(rhs)
				var stats SolveStats
				if _, err := f.SolveManyTo(ctx, x, rhs, k, 1e-8, false); err != nil { // decides on the preconditioner
					b.Fatal(err)
				}
				for b.Loop() {
					var err error
					if stats, err = f.SolveManyTo(ctx, x, rhs, k, 1e-8, false); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N*k), "ms/rhs")
				b.ReportMetric(float64(stats.Iterations), "iterations")
			})
		}
	}
}
