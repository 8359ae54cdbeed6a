package chol

import (
	"math"
	"runtime"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// eachLayout runs a test with factors by supernodes and with factors by columns.
func eachLayout(t *testing.T, test func(t *testing.T)) {
	tunings := []*tuning{&defaultTuning, &tinyTasks}
	for kind, name := range map[layoutKind]string{layoutSupernodal: "supernodal", layoutSimplicial: "simplicial"} {
		t.Run(name, func(t *testing.T) {
			for _, tune := range tunings {
				tune.layout = kind
				defer func() { tune.layout = layoutAuto }()
			}
			test(t)
		})
	}
}

// TestChoice: thin graphs get columns, others supernodes.
func TestChoice(t *testing.T) {
	generated := func(spec string) matrix {
		n, ptr, idx, values, err := matgen.Generate(spec)
		if err != nil {
			t.Fatal(err)
		}
		p, err := sparse.NewPattern(n, n, ptr, idx)
		if err != nil {
			t.Fatal(err)
		}
		return matrix{spec, p, values}
	}
	extra := randomTreeEdges(20000, 3)
	for i := range 100 {
		extra = append(extra, [2]int{(i*7919 + 13) % 20000, (i*10473 + 7) % 20000})
	}
	for want, list := range map[bool][]matrix{
		true: {
			laplacian("path", 5000, pathEdges(5000), 0.1, 1),
			laplacian("tree", 5000, randomTreeEdges(5000, 1), 0.1, 1),
			laplacian("star", 5000, starEdges(5000, 17), 0.1, 1),
			laplacian("diagonal", 100, nil, 1, 1),
			laplacian("few cycles", 20000, extra, 0.1, 1),
			generated("ba:30000:1"), generated("rgg:20000:3"),
		},
		false: {
			generated("grid2d:8"), generated("grid2d:30"), generated("grid2d:100"), generated("grid3d:10"),
			generated("rgg:5000:8"), generated("ba:2000:2"),
			laplacian("dense", 75, denseEdges(75), 0.1, 11),
			laplacian("arrow", 900, arrowEdges(900, 8), 0.1, 7),
		},
	} {
		for _, m := range list {
			s := mustAnalyze(t, m.p, Options{})
			if s.Simplicial() != want {
				t.Errorf("%s: simplicial %v", m.name, s.Simplicial())
			}
			if want && s.Supernodes() != m.n() {
				t.Errorf("%s: %d supernodes of %d columns", m.name, s.Supernodes(), m.n())
			}
		}
	}
}

// TestPathLogDet compares with the closed form, from the eigenvalues
// 4 sin²(πi/2n) of a path's Laplacian.
func TestPathLogDet(t *testing.T) { eachLayout(t, testPathLogDet) }

func testPathLogDet(t *testing.T) {
	const n, ridge = 3000, 0.1
	m := laplacian("path", n, pathEdges(n), ridge, 1)
	want, trace := 0.0, 0.0
	for i := range n {
		for k := m.p.Ptr()[i]; k < m.p.Ptr()[i+1]; k++ {
			m.values[k] = -1
		}
		m.values[m.p.Ptr()[i+1]-1] = 2 + ridge
		s := math.Sin(math.Pi * float64(i) / (2 * n))
		want += math.Log(ridge + 4*s*s)
		trace += 1 / (ridge + 4*s*s)
	}
	m.values[0]--
	m.values[len(m.values)-1]--
	for _, threads := range []int{1, 3} {
		s, err := analyze(t.Context(), m.p, Options{Threads: threads, Ordering: NestedDissection}, tinyTasks)
		if err != nil {
			t.Fatal(err)
		}
		f := mustFactor(t, s, m.values)
		near(t, "log det", f.LogDet(), want, 1e-13)
		diag := make([]float64, n)
		if err := f.InverseDiagTo(t.Context(), diag); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, v := range diag {
			sum += v
		}
		near(t, "trace of the inverse", sum, trace, 1e-13)
	}
}

// TestColumnTasks: a large tree is divided into tasks that leave little to one
// worker, every column belongs to one item, and the bits are those of one task.
func TestColumnTasks(t *testing.T) {
	for _, m := range []matrix{
		laplacian("tree", 30000, randomTreeEdges(30000, 1), 0.1, 3),
		laplacian("forest", 30000, randomTreeEdges(10000, 2), 0.1, 3),
		laplacian("star", 30000, starEdges(30000, 7), 0.1, 3),
		laplacian("path", 30000, pathEdges(30000), 0.1, 3),
	} {
		want := results(t, m, 1, defaultTuning)
		s := mustAnalyze(t, m.p, Options{Threads: 2})
		if !s.Simplicial() {
			t.Fatalf("%s is not simplicial", m.name)
		}
		p := s.plan
		if m.name == "tree" && (p.tasks < 4 || len(p.upper) > m.n()/10) {
			t.Errorf("%s: %d tasks, %d columns left", m.name, p.tasks, len(p.upper))
		}
		seen := make([]int, m.n())
		for _, it := range p.items[:p.tasks] {
			for k := it.lo; k < it.hi; k++ {
				seen[k]++
			}
		}
		for _, u := range p.upper {
			if u.top {
				seen[u.k]++
			}
		}
		for k, c := range seen {
			if c != 1 {
				t.Fatalf("%s: column %d is in %d items", m.name, k, c)
			}
		}
		for _, threads := range []int{2, 5} {
			got := results(t, m, threads, defaultTuning)
			for k := range want {
				if math.Float64bits(got[k]) != math.Float64bits(want[k]) {
					t.Fatalf("%s, %d threads: result %d is %g, want %g", m.name, threads, k, got[k], want[k])
				}
			}
		}
	}
}

// TestColumnForecast compares the forecast with what is allocated.
func TestColumnForecast(t *testing.T) {
	m := laplacian("tree", 200000, randomTreeEdges(200000, 1), 0.1, 3)
	used := func(fn func()) float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		fn()
		runtime.GC()
		runtime.ReadMemStats(&after)
		return float64(after.HeapAlloc) - float64(before.HeapAlloc)
	}
	for _, threads := range []int{1, 2} {
		var s *Symbolic
		var f *Factor
		index := used(func() { s = mustAnalyze(t, m.p, Options{Threads: threads}) })
		z := make([]float64, m.p.NNZ())
		factor := used(func() {
			f = mustFactor(t, s, m.values)
			if err := f.SelectedInverse(t.Context(), z); err != nil {
				t.Fatal(err)
			}
		})
		fc := s.Forecast()
		for _, c := range []struct {
			what      string
			got, want float64
		}{{"index", float64(fc.IndexBytes), index}, {"factor and inverse", float64(fc.Bytes + fc.InverseWorkBytes), factor}} {
			if math.Abs(c.got-c.want) > 0.05*c.want {
				t.Errorf("%d threads: %s forecast as %.0f bytes, %.0f used", threads, c.what, c.got, c.want)
			}
		}
		if fc.StoredL != fc.NNZL {
			t.Errorf("%d entries stored of %d", fc.StoredL, fc.NNZL)
		}
		runtime.KeepAlive(z)
		runtime.KeepAlive(f)
		runtime.KeepAlive(s)
	}
}
