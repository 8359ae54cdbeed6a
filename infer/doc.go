// Package infer computes with the latent Gaussian field of a GCRFBC model: its
// mean and variances, the approximations of log p(y) and their gradients, and
// the probabilities of labels.
//
// # One form for every approximation
//
// Each labelled node's likelihood is replaced by a Gaussian site
// exp(−τ_i z²/2 + ν_i z); a node without a label has τ = ν = 0. With the
// precision P, Σ = P⁻¹ and the prior mean μ,
//
//	A = P + diag(τ),   S = A⁻¹,   e = S(ν − τ∘μ),   m = μ + e
//	log Z = C(sites) + ½[ν'(μ + m) − μ'(τ∘m) − (log|A| − log|P|)]
//
// and at the sites' fixed point the gradient with respect to the parameters is
// the explicit one, without a further solve. P and A share one pattern, so one
// symbolic analysis serves every parameter, every sweep over the sites and
// every instance that shares graphs. A sweep costs one factorization, one
// solve and one selected inverse of A.
//
// The sites are those of Jaakkola and Jordan's bound ([gcrfbc.JJ], the
// paper's), of expectation propagation ([gcrfbc.EP]) and of Laplace's
// approximation ([gcrfbc.Laplace]).
//
// # Entry points
//
// [Predict] gives Pr(y = 1) for every node of a dataset, prior or conditioned
// on observed labels; [Evidence] the log-probability of labels. [Evaluator] is
// what learning calls: value and gradient of the objective over all instances,
// in parallel, with the same bits for any number of threads.
package infer
