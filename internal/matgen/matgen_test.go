package matgen

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gcrfbc/gcrfbc/sparse"
)

// TestCounts compares entries of the lower triangle with counts of the reference
// generator, in C.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		spec   string
		n, nnz int
	}{
		{"grid2d:300", 90000, 269400},
		{"grid3d:40", 64000, 251200},
		{"rgg:200000:8", 200000, 998048},
		{"ba:20000:2", 20000, 59997},
		{"grid2d:1", 1, 1},
		{"ba:3:2", 3, 6},
	} {
		n, ptr, idx, values, err := Generate(c.spec)
		if err != nil || n != c.n || len(idx) != c.nnz || len(values) != c.nnz {
			t.Errorf("%s: n %d, nnz %d, %v; want %d, %d", c.spec, n, len(idx), err, c.n, c.nnz)
			continue
		}
		p, err := sparse.NewPattern(n, n, ptr, idx)
		if err != nil || !p.IsLower() {
			t.Errorf("%s: not a lower triangle: %v", c.spec, err)
		}
		// Row sums of a Laplacian are 0, so those of the matrix are Ridge.
		sum := make([]float64, n)
		for i := range n {
			for k := ptr[i]; k < ptr[i+1]; k++ {
				sum[i] += values[k]
				if j := int(idx[k]); j != i {
					sum[j] += values[k]
				}
			}
		}
		for i, s := range sum {
			if math.Abs(s-Ridge) > 1e-9 {
				t.Fatalf("%s: row %d sums to %g", c.spec, i, s)
			}
		}
	}
}

func TestRandom(t *testing.T) {
	// First outputs of splitmix64 from seed 0, as published with the algorithm.
	r := random(0)
	for _, want := range []uint64{0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F} {
		if got := r.next(); got != want {
			t.Fatalf("%#x, want %#x", got, want)
		}
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	matrix := write("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 3\n")
	n, _, _, v, err := Generate(matrix)
	if err != nil || n != 2 || len(v) != 3 || v[0] != 2 || v[1] != -1 || v[2] != 3 {
		t.Errorf("matrix: %d %v %v", n, v, err)
	}
	graph := write("g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n")
	n, _, _, v, err = Generate(graph)
	if err != nil || n != 3 || len(v) != 4 || v[0] != 1.1 || v[1] != -1 || v[2] != 1.1 || v[3] != Ridge {
		t.Errorf("graph: %d %v %v", n, v, err)
	}
	half := write("h.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 1 -1\n")
	if _, _, _, _, err := Generate(half); err == nil {
		t.Error("half a diagonal accepted")
	}
}

func TestBadSpec(t *testing.T) {
	for _, s := range []string{"", "grid2d", "grid2d:", "grid2d:x", "grid2d:0", "grid2d:-3", "grid2d:3:3", "rgg:5", "ba:3:3", "torus:5",
		"grid2d:100000", "grid3d:99999999", "grid2d:999999999999999999"} {
		_, _, _, _, err := Generate(s)
		var se *SpecError
		if !errors.As(err, &se) {
			t.Errorf("%q: %v, want a *SpecError", s, err)
		}
	}
	if _, _, _, _, err := Generate("no-such-file.mtx"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}
