// Package ordering finds elimination orders that keep the Cholesky factor of a
// sparse symmetric matrix sparse.
//
// A graph is given by the pattern of the matrix in full, without the diagonal:
// node i is adjacent to idx[ptr[i]:ptr[i+1]], each edge stands in both rows, and
// no neighbour twice; rows need not be sorted. [Check] verifies that; the other
// functions rely on it. Inputs are never modified. An order is a permutation:
// perm[k] is the node to eliminate k-th.
//
//   - [AMD]: approximate minimum degree. Fast, and the best on trees, roads and
//     scale-free graphs.
//   - [NestedDissection]: about five times the time of AMD for half its work on
//     meshes in three dimensions and three fourths in two, with a tree that
//     spreads well over processors.
//   - [RCM]: reverse Cuthill–McKee, for a small bandwidth.
//   - [Natural]: as given.
//
// [Count] tells what an order costs: the entries of the factor and the
// operations to compute it. Every function is deterministic, for any number of
// workers, keeps no state between calls, and may be called by several goroutines
// at once.
package ordering
