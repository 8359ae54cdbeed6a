package learn

import (
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// finish turns the best run into a model and sentences about it.
func (o *objective) finish(res *Result, best *optimize.Result, status optimize.Status, opts *Options) {
	d, sc := o.d, o.sc
	p := gcrfbc.NewParams(make([]float64, sc.K), make([]float64, sc.L))
	sc.params(&p, best.X)
	m := &gcrfbc.Model{Variant: opts.Variant, Mean: opts.Mean, Params: p, Scores: d.ScoreNames, Graphs: d.GraphInfo}
	if opts.Variant == gcrfbc.Bayesian {
		m.Approx = opts.Approx
	}
	res.Model = m
	res.Penalised = -best.F * o.norm
	res.Objective = o.pure(best.F, best.X)
	res.Status = status
	res.Factorizations += o.factorizations
	res.ProjectedGradient = best.ProjectedGradient * o.norm
	o.describe(res, best)
	if opts.Variant == gcrfbc.NonBayesian {
		normalise(&m.Params)
		if sc.L > 0 {
			res.Notes = append(res.Notes, "GCRFBCnb depends on the ratios of alpha and beta only; they are reported with sum(alpha) = 1")
		}
	}
	if !status.Converged() {
		res.Notes = append(res.Notes, fmt.Sprintf("the fit ended before it converged (%v); the best parameters found are kept", status))
	}
	if r := o.sites; r.Stalled > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("in the last evaluation the sites of %d of %d instances reached the sweep limit", r.Stalled, len(d.Instances)))
	}
	if r := o.sites; r.Laplace > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("in the last evaluation expectation propagation did not converge on %d of %d instances; Laplace's approximation took its place there", r.Laplace, len(d.Instances)))
	}
	m.Fit = &gcrfbc.FitSummary{
		Objective: res.Objective, Status: status.String(), Evaluations: res.Evaluations, Factorizations: res.Factorizations,
		AtBound: res.AtBound, Instances: len(d.Instances), Nodes: d.NumNodes(), Labelled: int(o.norm),
		Solver: o.solver(),
	}
}

// describe lists the components of θ at a bound and says what that means.
func (o *objective) describe(res *Result, best *optimize.Result) {
	sc := o.sc
	names := sc.names()
	upper := false
	for i, name := range names[:sc.A+sc.L] {
		if i >= sc.A && sc.empty[i-sc.A] {
			res.Notes = append(res.Notes, fmt.Sprintf("graph %d has no edge of positive weight, or of one that counts beside the other graphs, so %s has no effect and was left alone", i-sc.A+1, name))
			continue
		}
		switch {
		case best.AtLower[i]:
			res.AtBound = append(res.AtBound, name+" lower")
			what := "this graph is not used"
			switch {
			case i < sc.A && sc.A < sc.K:
				what = "the field's variance is as large as its bounds allow"
			case i < sc.A:
				what = "this predictor is not used in the smoothed mean"
			}
			res.Notes = append(res.Notes, fmt.Sprintf("%s is at its lower bound: %s", name, what))
		case best.AtUpper[i]:
			res.AtBound = append(res.AtBound, name+" upper")
			upper = true
		}
	}
	if upper {
		res.Notes = append(res.Notes, "parameters at their upper bound mean that the objective still grows as the field's variance goes to zero; "+
			"predictions have settled, the size of these parameters has no meaning of its own")
	}
}

// normalise scales α and β so that Σα = 1: GCRFBCnb knows their ratios only.
func normalise(p *gcrfbc.Params) {
	s := p.SumAlpha()
	for k := range p.Alpha {
		p.Alpha[k] = math.Max(p.Alpha[k]/s, math.SmallestNonzeroFloat64)
	}
	for l := range p.Beta {
		p.Beta[l] = math.Min(p.Beta[l]/s, math.MaxFloat64)
	}
}
