package paper

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/authors"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/pool"
	"github.com/gcrfbc/gcrfbc/learn"
)

// TableOptions say how much of the table to compute.
type TableOptions struct {
	Seeds   int
	EP      int // in how many of them expectation propagation is fitted, too
	Authors int // in how many the published algorithm is run, too
	Threads int
	// Budget ends the table early: after it only the first Least seeds are begun.
	// 0 means no limit.
	Budget time.Duration
	Least  int
	Done   func() // called after each of Work() parts, those left out included
	Left   func() // called for each part that the budget left out
}

// Work returns the number of parts, one a seed, setting and kind of labels.
func (o TableOptions) Work() int { return o.Seeds * len(Settings) * 2 }

// authorsEvaluations is the published limit of function evaluations.
const authorsEvaluations = 500

// Table1 emits one result "paper.table1" for each seed, setting, kind of labels
// and model, in that order whatever the number of threads.
func Table1(ctx context.Context, o TableOptions, emit Emit) error {
	type part struct {
		seed   int
		row    Setting
		labels string
	}
	var parts []part
	for s := range o.Seeds {
		for _, row := range Settings {
			for _, labels := range []string{Threshold, Sampled} {
				parts = append(parts, part{s, row, labels})
			}
		}
	}
	// Parts run side by side; what is ready is emitted in order.
	var mu sync.Mutex
	ready, next := make([][]map[string]any, len(parts)), 0
	began := time.Now()
	return pool.Run(ctx, pool.Threads(o.Threads), len(parts), func(_, i int) error {
		p := parts[i]
		rows := []map[string]any{}
		left := p.seed >= o.Least && o.Budget != 0 && time.Since(began) >= o.Budget
		if !left {
			var err error
			if rows, err = tablePart(ctx, p.row, p.labels, uint64(p.seed)+1, p.seed < o.EP, p.seed < o.Authors); err != nil {
				return err
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if left && o.Left != nil {
			o.Left()
		}
		for ready[i] = rows; next < len(parts) && ready[next] != nil; next++ {
			for _, r := range ready[next] {
				if err := emit("paper.table1", r); err != nil {
					return err
				}
			}
			if o.Done != nil {
				o.Done()
			}
		}
		return nil
	})
}

// tablePart generates one dataset, fits the models and scores them.
func tablePart(ctx context.Context, row Setting, labels string, seed uint64, withEP, withAuthors bool) ([]map[string]any, error) {
	truth := gcrfbc.NewParams(row.Alpha, row.Beta)
	d, err := Generate(ctx, Shape{M: StudyInstances, N: StudyNodes, K: len(row.Alpha), L: len(row.Beta)}, truth, labels, seed)
	if err != nil {
		return nil, err
	}
	train, test := split(d, StudyTrain)
	var out []map[string]any
	add := func(model string, m *gcrfbc.Model, seconds float64, r *learn.Result) error {
		f, err := judge(ctx, m, test)
		if err != nil {
			return err
		}
		f["row"], f["alpha"], f["beta"], f["labels"], f["seed"], f["model"] = row.Row, row.Alpha, row.Beta, labels, seed, model
		if m != nil {
			f["fitted_alpha"], f["fitted_beta"] = m.Alpha, m.Beta
		}
		if model != ModelTruth && model != ModelScore {
			f["fit_s"] = seconds
		}
		if r != nil {
			f["evaluations"], f["converged"], f["objective"] = r.Evaluations, r.Status.Converged(), r.Objective
			f["at_bound"] = len(r.AtBound)
		}
		out = append(out, f)
		return nil
	}
	for _, v := range []struct {
		name string
		opts learn.Options
	}{
		{ModelB, learn.Options{Variant: gcrfbc.Bayesian, Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean}},
		{ModelNB, learn.Options{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean}},
		{ModelEP, learn.Options{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean}},
	} {
		if v.name == ModelEP && !withEP {
			continue
		}
		v.opts.Threads = 1
		began := time.Now()
		r, err := learn.Fit(ctx, train, v.opts)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err // the fit gave what it had
		}
		if err := add(v.name, r.Model, time.Since(began).Seconds(), r); err != nil {
			return nil, err
		}
	}
	bayes := func(p gcrfbc.Params) *gcrfbc.Model {
		return &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean, Params: p}
	}
	if withAuthors {
		began := time.Now()
		r, err := authors.New(train).Fit(ctx, gcrfbc.Bayesian, seed, authorsEvaluations)
		if err != nil {
			return nil, err
		}
		if err := add(ModelAuthors, bayes(gcrfbc.NewParams(r.Alpha, r.Beta)), time.Since(began).Seconds(), nil); err != nil {
			return nil, err
		}
		f := out[len(out)-1]
		f["evaluations"], f["converged"], f["objective"] = r.Evaluations, r.Converged, r.Objective
	}
	if err := add(ModelTruth, bayes(truth), 0, nil); err != nil {
		return nil, err
	}
	return out, add(ModelScore, nil, 0, nil)
}

// judge scores a model, or the better single predictor for nil, on the labels of
// the test instances.
func judge(ctx context.Context, m *gcrfbc.Model, test *gcrfbc.Dataset) (map[string]any, error) {
	var y []int8
	for j := range test.Instances {
		y = append(y, test.Instances[j].Labels...)
	}
	if m == nil {
		best := math.Inf(-1)
		for k := range test.K {
			var p []float64
			for j := range test.Instances {
				for i := range test.Instances[j].N() {
					p = append(p, 1/(1+math.Exp(-test.Instances[j].Scores[i*test.K+k])))
				}
			}
			auc, err := score.AUC(y, p)
			if err != nil {
				return oneClass(err)
			}
			best = math.Max(best, auc)
		}
		return map[string]any{"auc": best}, nil
	}
	p, err := infer.Predict(ctx, m, test, infer.PredictOptions{Threads: 1})
	if err != nil {
		return nil, err
	}
	var p1, p0 []float64
	decided, norm := 0.0, 0.0
	for _, in := range p.Instances {
		p1, p0 = append(p1, in.P1...), append(p0, in.P0...)
		for i, v := range in.Variance {
			norm += v * v
			decided += math.Log(math.Max(in.P1[i], in.P0[i]))
		}
	}
	s, err := score.Evaluate(y, p1, p0)
	if err != nil {
		return nil, err
	}
	f := map[string]any{"accuracy": s.Accuracy, "loglik": -s.LogLoss * float64(s.N), "decided_loglik": decided, "ece": s.ECE, "labels_n": s.N}
	if !math.IsNaN(s.AUC) {
		f["auc"] = s.AUC
	}
	if m.Variant == gcrfbc.Bayesian {
		f["variance_norm"] = math.Sqrt(norm)
	}
	return f, nil
}

// oneClass lets a test part with labels of one class only pass without an AUC.
func oneClass(err error) (map[string]any, error) {
	var one *score.OneClassError
	if errors.As(err, &one) {
		return map[string]any{}, nil
	}
	return nil, err
}
