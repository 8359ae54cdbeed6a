// Package learn fits the parameters of a GCRFBC model to a dataset.
//
// [Fit] maximises the log-likelihood of GCRFBCnb, or the bound or evidence of
// GCRFBCb, over log α, log β and, with the calibrated mean, gain, bias and
// direct weights. The variational parameters of the sites are profiled: every
// evaluation brings them to their fixed point (package infer), where the
// gradient needs no further solve, so the optimiser sees K + L + a few numbers
// however many nodes there are. The paper's joint problem, over θ and ξ
// together, is there for comparison ([Options.Joint]).
//
// # Scales
//
// Graph weights may differ by orders of magnitude, so β is learned as if every
// graph had mean weight one and reported on the user's scale: it multiplies the
// weights as given. Bounds hold on the internal scale unless they are set.
//
// # Starts
//
// The objective has local optima in θ. Fits start from (α, β) = (.01, 1)
// and (1, 1) and keep the better result. Where one evaluation of b is heavy work
// it starts from nb's optimum instead, whose gain, bias, direct weights and
// ratios of α and β are close to b's and cost solves alone; should that run end
// with a field without variance, another start is compared.
//
// # The mean, priors, uncertainty
//
// [Options.Mean] says which of gain, bias and direct weights are learned, or,
// as [AutoMean], leaves that to their evidence. A fit maximises objective plus
// log prior ([Prior]); by default only gain and direct weights beyond ten logits
// a standard deviation of their score have one. [Uncertain], or
// [Options.StandardErrors], gives standard errors, the covariance, and in words
// what the data do not determine.
//
// # Running long
//
// A canceled context, a time limit or an evaluation limit ends a fit with the
// best model so far. A factorization that fails, or a value that is not a
// number, inside a line search is a shorter step. [Options.Checkpoint] is given
// the fit's [State] now and then; [Options.Resume] continues from it to the same
// bits.
package learn
