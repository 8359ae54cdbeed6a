package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/powerlaw"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/report"
	"github.com/gcrfbc/gcrfbc/cmd/internal/terminal"
)

// fits emits the exponents of all curves: of all points and, where there are six or
// more, of the upper half, in which what does not grow has less weight.
func (st *study) fits(res *results) error {
	for _, q := range st.quantities {
		for _, v := range st.variants {
			var x, y []float64
			approx := ""
			for _, r := range record.Select(res.sink.Records, "scale") {
				if r.String("quantity") != q || r.String("variant") != v {
					continue
				}
				if t, ok := r.Float("time_s"); ok {
					x, y, approx = append(x, st.position(r)), append(y, t), r.String("approx")
				}
			}
			parts := map[string]int{"all": 0}
			if len(x) >= 6 {
				parts["upper half"] = len(x) / 2
			}
			for _, name := range []string{"all", "upper half"} {
				from, ok := parts[name]
				if !ok || len(x)-from < 3 {
					continue
				}
				fit := powerlaw.Of(x[from:], y[from:])
				f := map[string]any{"family": st.family.name, "vary": st.vary, "quantity": q, "variant": v, "range": name, "points": fit.Points,
					"exponent": fit.Exponent, "low": fit.Low, "high": fit.High, "constant": fit.Constant}
				if approx != "" {
					f["approx"] = approx
				}
				if err := res.emit("scale.fit", f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// printScale prints the points, the exponents and why there are no more points.
func printScale(w io.Writer, records []record.Record) error {
	points := record.Select(records, "scale")
	if len(points) == 0 {
		if err := say(w, "Nothing was measured."); err != nil {
			return err
		}
	} else if err := printTable(w, scaleTable(points)); err != nil {
		return err
	}
	if fits := record.Select(records, "scale.fit"); len(fits) > 0 {
		t := &report.Table{Caption: "\nTime grows like " + fits[0].String("vary") + " to the power of", Head: []string{"quantity", "variant", "points", "exponent", "95 % interval"}}
		for _, r := range fits {
			e, low, high := shorten(r, "exponent", 3), shorten(r, "low", 3), shorten(r, "high", 3)
			t.Rows = append(t.Rows, []report.Cell{{Text: r.String("quantity")}, {Text: r.String("variant")},
				{Text: r.String("points") + ", " + r.String("range")}, {Text: e, Number: true}, {Text: low + " … " + high, Number: true}})
		}
		if err := printTable(w, t); err != nil {
			return err
		}
	}
	for _, r := range record.Select(records, "scale.stop") {
		what := r.String("quantity")
		if what == "" {
			what = "all"
		}
		if v := r.String("variant"); v != "" {
			what += " " + v
		}
		ended := "stopped before"
		if r.String("reason") == "labels" { // of this point alone
			ended = "left out at"
		}
		line := fmt.Sprintf("%s %s %s = %s: %s", what, ended, r.String("vary"), r.String("at"), r.String("message"))
		if err := say(w, "%s", terminal.Wrap(line, "  ")); err != nil {
			return err
		}
	}
	return nil
}

// shorten writes a number of a record with so many digits, "–" where there is none.
func shorten(r record.Record, key string, digits int) string {
	v, ok := r.Float(key)
	if !ok {
		return "–"
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// scaleTable is a table of the points; sizes that are the same in all of them are in
// its caption.
func scaleTable(points []record.Record) *report.Table {
	type column struct {
		title string
		text  func(r record.Record) string
	}
	field := func(key string) func(record.Record) string {
		return func(r record.Record) string { return r.String(key) }
	}
	scaled := func(key string, by float64, digits int) func(record.Record) string {
		return func(r record.Record) string {
			v, ok := r.Float(key)
			if !ok {
				return "–"
			}
			return strconv.FormatFloat(v*by, 'g', digits, 64)
		}
	}
	approximate := func(r record.Record) string { // a column where there is one
		if _, ok := r.Float("quality"); !ok {
			return "–"
		}
		return r.String("solver")
	}
	columns := []column{{"quantity", field("quantity")}, {"variant", func(r record.Record) string {
		return strings.TrimSpace(r.String("variant") + " " + r.String("approx"))
	}}}
	vary := points[0].String("vary")
	caption := points[0].String("family") + ", against " + axes[vary].about
	for _, c := range []column{{"n", field("n")}, {"m", field("m")}, {"edges per node", field("edges_per_node")}, {"k", field("k")}, {"l", field("l")}, {"threads", field("threads")}} {
		first := c.text(points[0])
		varies := slices.ContainsFunc(points, func(r record.Record) bool { return c.text(r) != first }) && c.title != "edges per node"
		if varies || strings.HasPrefix(c.title, vary) {
			columns = append(columns, c)
		} else {
			caption += fmt.Sprintf(", %s %s", c.title, first)
		}
	}
	for _, c := range []column{{"time", scaled("time_s", 1, 3)}, {"cold", scaled("cold_s", 1, 3)}, {"CPU", scaled("time_cpu_s", 1, 3)},
		{"evals", field("evaluations")}, {"MB", func(r record.Record) string { return whole(r, "rss_mb") }}, {"solver", approximate}, {"quality", scaled("quality", 1, 2)}, {"std. error", scaled("stderr", 1, 2)}, {"GF/s", scaled("rate_gflops", 1, 3)}, {"% peak", scaled("peak_fraction", 100, 2)}} {
		if slices.ContainsFunc(points, func(r record.Record) bool { return !slices.Contains([]string{"", "–"}, c.text(r)) }) {
			columns = append(columns, c)
		}
	}
	t := &report.Table{Caption: caption + "; times in seconds"}
	for _, c := range columns {
		t.Head = append(t.Head, c.title)
	}
	for _, r := range points {
		row := make([]report.Cell, len(columns))
		for i, c := range columns {
			row[i] = report.Cell{Text: c.text(r), Number: i > 1}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func whole(r record.Record, key string) string {
	v, ok := r.Float(key)
	if !ok {
		return "–"
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
