package paper

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/google/go-cmp/cmp"
)

// TestTable1: results come in the same order and with the same numbers for any
// number of threads, and obey what must hold for any data.
func TestTable1(t *testing.T) {
	collect := func(threads int) (lines []string) {
		done := 0
		err := Table1(t.Context(), TableOptions{Seeds: 1, Threads: threads, Done: func() { done++ }}, func(kind string, f map[string]any) error {
			delete(f, "fit_s")
			b, err := json.Marshal(f)
			lines = append(lines, kind+string(b))
			if threads == 1 {
				checkRow(t, f)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := (TableOptions{Seeds: 1}).Work(); done != want {
			t.Errorf("%d parts, announced %d", done, want)
		}
		return lines
	}
	one := collect(1)
	if want := 12 * 4; len(one) != want { // b, nb, truth, score
		t.Fatalf("%d results, want %d", len(one), want)
	}
	if diff := cmp.Diff(one, collect(3)); diff != "" {
		t.Errorf("other results with 3 threads:\n%s", diff)
	}
}

func checkRow(t *testing.T, f map[string]any) {
	t.Helper()
	set := Settings[f["row"].(int)-1]
	model, labels := f["model"].(string), f["labels"].(string)
	auc, ok := f["auc"].(float64)
	if !ok || !(auc >= 0 && auc <= 1) {
		t.Errorf("row %d, %s, %s: AUC %v", set.Row, labels, model, f["auc"])
	}
	if model == ModelScore {
		return
	}
	n := (StudyInstances - StudyTrain) * StudyNodes
	if f["labels_n"] != n {
		t.Errorf("%v test labels, want %d", f["labels_n"], n)
	}
	if d := f["decided_loglik"].(float64); d > 0 || d < float64(n)*math.Log(.5) || d < f["loglik"].(float64)-1e-9 {
		t.Errorf("row %d, %s, %s: of own decisions %g, log-likelihood %v", set.Row, labels, model, d, f["loglik"])
	}
	if model != ModelTruth {
		return
	}
	if labels == Threshold && auc != 1 {
		t.Errorf("row %d: AUC of the parameters that made the labels is %g", set.Row, auc)
	}
	limit := math.Sqrt(float64(n)) / (2 * gcrfbc.NewParams(set.Alpha, set.Beta).SumAlpha())
	if v := f["variance_norm"].(float64); !(v > 0 && v <= limit) {
		t.Errorf("row %d: norm of variances %g, limit %g", set.Row, v, limit)
	}
}

// TestTable1Ends: an error of Emit, a canceled context and a spent budget end the
// table with what was finished.
func TestTable1Ends(t *testing.T) {
	full := errors.New("full")
	if err := Table1(t.Context(), TableOptions{Seeds: 1, Threads: 2}, func(string, map[string]any) error { return full }); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := Table1(ctx, TableOptions{Seeds: 50, Threads: 2}, func(string, map[string]any) error {
		if n++; n == 8 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n < 8 {
		t.Errorf("%v after %d results", err, n)
	}
	seeds := map[any]bool{}
	left := 0
	o := TableOptions{Seeds: 40, Threads: 2, Budget: 1, Least: 2, Done: func() { n-- }, Left: func() { left++ }}
	n = o.Work()
	if err := Table1(t.Context(), o, func(_ string, f map[string]any) error { seeds[f["seed"]] = true; return nil }); err != nil {
		t.Fatal(err)
	}
	if len(seeds) != 2 || n != 0 || left != o.Work()*38/40 {
		t.Errorf("%d seeds within no time, %d parts not announced, %d left out", len(seeds), n, left)
	}
}

// TestTimesEnd: no time, no points, but every line is said to be left out.
func TestTimesEnd(t *testing.T) {
	left, steps, lines := 0, 0, 0
	o := TimeOptions{Budget: 1, Left: func() { left++ }, Step: func(string) { steps++ }}
	for _, p := range panels(o.Size) {
		lines += len(p.lines(o))
	}
	err := Times(t.Context(), o, func(kind string, _ map[string]any) error { t.Errorf("a result: %s", kind); return nil })
	if err != nil || left != lines || steps != TimeWork(o) {
		t.Errorf("%v, %d of %d lines left out, %d of %d steps", err, left, lines, steps, TimeWork(o))
	}
}

// TestGenerate: the data have the distribution that is described, and labels
// follow from the parameters.
func TestGenerate(t *testing.T) {
	params := gcrfbc.NewParams([]float64{.4, .3}, []float64{.1, .2})
	for _, s := range []Shape{{M: 60, N: 7, K: 2, L: 2}, {M: 60, N: 7, K: 2, L: 2, Shared: true}, {M: 1, N: 400, K: 2, L: 2, Sparse: "rgg:400:8"}} {
		d, err := Generate(t.Context(), s, params, Threshold, 5)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Generate(t.Context(), s, params, Threshold, 5)
		if err != nil {
			t.Fatal(err)
		}
		if d.NumGraphs() != 2 || d.K != 2 || len(d.Instances) != s.M || d.Validate() != nil || (len(d.Graphs) > 0) != (s.Shared || s.M == 1) {
			t.Errorf("%+v: %d graphs, %d shared, %v", s, d.NumGraphs(), len(d.Graphs), d.Validate())
		}
		m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean, Params: params}
		p, err := infer.Predict(t.Context(), m, d, infer.PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var lo, hi float64
		for j := range d.Instances {
			for i, y := range d.Instances[j].Labels {
				if p1 := p.Instances[j].P1[i]; (p1 > .5) != (y == 1) && math.Abs(p1-.5) > 1e-12 {
					t.Errorf("instance %d, node %d: label %d at probability %g", j, i, y, p1)
				}
				if again.Instances[j].Labels[i] != y {
					t.Error("another dataset from the same seed")
				}
			}
			for _, r := range d.Instances[j].Scores {
				lo, hi = math.Min(lo, r), math.Max(hi, r)
			}
		}
		if lo < -1 || hi > 1 || lo > -.9 || hi < .9 {
			t.Errorf("scores from %g to %g", lo, hi)
		}
	}
	// Of labels drawn from the model as many are 1 as it says, within 4 deviations.
	s := Shape{M: 400, N: 6, K: 2, L: 2}
	d, err := Generate(t.Context(), s, params, Sampled, 9)
	if err != nil {
		t.Fatal(err)
	}
	m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean, Params: params}
	p, err := infer.Predict(t.Context(), m, d, infer.PredictOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var sum, variance float64
	for j := range d.Instances {
		for i, y := range d.Instances[j].Labels {
			p1 := p.Instances[j].P1[i]
			w := p1 - .5 // looks at nodes that are likelier 1 or 0, not at the share alone
			sum += w * (float64(y) - p1)
			variance += w * w * p1 * (1 - p1)
		}
	}
	if z := sum / math.Sqrt(variance); math.Abs(z) > 5 {
		t.Errorf("labels are %.1f deviations from the model", z)
	}
}

// TestFigures: the published rule is exact to rounding, and the bound is one.
func TestFigures(t *testing.T) {
	n := 0
	emit := func(kind string, f map[string]any) error {
		n++
		if kind == "paper.fig2" {
			if e := f["rule_error"].(float64); e > 1e-12 {
				t.Errorf("mean %v: the rule is off by %g", f["mean"], e)
			}
			return nil
		}
		xi := f["xi"].(float64)
		x, sigma, bound := f["x"].([]float64), f["sigma"].([]float64), f["bound"].([]float64)
		above := 0
		for i, v := range f["printed_sign"].([]float64) {
			if bound[i] > sigma[i]*(1+1e-12) || math.Abs(math.Abs(x[i])-xi) < 1e-9 && math.Abs(bound[i]-sigma[i]) > 1e-12 {
				t.Errorf("ξ = %g: bound %g of %g at %g", xi, bound[i], sigma[i], x[i])
			}
			if v > sigma[i]*(1+1e-9) {
				above++
			}
		}
		if above == 0 {
			t.Errorf("ξ = %g: the printed sign gives a bound, too", xi)
		}
		return nil
	}
	if err := errors.Join(Figure2(emit), Figure3(emit)); err != nil || n != 7 {
		t.Errorf("%d results, %v", n, err)
	}
}

// TestTimes: every line of every picture can be measured, and a canceled context
// ends it.
func TestTimes(t *testing.T) {
	for _, p := range panels(Quick) {
		shape := p.shapes[0]
		shape.M = min(shape.M, 8)
		if p.sparse {
			shape.N, shape.Sparse = 60, "rgg:60:6"
		}
		for _, l := range p.lines(TimeOptions{}) {
			pt, err := p.measure(t.Context(), TimeOptions{}, l, shape, map[bool]*gcrfbc.Dataset{}, 0)
			if err != nil {
				t.Fatalf("%s, %v: %v", p.name, l, err)
			}
			f := pt.fields()
			if len(pt.All) != 1 || !(pt.Seconds > 0) || pt.Edges == 0 || f["m"] != shape.M || f["variant"] != string(p.variant) {
				t.Errorf("%s, %v: %+v", p.name, l, f)
			}
			if l.what == WholeFit && !(pt.Evaluations > 0) {
				t.Errorf("%s, %v: %d evaluations", p.name, l, pt.Evaluations)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := Times(ctx, TimeOptions{}, func(string, map[string]any) error {
		if n++; n == 2 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 2 {
		t.Errorf("%v after %d results", err, n)
	}
}

func TestExponents(t *testing.T) {
	var points []Point
	for _, n := range []int{2, 4, 8, 16} {
		points = append(points, Point{Panel: "c", Program: Engine, What: Evaluation, Against: "n", N: n, M: 1600 / n, Seconds: 1e-6 * float64(n*n)})
		points = append(points, Point{Panel: "a", Program: Engine, What: Evaluation, Against: "m", N: 4, M: n, Seconds: 1e-6 * float64(n)})
	}
	points = append(points, Point{Panel: "a", Program: PublishedGo, What: Evaluation, Against: "m", M: 1, Seconds: 1})
	got := Exponents(points)
	if len(got) != 2 || math.Abs(got[0].Exponent-2) > 1e-9 || math.Abs(got[1].Exponent-1) > 1e-9 || got[0].Points != 4 {
		t.Errorf("%+v", got)
	}
}
