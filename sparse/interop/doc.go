// Package interop converts between package sparse and the types of Gonum
// (dense and symmetric matrices, graphs) and github.com/james-bowman/sparse.
//
//	sparse.CSR        ToDense, FromMatrix        mat.Dense, any mat.Matrix
//	sparse.Symmetric  ToSymDense, FromSymmetric  mat.SymDense, any mat.Symmetric
//	sparse.Graph      ToGonum, FromGonum         simple.WeightedUndirectedGraph, any graph.Undirected
//	sparse.CSR        ToJB, FromJB               james-bowman/sparse CSR
//
// CSR and Symmetric are mat.Matrix and mat.Symmetric themselves, so they can
// be handed to Gonum as they are; convert where dense storage is wanted.
//
// Conversions from and to james-bowman/sparse share values and row offsets:
// changing a value on one side changes it on the other, so that giving a
// pattern new weights needs no new conversion. Only the column indices, 32 bits
// here and 64 there, are converted. Its COO format is not taken: it loses
// duplicate entries on the way to CSR; use sparse.Builder.
package interop
