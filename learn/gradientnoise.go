package learn

import (
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
)

// gradientNoise returns the covariance that the probes of approximate factors
// give the last gradient, with respect to the free variables, or nil if it has no
// random part.
func (o *objective) gradientNoise(free []int, p gcrfbc.Params) []float64 {
	dim, n := infer.GradientLen(o.sc.K, o.sc.L), len(free)
	cov := make([]float64, dim*dim)
	if !o.ev.GradientCovTo(cov) {
		return nil
	}
	// The gradient's map is linear: once for the rows, once for the columns.
	x := make([]float64, o.sc.dim())
	half := make([]float64, n*dim)
	for i := range dim {
		o.sc.gradient(x, cov[i*dim:(i+1)*dim], &p)
		for a, k := range free {
			half[a*dim+i] = x[k]
		}
	}
	out := make([]float64, n*n)
	for a := range n {
		o.sc.gradient(x, half[a*dim:(a+1)*dim], &p)
		for b, k := range free {
			out[a*n+b] = x[k]
		}
	}
	return out
}

// addNoise adds CVC to the covariance C, the inverse Hessian: where a gradient
// with an error of covariance V vanishes is off by C times that error.
func (u *Uncertainty) addNoise(noise []float64) {
	n := len(u.Free)
	c := u.Covariance
	half := make([]float64, n*n) // CV
	for a := range n {
		for b := range n {
			for k := range n {
				half[a*n+b] += c[a*n+k] * noise[k*n+b]
			}
		}
	}
	sum := append([]float64(nil), c...)
	u.Stochastic = make([]float64, len(u.Names))
	for i := range u.Stochastic {
		u.Stochastic[i] = math.NaN()
	}
	largest, name := 0.0, ""
	for a, i := range u.Free {
		for b := range n {
			extra := 0.0
			for k := range n {
				extra += half[a*n+k] * c[k*n+b]
			}
			sum[a*n+b] += extra
			if a == b {
				u.Stochastic[i] = math.Sqrt(math.Max(extra, 0))
				if share := u.Stochastic[i] / math.Sqrt(sum[a*n+a]); share > largest {
					largest, name = share, u.Names[i]
				}
			}
		}
	}
	u.Covariance = sum
	u.Notes = append(u.Notes, fmt.Sprintf("standard errors include the noise of the approximate factor's probes: at most %.2g %%, of that of %s", 100*largest, name))
}
