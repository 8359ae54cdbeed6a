package showcase

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// level of the intervals whose width the map of uncertainty shows.
const level = .9

// Counties fits three models to the training counties and emits "fit" (how each
// fit went), "prediction" and "score" (on the counties held out), and
// "counties": what the first model says of every county, given the labels of all
// other training counties.
func Counties(ctx context.Context, threads int, emit Emit) error {
	table := counties.Nodes()
	labels, err := table.Labels(counties.Label)
	if err != nil {
		return err
	}
	scores, err := table.Scores(counties.Scores)
	if err != nil {
		return err
	}
	train, err := table.Mask(counties.Train)
	if err != nil {
		return err
	}
	test, err := table.Mask(counties.Test)
	if err != nil {
		return err
	}
	g, info := counties.Graph()
	d := &gcrfbc.Dataset{K: len(counties.Scores), ScoreNames: counties.Scores, Graphs: []*sparse.Graph{g}, GraphInfo: []gcrfbc.GraphInfo{info},
		Instances: []gcrfbc.Instance{{Scores: scores, Labels: labels}}}
	observed, held := make([]int8, len(labels)), make([]int8, len(labels))
	for i, y := range labels {
		observed[i], held[i] = gcrfbc.Missing, gcrfbc.Missing
		if train[i] {
			observed[i] = y
		}
		if test[i] {
			held[i] = y
		}
	}
	learning := d.WithLabels([][]int8{observed})

	for c, v := range []struct {
		name string
		opts learn.Options
	}{
		{"b, ep, calibrated mean", learn.Options{}},
		{"b, jj (published bound)", learn.Options{Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean}},
		{"nb, published mean", learn.Options{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean}},
	} {
		var t trace
		v.opts.Threads, v.opts.Progress = threads, t.add
		r, err := learn.Fit(ctx, learning, v.opts)
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := emit("fit", t.fields("counties", v.name, r)); err != nil {
			return err
		}
		p, err := infer.LeaveOneOut(ctx, r.Model, d, infer.PredictOptions{Observed: [][]int8{observed}, Threads: threads})
		if err != nil {
			return err
		}
		in := p.Instances[0]
		if c == 0 {
			if err := emit("counties", countyFields(&in, labels)); err != nil {
				return err
			}
		}
		if err := predictions("counties", v.name, held, in.P1, in.P0, emit); err != nil {
			return err
		}
	}
	for k, name := range counties.Scores {
		p1, p0 := make([]float64, len(labels)), make([]float64, len(labels))
		for i := range p1 {
			r := scores[i*d.K+k]
			p1[i], p0[i] = 1/(1+math.Exp(-r)), 1/(1+math.Exp(r))
		}
		if err := predictions("counties", "score "+name+" alone", held, p1, p0, emit); err != nil {
			return err
		}
	}
	return nil
}

// countyFields holds one number a county in each list.
func countyFields(in *infer.InstancePrediction, labels []int8) map[string]any {
	p1, width, y := make([]float64, len(labels)), make([]float64, len(labels)), make([]float64, len(labels))
	for i := range p1 {
		lo, hi := quadrature.Interval(in.Mean[i], in.Variance[i], level)
		p1[i], width[i], y[i] = round(in.P1[i]), round(hi-lo), float64(labels[i])
	}
	return map[string]any{"label": counties.Label, "p1": p1, "interval_width": width, "interval_level": level, "labels": y}
}

// predictions emits the probabilities of the labels held out and their scores.
func predictions(set, model string, held []int8, p1, p0 []float64, emit Emit) error {
	s, err := score.Evaluate(held, p1, p0)
	if err != nil {
		return err
	}
	var y, p []float64
	for i, v := range held {
		if v != gcrfbc.Missing {
			y, p = append(y, float64(v)), append(p, round(p1[i]))
		}
	}
	if err := emit("prediction", map[string]any{"set": set, "model": model, "labels": y, "p1": p}); err != nil {
		return err
	}
	return emit("score", map[string]any{"set": set, "model": model, "labels_n": s.N, "auc": s.AUC, "accuracy": s.Accuracy,
		"log_loss": s.LogLoss, "brier": s.Brier, "ece": s.ECE})
}

// round keeps five decimals, enough for a picture.
func round(v float64) float64 { return math.Round(1e5*v) / 1e5 }
