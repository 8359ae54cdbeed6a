package ordering_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gcrfbc/gcrfbc/chol/ordering"
	"github.com/gcrfbc/gcrfbc/internal/matgen"
)

// adjacency is the full pattern of a generated matrix, without the diagonal.
func adjacency(tb testing.TB, spec string) (n int, ptr []int, idx []int32) {
	n, lowPtr, lowIdx, _, err := matgen.Generate(spec)
	if err != nil {
		tb.Fatal(err)
	}
	ptr = make([]int, n+1)
	for i := range n {
		for _, j := range lowIdx[lowPtr[i]:lowPtr[i+1]] {
			if int(j) != i {
				ptr[i+1]++
				ptr[j+1]++
			}
		}
	}
	for i := range n {
		ptr[i+1] += ptr[i]
	}
	idx = make([]int32, ptr[n])
	next := append([]int(nil), ptr...)
	for i := range n {
		for _, j := range lowIdx[lowPtr[i]:lowPtr[i+1]] {
			if int(j) != i {
				idx[next[i]], idx[next[j]] = j, int32(i)
				next[i]++
				next[j]++
			}
		}
	}
	return n, ptr, idx
}

// TestQuality bounds the fill and work of orderings by figures of the reference
// implementations, SuiteSparse AMD (nnz of L, 2 % above) and METIS (operations,
// 5 % above).
func TestQuality(t *testing.T) {
	for _, c := range []struct {
		spec  string
		nnz   float64 // AMD
		flops float64 // nested dissection
	}{
		{"grid2d:300", 2928059, 3.486e8},
		{"grid3d:20", 842282, 1.415e8},
		{"grid3d:40", 20614676, 1.616e10},
		{"rgg:200000:8", 2773161, 1.292e8},
		{"ba:20000:2", 2119335, 3.940e9},
	} {
		if (testing.Short() || raceDetector) && c.spec != "grid3d:20" {
			continue
		}
		n, ptr, idx := adjacency(t, c.spec)
		perm := ordering.AMD(n, ptr, idx, ordering.AMDOptions{})
		if err := ordering.CheckPermutation(n, perm); err != nil {
			t.Fatal(err)
		}
		if nnz, _ := ordering.Count(n, ptr, idx, perm); float64(nnz) > 1.02*c.nnz {
			t.Errorf("%s: AMD's factor has %d entries, want at most %.4g", c.spec, nnz, 1.02*c.nnz)
		}
		perm, err := ordering.NestedDissection(context.Background(), n, ptr, idx, ordering.DissectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := ordering.CheckPermutation(n, perm); err != nil {
			t.Fatal(err)
		}
		if _, flops := ordering.Count(n, ptr, idx, perm); flops > 1.05*c.flops {
			t.Errorf("%s: nested dissection needs %.4g operations, want at most %.4g", c.spec, flops, 1.05*c.flops)
		}
	}
}

// TestScaleFree checks that nested dissection is never worse than minimum degree
// where a few nodes have most of the edges, with its order given or not.
func TestScaleFree(t *testing.T) {
	n, ptr, idx := adjacency(t, "ba:3000:2")
	amd := ordering.AMD(n, ptr, idx, ordering.AMDOptions{})
	kept := slices.Clone(amd)
	_, most := ordering.Count(n, ptr, idx, amd)
	for seed := range uint64(3) {
		var perms [2][]int32
		for k, given := range [][]int32{nil, amd} {
			perm, err := ordering.NestedDissection(context.Background(), n, ptr, idx, ordering.DissectOptions{Seed: seed, AMD: given})
			if err != nil {
				t.Fatal(err)
			}
			if err := ordering.CheckPermutation(n, perm); err != nil {
				t.Fatal(err)
			}
			if _, flops := ordering.Count(n, ptr, idx, perm); flops > most {
				t.Errorf("seed %d: %.4g operations, minimum degree %.4g", seed, flops, most)
			}
			perms[k] = perm
		}
		if !slices.Equal(perms[0], perms[1]) {
			t.Errorf("seed %d: the order depends on whether that of AMD is given", seed)
		}
		perms[1][0] = -1
		if !slices.Equal(amd, kept) {
			t.Fatalf("seed %d: the given order is returned itself, not a copy", seed)
		}
	}
	var wrong *ordering.PermutationError
	if _, err := ordering.NestedDissection(context.Background(), n, ptr, idx, ordering.DissectOptions{AMD: amd[1:]}); !errors.As(err, &wrong) {
		t.Errorf("short AMD order: error %v", err)
	}
}

func BenchmarkOrdering(b *testing.B) {
	for _, spec := range []string{"grid2d:300", "grid2d:1000", "grid3d:40", "grid3d:64", "rgg:200000:8", "ba:20000:2"} {
		n, ptr, idx := adjacency(b, spec)
		for _, c := range []struct {
			how   string
			order func() []int32
		}{
			{"amd", func() []int32 { return ordering.AMD(n, ptr, idx, ordering.AMDOptions{}) }},
			{"nd/workers=1", func() []int32 { return dissect(b, n, ptr, idx, 1) }},
			{"nd/workers=2", func() []int32 { return dissect(b, n, ptr, idx, 2) }},
			{"rcm", func() []int32 { return ordering.RCM(n, ptr, idx) }},
		} {
			b.Run(fmt.Sprintf("matrix=%s/order=%s", spec, c.how), func(b *testing.B) {
				b.ReportAllocs()
				var perm []int32
				for b.Loop() {
					perm = c.order()
				}
				nnz, flops := ordering.Count(n, ptr, idx, perm)
				b.ReportMetric(float64(nnz), "nnz(L)")
				b.ReportMetric(flops, "flops")
			})
		}
	}
}

func dissect(tb testing.TB, n int, ptr []int, idx []int32, workers int) []int32 {
	perm, err := ordering.NestedDissection(context.Background(), n, ptr, idx, ordering.DissectOptions{Workers: workers})
	if err != nil {
		tb.Fatal(err)
	}
	return perm
}

func ExampleNestedDissection() {
	// A path of seven nodes; its middle splits it.
	n := 7
	ptr, idx := []int{0}, []int32(nil)
	for i := range int32(n) {
		if i > 0 {
			idx = append(idx, i-1)
		}
		if int(i) < n-1 {
			idx = append(idx, i+1)
		}
		ptr = append(ptr, len(idx))
	}
	if err := ordering.Check(n, ptr, idx); err != nil {
		fmt.Println(err)
		return
	}
	perm, err := ordering.NestedDissection(context.Background(), n, ptr, idx, ordering.DissectOptions{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	nnz, flops := ordering.Count(n, ptr, idx, perm)
	fmt.Println(nnz, flops)
	// Output: 13 25
}

func ExampleRCM() {
	// The path 3 – 0 – 4 – 1 – 2.
	ptr := []int{0, 2, 4, 5, 6, 8}
	idx := []int32{3, 4, 4, 2, 1, 0, 0, 1}
	fmt.Println(ordering.RCM(5, ptr, idx))
	// Output: [2 1 4 0 3]
}
