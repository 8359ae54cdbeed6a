package dense

import (
	"sort"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// ExtendAdd adds a child's update matrix to its parent's front: u is the lower
// triangle of order len(rel), rel(i) the position of the child's row i among
// the parent's nr rows, strictly increasing. The parent's front is its panel a
// (nr×w) and its update matrix pu (order nr−w); rows beyond w of columns below w
// go to a, the rest to pu.
func ExtendAdd(rel []int32, u []float64, ldu, w int, a []float64, lda int, pu []float64, ldpu int) {
	m := len(rel)
	s := sort.Search(m, func(i int) bool { return int(rel[i]) >= w })
	simd.ScatterAddLower(0, s, u, ldu, rel, 0, a, lda)
	simd.ScatterAddLower(s, m, u, ldu, rel, w, pu, ldpu)
}

// GatherInverse copies from a parent's inverse pz (lower, all its rows) the
// lower triangle at the positions rel: z(i,j) = pz(rel(i), rel(j)).
func GatherInverse(rel []int32, z []float64, ldz int, pz []float64, ldpz int) {
	simd.GatherLower(0, len(rel), z, ldz, rel, 0, pz, ldpz)
}
