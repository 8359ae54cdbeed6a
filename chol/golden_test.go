package chol

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata")

// dissectGrid lists the cells of rows r0..r1-1 and columns c0..c1-1 of a grid
// of the given width by nested dissection.
func dissectGrid(list []int32, width, r0, r1, c0, c1 int) []int32 {
	if r1-r0 <= 2 && c1-c0 <= 2 {
		for r := r0; r < r1; r++ {
			for c := c0; c < c1; c++ {
				list = append(list, int32(r*width+c))
			}
		}
		return list
	}
	if r1-r0 >= c1-c0 {
		m := (r0 + r1) / 2
		list = dissectGrid(list, width, r0, m, c0, c1)
		list = dissectGrid(list, width, m+1, r1, c0, c1)
		return dissectGrid(list, width, m, m+1, c0, c1)
	}
	m := (c0 + c1) / 2
	list = dissectGrid(list, width, r0, r1, c0, m)
	list = dissectGrid(list, width, r0, r1, m+1, c1)
	return dissectGrid(list, width, r0, r1, m, m+1)
}

// TestGolden compares tree, counts and supernodes of an 11×10 grid, by nested
// dissection, with testdata/grid11x10.txt.
func TestGolden(t *testing.T) {
	m := laplacian("grid", 110, gridEdges(11, 10, 1), 0.1, 1)
	g, err := newAdjacency(m.p)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	perm := dissectGrid(nil, 10, 0, 11, 0, 10)
	fmt.Fprintln(&out, "parent", etree(g, perm, invert(perm)))
	o := evaluate(g, Given, perm)
	fmt.Fprintln(&out, "postorder", o.perm)
	fmt.Fprintln(&out, "count", o.count)
	start, parent := fundamental(o.parent, o.count)
	fmt.Fprintln(&out, "fundamental", start, parent)
	tune := defaultTuning
	tune.layout = layoutSupernodal
	s, err := analyze(t.Context(), m.p, Options{Ordering: Given, Perm: perm, Threads: 1}, tune)
	if err != nil {
		t.Fatal(err)
	}
	st := s.layout.(*structure)
	for k, nd := range st.nodes {
		fmt.Fprintf(&out, "supernode %d: columns %d..%d parent %d first %d rows %v rel %v\n", k, nd.start, nd.start+nd.w-1,
			nd.parent, nd.first, st.rows[nd.rows:nd.rows+int(nd.r)], st.rel[nd.rows:nd.rows+int(nd.r)])
	}
	const file = "testdata/grid11x10.txt"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("got:\n%swant:\n%s", out.String(), want)
	}
}

// TestCounts checks the column counts against the pattern of a symbolic
// elimination done by sets.
func TestCounts(t *testing.T) {
	for _, m := range corpus() {
		for _, kind := range []Ordering{Natural, AMD} {
			g, err := newAdjacency(m.p)
			if err != nil {
				t.Fatal(err)
			}
			o, err := chooseOrder(t.Context(), g, Options{Ordering: kind})
			if err != nil {
				t.Fatal(err)
			}
			n := g.n
			iperm := invert(o.perm)
			below := make([]map[int32]bool, n)
			for k := range n {
				below[k] = map[int32]bool{}
				for _, u := range o.graph.idx[o.graph.ptr[o.perm[k]]:o.graph.ptr[o.perm[k]+1]] {
					if iperm[u] > int32(k) {
						below[k][iperm[u]] = true
					}
				}
			}
			for k := range n {
				if len(below[k])+1 != int(o.count[k]) {
					t.Fatalf("%s %v: column %d has %d entries, counted %d", m.name, kind, k, len(below[k])+1, o.count[k])
				}
				first := int32(-1)
				for i := range below[k] {
					if first < 0 || i < first {
						first = i
					}
				}
				if first != o.parent[k] {
					t.Fatalf("%s %v: parent of %d is %d, want %d", m.name, kind, k, o.parent[k], first)
				}
				if first >= 0 {
					for i := range below[k] {
						if i != first {
							below[first][i] = true
						}
					}
				}
			}
		}
	}
}
