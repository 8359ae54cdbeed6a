package ordering

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPeeledAMD(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		n := 1 + rng.IntN(120)
		core := rng.IntN(n + 1) // dense part, the rest hangs on it
		if trial%2 == 0 {
			core = 0
		}
		number := rng.Perm(n)
		var edges [][2]int
		for i := 1; i < n; i++ {
			if rng.IntN(20) > 0 { // else a tree of its own
				edges = append(edges, [2]int{number[i], number[rng.IntN(i)]})
			}
		}
		for range core * 2 {
			i, j := rng.IntN(core), rng.IntN(core)
			if i != j {
				edges = append(edges, [2]int{number[i], number[j]})
			}
		}
		g := fromEdges(n, edges)
		perm := PeeledAMD(n, g.ptr, g.idx, AMDOptions{})
		sorted := slices.Clone(perm)
		slices.Sort(sorted)
		for i, v := range sorted {
			if int(v) != i {
				t.Fatalf("not a permutation: %v", perm)
			}
		}
		if !slices.Equal(perm, PeeledAMD(n, g.ptr, g.idx, AMDOptions{})) {
			t.Fatal("another order the second time")
		}
		fill, _ := eliminated(g, perm)
		if core == 0 && fill != int64(n+len(g.idx)/2) {
			t.Fatalf("a forest of %d edges has %d in the factor", len(g.idx)/2, fill-int64(n))
		}
		// What hangs on trees causes no fill, so minimum degree can differ by
		// ties only.
		if other, _ := eliminated(g, AMD(n, g.ptr, g.idx, AMDOptions{})); float64(fill) > 1.15*float64(other)+10 {
			t.Fatalf("%d entries of the factor, %d by AMD", fill, other)
		}
	}
}

// TestPeelFew leaves graphs with few leaves to AMD.
func TestPeelFew(t *testing.T) {
	var edges [][2]int
	const n = 30
	for i := range n {
		edges = append(edges, [2]int{i, (i + 1) % n})
	}
	g := fromEdges(n, edges)
	if got := PeeledAMD(n, g.ptr, g.idx, AMDOptions{}); !slices.Equal(got, AMD(n, g.ptr, g.idx, AMDOptions{})) {
		t.Fatalf("order of a cycle: %v", got)
	}
	if got := PeeledAMD(0, []int{0}, nil, AMDOptions{}); len(got) != 0 {
		t.Fatal(got)
	}
}
