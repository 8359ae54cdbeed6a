package infer

import (
	"context"
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/internal/special"
)

// PredictOptions control [Predict] and [Evidence]. The zero value gives prior
// predictions on all cores.
type PredictOptions struct {
	// Observed holds labels of the same instances to condition on, one slice an
	// instance, Missing where not observed. nil, or no label at all in an
	// instance, gives prior predictions.
	Observed [][]int8
	Threads  int   // 0 means GOMAXPROCS
	MaxBytes int64 // refuse factors whose forecast is larger; 0 means no limit
	// Solver and Cmax say how large graphs are factorized, as in [Options]; a
	// model fitted with an approximate factor is used with one, of the same Cmax,
	// unless Solver is SolverExact.
	Solver Solver
	Cmax   int
	Rule   Rule // quadrature of the marginals
	// Level is that of the credible intervals, in (0, 1); 0 means 0.95.
	Level float64
	// Uncalibrated leaves the model's Recalibration out.
	Uncalibrated bool
}

// Prediction holds the probabilities of every node of every instance.
type Prediction struct {
	Instances []InstancePrediction
	Level     float64  // of the credible intervals
	Notes     []string // what the caller should tell the user
}

// InstancePrediction holds one number a node in each slice.
type InstancePrediction struct {
	P1, P0         []float64 // Pr(y = 1) and Pr(y = 0), each to relative accuracy
	Mean, Variance []float64 // of the latent field; the variance is 0 for nb
	// Lower and Upper are the central credible interval of the probability
	// σ(z_i), of which P1 is the mean: how far it would move if the latent field
	// were known. For nb, whose field has no variance, both are P1. It counts
	// the field's uncertainty, not that of the fitted parameters.
	Lower, Upper []float64
}

// Predict returns Pr(y_i = 1) for every node: ∫σ(z)N(z; μ_i, Σ_ii)dz without
// observed labels, the same with the posterior's m_i and S_ii given observed
// labels (b), or σ(μ_i) (nb, which observed labels do not change). A model's
// Recalibration corrects P1, P0 and the intervals of the nodes without an observed
// label, in instances that have one; Mean and Variance are the field's.
//
// Labels in d are ignored. Cost: one factorization and selected inverse of P,
// and those of the sites' sweeps for each instance with observed labels.
// Errors are those of the dataset's, model's and factor's validation, or the
// context's.
func Predict(ctx context.Context, m *gcrfbc.Model, d *gcrfbc.Dataset, opts PredictOptions) (*Prediction, error) {
	return predict(ctx, m, d, opts, nil)
}

// level returns the credible intervals' level.
func (o *PredictOptions) level() (float64, error) {
	switch {
	case o.Level == 0:
		return 0.95, nil
	case o.Level > 0 && o.Level < 1:
		return o.Level, nil
	}
	return 0, &OptionError{Name: "Level", Msg: fmt.Sprintf("is %v; want a number between 0 and 1, such as 0.95", o.Level)}
}

// predict runs the model over the instances; adjust may replace moments before
// they are turned into probabilities.
func predict(ctx context.Context, m *gcrfbc.Model, d *gcrfbc.Dataset, opts PredictOptions, adjust func(*posterior, *InstancePrediction)) (*Prediction, error) {
	marginal, err := opts.Rule.marginal()
	if err != nil {
		return nil, err
	}
	level, err := opts.level()
	if err != nil {
		return nil, err
	}
	ev, err := newPredictor(ctx, m, d, opts)
	if err != nil {
		return nil, err
	}
	out := &Prediction{Instances: make([]InstancePrediction, len(d.Instances)), Level: level}
	for j := range out.Instances {
		n := d.Instances[j].N()
		memory := make([]float64, 6*n)
		take := func() []float64 {
			s := memory[:n:n]
			memory = memory[n:]
			return s
		}
		out.Instances[j] = InstancePrediction{P1: take(), P0: take(), Mean: take(), Variance: take(), Lower: take(), Upper: take()}
	}
	bayes := m.Variant == gcrfbc.Bayesian
	if err := ev.begin(ctx, m.Params, bayes); err != nil {
		return nil, err
	}
	err = ev.each(ctx, func(w *worker, j int, _ []float64) error {
		if err := ev.enter(ctx, w, j, m.Params, bayes); err != nil {
			return err
		}
		p := &out.Instances[j]
		if !bayes {
			copy(p.Mean, w.po.mu)
			for i, mu := range w.po.mu {
				p.P1[i], p.P0[i] = special.Logistic(mu), special.Logistic(-mu)
			}
			copy(p.Lower, p.P1)
			copy(p.Upper, p.P1)
			return nil
		}
		if err := w.po.solve(ctx, &ev.opts, &ev.states[j], false); err != nil {
			return err
		}
		copy(p.Mean, w.po.m)
		copy(p.Variance, w.po.s)
		if adjust != nil {
			adjust(&w.po, p)
		}
		for i := range p.Mean {
			p.P1[i], p.P0[i] = marginal(p.Mean[i], p.Variance[i])
			p.Lower[i], p.Upper[i] = quadrature.Interval(p.Mean[i], p.Variance[i], level)
		}
		if m.Recalibration != nil && !opts.Uncalibrated && len(w.po.labelled) > 0 {
			for i, y := range w.po.labels {
				if y == gcrfbc.Missing || adjust != nil {
					p.recalibrate(i, m.Recalibration)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !bayes && observes(opts.Observed) {
		out.Notes = append(out.Notes, "GCRFBCnb puts the field at its mean: observed labels do not change its predictions")
	}
	out.Notes = append(out.Notes, ev.siteNotes()...)
	return out, nil
}

// recalibrate corrects node i's probabilities.
func (p *InstancePrediction) recalibrate(i int, r *gcrfbc.Recalibration) {
	x := r.Logit(math.Log(p.P1[i]) - math.Log(p.P0[i]))
	p.P1[i], p.P0[i] = special.Logistic(x), special.Logistic(-x)
	for _, v := range []*float64{&p.Lower[i], &p.Upper[i]} {
		*v = special.Logistic(r.Logit(math.Log(*v) - math.Log1p(-*v)))
	}
}

// Evidence returns log p(y | observed): the log-probability, under the model's
// approximation, of d's labels that are not in opts.Observed given those that
// are, as log p(all) − log p(observed). For nb it is the log-likelihood of the
// labels not observed.
func Evidence(ctx context.Context, m *gcrfbc.Model, d *gcrfbc.Dataset, opts PredictOptions) (float64, error) {
	observed, err := checkObserved(d, opts.Observed)
	if err != nil {
		return 0, err
	}
	all := make([][]int8, len(d.Instances))
	for j := range all {
		all[j] = append([]int8(nil), d.Instances[j].Labels...)
		for i := range observed[j] {
			if observed[j][i] != gcrfbc.Missing {
				all[j][i] = observed[j][i]
			}
		}
	}
	if m.Variant == gcrfbc.NonBayesian {
		for j := range all {
			for i, y := range observed[j] {
				if y != gcrfbc.Missing {
					all[j][i] = gcrfbc.Missing
				}
			}
		}
	}
	value := 0.0
	for _, part := range []struct {
		labels [][]int8
		sign   float64
	}{{all, 1}, {observed, -1}} {
		if part.sign < 0 && (m.Variant == gcrfbc.NonBayesian || !observes(observed)) {
			continue
		}
		o := opts
		o.Observed = part.labels
		ev, err := newPredictor(ctx, m, d, o)
		if err != nil {
			return 0, err
		}
		v, err := ev.Evaluate(ctx, m.Params, nil)
		if err != nil {
			return 0, err
		}
		value += part.sign * v
	}
	return value, nil
}

// newPredictor returns an evaluator of the model on d with the observed labels
// in the place of d's own.
func newPredictor(ctx context.Context, m *gcrfbc.Model, d *gcrfbc.Dataset, opts PredictOptions) (*Evaluator, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if err := m.Matches(d); err != nil {
		return nil, err
	}
	observed, err := checkObserved(d, opts.Observed)
	if err != nil {
		return nil, err
	}
	solver, cmax := opts.solverOf(m)
	return NewEvaluator(ctx, d.WithLabels(observed), Options{
		Variant: m.Variant, Approx: m.Approx, Threads: opts.Threads, MaxBytes: opts.MaxBytes, Refactorizations: 10,
		Solver: solver, Cmax: cmax,
	})
}

// checkObserved returns the observed labels of every instance, all missing
// where none are given.
func checkObserved(d *gcrfbc.Dataset, observed [][]int8) ([][]int8, error) {
	if observed != nil && len(observed) != len(d.Instances) {
		return nil, &gcrfbc.DataError{Instance: -1, Node: -1, Msg: fmt.Sprintf("observed labels for %d instances, the data have %d", len(observed), len(d.Instances))}
	}
	out := make([][]int8, len(d.Instances))
	for j := range out {
		n := d.Instances[j].N()
		if observed != nil && observed[j] != nil {
			if len(observed[j]) != n {
				return nil, &gcrfbc.DataError{Instance: j, Node: -1, Msg: fmt.Sprintf("has %d observed labels for %d nodes", len(observed[j]), n)}
			}
			out[j] = observed[j]
			continue
		}
		out[j] = make([]int8, n)
		for i := range out[j] {
			out[j][i] = gcrfbc.Missing
		}
	}
	return out, nil
}

func observes(observed [][]int8) bool {
	for _, labels := range observed {
		for _, y := range labels {
			if y != gcrfbc.Missing {
				return true
			}
		}
	}
	return false
}

// siteNotes says so when sites did not converge.
func (ev *Evaluator) siteNotes() []string {
	var notes []string
	r := ev.Sites()
	if r.Stalled > 0 {
		notes = append(notes, fmt.Sprintf("the sites of %d of %d instances stopped at the limit of %d sweeps before they converged", r.Stalled, len(ev.states), ev.opts.MaxSweeps))
	}
	if r.Laplace > 0 {
		notes = append(notes, fmt.Sprintf("expectation propagation did not converge on %d of %d instances; Laplace's approximation took its place there", r.Laplace, len(ev.states)))
	}
	return notes
}
