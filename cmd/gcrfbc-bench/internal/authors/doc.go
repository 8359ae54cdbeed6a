// Package authors computes GCRFBC the way it was published, for measuring what
// the engine saves: every instance has dense matrices, Σ and S are explicit
// inverses, determinants are taken of them, the value and the gradient are two
// separate passes, and GCRFBCb is learned by truncated Newton over α, β and
// every ξ together (A. Petrović, M. Nikolić, M. Jovanović, B. Delibašić,
// Gaussian Conditional Random Fields for Classification, 2019). Misprints are
// corrected, so that value and gradient belong together.
//
// An evaluation costs O(M(K+L+N)N²) for the bound, O(MN³) for the
// log-likelihood, since both invert N×N matrices; storage is O(MLN²).
package authors
