// Package paper repeats the evaluation of A. Petrović, M. Nikolić, M. Jovanović
// and B. Delibašić, Gaussian Conditional Random Fields for Classification (2019):
// its table of the synthetic study over many seeds, the integrand of the
// marginals and the bound of the logistic function, and the time of learning
// against the numbers of instances and of nodes.
//
// Every function hands its results on as it has them (Emit), so that an
// interruption keeps what was finished.
package paper
