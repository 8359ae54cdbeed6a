package learn

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
)

// Uncertainty describes how well the data determine the parameters at a fit:
// the inverse Hessian of minus the profiled objective (with the log prior) in
// the variables (log α, log β, gain, bias, direct), over the components that are
// free. For GCRFBCnb, which knows ratios only, α and β are those with Σα = 1.
type Uncertainty struct {
	Names []string // of all components that are learned: alpha[0] …, beta[0] …, gain, bias, direct[0] …; sum(alpha) with a gain of 0
	Free  []int    // indices into Names of the components that enter; those at a bound do not

	// SE holds the standard error of every component of Names: for α and β of
	// the logarithm (0.1 is about 10 %); NaN where the component is held by a
	// bound or not identified.
	SE []float64
	// Covariance of the free components, len(Free)² row-major; NaN where a
	// direction is not identified.
	Covariance []float64
	// Eigenvalues of the Hessian over the free components, ascending, with gain
	// and direct weights in units of standardised scores. One near zero is a
	// direction along which the objective is flat.
	Eigenvalues []float64
	Notes       []string // flat directions and bounds, in words

	// Stochastic is the part of SE that is due to the probes of an approximate
	// factor (see package infer), not to the data: another seed would move the
	// estimates by about as much. Aligned with Names; nil with exact factors.
	Stochastic []float64
}

// StandardErrors says whether [Fit] computes standard errors.
type StandardErrors int

// When standard errors are computed.
const (
	NoStandardErrors     StandardErrors = iota
	CheapStandardErrors                 // if an evaluation is light work
	AlwaysStandardErrors                // two evaluations for each component, four with approximate factors
)

const (
	// hessianStep is the step of the gradients' central differences, in log θ,
	// bias, and gain and direct weights for standardised scores.
	hessianStep = 1e-3
	// partialHessianStep is the same with approximate factors, whose gradients
	// are those of sites and solves to 1e-4; two central differences, with it and
	// half of it, cancel its third order.
	partialHessianStep = 0.1
	// flatCurvature is the curvature below which a direction counts as not
	// identified: a standard deviation of 30 in log θ is no information.
	flatCurvature = 1e-3
	// cheapWork is the most work, in counted operations of one sweep over the
	// sites for each evaluation, that CheapStandardErrors does: about a second.
	cheapWork = 1e9
)

// Uncertain computes the standard errors of a fitted model's parameters by
// central differences of the objective's gradient: two evaluations a free
// component, four with approximate factors. opts must be those of the fit
// (bounds, priors and tolerances are read).
//
// With approximate factors the fit ends where the gradient plus a random error ε
// vanishes, by −H⁻¹ε away from where the gradient does, H being the Hessian. With
// V the covariance of ε over the probes (infer.Evaluator.GradientCovTo), the
// covariance is H⁻¹ + H⁻¹VH⁻¹.
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
	return obj.uncertainty(ctx, m, &opts)
}

// uncertainty computes the standard errors at m. It leaves o's variables plain.
func (o *objective) uncertainty(ctx context.Context, m *gcrfbc.Model, opts *Options) (*Uncertainty, error) {
	sc := o.sc
	sc.plain() // standard errors are those of the parameters themselves
	o.prior, o.joint, o.record = newPenalty(opts.Prior, sc), nil, nil
	u0, _, _ := sc.smoothing(&m.Params)
	o.prior.scaleGain(sc.gain, u0)
	o.ev.ResetSites() // so that they depend on m alone
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
		if i >= sc.A && i < sc.A+sc.L && sc.empty[i-sc.A] {
			u.Notes = append(u.Notes, u.Names[i]+" has no effect, its graph being empty, and no standard error")
			continue
		}
		u.Free = append(u.Free, i)
	}
	n := len(u.Free)
	if n == 0 {
		return u, nil
	}
	unit := make([]float64, n) // of the scaled variables, in which curvatures compare
	for a, i := range u.Free {
		unit[a] = sc.unit(i)
	}
	rows := make([]float64, n*n)
	for a, i := range u.Free {
		if err := o.differences(ctx, rows[a*n:(a+1)*n], x, i, u, unit); err != nil {
			return nil, fmt.Errorf("learn: standard error of %s: %w", u.Names[i], err)
		}
	}
	h := mat.NewSymDense(n, nil)
	prior := make([]float64, n) // its part of the curvature
	for a, i := range u.Free {
		for b := range a + 1 {
			h.SetSym(a, b, 0.5*(rows[a*n+b]+rows[b*n+a]))
		}
		prior[a] = o.prior.curvature(i, x[i]) * unit[a] * unit[a]
	}
	if m.Variant == gcrfbc.NonBayesian { // its gradient has no random part
		return u, u.invertRatios(h, prior, unit, m, sc.A+sc.L)
	}
	return u, u.invert(h, prior, unit, o.gradientNoise(u.Free, m.Params))
}

// differences writes the row of the Hessian that belongs to variable i, from
// gradients on either side of x, in the scaled variables.
func (o *objective) differences(ctx context.Context, row, x []float64, i int, u *Uncertainty, unit []float64) error {
	steps, weights := []float64{hessianStep}, []float64{1}
	if r, ok := o.ev.Solver(); ok && r.Kind == infer.SolverPartial {
		steps = []float64{partialHessianStep, partialHessianStep / 2}
		weights = []float64{-1.0 / 3, 4.0 / 3} // Richardson's extrapolation
	}
	grad, old := make([]float64, len(x)), x[i]
	defer func() { x[i] = old }()
	for s, step := range steps {
		for _, side := range []float64{1, -1} {
			x[i] = old + side*step*o.sc.unit(i)
			if _, err := o.eval(ctx, x, grad); err != nil {
				return err
			}
			for b, j := range u.Free {
				row[b] += weights[s] * o.norm * side * grad[j] / (2 * step) * unit[b]
			}
		}
	}
	return nil
}

// invert fills in eigenvalues, covariance and standard errors; components that
// take part in a flat direction get none. noise is the covariance of the gradient
// over its probes, or nil.
func (u *Uncertainty) invert(h *mat.SymDense, prior, unit, noise []float64) error {
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
		data := lambda
		for a, p := range prior {
			data -= v.At(a, k) * v.At(a, k) * p
		}
		if data < flatCurvature {
			var parts []string
			for a := range n {
				if c := v.At(a, k); math.Abs(c) > 0.1 {
					loose[a] = true
					parts = append(parts, fmt.Sprintf("%+.2f %s", c, u.Names[u.Free[a]]))
					if math.Abs(c) > 0.99 {
						parts = []string{u.Names[u.Free[a]]}
						break
					}
				}
			}
			what := strings.Join(parts, ", ")
			if len(parts) > 1 {
				what = "the direction " + what + " (log scale for alpha and beta)"
			}
			switch {
			case data < -10*flatCurvature && lambda < 0:
				u.Notes = append(u.Notes, "the objective still curves upwards along "+what+": this is no maximum, and there are no standard errors for these")
			case lambda >= flatCurvature:
				u.Notes = append(u.Notes, "the data do not determine "+what+"; the prior alone holds it")
			default:
				u.Notes = append(u.Notes, "the data do not determine "+what)
			}
			if lambda < flatCurvature {
				continue
			}
		}
		for a := range n {
			for b := range n {
				u.Covariance[a*n+b] += v.At(a, k) * unit[a] * v.At(b, k) * unit[b] / lambda
			}
		}
	}
	if noise != nil {
		u.addNoise(noise)
	}
	for a, i := range u.Free {
		if loose[a] {
			if noise != nil {
				u.Stochastic[i] = math.NaN()
			}
			for b := range n {
				u.Covariance[a*n+b], u.Covariance[b*n+a] = math.NaN(), math.NaN()
			}
			continue
		}
		u.SE[i] = math.Sqrt(u.Covariance[a*n+a])
	}
	return nil
}

// invertRatios is invert for GCRFBCnb, whose objective does not change along the
// common direction of log α and log β, the first size components. The largest α
// is held, and the result mapped to Σα = 1, by
//
//	log α_k − log Σα,  log β_l − log Σα.
func (u *Uncertainty) invertRatios(h *mat.SymDense, prior, unit []float64, m *gcrfbc.Model, size int) error {
	n := len(u.Free)
	share := make([]float64, n) // d log Σα / d log α
	ref := -1
	for a, i := range u.Free {
		if i < size-m.L() {
			share[a] = m.Alpha[i] / m.SumAlpha()
			if size-m.L() < m.K() { // one log α for all
				share[a] = 1
			}
			if ref < 0 || share[a] > share[ref] {
				ref = a
			}
		}
	}
	if ref < 0 {
		return u.invert(h, prior, unit, nil)
	}
	// Without row and column ref.
	v := &Uncertainty{Names: u.Names, SE: u.SE}
	var rest []int
	var vPrior, vUnit []float64
	for a, i := range u.Free {
		if a != ref {
			rest = append(rest, a)
			v.Free = append(v.Free, i)
			vPrior, vUnit = append(vPrior, prior[a]), append(vUnit, unit[a])
		}
	}
	cov := make([]float64, n*n)
	if len(rest) > 0 {
		sub := mat.NewSymDense(len(rest), nil)
		for p, a := range rest {
			for q, b := range rest[:p+1] {
				sub.SetSym(p, q, h.At(a, b))
			}
		}
		if err := v.invert(sub, vPrior, vUnit, nil); err != nil {
			return err
		}
		for p, a := range rest {
			for q, b := range rest {
				cov[a*n+b] = v.Covariance[p*len(rest)+q]
			}
		}
	}
	u.Eigenvalues, u.Notes = v.Eigenvalues, append(u.Notes, v.Notes...)
	with := make([]float64, n) // covariance with log Σα
	variance := 0.0
	used := func(a int) bool { // an α that hardly counts may be undetermined
		return share[a] > 1e-3 || share[a] > 0 && !math.IsNaN(cov[a*n+a])
	}
	for b := range n {
		for a := range n {
			if used(a) {
				with[b] += share[a] * cov[a*n+b]
			}
		}
		if used(b) {
			variance += share[b] * with[b]
		}
	}
	u.Covariance = make([]float64, n*n)
	for a, i := range u.Free {
		for b, j := range u.Free {
			c := cov[a*n+b]
			if i < size {
				c -= with[b]
			}
			if j < size {
				c -= with[a]
			}
			if i < size && j < size {
				c += variance
			}
			u.Covariance[a*n+b] = c
		}
		if c := u.Covariance[a*n+a]; math.IsNaN(c) {
			u.SE[i] = math.NaN()
		} else {
			u.SE[i] = math.Sqrt(math.Max(c, 0))
		}
	}
	return nil
}
