// Package matgen generates the matrices of the solver's benchmarks from a short
// specification, the same matrix to the bit on every machine:
//
//	grid2d:N     N×N grid, vertex (r, c) has index r·N+c
//	grid3d:N     N×N×N grid, vertex (a, b, c) has index (a·N+b)·N+c
//	rgg:N:D      random geometric graph: N uniform points in the unit square, an
//	             edge where the distance is below √(D/(πN)), mean degree about D
//	ba:N:M       Barabási–Albert: a clique of M+1 vertices, then every new vertex
//	             takes M distinct targets by preferential attachment
//	file.mtx     a Matrix Market file, also compressed (file.mtx.gz)
//
// A generated matrix is the Laplacian of the unweighted graph plus [Ridge] times
// the identity, symmetric positive definite. A file that holds a diagonal is the
// matrix itself; a file without one is a graph and treated like the generated.
//
// Random numbers are those of splitmix64 (G. L. Steele, D. Lea, C. H. Flood,
// Fast splittable pseudorandom number generators, OOPSLA 2014) from seed 12345.
package matgen
