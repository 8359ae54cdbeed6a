package chol

import (
	"context"
	"math"
	"sync"
	"testing"
)

// tinyTasks makes every subtree a task and most fronts large, so that small
// matrices go through the parallel code.
var tinyTasks = tuning{minTask: 300, bigWork: 2000}

// results collects the bits of everything a factor computes.
func results(t *testing.T, m matrix, threads int, tune tuning) []float64 {
	t.Helper()
	s, err := analyze(t.Context(), m.p, Options{Threads: threads, Ordering: Auto}, tune)
	if err != nil {
		t.Fatal(err)
	}
	f := mustFactor(t, s, m.values)
	n := m.n()
	var all []float64
	all = append(all, f.LogDet())
	const nrhs = 33
	x := randomVector(n*nrhs, 7)
	if err := f.SolveManyTo(x, x, nrhs); err != nil {
		t.Fatal(err)
	}
	all = append(all, x...)
	z := make([]float64, m.p.NNZ())
	if err := f.SelectedInverse(t.Context(), z); err != nil {
		t.Fatal(err)
	}
	return append(append(all, z...), f.l...)
}

// TestSameBits runs every graph with 1, 2 and 7 threads.
func TestSameBits(t *testing.T) { eachLayout(t, testSameBits) }

func testSameBits(t *testing.T) {
	list := append(corpus(),
		laplacian("grid2d-big", 70*61, gridEdges(70, 61, 1), 0.1, 1),
		laplacian("grid3d-big", 12*13*14, gridEdges(12, 13, 14), 0.1, 2),
		laplacian("scalefree-big", 1200, scaleFreeEdges(1200, 3, 1), 0.1, 8),
		laplacian("dense-big", 420, denseEdges(420), 0.1, 11),
	)
	if defaultTuning.layout == layoutSimplicial {
		list = append(corpus(), laplacian("tree-big", 4000, append(randomTreeEdges(4000, 2), [2]int{0, 3999}, [2]int{7, 3000}), 0.1, 3))
	}
	for _, m := range list {
		t.Run(m.name, func(t *testing.T) {
			for _, tune := range []tuning{defaultTuning, {minTask: 300, bigWork: defaultTuning.bigWork, layout: defaultTuning.layout}, tinyTasks} {
				want := results(t, m, 1, tune)
				for _, threads := range []int{2, 7} {
					got := results(t, m, threads, tune)
					for k := range want {
						if math.Float64bits(got[k]) != math.Float64bits(want[k]) {
							t.Fatalf("%+v, %d threads: result %d is %g, want %g", tune, threads, k, got[k], want[k])
						}
					}
				}
			}
		})
	}
}

// TestTinyTasks checks the parallel paths against dense results.
func TestTinyTasks(t *testing.T) { eachLayout(t, testTinyTasks) }

func testTinyTasks(t *testing.T) {
	old := defaultTuning
	defaultTuning = tinyTasks
	defer func() { defaultTuning = old }()
	list := append(corpus(), laplacian("dense-big", 300, denseEdges(300), 0.1, 11))
	for _, m := range list {
		t.Run(m.name, func(t *testing.T) { compareDense(t, m, Options{Threads: 3}) })
	}
}

// TestConcurrentFactors shares one analysis among goroutines.
func TestConcurrentFactors(t *testing.T) { eachLayout(t, testConcurrentFactors) }

func testConcurrentFactors(t *testing.T) {
	m := laplacian("grid", 30*30, gridEdges(30, 30, 1), 0.1, 1)
	for _, threads := range []int{1, 3} {
		s, err := analyze(t.Context(), m.p, Options{Threads: threads}, tinyTasks)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for g := range 6 {
			wg.Go(func() {
				f := s.NewFactor()
				scale := float64(g + 1)
				values := make([]float64, len(m.values))
				for k, v := range m.values {
					values[k] = v * scale
				}
				z := make([]float64, len(values))
				for range 4 {
					if err := f.Refactorize(context.Background(), values); err != nil {
						t.Error(err)
						return
					}
					if err := f.SelectedInverse(context.Background(), z); err != nil {
						t.Error(err)
						return
					}
				}
				// Reads of one factor may run at the same time.
				var readers sync.WaitGroup
				for range 3 {
					readers.Go(func() {
						x := randomVector(m.n(), 3)
						if err := f.SolveTo(x, x); err != nil {
							t.Error(err)
						}
					})
				}
				readers.Wait()
				// tr(A Z) = n, off-diagonal entries counted twice.
				tr := 0.0
				for i := range m.n() {
					for k := m.p.Ptr()[i]; k < m.p.Ptr()[i+1]; k++ {
						w := 2.0
						if int(m.p.Idx()[k]) == i {
							w = 1
						}
						tr += w * values[k] * z[k]
					}
				}
				if math.Abs(tr-float64(m.n())) > 1e-8*float64(m.n()) {
					t.Errorf("tr(AZ) = %g, want %d", tr, m.n())
				}
			})
		}
		wg.Wait()
	}
}

// TestWithThreads: an analysis divided anew for other threads gives the bits of
// the first one.
func TestWithThreads(t *testing.T) { eachLayout(t, testWithThreads) }

func testWithThreads(t *testing.T) {
	for _, m := range corpus() {
		s, err := Analyze(t.Context(), m.p, Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if s.WithThreads(1) != s {
			t.Error("another analysis for the same number of threads")
		}
		want := make([]float64, m.p.NNZ())
		f := s.NewFactor()
		if err := f.Refactorize(t.Context(), m.values); err != nil {
			t.Fatal(err)
		}
		if err := f.SelectedInverse(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{2, 7} {
			u := s.WithThreads(threads)
			if u.Threads() != threads || u.NNZ() != s.NNZ() {
				t.Errorf("%s: %d threads, %d nonzeros", m.name, u.Threads(), u.NNZ())
			}
			got := make([]float64, len(want))
			g := u.NewFactor()
			if err := g.Refactorize(t.Context(), m.values); err != nil {
				t.Fatal(err)
			}
			if err := g.SelectedInverse(t.Context(), got); err != nil {
				t.Fatal(err)
			}
			for k := range want {
				if got[k] != want[k] {
					t.Fatalf("%s, %d threads: entry %d is %g, want %g", m.name, threads, k, got[k], want[k])
				}
			}
		}
	}
}
