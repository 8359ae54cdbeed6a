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

// objective is what the optimiser minimises: minus the objective per labelled
// node, value and gradient from one evaluation.
type objective struct {
	d      *gcrfbc.Dataset
	ev     *infer.Evaluator
	sc     *scale
	params gcrfbc.Params
	grad   []float64 // with respect to the user's parameters
	norm   float64   // labelled nodes

	joint *jointSites // the paper's problem, or nil
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
		SiteTol: opts.SiteTol, MaxSweeps: opts.MaxSweeps,
	})
	if err != nil {
		return nil, err
	}
	zeros, ones, _ := d.LabelCounts()
	o := &objective{d: d, ev: ev, norm: float64(zeros + ones), sc: newScale(d, opts.Mean == gcrfbc.CalibratedMean)}
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
	return optimize.Problem{Dim: len(lo), Eval: o.eval, Lower: lo, Upper: hi}
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

func (o *objective) eval(ctx context.Context, x, grad []float64) (float64, error) {
	theta := x[:o.sc.dim()]
	o.sc.params(&o.params, theta)
	var value float64
	var err error
	if o.joint == nil {
		value, err = o.ev.Evaluate(ctx, o.params, o.grad)
	} else {
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
	o.sc.gradient(grad[:len(theta)], o.grad, &o.params)
	for i := range grad {
		grad[i] /= -o.norm
	}
	return -value / o.norm, nil
}

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
