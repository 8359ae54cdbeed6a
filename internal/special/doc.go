// Package special holds the scalar functions of logistic models: the logistic
// function, its logarithm, and the coefficient of the Jaakkola–Jordan bound.
//
// Every function takes any float64. Results carry a relative error of a few
// units in the last place over the whole range, in both tails, with the limits
// at ±Inf; NaN gives NaN. Nothing allocates.
//
//	Logistic(x)     1/(1+e^{−x})
//	LogLogistic(x)  log Logistic(x) = −log(1+e^{−x})
//	Log1pExp(x)     log(1+e^x)
//	Log2Cosh(x)     log(2 cosh x)
//	Lambda(ξ)       tanh(ξ/2)/(4ξ), 1/8 at 0
//	LambdaPrime(ξ)  its derivative
package special
