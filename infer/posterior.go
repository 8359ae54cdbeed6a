package infer

import (
	"context"
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/fixedpoint"
)

// siteState is the memory of one instance's sites between evaluations, so that
// the next one starts warm. What a and b hold depends on the approximation
// (jj: ξ², unused; ep: τ, ν; laplace: m, unused); both have N entries.
type siteState struct {
	a, b     []float64
	warm     bool
	status   SiteStatus
	sweeps   int
	valueErr float64   // standard error of the instance's value
	noise    []float64 // of the last gradient, by term and probe; see keepNoise
}

// SiteStatus says how the sweeps over the sites of an instance ended.
type SiteStatus uint8

// How the sweeps over the sites can end.
const (
	SitesConverged SiteStatus = iota
	SitesNoLabels             // nothing to do: no labelled node
	SitesStalled              // MaxSweeps reached; the values are those of the last sweep
	SitesLaplace              // ep did not converge; the values are those of Laplace's approximation
)

func (s SiteStatus) String() string {
	switch s {
	case SitesConverged:
		return "converged"
	case SitesNoLabels:
		return "no labels"
	case SitesStalled:
		return "sweep limit"
	case SitesLaplace:
		return "fell back to laplace"
	}
	return "unknown"
}

// posterior is the field of one instance given its labels, through Gaussian
// sites: A = P + diag(τ). It is a worker's workspace, attached to one instance
// after another.
type posterior struct {
	pr     *prior
	field  Field
	values []float64 // A on the pattern

	scores   []float64
	labels   []int8
	labelled []int32 // indices of the labelled nodes

	mu, off []float64 // prior mean and its part that is not smoothed
	rbar, h []float64 // smoothed part Σ 2Rα = r̄ + h: average score and deviation
	tau, nu []float64 // sites, 0 without label
	e, m    []float64 // m = μ + e
	s       []float64 // diagonal of S
	sinv    []float64 // S on the pattern
	missing []float64 // what its traces miss, by term of the family and probe
	c       []float64 // scratch
	u       []float64 // adjoint; laplace's further term

	x, gx []float64 // the sites' accelerated coordinates
	acc   *fixedpoint.Accelerator

	adjoint bool // u holds the gradient's further term (laplace)

	ratio    float64 // log|A| − log|P|, 0 until settle where it is approximate
	value    float64 // log p(y) as approximated
	valueErr float64 // its standard error, 0 if the field is exact
}

func (po *posterior) attach(pr *prior, in *gcrfbc.Instance) {
	n := in.N()
	if po.pr != pr || po.field == nil || len(po.mu) != n || len(po.sinv) != pr.st.prec.Pattern().NNZ() {
		nnz := pr.st.prec.Pattern().NNZ()
		po.values = grow(po.values, nnz)
		po.sinv = grow(po.sinv, nnz)
		po.missing = grow(po.missing, traceProbes*(1+pr.st.prec.NumGraphs()))
		for _, v := range []*[]float64{&po.mu, &po.off, &po.rbar, &po.h, &po.tau, &po.nu, &po.e, &po.m, &po.s, &po.c, &po.u} {
			*v = grow(*v, n)
		}
	}
	po.field = pr.st.newField(po.field, false)
	po.pr = pr
	po.scores, po.labels = in.Scores, in.Labels
	po.labelled = po.labelled[:0]
	for i, y := range in.Labels {
		if y != gcrfbc.Missing {
			po.labelled = append(po.labelled, int32(i))
		}
	}
}

// checkMean verifies what holds exactly: the smoothed scores r̄ + h are averages
// of r̄ and have their sum. Where they do not the precision is singular to
// rounding.
func (po *posterior) checkMean() error {
	lo, hi, sum := math.Inf(1), math.Inf(-1), 0.0
	for i, r := range po.rbar {
		lo, hi = math.Min(lo, r), math.Max(hi, r)
		sum += po.h[i]
	}
	n := float64(len(po.h))
	slack := 1e-3*(hi-lo) + 1e-9*math.Max(math.Abs(lo), math.Abs(hi))
	for i, r := range po.rbar {
		if f := r + po.h[i]; !(f >= lo-slack && f <= hi+slack) || !(math.Abs(sum) <= n*slack) {
			return &SingularError{Node: i, Mean: f, Low: lo, High: hi}
		}
	}
	return nil
}

// SingularError says that the precision is singular to working accuracy: β is
// so large against α that the smoothed scores cannot be computed.
type SingularError struct {
	Node      int     // where it was noticed
	Mean      float64 // smoothed score there
	Low, High float64 // range of the scores that it should be an average of
}

func (e *SingularError) Error() string {
	return fmt.Sprintf("infer: the precision is singular to working accuracy: the smoothed score of node %d comes out as %g, which is no average of the scores, from %g to %g; beta is too large against alpha", e.Node, e.Mean, e.Low, e.High)
}

// setMean completes r̄ and h to μ = g(r̄ + h) + R w + c; off is the part R w + c.
func (po *posterior) setMean(params gcrfbc.Params) {
	K := len(params.Alpha)
	for i := range po.mu {
		o := params.Bias
		row := po.scores[i*K : i*K+K]
		for k, w := range params.Direct {
			o += w * row[k]
		}
		po.off[i] = o
		po.mu[i] = params.Gain*(po.rbar[i]+po.h[i]) + o
	}
}

// refresh factorizes A at the present sites and computes m and the diagonal of
// S. e = S(ν − τ∘μ) is solved for directly: m − μ would lose its digits at
// large θ.
func (po *posterior) refresh(ctx context.Context, withDiag bool) error {
	copy(po.values, po.pr.values)
	diag := po.pr.st.diag
	for _, i := range po.labelled {
		po.values[diag[i]] += po.tau[i]
	}
	if err := po.field.Update(ctx, po.values); err != nil {
		return err
	}
	clear(po.e)
	for _, i := range po.labelled {
		po.e[i] = po.nu[i] - po.tau[i]*po.mu[i]
	}
	if err := po.field.SolveTo(po.e, po.e); err != nil {
		return err
	}
	for i, v := range po.e {
		po.m[i] = po.mu[i] + v
	}
	po.ratio, po.valueErr = 0, 0
	if po.field.exact() {
		var err error
		if po.ratio, _, err = po.field.LogDetRatio(ctx, po.pr.field); err != nil {
			return err
		}
	}
	if withDiag {
		return po.field.InverseDiagTo(ctx, po.s)
	}
	return nil
}

// settle completes value by the determinants, which an approximate field
// computes once, for the sites' fixed point.
func (po *posterior) settle(ctx context.Context) error {
	if po.field.exact() {
		return nil
	}
	ratio, stderr, err := po.field.LogDetRatio(ctx, po.pr.field)
	if err != nil {
		return err
	}
	po.value -= 0.5 * (ratio - po.ratio)
	po.ratio, po.valueErr = ratio, 0.5*stderr
	return nil
}

// gaussian returns ½[ν'(μ+m) − μ'(τ∘m) − (log|A| − log|P|)].
func (po *posterior) gaussian() float64 {
	g := 0.0
	for _, i := range po.labelled {
		mu, m := po.mu[i], po.m[i]
		g += po.nu[i]*(mu+m) - mu*po.tau[i]*m
	}
	return 0.5 * (g - po.ratio)
}

// noLabels sets the posterior to the prior, with the sites all zero.
func (po *posterior) noLabels(ctx context.Context) error {
	clear(po.tau)
	clear(po.nu)
	clear(po.e)
	copy(po.m, po.mu)
	po.ratio, po.value, po.valueErr = 0, 0, 0
	if po.pr.haveSig {
		copy(po.sinv, po.pr.sigma)
		for i, q := range po.pr.st.diag {
			po.s[i] = po.pr.sigma[q]
		}
	}
	return nil
}

// solve brings the sites to their fixed point from the state's memory, or cold,
// and leaves value, m, s and the sites behind. With withEntries the entries of
// S on the pattern follow.
func (po *posterior) solve(ctx context.Context, opts *Options, st *siteState, withEntries bool) error {
	if len(po.labelled) == 0 {
		st.status, st.sweeps, st.valueErr = SitesNoLabels, 0, 0
		return po.noLabels(ctx)
	}
	clear(po.tau)
	clear(po.nu)
	po.adjoint = false
	var err error
	switch opts.Approx {
	case gcrfbc.JJ:
		err = po.solveJJ(ctx, opts, st)
	case gcrfbc.EP:
		err = po.solveEP(ctx, opts, st)
	default:
		err = po.solveLaplace(ctx, opts, st)
	}
	if err != nil {
		st.warm = false
		return err
	}
	if err := po.settle(ctx); err != nil {
		return err
	}
	st.valueErr = po.valueErr
	st.warm = st.status != SitesLaplace
	if withEntries {
		return invertTo(ctx, po.field, po.pr.st.prec.Family(), po.sinv, po.missing)
	}
	return nil
}

// accelerator returns the worker's accelerator, reset to dim.
func (po *posterior) accelerator(dim int) *fixedpoint.Accelerator {
	depth := andersonDepth
	if dim > largeDim {
		depth = andersonDepthLong
	}
	if po.acc == nil {
		po.acc = fixedpoint.NewAnderson(dim, depth)
	} else {
		po.acc.Reset(dim)
	}
	po.x = grow(po.x, dim)
	po.gx = grow(po.gx, dim)
	return po.acc
}

const (
	andersonDepth     = 6
	largeDim          = 200_000 // from where depth costs more memory than it is worth
	andersonDepthLong = 3
)
