package learn

import (
	"context"
	"fmt"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/quadrature"
)

// AutoVariant, as Options.Variant, fits GCRFBCb unless GCRFBCnb is clearly the
// better one to predict nodes of new instances with. Where some nodes of the
// training instances have no label, or an approximation is given, it is always b,
// which conditions on the labels known. Where all have one, predictions are for
// instances without any, node by node, while b's evidence is of all labels
// together: it may explain by a common field what the scores could tell apart. Then
//
//   - where an evaluation is heavy work, as with pictures, nb is fitted alone;
//   - else b is kept, for one instance alone, and unless the training labels'
//     log-likelihood, every node for itself, is lower with it than with nb by more
//     than 0.02 nats a label.
const AutoVariant gcrfbc.Variant = "auto"

// marginalLoss is what b may lose against nb, in nats a label, for the joint
// probabilities that nb has not.
const marginalLoss = 0.02

// fitVariants is Fit for AutoVariant.
func fitVariants(ctx context.Context, d *gcrfbc.Dataset, opts Options) (*Result, error) {
	began := time.Now()
	b, nb := opts, opts
	b.Variant, nb.Variant = gcrfbc.Bayesian, gcrfbc.NonBayesian
	_, _, missing := d.LabelCounts()
	if missing > 0 || opts.Joint || opts.Approx != "" || d.Validate() != nil { // errors are Fit's
		return Fit(ctx, d, b)
	}
	heavy, err := isHeavy(ctx, d, opts)
	if err != nil {
		return nil, err
	}
	if heavy {
		res, err := Fit(ctx, d, nb)
		if err == nil {
			res.Notes = append(res.Notes, "the variant is nb: every node has a label, so predictions are for new instances, and an evaluation of b is heavy work; --variant b fits it all the same")
		}
		return res, err
	}
	res, err := Fit(ctx, d, b)
	if err != nil || ctx.Err() != nil || len(d.Instances) == 1 {
		return res, err
	}
	labels := float64(res.Model.Fit.Labelled)
	alone, err := priorLogLikelihood(ctx, d, res.Model, opts)
	if err != nil {
		if ctx.Err() != nil {
			err = nil // the fit is done
		}
		return res, err
	}
	// nb is a limit of b, so that its objective is hardly above b's.
	if alone >= res.Objective-marginalLoss*labels {
		return res, nil
	}
	if opts.MaxEvaluations > 0 {
		nb.MaxEvaluations -= res.Evaluations
	}
	if opts.TimeLimit > 0 {
		nb.TimeLimit -= time.Since(began)
	}
	if opts.MaxEvaluations > 0 && nb.MaxEvaluations <= 0 || opts.TimeLimit > 0 && nb.TimeLimit <= 0 {
		return res, nil
	}
	other, err := Fit(ctx, d, nb)
	if err != nil || alone >= other.Objective-marginalLoss*labels {
		if err == nil {
			res.account(other, began)
		}
		return res, nil
	}
	other.account(res, began)
	other.Notes = append(other.Notes, fmt.Sprintf(
		"the variant is nb: with b the training labels' log-likelihood, every node for itself, is %.1f, with nb %.1f; b's evidence of all of them together is %.1f", alone, other.Objective, res.Objective))
	return other, nil
}

// account adds what another fit has cost.
func (r *Result) account(other *Result, began time.Time) {
	r.Evaluations += other.Evaluations
	r.Factorizations += other.Factorizations
	r.Elapsed = time.Since(began)
	r.Model.Fit.Evaluations, r.Model.Fit.Factorizations, r.Model.Fit.Seconds = r.Evaluations, r.Factorizations, r.Elapsed.Seconds()
}

// isHeavy reports whether an evaluation of b is heavy work.
func isHeavy(ctx context.Context, d *gcrfbc.Dataset, opts Options) (bool, error) {
	n := 0.0
	for j := range d.Instances {
		m := float64(d.Instances[j].N())
		n += m * m * m
	}
	limit := opts.heavyWork
	if limit == 0 {
		limit = defaultHeavyWork
	}
	if n/3 <= limit {
		return false, nil // even if every matrix is dense
	}
	ev, err := infer.NewEvaluator(ctx, d, infer.Options{Variant: gcrfbc.NonBayesian, Threads: opts.Threads, Solver: opts.Solver, Cmax: opts.Cmax})
	if err != nil {
		return false, err
	}
	return ev.Work() > limit, nil
}

// priorLogLikelihood returns the log-likelihood of d's labels, each predicted by m
// without any label.
func priorLogLikelihood(ctx context.Context, d *gcrfbc.Dataset, m *gcrfbc.Model, opts Options) (float64, error) {
	p, err := infer.Predict(ctx, m, d, infer.PredictOptions{Threads: opts.Threads, MaxBytes: opts.MaxBytes, Solver: opts.Solver, Cmax: opts.Cmax})
	if err != nil {
		return 0, err
	}
	value := 0.0
	for j, q := range p.Instances {
		for i, y := range d.Instances[j].Labels {
			if y != gcrfbc.Missing {
				value += quadrature.Moments(q.Mean[i], q.Variance[i], 2*int(y)-1).LogZ
			}
		}
	}
	return value, nil
}
