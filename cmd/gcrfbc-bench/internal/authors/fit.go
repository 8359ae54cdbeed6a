package authors

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// Lower is the published lower bound of every α and β; there is no upper one.
const Lower = 1e-6

// Result is the outcome of a fit.
type Result struct {
	Alpha, Beta []float64
	Objective   float64
	Evaluations int
	Converged   bool
}

// Fit maximises the bound over α, β and ξ together (b), or the log-likelihood
// over α and β (nb), by truncated Newton from a random start: |N(0,1)| for α and
// β, N(0,1) for ξ. It ends after maxEvaluations values and gradients at the
// latest; a canceled context ends it with the best point so far and the
// context's error.
func (p *Problem) Fit(ctx context.Context, variant gcrfbc.Variant, seed uint64, maxEvaluations int) (*Result, error) {
	shared := p.K + p.L
	dim := shared
	if variant == gcrfbc.Bayesian {
		dim += p.Nodes()
	}
	rng := rand.New(rand.NewPCG(seed, 0x6a09e667f3bcc908))
	x0, lower, upper := make([]float64, dim), make([]float64, dim), make([]float64, dim)
	for i := range x0 {
		x0[i], lower[i], upper[i] = rng.NormFloat64(), math.Inf(-1), math.Inf(1)
		if i < shared {
			x0[i], lower[i] = math.Abs(x0[i]), Lower
		}
	}
	res, err := optimize.Minimize(ctx, optimize.Problem{Dim: dim, Lower: lower, Upper: upper,
		Eval: func(ctx context.Context, x, grad []float64) (float64, error) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			v := p.Evaluate(variant, x, grad)
			for i := range grad {
				grad[i] = -grad[i]
			}
			if !finite(v, grad) {
				return math.NaN(), optimize.ErrNotFinite
			}
			return -v, nil
		}}, x0, optimize.TNC{}, optimize.Options{MaxEvaluations: maxEvaluations})
	if res == nil {
		return nil, err
	}
	if errors.Is(err, optimize.ErrNotFinite) && res.Evaluations > 0 {
		err = nil // the best point so far stands
	}
	return &Result{Alpha: res.X[:p.K:p.K], Beta: res.X[p.K:shared:shared], Objective: -res.F,
		Evaluations: res.Evaluations, Converged: res.Status.Converged()}, err
}

// Evaluate returns the value and writes the gradient at x: α, β and, for b, ξ.
// The two are computed one after the other, each with its own inverses.
func (p *Problem) Evaluate(variant gcrfbc.Variant, x, grad []float64) float64 {
	alpha, beta := x[:p.K], x[p.K:p.K+p.L]
	if variant == gcrfbc.NonBayesian {
		v := p.LogLikelihood(alpha, beta)
		p.LogLikelihoodGradient(alpha, beta, grad)
		return v
	}
	xi := x[p.K+p.L:]
	v := p.Bound(alpha, beta, xi)
	p.BoundGradient(alpha, beta, xi, grad)
	return v
}
