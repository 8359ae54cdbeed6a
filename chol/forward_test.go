package chol

import (
	"math"
	"testing"
)

// TestForward: a factor that keeps the forward part of its inverse gives the same
// bits, on any number of threads, and so does its copy.
func TestForward(t *testing.T) { eachLayout(t, testForward) }

func testForward(t *testing.T) {
	list := append(corpus(), laplacian("grid3d-big", 12*13*14, gridEdges(12, 13, 14), 0.1, 2))
	for _, m := range list {
		t.Run(m.name, func(t *testing.T) {
			for _, tune := range []tuning{defaultTuning, tinyTasks} {
				tune.layout = defaultTuning.layout
				for _, threads := range []int{1, 3} {
					s, err := analyze(t.Context(), m.p, Options{Threads: threads}, tune)
					if err != nil {
						t.Fatal(err)
					}
					want, got := make([]float64, m.p.NNZ()), make([]float64, m.p.NNZ())
					if err := mustFactor(t, s, m.values).SelectedInverse(t.Context(), want); err != nil {
						t.Fatal(err)
					}
					f := s.NewFactorForInverse()
					if n := int64(len(f.forward)); 8*n != s.Forecast().ForwardBytes {
						t.Fatalf("%d elements kept, forecast %d bytes", n, s.Forecast().ForwardBytes)
					}
					if err := f.Refactorize(t.Context(), scaled(m.values, 3)); err != nil {
						t.Fatal(err)
					}
					old := f.Clone()
					if err := f.Refactorize(t.Context(), m.values); err != nil {
						t.Fatal(err)
					}
					for what, f := range map[string]*Factor{"factor": f, "copy": f.Clone()} {
						clear(got)
						if err := f.SelectedInverse(t.Context(), got); err != nil {
							t.Fatal(err)
						}
						for k := range want {
							if math.Float64bits(got[k]) != math.Float64bits(want[k]) {
								t.Fatalf("%s, %d threads, entry %d: %g, want %g", what, threads, k, got[k], want[k])
							}
						}
					}
					if err := old.SelectedInverse(t.Context(), got); err != nil {
						t.Fatal(err)
					}
					for k := range want {
						near(t, "copy of an earlier factorization", 3*got[k], want[k], 1e-10*math.Abs(want[k])+1e-14)
					}
				}
			}
		})
	}
}

func scaled(v []float64, by float64) []float64 {
	out := make([]float64, len(v))
	for k, x := range v {
		out[k] = by * x
	}
	return out
}

// TestForwardAllocations: nothing is allocated once warm.
func TestForwardAllocations(t *testing.T) {
	m := laplacian("grid", 40*40, gridEdges(40, 40, 1), 0.1, 1)
	s := mustAnalyze(t, m.p, Options{Threads: 1})
	f := s.NewFactorForInverse()
	z := make([]float64, m.p.NNZ())
	step := func() {
		if f.Refactorize(t.Context(), m.values) != nil || f.SelectedInverse(t.Context(), z) != nil {
			t.Fatal("failed")
		}
	}
	step()
	if n := testing.AllocsPerRun(5, step); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
