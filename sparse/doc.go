// Package sparse holds sparse matrices and weighted graphs, linear families of
// symmetric matrices on one pattern, and readers and writers for them. It is
// the ground that the Cholesky solver (package chol) and the graphical models
// stand on, and can be used alone.
//
// # Start here
//
//	g, err := sparse.ReadGraphFile("graph.mtx.gz", sparse.ReadOptions{})
//	f, err := sparse.NewFamily(g.N(), sparse.Identity(g.N()), sparse.Laplacian(g))
//	values := make([]float64, f.Pattern().NNZ())
//	f.AssembleTo(values, []float64{0.1, 1}) // 0.1 I + Lap(g)
//	a, err := sparse.NewSymmetric(f.Pattern(), values)
//
// # Types
//
//	Pattern    structure in compressed sparse rows, without values
//	CSR        Pattern + values; satisfies mat.Matrix
//	Symmetric  lower-triangular Pattern + values; satisfies mat.Symmetric
//	Graph      strictly lower Pattern + weights ≥ 0
//	Family     P(θ) = Σ_k θ_k A_k on the union pattern of symmetric A_k
//	Builder    entries in any order → CSR, Symmetric or Graph
//	Perm       a new order of rows, columns and nodes
//
// # Storage
//
// Indices count from 0. Columns are int32, so a matrix has at most 2^31−1 rows
// and columns; offsets are int, so the number of entries has no such limit.
// The columns of a row strictly increase. Constructors validate once; patterns
// never change afterwards and may be shared by goroutines, as may everything
// else while nobody writes to its values. Explicit zeros are entries: an edge
// of weight 0 is an edge.
//
// A value's place is its position in the pattern, everywhere: values[k] belongs
// to Pattern().Idx()[k]. Of a symmetric matrix only the lower triangle, j ≤ i,
// is stored; the patterns of a Family hold the whole diagonal, last in its row.
//
// # Ownership and overlap
//
// NewPattern, NewCSR, NewSymmetric and NewGraphFromPattern keep the slices
// they are given. Ptr, Idx, Row, Values and Weights return views, not copies.
// Methods named …To write their first argument, which must not overlap the
// others, and allocate nothing once warm; they panic on wrong lengths, which
// are mistakes in the program. Everything that depends on data returns an
// error: *EntryError (which entry), *ShapeError (which size) or, from files,
// *ParseError (which line), each with the remedy in its text.
//
// # Reproducibility
//
// Products with big matrices run in parallel; each row is summed in an order
// that depends on the matrix alone, so results have the same bits for any
// number of workers.
//
// Package sparse/interop converts from and to Gonum's matrices and graphs and
// github.com/james-bowman/sparse.
package sparse
