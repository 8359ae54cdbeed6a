package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
)

var axisTitles = map[string]string{"n": "nodes N", "m": "instances M", "edges": "edges per node", "k": "predictors K", "l": "graphs L", "threads": "threads"}

// position returns the value of the size that a scaling study varies.
func position(r record.Record) float64 {
	if v := r.String("vary"); v != "edges" {
		return value(r, v)
	}
	return value(r, "edges_per_node")
}

// scaleSection shows results of gcrfbc-bench scale: a picture for each varied size
// and family, with a line for each quantity and variant.
func scaleSection(by map[string][]record.Record) *Section {
	s := &Section{ID: "scaling", Title: "Scaling of learning and prediction", Command: "gcrfbc-bench scale"}
	s.Blocks = append(s.Blocks, Text(scaleWords))
	type panel struct{ family, vary string }
	var panels []panel
	points := map[panel]map[string][]record.Record{}
	order := map[panel][]string{}
	for _, r := range by["scale"] {
		p := panel{r.String("family"), r.String("vary")}
		if points[p] == nil {
			panels, points[p] = append(panels, p), map[string][]record.Record{}
		}
		l := curveName(r)
		if points[p][l] == nil {
			order[p] = append(order[p], l)
		}
		points[p][l] = append(points[p][l], r)
	}
	var figs Figures
	for _, p := range panels {
		title := fmt.Sprintf("%s, against %s", p.family, axisTitles[p.vary])
		draw := func(name, y, caption, key string, by float64) {
			c := page.Chart{X: axisTitles[p.vary], Y: y, LogX: true, LogY: true, LegendLeft: true}
			for i, l := range order[p] {
				curve := page.Line{Name: l, Points: true, Color: i}
				for _, r := range points[p][l] {
					curve.X, curve.Y = append(curve.X, position(r)), append(curve.Y, by*value(r, key))
				}
				if drawable(&curve) {
					c.Lines = append(c.Lines, curve)
				}
			}
			if len(c.Lines) == 0 {
				return
			}
			roomForLegend(&c)
			figs = append(figs, Figure{Name: "scale-" + slug(p.family+" "+p.vary+" "+name), Caption: caption, SVG: c.SVG(), Alt: caption})
		}
		draw("time", "seconds", "Time: "+title+".", "time_s", 1)
		draw("memory", "MB", "Peak memory of the process: "+title+".", "rss_mb", 1)
	}
	if len(figs) > 0 {
		s.Blocks = append(s.Blocks, figs)
	}
	fits := &Table{Caption: "Exponents of time, with 95 % intervals.", Head: []string{"family", "against", "quantity", "range", "points", "exponent", "95 % interval"}}
	for _, r := range by["scale.fit"] {
		fits.Rows = append(fits.Rows, []Cell{word(r.String("family")), word(axisTitles[r.String("vary")]), word(curveName(r)), word(r.String("range")), count(value(r, "points")),
			fixed(value(r, "exponent"), 2), num(fmt.Sprintf("%.2f to %.2f", value(r, "low"), value(r, "high")), value(r, "low"))})
	}
	if len(fits.Rows) > 0 {
		s.Blocks = append(s.Blocks, fits)
	}
	for _, r := range by["scale.stop"] {
		ended := "ended before"
		if r.String("reason") == "labels" {
			ended = "left out at"
		}
		s.Blocks = append(s.Blocks, Note(strings.TrimSpace(fmt.Sprintf("%s %s, against %s, %s %s: %s", r.String("family"), curveName(r), axisTitles[r.String("vary")], ended, r.String("at"), r.String("message")))))
	}
	if list := by["scale"]; len(list) > 0 {
		t := &Table{Caption: "All points (medians; cold: with the analysis of the graphs and all memory new)", Folded: true,
			Head: []string{"family", "quantity", "N", "M", "edges/node", "K", "L", "threads", "time", "cold", "CPU", "MB", "Gflop", "GF/s", "of peak"}}
		for _, r := range list {
			v := func(k string) float64 { return value(r, k) }
			t.Rows = append(t.Rows, []Cell{word(r.String("family")), word(curveName(r)), count(v("n")), count(v("m")), digits(v("edges_per_node"), 3), count(v("k")), count(v("l")), count(v("threads")),
				duration(v("time_s")), duration(v("cold_s")), duration(v("time_cpu_s")), count(v("rss_mb")), digits(v("flops")/1e9, 3), digits(v("rate_gflops"), 3), percent(v("peak_fraction"))})
		}
		s.Blocks = append(s.Blocks, t)
	}
	return s
}

func curveName(r record.Record) string {
	words := []string{r.String("quantity"), r.String("variant"), r.String("approx")}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// drawable reports whether there is a point that can be drawn.
func drawable(l *page.Line) bool {
	for i := range l.X {
		if l.X[i] > 0 && l.Y[i] > 0 {
			return true
		}
	}
	return false
}
