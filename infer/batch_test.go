package infer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// batchShapes are data sets whose instances go in blocks, wholly or in part.
var batchShapes = []struct {
	M, n, K, L int
	own, both  bool // graphs of the instances' own; besides shared ones
}{
	{4, 1, 1, 0, false, false}, {8, 6, 2, 2, false, false}, {21, 14, 3, 4, false, false}, {40, 3, 1, 2, true, false},
	{61, 9, 2, 1, true, false}, {17, 7, 2, 2, true, true}, {9, 40, 1, 1, false, false}, {12, 46, 2, 1, true, false},
}

// batchData is randomDataset with unlabelled instances among the others, and
// shared besides own graphs on demand.
func batchData(seed uint64, s int) (*gcrfbc.Dataset, gcrfbc.Params) {
	sh := batchShapes[s]
	d := randomDataset(seed, sh.M, sh.n, sh.K, sh.L, sh.own && !sh.both)
	L := sh.L
	if sh.both {
		rng := rand.New(rand.NewPCG(seed, 9))
		for j := range d.Instances {
			d.Instances[j].Graphs = append(d.Instances[j].Graphs, randomGraph(rng, sh.n, 0.3))
		}
		L++
	}
	for i := range d.Instances[2].Labels {
		d.Instances[2].Labels[i] = gcrfbc.Missing
	}
	return d, randomParams(seed, sh.K, L)
}

// batchVariants are the objectives that go in blocks.
var batchVariants = []struct {
	name string
	opts Options
}{
	{"jj", Options{Approx: gcrfbc.JJ}},
	{"ep", Options{Approx: gcrfbc.EP}},
}

func newEvaluators(t *testing.T, d *gcrfbc.Dataset, opts Options) (lanes, scalar *Evaluator) {
	t.Helper()
	lanes, err := NewEvaluator(t.Context(), d, opts)
	if err != nil {
		t.Fatal(err)
	}
	if lanes.batch == nil {
		t.Fatal("nothing in blocks")
	}
	opts.scalar = true
	if scalar, err = NewEvaluator(t.Context(), d, opts); err != nil {
		t.Fatal(err)
	}
	return lanes, scalar
}

// TestBatchAgrees compares values, gradients and reports with those of one
// instance at a time, cold and warm, at every instruction set.
func TestBatchAgrees(t *testing.T) {
	for l := simd.Go; l <= simd.Best(); l++ {
		for _, v := range batchVariants {
			for s := range batchShapes {
				t.Run(fmt.Sprintf("level=%v/%s/shape=%d", l, v.name, s), func(t *testing.T) {
					defer simd.SetLevel(simd.SetLevel(l))
					d, p := batchData(uint64(s), s)
					opts := v.opts
					opts.SiteTol = 1e-11
					lanes, scalar := newEvaluators(t, d, opts)
					grad := make([]float64, GradientLen(d.K, d.NumGraphs()))
					want := make([]float64, len(grad))
					for step := range 3 {
						p.Alpha[0] *= float64(1 + step)
						a, err := lanes.Evaluate(t.Context(), p, grad)
						if err != nil {
							t.Fatal(err)
						}
						b, err := scalar.Evaluate(t.Context(), p, want)
						if err != nil {
							t.Fatal(err)
						}
						if math.Abs(a-b) > 1e-12*(1+math.Abs(b)) {
							t.Errorf("step %d: value %.17g, one at a time %.17g", step, a, b)
						}
						for k := range grad {
							if math.Abs(grad[k]-want[k]) > 1e-9*(1+math.Abs(want[k])) {
								t.Errorf("step %d: gradient[%d] %v, one at a time %v", step, k, grad[k], want[k])
							}
						}
						x, y := lanes.Sites(), scalar.Sites()
						x.Sweeps, y.Sweeps = 0, 0
						if x != y {
							t.Errorf("step %d: report %+v, one at a time %+v", step, x, y)
						}
						if noGrad, err := lanes.Evaluate(t.Context(), p, nil); err != nil || math.Abs(noGrad-a) > 1e-13*(1+math.Abs(a)) {
							t.Errorf("step %d: without gradient %v (%v), with %v", step, noGrad, err, a)
						}
					}
				})
			}
		}
	}
}

// TestBatchThreads: the same bits for any number of threads.
func TestBatchThreads(t *testing.T) {
	for _, v := range batchVariants {
		for s := range batchShapes {
			d, p := batchData(uint64(s), s)
			var first []float64
			for _, threads := range []int{1, 2, 5} {
				opts := v.opts
				opts.Threads = threads
				ev, err := NewEvaluator(t.Context(), d, opts)
				if err != nil {
					t.Fatal(err)
				}
				got := make([]float64, 1+GradientLen(d.K, d.NumGraphs()))
				for range 2 {
					if got[0], err = ev.Evaluate(t.Context(), p, got[1:]); err != nil {
						t.Fatal(err)
					}
				}
				if first == nil {
					first = got
				}
				for k := range got {
					if got[k] != first[k] {
						t.Fatalf("%s, shape %d, %d threads: component %d is %v, with one %v", v.name, s, threads, k, got[k], first[k])
					}
				}
			}
		}
	}
}

// TestBatchNeighbours: an instance's sites have the same bits whichever
// instances share its block, and in whichever lane it stands.
func TestBatchNeighbours(t *testing.T) {
	d, p := batchData(5, 2)
	sites := func(d *gcrfbc.Dataset) [][]float64 {
		ev, err := NewEvaluator(t.Context(), d, Options{Approx: gcrfbc.JJ})
		if err != nil {
			t.Fatal(err)
		}
		xi := make([][]float64, len(d.Instances))
		for j := range xi {
			xi[j] = make([]float64, d.Instances[j].N())
		}
		if _, err := ev.Evaluate(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		ev.XiTo(xi)
		return xi
	}
	want := sites(d)
	moved := *d
	moved.Instances = append(append([]gcrfbc.Instance(nil), d.Instances[5:]...), d.Instances[:5]...)
	got := sites(&moved)
	for j := range got {
		for i, x := range got[j] {
			if w := want[(j+5)%len(want)][i]; x != w && moved.Instances[j].Labels[i] != gcrfbc.Missing {
				t.Fatalf("instance %d node %d: ξ %v, elsewhere %v", j, i, x, w)
			}
		}
	}
}

// TestBatchGradientAtExtremes: value and gradient belong together, to many
// digits, where P is next to singular or next to diagonal, and where ξ is large.
func TestBatchGradientAtExtremes(t *testing.T) {
	for _, v := range batchVariants {
		for s, sh := range batchShapes {
			if sh.L == 0 {
				continue
			}
			d, p := batchData(uint64(s), s)
			opts := v.opts
			opts.SiteTol = 1e-12
			ev, err := NewEvaluator(t.Context(), d, opts)
			if err != nil {
				t.Fatal(err)
			}
			if ev.batch.rest != nil {
				continue
			}
			for _, scale := range [][2]float64{{1e-6, 1e6}, {1e-6, 1e-6}, {1e6, 1e-6}, {1e6, 1e6}, {1e-2, 1e4}} {
				q := p.Clone()
				for k := range q.Alpha {
					q.Alpha[k] *= scale[0]
				}
				for l := range q.Beta {
					q.Beta[l] *= scale[1]
				}
				grad := make([]float64, GradientLen(d.K, d.NumGraphs()))
				value := func(q gcrfbc.Params, g []float64) float64 {
					f, err := ev.Evaluate(t.Context(), q, g)
					if err != nil {
						t.Fatal(err)
					}
					return f
				}
				value(q, grad)
				for k := range grad {
					x := entry(&q, k)
					old, unit := *x, 1.0
					if k < d.K+d.NumGraphs() {
						unit = old // with respect to the logarithm
					}
					diff := func(h float64) float64 {
						*x = old + h*unit
						hi := value(q, nil)
						*x = old - h*unit
						lo := value(q, nil)
						*x = old
						return (hi - lo) / (2 * h)
					}
					h := 1e-3
					got, want := grad[k]*unit, (4*diff(h/2)-diff(h))/3
					tol := 3e-9 * (1 + math.Abs(value(q, nil)))
					if math.Abs(got-want) > tol {
						t.Errorf("%s, shape %d, scale %g: component %d is %v, difference %v", v.name, s, scale, k, got, want)
					}
				}
			}
		}
	}
}

// TestBatchSweeps: few sweeps, where the plain map would need thousands.
func TestBatchSweeps(t *testing.T) {
	d, p := batchData(3, 2)
	ev, err := NewEvaluator(t.Context(), d, Options{Approx: gcrfbc.JJ})
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range []float64{1e6, 1, 1e-3, 1e-6, 1e-9} {
		q := p.Clone()
		for k := range q.Alpha {
			q.Alpha[k] *= scale
		}
		if _, err := ev.Evaluate(t.Context(), q, nil); err != nil {
			t.Fatal(err)
		}
		if r := ev.Sites(); r.Stalled > 0 || r.Sweeps > 20*r.Converged {
			t.Errorf("scale %g: %+v", scale, r)
		}
	}
}

// TestBatchNotFinite: parameters beyond what floating point can do are an error
// and leave nothing behind.
func TestBatchNotFinite(t *testing.T) {
	for _, s := range []int{1, 3} {
		for _, v := range batchVariants {
			d, p := batchData(uint64(s), s)
			ev, err := NewEvaluator(t.Context(), d, v.opts)
			if err != nil {
				t.Fatal(err)
			}
			grad := make([]float64, GradientLen(d.K, d.NumGraphs()))
			want, err := ev.Evaluate(t.Context(), p, grad)
			if err != nil {
				t.Fatal(err)
			}
			bad := p.Clone()
			bad.Beta[0], bad.Alpha[0] = 1e308, 1e308
			if f, err := ev.Evaluate(t.Context(), bad, grad); err == nil {
				t.Errorf("%s, shape %d: value %v, gradient %v, no error", v.name, s, f, grad)
			}
			got, err := ev.Evaluate(t.Context(), p, grad)
			if err != nil || math.Abs(got-want) > 1e-10*math.Abs(want) {
				t.Errorf("%s, shape %d: afterwards %v (%v), before %v", v.name, s, got, err, want)
			}
		}
	}
}

// TestBatchStalls: the sweep limit is kept and reported.
func TestBatchStalls(t *testing.T) {
	d, p := batchData(1, 1)
	ev, err := NewEvaluator(t.Context(), d, Options{Approx: gcrfbc.JJ, MaxSweeps: 2, SiteTol: 1e-14})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ev.Evaluate(t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
	if r := ev.Sites(); r.Stalled != 7 || r.Unlabelled != 1 || r.Sweeps != 14 {
		t.Errorf("%+v", r)
	}
}

func TestBatchAllocations(t *testing.T) {
	for _, v := range batchVariants {
		for _, s := range []int{1, 3} {
			d, p := batchData(uint64(s), s)
			opts := v.opts
			opts.Threads = 1
			ev, err := NewEvaluator(t.Context(), d, opts)
			if err != nil {
				t.Fatal(err)
			}
			grad := make([]float64, GradientLen(d.K, d.NumGraphs()))
			run := func() {
				if _, err := ev.Evaluate(t.Context(), p, grad); err != nil {
					t.Fatal(err)
				}
			}
			run()
			if n := testing.AllocsPerRun(10, run); n > 2 {
				t.Errorf("%s, shape %d: %v allocations", v.name, s, n)
			}
		}
	}
}
