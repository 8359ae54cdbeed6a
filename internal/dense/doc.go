// Package dense holds the dense kernels of the sparse Cholesky engine: small
// and large factorizations, triangular solves and products, and the two fused
// operations on a front (FrontFactor, FrontInverse).
//
// Matrices are column-major float64 slices with a leading dimension, element
// (i,j) at a[i+j*ld]; symmetric and triangular matrices are read and written
// in their lower triangle only. Kernels are serial, allocate nothing once
// their [Workspace] is warm, and give the same bits for the same sizes and
// values. Operands that are written may not overlap others. Broken
// preconditions (short slices, small leading dimensions) panic.
package dense
