// Package partial is the approximate counterpart of package chol, for graphs
// whose exact factor is too large: social and web graphs of 10⁵ to 10⁷ nodes.
//
// The matrix A is a graph's Laplacian plus a ridge ≥ 0, as every precision of
// the model is. Nodes of degree up to Cmax are eliminated exactly, by minimum
// degree; that keeps what is left, the core K, a Laplacian plus a ridge. The
// core has an incomplete factor, M ≈ K, with its nodes ordered by increasing
// degree. From the two follow
//
//   - solves, by conjugate gradients on the core, to any tolerance;
//   - the entries of A⁻¹ on the pattern, by Takahashi's recursion restricted to
//     the factor's pattern and a correction of rank one, without solves;
//   - log-determinants and their differences, with standard errors;
//   - samples, exact to the solve's tolerance.
//
// Cmax is a knob between cheap and exact: with [Exact] everything is eliminated
// and all results are exact. [Factor.Quality] says how far off the selected
// inverse is.
//
// # When
//
// Graphs whose exact factor explodes are expanders, such as social networks,
// where the incomplete factor captures the inverse well. Grids, roads and meshes
// have small exact factors: use package chol for them; here their inverse would
// be off by per cents.
//
// # Use
//
//	s, err := partial.Analyze(ctx, pattern, partial.Options{})
//	f := s.NewFactor()
//	err = f.Refactorize(ctx, values)        // many times
//	_, err = f.SolveTo(ctx, x, b, 1e-8, false)
//	err = f.SelectedInverse(ctx, entries)
//	ld, err := f.LogDet(ctx)                // ld.Value ± ld.StdErr
//
// Everything is deterministic for a seed, and has the same bits for any number
// of threads.
package partial
