package matgen

import (
	"math"
	"testing"
)

// TestChecksums compares every entry with the reference generator in C: the sum
// over the lower triangle of splitmix64's finalizer at row·2³² + column + bits
// of the value, which any order of entries leaves the same.
func TestChecksums(t *testing.T) {
	for _, c := range []struct {
		spec   string
		n, nnz int
		sum    uint64
	}{
		{"grid2d:300", 90000, 269400, 0x97d98c9004b17707},
		{"grid3d:40", 64000, 251200, 0xf2ae109d09cfb741},
		{"rgg:200000:8", 200000, 998048, 0xbd809b2aaa4e7865},
		{"rgg:50000:16", 50000, 446518, 0xd0534311a3ff735c},
		{"ba:20000:2", 20000, 59997, 0x23c7de36306e2c9f},
		{"ba:5000:4", 5000, 24990, 0x58b861a3ba35c67e},
	} {
		n, ptr, idx, values, err := Generate(c.spec)
		if err != nil {
			t.Error(err)
			continue
		}
		sum := uint64(0)
		for i := range n {
			for k := ptr[i]; k < ptr[i+1]; k++ {
				sum += finalize((uint64(i)<<32 | uint64(idx[k])) + math.Float64bits(values[k]))
			}
		}
		if n != c.n || len(idx) != c.nnz || sum != c.sum {
			t.Errorf("%s: n %d, nnz %d, checksum %#x; want %d, %d, %#x", c.spec, n, len(idx), sum, c.n, c.nnz, c.sum)
		}
	}
}

func finalize(z uint64) uint64 {
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}
