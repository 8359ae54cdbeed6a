package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/paper"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
)

// TimePoints reads results of kind "paper.time".
func TimePoints(list []record.Record) []paper.Point {
	var out []paper.Point
	for _, r := range list {
		n := func(k string) float64 { return value(r, k) }
		p := paper.Point{Panel: r.String("panel"), Program: r.String("program"), What: r.String("what"), Variant: gcrfbc.Variant(r.String("variant")),
			Against: r.String("against"), Stated: n("stated_exponent"), M: int(n("m")), N: int(n("n")), Seconds: n("time_s")}
		if v, ok := r.Float("edges"); ok {
			p.Edges = int(v)
		}
		if p.Seconds > 0 && !math.IsNaN(p.Stated) {
			out = append(out, p)
		}
	}
	return out
}

var panelTitles = map[string]string{
	"a": "(a) GCRFBCb against instances M, N = 4",
	"b": "(b) GCRFBCnb against instances M, N = 4",
	"c": "(c) GCRFBCb against nodes N, M·N constant",
	"d": "(d) GCRFBCnb against nodes N, M·N constant",
	"e": "GCRFBCb, one sparse graph, against nodes N",
	"f": "GCRFBCnb, one sparse graph, against nodes N",
}

// timeSection shows figure 4.
func timeSection(by map[string][]record.Record) *Section {
	s := &Section{ID: "figure-4", Title: "Figure 4: time of learning", Command: "gcrfbc-bench paper"}
	points := TimePoints(by["paper.time"])
	s.Blocks = append(s.Blocks, Text(timeWords))
	var figs Figures
	for _, panel := range slices.Sorted(panelsOf(points)) {
		c := page.Chart{LogX: true, LogY: true, Y: "seconds", LegendLeft: true}
		for _, l := range lines(points, panel) {
			c.X = map[string]string{"m": "instances M", "n": "nodes N"}[l[0].Against]
			curve := page.Line{Name: lineName(l[0]), Points: true, Color: lineColor(l[0])}
			for _, p := range l {
				curve.X, curve.Y = append(curve.X, size(p)), append(curve.Y, p.Seconds)
			}
			c.Lines = append(c.Lines, curve)
		}
		roomForLegend(&c)
		title := panelTitles[panel]
		if title == "" {
			title = "(" + panel + ")"
		}
		figs = append(figs, Figure{Name: "figure-4" + slug(panel), Caption: title, SVG: c.SVG(), Alt: "Time against size, logarithmic: " + title})
	}
	s.Blocks = append(s.Blocks, figs, SpeedTable(points), Text(exponentWords), ExponentTable(points))
	all := &Table{Caption: "All times (medians)", Folded: true, Head: []string{"panel", "variant", "program", "what", "M", "N", "edges", "time", "a node"}}
	for _, p := range points {
		all.Rows = append(all.Rows, []Cell{word(p.Panel), word(string(p.Variant)), word(p.Program), word(p.What), count(float64(p.M)), count(float64(p.N)), count(float64(p.Edges)),
			duration(p.Seconds), duration(p.Seconds / float64(p.M*p.N))})
	}
	s.Blocks = append(s.Blocks, all)
	return s
}

// panelsOf yields the panels, each once.
func panelsOf(points []paper.Point) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for _, p := range points {
			if !seen[p.Panel] {
				seen[p.Panel] = true
				if !yield(p.Panel) {
					return
				}
			}
		}
	}
}

func size(p paper.Point) float64 {
	if p.Against == "n" {
		return float64(p.N)
	}
	return float64(p.M)
}

// lines groups a panel's points by what and with what was measured.
func lines(points []paper.Point, panel string) [][]paper.Point {
	var out [][]paper.Point
	at := map[string]int{}
	for _, p := range points {
		if p.Panel != panel {
			continue
		}
		k := p.Program + "\x00" + p.What
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], p)
	}
	for _, l := range out {
		slices.SortFunc(l, func(a, b paper.Point) int { return int(size(a)) - int(size(b)) })
	}
	return out
}

func lineName(p paper.Point) string {
	if p.What == paper.Evaluation {
		return p.Program
	}
	return p.Program + ", " + p.What
}

// lineColor gives the same line the same colour in every panel.
func lineColor(p paper.Point) int {
	return map[string]int{
		paper.Engine + paper.Evaluation: 0, paper.Engine + paper.EvaluationXi: 6, paper.Engine + paper.WholeFit: 2, paper.EngineShared + paper.Evaluation: 4,
		paper.PublishedGo + paper.Evaluation: 1, paper.PublishedGo + paper.WholeFit: 3, paper.PublishedPy + paper.Evaluation: 5,
	}[p.Program+p.What]
}

// roomForLegend raises the upper end of a logarithmic axis, so that the legend
// covers no line.
func roomForLegend(c *page.Chart) {
	lo, hi, n := math.Inf(1), 0.0, 0
	for _, l := range c.Lines {
		if l.Name != "" {
			n++
		}
		for _, v := range l.Y {
			if v > 0 {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	if n == 0 || hi == 0 {
		return
	}
	const height, lineHeight = 230.0, 12.5 // points
	part := math.Min(.55, (float64(n)*lineHeight+8)/height)
	span := math.Max(math.Log10(hi/lo), 1)
	c.YMin, c.YMax = lo*math.Pow(10, -.03*span), hi*math.Pow(10, span*part/(1-part))
}

// ExponentTable fits every line.
func ExponentTable(points []paper.Point) *Table {
	t := &Table{Caption: "Fitted exponents of time.", Head: []string{"panel", "variant", "against", "program", "what", "points", "exponent", "95 % interval", "at the end", "stated"}}
	for _, e := range paper.Exponents(points) {
		interval := num(missing, math.NaN())
		if !math.IsNaN(e.Low) {
			interval = num(fmt.Sprintf("%.2f to %.2f", e.Low, e.High), e.Low)
		}
		against := "M"
		if e.Against == "n" {
			against = "N"
		}
		stated := fixed(e.Stated, 0)
		if e.Panel == "e" || e.Panel == "f" {
			stated = num(fmt.Sprintf("%.0f (dense)", e.Stated), e.Stated)
		}
		t.Rows = append(t.Rows, []Cell{word(e.Panel), word(string(e.Variant)), word(against), word(e.Program), word(e.What), count(float64(e.Points)),
			fixed(e.Exponent, 2), interval, fixed(e.End, 2), stated})
	}
	return t
}

// ExponentBrief is ExponentTable for a terminal.
func ExponentBrief(points []paper.Point) *Table {
	full := ExponentTable(points)
	t := &Table{Caption: "Time grows like M or N to the power of (95 % interval; the paper's statement):", Head: []string{"picture", "program", "what", "exponent", "95 %", "stated"}}
	for _, r := range full.Rows {
		t.Rows = append(t.Rows, []Cell{word(r[0].Text + ", " + r[1].Text + ": " + r[2].Text), r[3], r[4], r[6], r[7], r[9]})
	}
	return t
}

// standsBeside returns what of the engine stands beside a line of the published
// algorithm: its evaluation for b is at given ξ, ours brings ξ to its optimum.
func standsBeside(p paper.Point) []string {
	if p.What == paper.Evaluation && p.Variant == gcrfbc.Bayesian {
		return []string{paper.EvaluationXi, paper.Evaluation}
	}
	return []string{p.What}
}

// SpeedTable compares programs at the largest size that both finished.
func SpeedTable(points []paper.Point) *Table {
	t := &Table{Caption: "The published algorithm beside the engine, at the largest size that both measured. For GCRFBCb the published step is at given ξ; the engine's evaluation brings ξ to its optimum, which is what its fits repeat.",
		Head: []string{"panel", "variant", "what", "M", "N", "published", "time", "gcrfbc", "ratio"}}
	for _, panel := range slices.Sorted(panelsOf(points)) {
		all := lines(points, panel)
		for _, l := range all {
			if !strings.HasPrefix(l[0].Program, "published") {
				continue
			}
			for _, what := range standsBeside(l[0]) {
				i := slices.IndexFunc(all, func(o []paper.Point) bool { return o[0].Program == paper.Engine && o[0].What == what })
				if i < 0 {
					continue
				}
				for k := len(l) - 1; k >= 0; k-- {
					j := slices.IndexFunc(all[i], func(o paper.Point) bool { return o.M == l[k].M && o.N == l[k].N })
					if j < 0 {
						continue
					}
					ours := all[i][j].Seconds
					t.Rows = append(t.Rows, []Cell{word(panel), word(string(l[k].Variant)), word(what), count(float64(l[k].M)), count(float64(l[k].N)),
						word(strings.TrimPrefix(l[k].Program, "published, ")), duration(l[k].Seconds), duration(ours), num(times(l[k].Seconds/ours)+"×", l[k].Seconds/ours)})
					break
				}
			}
		}
	}
	return t
}
