package learn

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gcrfbc/gcrfbc"
)

// Uncertainty describes how well the data determine the parameters at a fit:
// the inverse Hessian of minus the profiled objective in the variables
// (log α, log β, gain, bias, direct), over the components that are free.
type Uncertainty struct {
	Names []string // of all components: alpha[0] …, beta[0] …, gain, bias, direct[0] …
	Free  []int    // indices into Names of the components that enter; those at a bound do not

	// SE holds the standard error of every component of Names: for α and β of
	// the logarithm (0.1 is about 10 %); NaN where the component is held by a
	// bound or not identified.
	SE []float64
	// Covariance of the free components, len(Free)² row-major; NaN where a
	// direction is not identified.
	Covariance []float64
	// Eigenvalues of the Hessian over the free components, ascending. One near
	// zero is a direction along which the objective is flat.
	Eigenvalues []float64
	Notes       []string // flat directions and bounds, in words
}

const (
	// hessianStep is the step of the gradients' central differences, in log θ
	// (and in gain, bias, direct weights).
	hessianStep = 1e-3
	// flatCurvature is the curvature below which a direction counts as not
	// identified: a standard deviation of 30 in log θ is no information.
	flatCurvature = 1e-3
)

// Uncertain computes the standard errors of a fitted model's parameters by
// central differences of the objective's gradient: two evaluations a free
// component. opts must be those of the fit (bounds and tolerances are read).
//
// Errors are those of [Fit]; a model of another shape than d is a
// *gcrfbc.ModelError.
func Uncertain(ctx context.Context, d *gcrfbc.Dataset, m *gcrfbc.Model, opts Options) (*Uncertainty, error) {
	opts.Variant, opts.Approx, opts.Mean, opts.Joint = m.Variant, m.Approx, m.Mean, false
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if err := m.Matches(d); err != nil {
		return nil, err
	}
	if err := d.ValidateLabels(); err != nil {
		return nil, err
	}
	obj, err := newObjective(ctx, d, &opts)
	if err != nil {
		return nil, err
	}
	sc := obj.sc
	sc.plain() // standard errors are those of the parameters themselves
	x := sc.variables(m.Params)
	lo, hi := sc.bounds(opts.Lower, opts.Upper)
	u := &Uncertainty{Names: sc.names(), SE: make([]float64, len(x))}
	for i := range x {
		u.SE[i] = math.NaN()
		// nb is reported with Σα = 1, away from the box it was fitted in.
		if m.Variant == gcrfbc.Bayesian && (x[i] <= lo[i]+1e-9 || x[i] >= hi[i]-1e-9) {
			u.Notes = append(u.Notes, u.Names[i]+" is held by its bound and has no standard error")
			continue
		}
		if i >= sc.K && i < sc.K+sc.L && sc.empty[i-sc.K] {
			continue
		}
		u.Free = append(u.Free, i)
	}
	n := len(u.Free)
	if n == 0 {
		return u, nil
	}
	h := mat.NewSymDense(n, nil)
	plus, minus := make([]float64, len(x)), make([]float64, len(x))
	rows := make([]float64, n*n)
	for a, i := range u.Free {
		old := x[i]
		x[i] = old + hessianStep
		if _, err := obj.eval(ctx, x, plus); err != nil {
			return nil, fmt.Errorf("learn: standard error of %s: %w", u.Names[i], err)
		}
		x[i] = old - hessianStep
		if _, err := obj.eval(ctx, x, minus); err != nil {
			return nil, fmt.Errorf("learn: standard error of %s: %w", u.Names[i], err)
		}
		x[i] = old
		for b, j := range u.Free {
			rows[a*n+b] = obj.norm * (plus[j] - minus[j]) / (2 * hessianStep)
		}
	}
	for a := range n {
		for b := range a + 1 {
			h.SetSym(a, b, 0.5*(rows[a*n+b]+rows[b*n+a]))
		}
	}
	return u, u.invert(h)
}

// invert fills in eigenvalues, covariance and standard errors; components that
// take part in a flat direction get none.
func (u *Uncertainty) invert(h *mat.SymDense) error {
	n := len(u.Free)
	var eig mat.EigenSym
	if !eig.Factorize(h, true) {
		return fmt.Errorf("learn: the Hessian's eigenvalues did not converge")
	}
	u.Eigenvalues = eig.Values(nil)
	var v mat.Dense
	eig.VectorsTo(&v)
	u.Covariance = make([]float64, n*n)
	loose := make([]bool, n)
	for k, lambda := range u.Eigenvalues {
		if lambda < flatCurvature {
			parts := ""
			for a := range n {
				if c := v.At(a, k); math.Abs(c) > 0.1 {
					loose[a] = true
					if parts != "" {
						parts += ", "
					}
					parts += fmt.Sprintf("%+.2f %s", c, u.Names[u.Free[a]])
				}
			}
			u.Notes = append(u.Notes, "the data do not determine the direction "+parts+" (log scale for alpha and beta)")
			continue
		}
		for a := range n {
			for b := range n {
				u.Covariance[a*n+b] += v.At(a, k) * v.At(b, k) / lambda
			}
		}
	}
	for a, i := range u.Free {
		if loose[a] {
			for b := range n {
				u.Covariance[a*n+b], u.Covariance[b*n+a] = math.NaN(), math.NaN()
			}
			continue
		}
		u.SE[i] = math.Sqrt(u.Covariance[a*n+a])
	}
	return nil
}
