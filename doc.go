// Package gcrfbc holds the nouns of Gaussian conditional random fields for
// binary classification: scores and labels of nodes, the graphs that join
// them, the parameters, and a fitted model.
//
// # The model
//
// An instance has N nodes. K unstructured predictors give node i the real
// scores R_i1 … R_iK (best as logits); L graphs S^l with non-negative weights
// say which nodes agree. A latent Gaussian field joins them,
//
//	P  = Σ⁻¹ = 2[(Σ_k α_k) I + Σ_l β_l Lap(S^l)],   Lap(S) = diag(S1) − S
//	μ  = g Σ 2Rα + R w + c 1
//	z  ~ N(μ, Σ),   Pr(y_i = 1 | z_i) = 1/(1 + exp(−z_i))
//
// with α, β > 0. The published model has gain g = 1, bias c = 0 and direct
// weights w = 0 (A. Petrović, M. Nikolić, M. Jovanović, B. Delibašić, Gaussian
// Conditional Random Fields for Classification); [Params] holds all of them.
//
// # Notation
//
//	paper      here                        shape
//	R          Instance.Scores             N×K, row-major
//	y          Instance.Labels             N, of 0, 1 and Missing
//	S^l        Dataset.Graphs, Instance.Graphs   L graphs of N nodes
//	α, β       Params.Alpha, Params.Beta   K, L
//	g, c, w    Params.Gain, .Bias, .Direct 1, 1, K
//	P = Σ⁻¹    Precision                   N×N, sparse, lower triangle
//
// # Data flow
//
//	Dataset → Precision → chol.Symbolic (once) → chol.Factor (many) →
//	selected inverse → value and gradient → optimiser → Model → prediction
//
// Package learn fits a [Model] to a [Dataset]; package infer computes
// probabilities with it; package sparse/picture makes the graphs of pictures; packages chol and sparse stand alone as a sparse
// symmetric positive definite solver. This package imports sparse only.
package gcrfbc
