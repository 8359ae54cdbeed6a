package ordering

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// testGraph is an adjacency in the form the package takes.
type testGraph struct {
	n   int
	ptr []int
	idx []int32
}

func fromEdges(n int, edges [][2]int) testGraph {
	rows := make([][]int32, n)
	for _, e := range edges {
		u, v := e[0], e[1]
		if u == v || slices.Contains(rows[u], int32(v)) {
			continue
		}
		rows[u] = append(rows[u], int32(v))
		rows[v] = append(rows[v], int32(u))
	}
	g := testGraph{n: n, ptr: make([]int, n+1)}
	for i, r := range rows {
		g.idx = append(g.idx, r...)
		g.ptr[i+1] = len(g.idx)
	}
	return g
}

func grid(dims ...int) testGraph {
	n := 1
	for _, d := range dims {
		n *= d
	}
	var edges [][2]int
	for v := range n {
		stride, rest := 1, v
		for _, d := range dims {
			if rest%d+1 < d {
				edges = append(edges, [2]int{v, v + stride})
			}
			rest /= d
			stride *= d
		}
	}
	return fromEdges(n, edges)
}

func star(n int) testGraph {
	var edges [][2]int
	for v := 1; v < n; v++ {
		edges = append(edges, [2]int{0, v})
	}
	return fromEdges(n, edges)
}

func complete(n int) testGraph {
	var edges [][2]int
	for v := range n {
		for u := range v {
			edges = append(edges, [2]int{u, v})
		}
	}
	return fromEdges(n, edges)
}

// disjoint is copies of one graph side by side.
func disjoint(copies int, g testGraph) testGraph {
	out := testGraph{n: copies * g.n, ptr: []int{0}}
	for c := range copies {
		for i := range g.n {
			for _, j := range g.idx[g.ptr[i]:g.ptr[i+1]] {
				out.idx = append(out.idx, j+int32(c*g.n))
			}
			out.ptr = append(out.ptr, len(out.idx))
		}
	}
	return out
}

// blowUp replaces every node by a clique of k, tied to those of the neighbours.
func blowUp(k int, g testGraph) testGraph {
	var edges [][2]int
	for i := range g.n {
		for a := range k {
			for b := range a {
				edges = append(edges, [2]int{i*k + a, i*k + b})
			}
			for _, j := range g.idx[g.ptr[i]:g.ptr[i+1]] {
				for b := range k {
					edges = append(edges, [2]int{i*k + a, int(j)*k + b})
				}
			}
		}
	}
	return fromEdges(k*g.n, edges)
}

func scaleFree(n, m int) testGraph {
	rnd := random(7)
	ends := []int{0}
	var edges [][2]int
	for v := 1; v < n; v++ {
		for range m {
			u := ends[rnd.below(len(ends))]
			edges = append(edges, [2]int{u, v})
			ends = append(ends, u, v)
		}
	}
	return fromEdges(n, edges)
}

func shuffled(g testGraph, seed uint64) testGraph {
	rnd := random(seed)
	name := Natural(g.n)
	for i := g.n - 1; i > 0; i-- {
		j := rnd.below(i + 1)
		name[i], name[j] = name[j], name[i]
	}
	var edges [][2]int
	for i := range g.n {
		for _, j := range g.idx[g.ptr[i]:g.ptr[i+1]] {
			edges = append(edges, [2]int{int(name[i]), int(name[j])})
		}
	}
	return fromEdges(g.n, edges)
}

func corpus() map[string]testGraph {
	var rim [][2]int
	for v := 1; v < 6000; v++ {
		rim = append(rim, [2]int{0, v}, [2]int{v, v%5999 + 1})
	}
	wheel := fromEdges(6000, rim) // a star with a rim: the hub is a dense row
	return map[string]testGraph{
		"empty":        fromEdges(0, nil),
		"single":       fromEdges(1, nil),
		"pair":         fromEdges(2, [][2]int{{0, 1}}),
		"isolated":     fromEdges(3000, nil),
		"path":         grid(5000),
		"star":         star(3000),
		"wheel":        wheel,
		"complete":     complete(60),
		"large clique": complete(700),
		"grid":         grid(60, 60),
		"shuffled":     shuffled(grid(60, 60), 3),
		"cube":         grid(15, 15, 15),
		"many grids":   disjoint(30, grid(20, 20)),
		"two grids":    disjoint(2, grid(50, 50)),
		"blown up":     blowUp(3, grid(30, 30)),
		"scale-free":   scaleFree(3000, 2),
	}
}

var orderings = map[string]func(t testing.TB, g testGraph) []int32{
	"amd": func(_ testing.TB, g testGraph) []int32 { return AMD(g.n, g.ptr, g.idx, AMDOptions{}) },
	"nd": func(t testing.TB, g testGraph) []int32 {
		return dissected(t, g, DissectOptions{})
	},
	"rcm": func(_ testing.TB, g testGraph) []int32 { return RCM(g.n, g.ptr, g.idx) },
}

func dissected(t testing.TB, g testGraph, opts DissectOptions) []int32 {
	perm, err := NestedDissection(context.Background(), g.n, g.ptr, g.idx, opts)
	if err != nil {
		t.Fatal(err)
	}
	return perm
}

func TestCorpus(t *testing.T) {
	for name, g := range corpus() {
		if err := Check(g.n, g.ptr, g.idx); err != nil {
			t.Fatal(name, err)
		}
		ptr, idx := slices.Clone(g.ptr), slices.Clone(g.idx)
		for how, order := range orderings {
			perm := order(t, g)
			if err := CheckPermutation(g.n, perm); err != nil {
				t.Errorf("%s of %s: %v", how, name, err)
			}
			if !slices.Equal(perm, order(t, g)) {
				t.Errorf("%s of %s: not the same twice", how, name)
			}
		}
		if !slices.Equal(ptr, g.ptr) || !slices.Equal(idx, g.idx) {
			t.Errorf("%s: input modified", name)
		}
	}
}

// TestWorkers: the same ordering from any number of workers.
func TestWorkers(t *testing.T) {
	for _, g := range []testGraph{grid(100, 100), shuffled(grid(20, 20, 20), 1), disjoint(3, grid(70, 70)), scaleFree(3000, 2)} {
		want := dissected(t, g, DissectOptions{Workers: 1, Seed: 5})
		for _, workers := range []int{2, 3, 8} {
			if !slices.Equal(want, dissected(t, g, DissectOptions{Workers: workers, Seed: 5})) {
				t.Errorf("n = %d: %d workers give another ordering", g.n, workers)
			}
		}
		if perm := AMD(g.n, g.ptr, g.idx, AMDOptions{}); !slices.Equal(want, perm) && slices.Equal(want, dissected(t, g, DissectOptions{Seed: 6})) {
			t.Errorf("n = %d: another seed gives the same ordering", g.n)
		}
	}
}

// eliminated returns nnz(L) and Σ count² by elimination on a dense pattern.
func eliminated(g testGraph, perm []int32) (nnz int64, flops float64) {
	place := make([]int32, g.n)
	for k, v := range perm {
		place[v] = int32(k)
	}
	below := make([][]bool, g.n)
	for i := range below {
		below[i] = make([]bool, g.n)
	}
	for i := range g.n {
		for _, j := range g.idx[g.ptr[i]:g.ptr[i+1]] {
			below[place[i]][place[j]] = true
		}
	}
	for k := range g.n {
		var rows []int
		for i := k + 1; i < g.n; i++ {
			if below[i][k] {
				rows = append(rows, i)
			}
		}
		for _, i := range rows {
			for _, j := range rows {
				below[i][j] = true
			}
		}
		nnz += int64(1 + len(rows))
		flops += float64(1+len(rows)) * float64(1+len(rows))
	}
	return nnz, flops
}

func randomGraph(t *rapid.T) testGraph {
	n := rapid.IntRange(1, 50).Draw(t, "n")
	node := rapid.IntRange(0, n-1)
	edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int {
		return [2]int{node.Draw(t, "u"), node.Draw(t, "v")}
	}), 0, 4*n).Draw(t, "edges")
	return fromEdges(n, edges)
}

func TestCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		perm := rapid.Permutation(Natural(g.n)).Draw(t, "perm")
		nnz, flops := Count(g.n, g.ptr, g.idx, perm)
		if wantNNZ, wantFlops := eliminated(g, perm); nnz != wantNNZ || flops != wantFlops {
			t.Fatalf("nnz %d, flops %g; want %d, %g", nnz, flops, wantNNZ, wantFlops)
		}
	})
}

func TestRandomGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		if err := Check(g.n, g.ptr, g.idx); err != nil {
			t.Fatal(err)
		}
		options := AMDOptions{
			Dense:        rapid.SampledFrom([]float64{0, -1, 0.1}).Draw(t, "dense"),
			NoAggressive: rapid.Bool().Draw(t, "no aggressive"),
		}
		stage := rapid.SliceOfN(rapid.Int32Range(0, 3), g.n, g.n).Draw(t, "stage")
		narrow := orderBy[int32](g.n, g.ptr, g.idx, nil, options)
		for _, perm := range [][]int32{narrow, AMD(g.n, g.ptr, g.idx, options), RCM(g.n, g.ptr, g.idx), minimumDegree(g.n, g.ptr, g.idx, stage, options)} {
			if err := CheckPermutation(g.n, perm); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(narrow, orderBy[int64](g.n, g.ptr, g.idx, nil, options)) {
			t.Fatal("64-bit offsets give another ordering")
		}
	})
}

// TestTrees: minimum degree orders trees without fill.
func TestTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		var edges [][2]int
		for v := 1; v < n; v++ {
			edges = append(edges, [2]int{rapid.IntRange(0, v-1).Draw(t, "parent"), v})
		}
		g := fromEdges(n, edges)
		if nnz, _ := Count(n, g.ptr, g.idx, AMD(n, g.ptr, g.idx, AMDOptions{Dense: -1})); nnz != int64(2*n-1) {
			t.Fatalf("nnz(L) = %d of a tree of %d nodes", nnz, n)
		}
	})
}

// TestLongRows: few hubs on many leaves, each leaf on all hubs or a few; rows of the
// hubs are long and late, and no leaf costs more than its hubs.
func TestLongRows(t *testing.T) {
	const hubs, leaves = 6, 500
	for _, each := range []int{hubs, 3, 1} {
		var edges [][2]int
		for v := range leaves {
			for k := range each {
				edges = append(edges, [2]int{(v + k) % hubs, hubs + v})
			}
		}
		g := fromEdges(hubs+leaves, edges)
		perm := AMD(g.n, g.ptr, g.idx, AMDOptions{Dense: -1})
		if err := CheckPermutation(g.n, perm); err != nil {
			t.Fatal(err)
		}
		most := leaves*(each+1) + hubs*(hubs+1) // the last leaves may come after a hub
		if nnz, _ := Count(g.n, g.ptr, g.idx, perm); nnz > int64(most) {
			t.Errorf("%d hubs a leaf: nnz(L) = %d, want at most %d", each, nnz, most)
		}
	}
}

// TestStages: constrained minimum degree has the fill of an order by stages.
func TestStages(t *testing.T) {
	g := grid(12, 12)
	stage := make([]int32, g.n)
	for v := range stage {
		stage[v] = int32(v % 3)
	}
	perm := minimumDegree(g.n, g.ptr, g.idx, stage, AMDOptions{})
	// A postorder may mix stages but no node may come before a node of an earlier
	// stage that it has an entry of L with.
	place := make([]int32, g.n)
	for k, v := range perm {
		place[v] = int32(k)
	}
	parent := eliminationTree(g.n, g.ptr, g.idx, perm, place)
	for k, p := range parent {
		if p != none && stage[perm[k]] > stage[perm[p]] {
			t.Fatalf("stage %d below stage %d in the elimination tree", stage[perm[k]], stage[perm[p]])
		}
	}
}

// TestReserve: closing the gaps of the list keeps the ordering.
func TestReserve(t *testing.T) {
	g := scaleFree(2000, 3)
	want := orderBy[int32](g.n, g.ptr, g.idx, nil, AMDOptions{})
	q := newQuotient[int32](g.n, g.ptr, g.idx, nil, AMDOptions{})
	for q.done < q.total {
		q.eliminate()
		q.reserve(len(q.list)) // more than there is, so always
	}
	if !slices.Equal(q.order(), want) {
		t.Error("another ordering")
	}
}

// TestTagReset: marks start over before they overflow.
func TestTagReset(t *testing.T) {
	g := grid(20, 20)
	want := AMD(g.n, g.ptr, g.idx, AMDOptions{})
	q := newQuotient[int32](g.n, g.ptr, g.idx, nil, AMDOptions{})
	q.tag = math.MaxInt32 - int32(3*g.n)
	for q.done < q.total {
		q.eliminate()
	}
	if q.tag > math.MaxInt32/2 {
		t.Error("no reset")
	}
	if !slices.Equal(q.order(), want) {
		t.Error("another ordering")
	}
}

func TestRCMBandwidth(t *testing.T) {
	for _, c := range []struct {
		g    testGraph
		want int
	}{{shuffled(grid(500), 1), 1}, {shuffled(grid(40, 12), 2), 14}, {disjoint(3, grid(50)), 1}} {
		perm := RCM(c.g.n, c.g.ptr, c.g.idx)
		place := make([]int, c.g.n)
		for k, v := range perm {
			place[v] = k
		}
		band := 0
		for i := range c.g.n {
			for _, j := range c.g.idx[c.g.ptr[i]:c.g.ptr[i+1]] {
				band = max(band, place[i]-place[j])
			}
		}
		if band > c.want {
			t.Errorf("n = %d: bandwidth %d, want at most %d", c.g.n, band, c.want)
		}
	}
}

// TestSeparators: sides not adjacent, weights right, at every bisection.
func TestSeparators(t *testing.T) {
	for name, g := range corpus() {
		if g.n == 0 {
			continue
		}
		w := &worker{d: &dissection{ctx: context.Background(), balance: balance, tries: retries}}
		f, _ := newGraph(g.n, g.ptr, g.idx, int32(g.n))
		rnd := random(1)
		if !w.bisect(f, &rnd) {
			continue
		}
		s := w.sep
		weight := [3]int64{}
		for v, p := range s.side {
			weight[p] += int64(f.vw[v])
			for _, u := range f.row(int32(v)) {
				if p != middle && s.side[u] == 1-p {
					t.Fatalf("%s: sides adjacent", name)
				}
			}
		}
		if weight != s.weight {
			t.Errorf("%s: weights %v, want %v", name, s.weight, weight)
		}
		if want := map[string]int64{"grid": 60, "shuffled": 60, "path": 1, "star": 1, "cube": 225}[name]; want > 0 && s.weight[middle] > want {
			t.Errorf("%s: separator of %d nodes, want at most %d", name, s.weight[middle], want)
		}
	}
}

// TestGainQueue: pops come with the greatest gain of all nodes inside, through
// resets with nodes left.
func TestGainQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q gainQueue
		for range 3 {
			n := rapid.IntRange(1, 30).Draw(t, "n")
			q.fifo = rapid.Bool().Draw(t, "fifo")
			q.reset(&graph{n: n, weight: int64(n)})
			inside := map[int32]int32{}
			for range rapid.IntRange(0, 100).Draw(t, "steps") {
				v := rapid.Int32Range(0, int32(n-1)).Draw(t, "v")
				by := rapid.Int32Range(0, 20).Draw(t, "by")
				switch _, in := inside[v]; {
				case in:
					inside[v] += by
					q.raise(v, by)
				case by%2 == 0:
					inside[v] = by - 10
					q.push(v, by-10)
				case len(inside) > 0:
					q.raise(v, by) // nothing: v is outside
					u, gain := q.pop()
					for x, most := range inside {
						if most > gain {
							t.Fatalf("node %d of gain %d popped, %d has %d", u, gain, x, most)
						}
					}
					if inside[u] != gain {
						t.Fatalf("node %d popped with gain %d, has %d", u, gain, inside[u])
					}
					delete(inside, u)
				}
			}
			if q.count != len(inside) {
				t.Fatalf("%d nodes inside, want %d", q.count, len(inside))
			}
		}
	})
}

func TestCompress(t *testing.T) {
	g := blowUp(3, grid(30, 30))
	group := compress(g.n, g.ptr, g.idx, make([]int32, g.n))
	for v, u := range group {
		if int(u) != v-v%3 {
			t.Fatalf("node %d in the group of %d", v, u)
		}
	}
	if group := compress(3600, grid(60, 60).ptr, grid(60, 60).idx, make([]int32, 3600)); group != nil {
		t.Error("a grid compressed")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := grid(100, 100)
	if _, err := NestedDissection(ctx, g.n, g.ptr, g.idx, DissectOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestCheck(t *testing.T) {
	for what, g := range map[string]testGraph{
		"negative size": {-1, nil, nil},
		"short ptr":     {2, []int{0, 0}, nil},
		"wrong end":     {1, []int{0, 1}, nil},
		"decreasing":    {2, []int{0, 2, 0}, nil},
		"out of range":  {1, []int{0, 1}, []int32{1}},
		"negative":      {1, []int{0, 1}, []int32{-1}},
		"loop":          {1, []int{0, 1}, []int32{0}},
		"twice":         {2, []int{0, 2, 4}, []int32{1, 1, 0, 0}},
		"one way":       {2, []int{0, 1, 1}, []int32{1}},
		"a circle":      {3, []int{0, 1, 2, 3}, []int32{1, 2, 0}},
	} {
		var e *GraphError
		if err := Check(g.n, g.ptr, g.idx); !errors.As(err, &e) || e.Error() == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, perm := range [][]int32{{0}, {0, 0}, {0, 2}, {-1, 0}} {
		var e *PermutationError
		if err := CheckPermutation(2, perm); !errors.As(err, &e) || e.Error() == "" {
			t.Errorf("%v: %v", perm, err)
		}
	}
}

func ExampleAMD() {
	// A star: eliminating the hub first would join all leaves.
	ptr := []int{0, 4, 5, 6, 7, 8}
	idx := []int32{1, 2, 3, 4, 0, 0, 0, 0}
	perm := AMD(5, ptr, idx, AMDOptions{})
	nnz, _ := Count(5, ptr, idx, perm)
	worst, _ := Count(5, ptr, idx, Natural(5))
	fmt.Println(nnz, worst)
	// Output: 9 15
}
