package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
	"github.com/gcrfbc/gcrfbc/internal/counties"
)

// countiesSection shows real data: maps, and how good predictions are. Results
// of kinds "prediction", "score" and "fit" may be of other data, too.
func countiesSection(by map[string][]record.Record) *Section {
	s := &Section{ID: "counties", Title: "Real data: counties", Command: "gcrfbc-bench"}
	if len(by["counties"]) == 0 {
		s.Title = "Real data"
	} else {
		s.Blocks = append(s.Blocks, Text(countiesWords))
	}
	for _, r := range by["counties"] {
		if f := countyMaps(r); f != nil {
			s.Blocks = append(s.Blocks, f)
		}
	}
	if t := ScoreTable(by["score"]); len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, t)
	}
	figs := append(predictionFigures(by["prediction"]), traceFigures(by["fit"])...)
	if len(figs) > 0 {
		s.Blocks = append(s.Blocks, figs)
	}
	if t := fitTable(by["fit"]); len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, t)
	}
	return s
}

// countyMaps draws the counties by probability and by uncertainty.
func countyMaps(r record.Record) Figures {
	p1, width := r.Floats("p1"), r.Floats("interval_width")
	if n := len(counties.Shapes()); len(p1) != n || len(width) != n {
		return nil
	}
	level, _ := r.Float("interval_level")
	top := slices.Max(width)
	return Figures{
		{Name: "map-probability", Wide: true, Caption: "The probability that the Democratic share of the vote rose: each county given its neighbours.",
			Alt: "Map of the United States, counties coloured by probability",
			SVG: drawMap(p1, 0, 1, page.Diverging, "probability", func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) })},
		{Name: "map-uncertainty", Wide: true, Caption: fmt.Sprintf("How uncertain that probability is: the width of its %.0f %% interval. Dark counties are those about which predictors and neighbours leave most open.", 100*level),
			Alt: "Map of the United States, counties coloured by the uncertainty of their probability",
			SVG: drawMap(width, 0, top, page.Sequential, "width of the interval", func(v float64) string { return fmt.Sprintf("%.2f", v) })},
	}
}

// drawMap colours every county.
func drawMap(values []float64, lo, hi float64, colors page.Ramp, what string, format func(float64) string) string {
	m := page.Map{Width: counties.MapWidth, Height: counties.MapHeight, Scale: .5, Values: values, Lo: lo, Hi: hi, Ramp: colors, What: what, Format: format}
	for _, s := range counties.Shapes() {
		m.Shapes = append(m.Shapes, page.Shape{Name: s.Name, Path: s.Path})
	}
	return m.SVG()
}

// ScoreTable shows the scores of predictions of held-out labels.
func ScoreTable(list []record.Record) *Table {
	t := &Table{Caption: "Predictions of the labels held out. AUC, accuracy: higher is better; the others: lower.", Head: []string{"data", "model", "labels", "AUC", "accuracy", "log loss", "Brier", "ECE"}}
	for _, r := range list {
		v := func(k string) float64 { return value(r, k) }
		t.Rows = append(t.Rows, []Cell{word(r.String("set")), word(r.String("model")), count(v("labels_n")), fixed(v("auc"), 4), fixed(v("accuracy"), 4),
			fixed(v("log_loss"), 4), fixed(v("brier"), 4), fixed(v("ece"), 4)})
	}
	return t
}

// ScoreBrief is ScoreTable for a terminal.
func ScoreBrief(list []record.Record) *Table {
	full := ScoreTable(list)
	t := &Table{Caption: full.Caption, Head: full.Head[1:]}
	for _, r := range full.Rows {
		t.Caption = fmt.Sprintf("%s: predictions of the %s labels held out. AUC (area under the ROC curve), accuracy: higher is better; the others: lower.", upper(r[0].Text), r[2].Text)
		t.Rows = append(t.Rows, append([]Cell{r[1]}, r[3:]...))
	}
	t.Head = append([]string{"model"}, full.Head[3:]...)
	return t
}

// predictionFigures draws ROC curves and reliability diagrams, one of each a
// data set.
func predictionFigures(list []record.Record) Figures {
	sets, order := map[string][]record.Record{}, []string(nil)
	for _, r := range list {
		set := r.String("set")
		if sets[set] == nil {
			order = append(order, set)
		}
		sets[set] = append(sets[set], r)
	}
	var figs Figures
	for _, set := range order {
		var curves []page.Curve
		for _, r := range sets[set] {
			c := page.Curve{Name: r.String("model"), P1: r.Floats("p1")}
			c.Labels = make([]int8, len(c.P1))
			for k, y := range r.Floats("labels") {
				if k < len(c.Labels) {
					c.Labels[k] = int8(y)
				}
			}
			curves = append(curves, c)
		}
		figs = append(figs,
			Figure{Name: "roc-" + slug(set), Caption: "ROC curves, " + set + ", held out.", SVG: page.ROC(curves), Alt: "ROC curves of the models"},
			Figure{Name: "reliability-" + slug(set), Caption: "Reliability, " + set + ", held out: ten bins, those with five labels or more. On the diagonal stated probabilities are frequencies.", SVG: page.Reliability(curves), Alt: "Reliability diagram of the models"})
	}
	return figs
}

// traceFigures draws how fits converged.
func traceFigures(list []record.Record) Figures {
	gap := page.Chart{X: "evaluations", Y: "objective below its best", LogY: true}
	grad := page.Chart{X: "evaluations", Y: "projected gradient", LogY: true}
	for i, r := range list {
		e, f, g, start := r.Floats("trace_evaluations"), r.Floats("trace_objective"), r.Floats("trace_gradient"), r.Floats("trace_start")
		if len(e) == 0 || len(f) != len(e) || len(g) != len(e) || len(start) != len(e) {
			continue
		}
		best, _ := r.Float("objective")
		// One curve a start; the first carries the name.
		for a := 0; a < len(e); {
			b := a
			for b < len(e) && start[b] == start[a] {
				b++
			}
			down, slope := page.Line{Color: i, X: e[a:b]}, page.Line{Color: i, X: e[a:b], Y: g[a:b]}
			for _, v := range f[a:b] {
				down.Y = append(down.Y, math.Max(best-v, 1e-9*math.Abs(best)))
			}
			if a == 0 {
				down.Name, slope.Name = r.String("model"), r.String("model")
			}
			gap.Lines, grad.Lines = append(gap.Lines, down), append(grad.Lines, slope)
			a = b
		}
	}
	if len(gap.Lines) == 0 {
		return nil
	}
	return Figures{
		{Name: "trace-objective", Caption: "Convergence: how far the objective is below the best that the fit found, all starts.", SVG: gap.SVG(), Alt: "Objective below its best against evaluations"},
		{Name: "trace-gradient", Caption: "The largest component of the projected gradient.", SVG: grad.SVG(), Alt: "Projected gradient against evaluations"},
	}
}

func fitTable(list []record.Record) *Table {
	t := &Table{Caption: "The fits.", Head: []string{"data", "model", "status", "objective", "evaluations", "factorizations", "time", "α", "β", "gain", "bias"}}
	for _, r := range list {
		v := func(k string) float64 { return value(r, k) }
		g := func(k string) Cell {
			var s []string
			for _, x := range r.Floats(k) {
				s = append(s, fmt.Sprintf("%.3g", x))
			}
			return word(strings.Join(s, ", "))
		}
		t.Rows = append(t.Rows, []Cell{word(r.String("set")), word(r.String("model")), word(r.String("status")), fixed(v("objective"), 3), count(v("evaluations")),
			count(v("factorizations")), duration(v("fit_s")), g("alpha"), g("beta"), digits(v("gain"), 3), digits(v("bias"), 3)})
	}
	return t
}
