package learn

import (
	"context"
	"errors"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// objective is what the optimiser minimises: minus objective and log prior per
// labelled node, value and gradient from one evaluation.
type objective struct {
	d      *gcrfbc.Dataset
	ev     *infer.Evaluator
	sc     *scale
	params gcrfbc.Params
	grad   []float64 // with respect to the user's parameters
	norm   float64   // labelled nodes
	prior  *penalty

	joint *jointSites // the paper's problem, or nil

	record         *journal         // nil: not recorded
	sites          infer.SiteReport // of the last evaluation
	factorizations int

	at           []float64 // where the evaluator is, with grad; empty if nowhere
	dir, product []float64 // of hessVec, on the user's scale

	moved, ahead, behind []float64 // of hessVec: variables, and gradients on either side

	fault func() error // in tests: what an evaluation fails with, or nil
}

// jointSites maps the variables after θ to ξ of the labelled nodes.
type jointSites struct {
	xi, gradXi [][]float64
	instance   []int32
	node       []int32
}

func newObjective(ctx context.Context, d *gcrfbc.Dataset, opts *Options) (*objective, error) {
	ev, err := infer.NewEvaluator(ctx, d, infer.Options{
		Variant: opts.Variant, Approx: opts.Approx, Threads: opts.Threads, MaxBytes: opts.MaxBytes,
		Solver: opts.Solver, Cmax: opts.Cmax,
		SiteTol: opts.SiteTol, MaxSweeps: opts.MaxSweeps,
	})
	if err != nil {
		return nil, err
	}
	zeros, ones, _ := d.LabelCounts()
	o := &objective{d: d, ev: ev, norm: float64(zeros + ones), sc: newScale(d, opts.parts)}
	o.prior = newPenalty(opts.Prior, o.sc)
	o.params = gcrfbc.NewParams(make([]float64, d.K), make([]float64, o.sc.L))
	o.grad = make([]float64, infer.GradientLen(d.K, o.sc.L))
	if opts.Joint {
		o.joint = newJointSites(d)
	}
	return o, nil
}

func newJointSites(d *gcrfbc.Dataset) *jointSites {
	js := &jointSites{xi: make([][]float64, len(d.Instances)), gradXi: make([][]float64, len(d.Instances))}
	for j := range d.Instances {
		n := d.Instances[j].N()
		js.xi[j], js.gradXi[j] = make([]float64, n), make([]float64, n)
		for i, y := range d.Instances[j].Labels {
			if y != gcrfbc.Missing {
				js.instance = append(js.instance, int32(j))
				js.node = append(js.node, int32(i))
			}
		}
	}
	return js
}

// problem returns the optimisation problem with its box.
func (o *objective) problem(opts *Options) optimize.Problem {
	lo, hi := o.sc.bounds(opts.Lower, opts.Upper)
	if o.joint != nil {
		for range o.joint.node {
			lo = append(lo, 0)
			hi = append(hi, math.Inf(1))
		}
	}
	p := optimize.Problem{Dim: len(lo), Eval: o.eval, Lower: lo, Upper: hi}
	if o.joint == nil && o.ev.OffersHessVec() {
		p.HessVec = o.hessVec
	}
	return p
}

// start returns the variables of an initial point; in the joint problem every
// ξ starts at 1.
func (o *objective) start(s Start) []float64 {
	x := o.sc.start(s)
	if o.joint != nil {
		for range o.joint.node {
			x = append(x, 1)
		}
	}
	return x
}

// eval is the optimiser's function; what was recorded is not evaluated again.
func (o *objective) eval(ctx context.Context, x, grad []float64) (float64, error) {
	e, err := o.record.again(x, o)
	if err != nil {
		return math.NaN(), err
	}
	if e != nil {
		copy(grad, e.Grad)
		o.sites = e.Sites
		o.factorizations += e.Factorizations
		if e.Infeasible {
			return math.NaN(), optimize.ErrInfeasible
		}
		return e.F, nil
	}
	before := o.ev.Factorizations()
	f, err := o.evaluate(ctx, x, grad)
	infeasible := errors.Is(err, optimize.ErrInfeasible)
	if err != nil && !infeasible {
		return f, err
	}
	if infeasible {
		// Some instances may have been done, which depends on threads.
		o.ev.ResetSites()
	}
	done := o.ev.Factorizations() - before
	o.factorizations += done
	o.sites = o.ev.Sites()
	o.record.add(x, grad, f, infeasible, o, done)
	return f, err
}

func (o *objective) evaluate(ctx context.Context, x, grad []float64) (float64, error) {
	theta := x[:o.sc.dim()]
	o.sc.params(&o.params, theta)
	o.at = o.at[:0]
	var value float64
	var err error
	if o.fault != nil {
		err = o.fault()
	}
	switch {
	case err != nil:
	case o.joint == nil:
		value, err = o.ev.Evaluate(ctx, o.params, o.grad)
	default:
		value, err = o.evalJoint(ctx, x[len(theta):], grad[len(theta):])
	}
	if err != nil {
		var npd *chol.NotPositiveDefiniteError
		var nan *chol.ValueError
		var param *gcrfbc.ParamError
		var singular *infer.SingularError
		if errors.As(err, &npd) || errors.As(err, &nan) || errors.As(err, &param) || errors.As(err, &singular) {
			// Parameters so extreme that P is singular, or not finite.
			return math.NaN(), errors.Join(optimize.ErrInfeasible, err)
		}
		return math.NaN(), err
	}
	o.at = append(o.at, x...)
	o.sc.gradient(grad[:len(theta)], o.grad, &o.params)
	o.prior.subtractGradient(grad, x)
	for i := range grad {
		grad[i] /= -o.norm
	}
	return (o.prior.value(x) - value) / o.norm, nil
}

// pure returns the objective without the prior at x, where eval returned f.
func (o *objective) pure(f float64, x []float64) float64 { return o.prior.value(x) - f*o.norm }

func (o *objective) evalJoint(ctx context.Context, xi, gradXi []float64) (float64, error) {
	js := o.joint
	for k, v := range xi {
		js.xi[js.instance[k]][js.node[k]] = v
	}
	value, err := o.ev.EvaluateXi(ctx, o.params, js.xi, o.grad, js.gradXi)
	if err != nil {
		return 0, err
	}
	for k := range gradXi {
		gradXi[k] = js.gradXi[js.instance[k]][js.node[k]]
	}
	return value, nil
}
