package dense

import "github.com/gcrfbc/gcrfbc/internal/simd"

// Blocking. kBlock rows of B by NR columns stay in the first-level cache (12
// KiB), mBlock×kBlock of A in the second (288 KiB), nBlock columns of packed B
// in the third. mBlock is a multiple of MR of every level, kBlock and nBlock of
// NR.
const (
	mBlock = 192
	kBlock = 192
	nBlock = 1024
)

// split is the length of the blocks that divide n into equal parts of at most
// limit, rounded up to unit. For the inner dimension it depends on k alone, so
// that every way to compute a product sums in the same order.
func split(n, limit, unit int) int {
	parts := (n + limit - 1) / limit
	if parts <= 1 {
		return n
	}
	return ((n+parts-1)/parts + unit - 1) / unit * unit
}

type form int

const (
	plain      form = iota // A(i,p) = a[i+p*ld]
	transposed             // A(i,p) = a[p+i*ld]
	symmetric              // A(i,p) = a[max(i,p)+min(i,p)*ld]
)

// operand is the left factor of a product.
type operand struct {
	form form
	a    []float64
	ld   int
}

// pack writes rows i.. i+m and columns p..p+k into strips. For a symmetric
// operand i and p are multiples of NR.
func (o operand) pack(i, m, p, k int, dst []float64) {
	if o.form == plain {
		simd.PackA(m, k, &o.a[i+p*o.ld], o.ld, &dst[0])
		return
	}
	mr, nr := simd.MR(), simd.NR()
	for g := 0; g < m; g += nr {
		o.packRows(i+g, min(nr, m-g), p, k, &dst[g/mr*mr*k+g%mr], mr)
	}
}

// packRows writes c ≤ NR rows from i on, columns p..p+k, ldd apart.
func (o operand) packRows(i, c, p, k int, dst *float64, ldd int) {
	if o.form == transposed {
		simd.PackRows(c, 0, nil, 0, nil, k, &o.a[p+i*o.ld], o.ld, dst, ldd)
		return
	}
	var s1, sd, s2 *float64
	diag := 0
	n1 := min(max(i-p, 0), k)
	if n1 > 0 {
		s1 = &o.a[i+p*o.ld]
	}
	if p <= i && i < p+k {
		diag, sd = 1, &o.a[i+i*o.ld]
	}
	q := max(p, i+c)
	n2 := max(p+k-q, 0)
	if n2 > 0 {
		s2 = &o.a[q+i*o.ld]
	}
	simd.PackRows(c, n1, s1, diag, sd, n2, s2, o.ld, dst, ldd)
}

// strips is the size of m rows and k columns packed.
func strips(m, k int) int {
	mr := simd.MR()
	return (m + mr - 1) / mr * mr * k
}
