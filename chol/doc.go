// Package chol solves sparse symmetric positive definite systems by supernodal
// (on thin graphs simplicial) Cholesky factorization, and computes the
// log-determinant and the entries of the inverse that Gaussian models on graphs
// need. It stands alone: it needs
// package sparse for its patterns, and no other part of this module.
//
// # Use
//
// Three types, one for each stage:
//
//	Analyze(pattern) → *Symbolic     once a pattern: ordering, structure, forecast
//	Symbolic.NewFactor() → *Factor   memory for one factorization P A P' = L L'
//	Factor.Refactorize(values)       numbers, as often as they change
//
// then Factor.SolveTo, SolveManyTo, LogDet, SelectedInverse, and half solves
// for quadratic forms and samples. The matrix is given by its lower triangle
// (entries j ≤ i of a sparse.Pattern, the diagonal complete) and a slice of
// values aligned with it; rows are always in the caller's numbering.
// Symbolic.NewFactorForInverse moves a part of every selected inverse into the
// factorization.
//
// A matrix with one value per pair of neighbours on a map, mesh, picture, road
// network or citation graph is what this package is for. It is the wrong tool
// when the factor does not fit (large social networks; see Symbolic.Forecast
// before allocating anything), for indefinite matrices, and for dense matrices
// of less than about 50 rows that occur in millions.
//
// # Cost
//
// Analysis takes about a microsecond an entry with AMD. A factorization takes
// Forecast.Flops operations, at 40 to 100 per nanosecond on one core with
// AVX-512 once fronts are a few dozen wide, plus about 0.3 µs a supernode, or
// 10 to 40 ns a column where the factor is simplicial (Symbolic.Simplicial);
// a selected inverse 2.2 times as many, a solve 4·nnz(L), bound by memory
// bandwidth; 32 right-hand sides cost about three times one. On an n-node
// planar graph nnz(L) grows like n log n and the operations like n^1.5, in
// three dimensions like n^1.33 and n^2.
//
// # Memory
//
// Forecast counts it before it is allocated: 8·StoredL bytes a factor, and
// working storage that all factors of one analysis share (one set for every
// call that is in progress). Options.MaxBytes turns an excessive forecast into
// a *MemoryError.
//
// # Accuracy
//
// Factorization and solves are backward stable: relative errors are about the
// condition number times 1e-16. There is no pivoting; a matrix that is not
// positive definite to working precision gives a *NotPositiveDefiniteError
// naming the row. The selected inverse has the accuracy of solves in the
// examples tested (1e-12 relative at condition 1e4).
//
// # Threads
//
// A Symbolic is immutable and may be shared. Different factors may be used at
// the same time; of one factor, everything but Refactorize may run
// concurrently. Each call uses up to Options.Threads goroutines that end with
// it: subtrees of the elimination tree are independent tasks, and large dense
// blocks are shared. Every result has the same bits for any number of
// threads, on processors with the same instruction set.
//
// # Method
//
// The factor is computed by the multifrontal method (Duff & Reid 1983, ACM
// TOMS 9:302; Liu 1992, SIAM Review 34:82) on amalgamated supernodes, with
// relative indices between every front and its parent's. The inverse follows
// the same tree downwards (Takahashi, Fagan & Chin 1973; Erisman & Tinney
// 1975).
//
// Paths, trees, stars and networks that are nearly trees have columns of one to
// three entries, and fronts would mostly be fixed cost and explicit zeros. Where
// a model of the times says so, the factor is simplicial: L D L' by single
// columns, every place that a column's products go to listed beforehand.
//
// Notation in the code, after these papers:
//
//	s, c, p      a supernode, its child, its parent
//	w, r, nr     its pivot columns, further rows, and w + r
//	L11, L21     the pivot block and what lies below it: the panel, nr×w
//	U (upd)      update matrix r×r, what the subtree subtracts from the rest
//	rel          positions of a child's r rows in its parent's front
//	Z            the inverse; Z22 is its block on a supernode's r rows
//	k, x, d      of columns: a column, its entries below the diagonal, the pivots
package chol
