package learn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
	"github.com/gcrfbc/gcrfbc/sparse"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gridDataset is one rows×cols grid with two scores, one of them noise, and
// labels that follow a smooth field; a part of them is missing.
func gridDataset(seed uint64, rows, cols int) *gcrfbc.Dataset {
	rng := rand.New(rand.NewPCG(seed, 7))
	n := rows * cols
	in := gcrfbc.Instance{Scores: make([]float64, 2*n), Labels: make([]int8, n)}
	for i := range n {
		r, c := float64(i/cols)/float64(rows), float64(i%cols)/float64(cols)
		z := 3 * math.Sin(5*r) * math.Cos(4*c)
		in.Scores[2*i] = z + 2*rng.NormFloat64()
		in.Scores[2*i+1] = rng.NormFloat64()
		in.Labels[i] = 0
		if rng.Float64() < 1/(1+math.Exp(-z)) {
			in.Labels[i] = 1
		}
		if rng.Float64() < 0.4 {
			in.Labels[i] = gcrfbc.Missing
		}
	}
	return &gcrfbc.Dataset{K: 2, Graphs: []*sparse.Graph{sparse.Grid2D(rows, cols)}, Instances: []gcrfbc.Instance{in}}
}

func TestFitUsesTheGraph(t *testing.T) {
	d := gridDataset(1, 15, 20)
	none := *d
	none.Graphs = nil
	for _, o := range []Options{
		{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean},
		{Variant: gcrfbc.NonBayesian},
		{Approx: gcrfbc.JJ}, {Approx: gcrfbc.EP}, {Approx: gcrfbc.Laplace},
		{Approx: gcrfbc.EP, Mean: gcrfbc.PaperMean},
	} {
		with, err := Fit(t.Context(), d, o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		without, err := Fit(t.Context(), &none, o)
		if err != nil {
			t.Fatalf("%+v without graph: %v", o, err)
		}
		if !with.Status.Converged() || !without.Status.Converged() {
			t.Errorf("%+v: %v, %v", o, with.Status, without.Status)
		}
		if with.Objective < without.Objective+5 {
			t.Errorf("%+v: objective %v with the graph, %v without", o, with.Objective, without.Objective)
		}
		if err := with.Model.Validate(); err != nil {
			t.Error(err)
		}
		// The model reproduces the objective it was fitted to.
		ev, err := infer.NewEvaluator(t.Context(), d, infer.Options{Variant: with.Model.Variant, Approx: with.Model.Approx})
		if err != nil {
			t.Fatal(err)
		}
		v, err := ev.Evaluate(t.Context(), with.Model.Params, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(v-with.Objective) > 1e-7*math.Abs(v) {
			t.Errorf("%+v: objective %v, at the model's parameters %v", o, with.Objective, v)
		}
	}
}

// TestJointMeetsProfile: the paper's joint problem has the profile's optimum.
func TestJointMeetsProfile(t *testing.T) {
	d := gridDataset(2, 5, 6)
	profile, err := Fit(t.Context(), d, Options{Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean})
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Optimizer{LBFGSB, TNC} {
		joint, err := Fit(t.Context(), d, Options{Joint: true, Mean: gcrfbc.PaperMean, Optimizer: opt, MaxEvaluations: 5000})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(joint.Objective-profile.Objective) > 2e-3 {
			t.Errorf("%s: joint %v after %d evaluations (%v), profile %v after %d", opt, joint.Objective, joint.Evaluations, joint.Status, profile.Objective, profile.Evaluations)
		}
	}
	if _, err := Fit(t.Context(), d, Options{Joint: true, Variant: gcrfbc.NonBayesian}); !asError[*OptionError](err) {
		t.Errorf("joint nb: %v", err)
	}
}

func TestOptimizersAgree(t *testing.T) {
	d := gridDataset(3, 8, 9)
	for _, base := range []Options{{Variant: gcrfbc.NonBayesian}, {Approx: gcrfbc.EP}} {
		best := math.Inf(-1)
		got := map[Optimizer]float64{}
		for _, o := range []Optimizer{LBFGSB, TNC, SQP, Gradient} {
			opts := base
			opts.Optimizer = o
			r, err := Fit(t.Context(), d, opts)
			if err != nil {
				t.Fatalf("%s: %v", o, err)
			}
			got[o] = r.Objective
			best = math.Max(best, r.Objective)
		}
		for o, v := range got {
			if v < best-2e-3 {
				t.Errorf("%s %s: objective %v, best %v", base.Variant, o, v, best)
			}
		}
	}
}

func TestFitSameBits(t *testing.T) {
	d := gridDataset(4, 10, 11)
	for _, variant := range []gcrfbc.Variant{gcrfbc.Bayesian, gcrfbc.NonBayesian} {
		var first *Result
		for _, threads := range []int{1, 2, 7} {
			r, err := Fit(t.Context(), d, Options{Variant: variant, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
			}
			if r.Objective != first.Objective || r.Model.Alpha[0] != first.Model.Alpha[0] || r.Model.Beta[0] != first.Model.Beta[0] {
				t.Errorf("%s: %d threads: %v %v, were %v %v", variant, threads, r.Objective, r.Model.Params, first.Objective, first.Model.Params)
			}
		}
	}
}

func TestFitCanceled(t *testing.T) {
	d := gridDataset(5, 30, 30)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := 0
	r, err := Fit(ctx, d, Options{Progress: func(Progress) {
		if calls++; calls == 3 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != optimize.Canceled || r.Model == nil || r.Model.Validate() != nil || !strings.Contains(strings.Join(r.Notes, " "), "before it converged") {
		t.Errorf("status %v, notes %q", r.Status, r.Notes)
	}
	if _, err := Fit(ctx, d, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled before the start: %v", err)
	}
}

// TestHeavyWork: starting from nb's optimum leads where the other starts lead,
// and a fit that ends before leaves nb's model.
func TestHeavyWork(t *testing.T) {
	d := gridDataset(1, 15, 20)
	for _, approx := range []gcrfbc.Approx{gcrfbc.EP, gcrfbc.JJ} {
		all, err := Fit(t.Context(), d, Options{Approx: approx})
		if err != nil {
			t.Fatal(err)
		}
		heavy, err := Fit(t.Context(), d, Options{Approx: approx, heavyWork: 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(all.Objective-heavy.Objective) > 1e-4 || !heavy.Status.Converged() || heavy.Model.Variant != gcrfbc.Bayesian {
			t.Errorf("%s: from nb's optimum %v (%v), else %v", approx, heavy.Objective, heavy.Status, all.Objective)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	early, err := Fit(ctx, d, Options{heavyWork: 1, Progress: func(Progress) {
		if calls++; calls == 3 {
			cancel()
		}
	}})
	if err != nil || early.Status != optimize.Canceled || early.Model.Variant != gcrfbc.NonBayesian || !strings.Contains(strings.Join(early.Notes, " "), "GCRFBCnb's") {
		t.Errorf("canceled early: %v, %+v", err, early)
	}
	few, err := Fit(t.Context(), d, Options{heavyWork: 1, MaxEvaluations: 4})
	if err != nil || few.Model.Validate() != nil || few.Evaluations > 4 {
		t.Errorf("four evaluations: %v, %+v", err, few)
	}
}

func TestFitLimits(t *testing.T) {
	d := gridDataset(6, 20, 20)
	r, err := Fit(t.Context(), d, Options{MaxEvaluations: 5})
	if err != nil || r.Status != optimize.EvaluationLimit || r.Evaluations > 5 {
		t.Errorf("five evaluations: %v, %v, %d", err, r.Status, r.Evaluations)
	}
	r, err = Fit(t.Context(), d, Options{TimeLimit: 20 * time.Millisecond})
	if err != nil && !strings.Contains(err.Error(), "more time") {
		t.Errorf("time limit: %v", err)
	}
	if err == nil && r.Model.Validate() != nil {
		t.Error("no model at the time limit")
	}
}

func TestFitProgress(t *testing.T) {
	d := gridDataset(7, 6, 6)
	last := Progress{Objective: math.Inf(-1)}
	r, err := Fit(t.Context(), d, Options{Progress: func(p Progress) {
		if p.Start == last.Start && p.Objective < last.Objective-1e-9 {
			t.Errorf("objective fell from %v to %v", last.Objective, p.Objective)
		}
		if p.Starts != 2 || p.Evaluations < last.Evaluations {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}})
	if err != nil || last.Start != 1 || len(r.Runs) != 2 {
		t.Errorf("%v, last %+v, runs %+v", err, last, r.Runs)
	}
}

func TestFitEmptyGraph(t *testing.T) {
	d := gridDataset(8, 6, 6)
	n := d.Instances[0].N()
	zero, err := sparse.NewGraph(n, []sparse.Edge{{I: 1, J: 0, W: 0}})
	if err != nil {
		t.Fatal(err)
	}
	d.Graphs = append(d.Graphs, zero)
	r, err := Fit(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "graph 2 has no edge of positive weight") {
		t.Errorf("notes: %q", r.Notes)
	}
}

// TestFitLostGraph: with the paper's mean, weights that are lost beside another
// graph's count as none; otherwise each graph has its own scale.
func TestFitLostGraph(t *testing.T) {
	d := gridDataset(8, 6, 6)
	n := d.Instances[0].N()
	lost, err := sparse.NewGraph(n, []sparse.Edge{{I: 1, J: 0, W: 1e-20}, {I: 7, J: 3, W: 1e-21}})
	if err != nil {
		t.Fatal(err)
	}
	d.Graphs = append(d.Graphs, lost)
	for mean, want := range map[gcrfbc.Mean]bool{gcrfbc.PaperMean: true, gcrfbc.CalibratedMean: false} {
		for _, variant := range []gcrfbc.Variant{gcrfbc.NonBayesian, gcrfbc.Bayesian} {
			r, err := Fit(t.Context(), d, Options{Mean: mean, Variant: variant})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(strings.Join(r.Notes, "\n"), "graph 2 has no edge") != want {
				t.Errorf("%s, %s: notes %q", mean, variant, r.Notes)
			}
		}
	}
}

// TestGraphScale: multiplying a graph's weights divides its β and changes
// nothing else.
func TestGraphScale(t *testing.T) {
	d := gridDataset(1, 15, 20)
	g := d.Graphs[0]
	w := make([]float64, g.NumEdges())
	for e := range w {
		w[e] = 1e-8 * g.Weights()[e]
	}
	scaled, err := sparse.NewGraphFromPattern(g.Pattern(), w)
	if err != nil {
		t.Fatal(err)
	}
	d2 := *d
	d2.Graphs = []*sparse.Graph{scaled}
	a, err := Fit(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Fit(t.Context(), &d2, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(a.Objective-b.Objective) > 1e-6 || math.Abs(b.Model.Beta[0]*1e-8/a.Model.Beta[0]-1) > 1e-3 {
		t.Errorf("objective %v, %v; beta %v, %v", a.Objective, b.Objective, a.Model.Beta, b.Model.Beta)
	}
}

func TestFitErrors(t *testing.T) {
	good := gridDataset(10, 4, 4)
	for name, o := range map[string]Options{
		"optimizer": {Optimizer: "adam"}, "mean": {Mean: "flat"}, "start": {Starts: []Start{{0, 1}}},
		"bounds": {Lower: 2, Upper: 1}, "lower": {Lower: math.NaN()}, "limit": {MaxEvaluations: -1},
	} {
		if _, err := Fit(t.Context(), good, o); !asError[*OptionError](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	one := good.WithLabels([][]int8{make([]int8, 16)})
	if _, err := Fit(t.Context(), one, Options{}); !asError[*gcrfbc.LabelError](err) {
		t.Errorf("one class: %v", err)
	}
	bad := *good
	bad.K = 3
	if _, err := Fit(t.Context(), &bad, Options{}); !asError[*gcrfbc.DataError](err) {
		t.Errorf("wrong K: %v", err)
	}
}

func asError[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
