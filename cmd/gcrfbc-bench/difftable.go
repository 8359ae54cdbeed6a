package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/report"
	"github.com/gcrfbc/gcrfbc/cmd/internal/terminal"
)

// print writes what changed of the environment, the table, the geometric means, and
// what else differs.
func (d *differences) print(w io.Writer, shown []*difference, o *diffOptions) error {
	for _, e := range d.environment {
		if err := say(w, "%s", terminal.Wrap(e, "  ")); err != nil {
			return err
		}
	}
	if len(shown) > 0 {
		if len(d.environment) > 0 {
			if err := say(w, ""); err != nil {
				return err
			}
		}
		if err := say(w, "%s", differenceTable(shown)); err != nil {
			return err
		}
	}
	if err := d.summary(w, shown, o); err != nil {
		return err
	}
	for _, v := range d.values {
		if strings.Contains(v, o.only) {
			if err := say(w, "%s", terminal.Wrap(v, "  ")); err != nil {
				return err
			}
		}
	}
	if d.onlyOld+d.onlyNew > 0 {
		return say(w, "%d results are in the old file only, %d in the new only", d.onlyOld, d.onlyNew)
	}
	return nil
}

// differenceTable lays out differences: what was measured as a heading, its quantities
// in rows below, all columns in line.
func differenceTable(shown []*difference) string {
	runs := "runs"
	if between := shown[0].between; between && all(shown, between) {
		runs = "records"
	}
	t := &report.Table{Head: []string{"", "old", "new", "change", "95 %", "p", runs, "verdict"}}
	for _, l := range shown {
		t.Rows = append(t.Rows, l.row(runs))
	}
	lines := strings.Split(render(t), "\n")
	var b strings.Builder
	caption := "Medians of all runs ± half their 95 % interval; the change with its interval; adjusted p, and of how many runs, or records (rec), it is."
	fmt.Fprintf(&b, "%s\n%s\n%s\n", terminal.Wrap(caption, ""), lines[0], lines[1])
	what := ""
	for i, l := range shown {
		if w := l.what(); w != what {
			what = w
			fmt.Fprintf(&b, "%s\n", terminal.Wrap(what, "  "))
		}
		fmt.Fprintf(&b, "%s\n", lines[2+i])
	}
	return b.String()
}

func all(list []*difference, between bool) bool {
	for _, l := range list {
		if l.between != between {
			return false
		}
	}
	return true
}

// row is a difference as cells.
func (l *difference) row(runs string) []report.Cell {
	number := func(s string) report.Cell { return report.Cell{Text: s, Number: true} }
	spread := func(v float64, half string) report.Cell {
		text := withUnit(v, l.unit)
		if half != "∞" { // too few runs for an interval
			text += " ±" + half
		}
		return number(text)
	}
	n, of := l.n, ""
	if l.between {
		if n = l.records; runs != "records" {
			of = " rec"
		}
	}
	p, said := fmt.Sprintf("%.3f", l.adjusted), string(l.verdict)
	switch {
	case l.verdict == fewRuns:
		p, said = "–", "few runs"
	case l.adjusted < .0005:
		p = "<.001"
	}
	interval := "–"
	if l.low < l.high {
		interval = change(l.low) + " … " + change(l.high)
	}
	return []report.Cell{{Text: "  " + l.quantity}, spread(l.old.Center, l.old.PctRangeString()), spread(l.now.Center, l.now.PctRangeString()),
		number(percent(l.ratio)), number(interval), number(p), number(fmt.Sprintf("%d+%d%s", n[0], n[1], of)), {Text: said}}
}

// withUnit writes a quantity to three digits in the unit that suits.
func withUnit(v float64, unit string) string {
	switch unit {
	case "mb":
		return fmt.Sprintf("%.3g MB", v)
	case "gflops":
		return fmt.Sprintf("%.3g GF/s", v)
	case "gbs":
		return fmt.Sprintf("%.3g GB/s", v)
	}
	switch {
	case v < 1e-3:
		return fmt.Sprintf("%.3g µs", 1e6*v)
	case v < 1:
		return fmt.Sprintf("%.3g ms", 1e3*v)
	}
	return fmt.Sprintf("%.3g s", v)
}

// summary prints counts of verdicts and geometric means by quantity.
func (d *differences) summary(w io.Writer, shown []*difference, o *diffOptions) error {
	counts := map[verdict]int{}
	logs := map[string][]float64{}
	var names []string
	for _, l := range d.lines {
		if !strings.Contains(l.what()+" "+l.quantity, o.only) {
			continue
		}
		counts[l.verdict]++
		name := l.first.Kind + " " + l.quantity + ", " + l.unit
		if logs[name] == nil {
			names = append(names, name)
		}
		logs[name] = append(logs[name], math.Log(l.ratio))
	}
	if !o.changed {
		for _, name := range names {
			if n := len(logs[name]); n > 1 {
				sum := 0.0
				for _, v := range logs[name] {
					sum += v / float64(n)
				}
				if err := say(w, "%s: %s on geometric average over %d", name, percent(math.Exp(sum)), n); err != nil {
					return err
				}
			}
		}
	}
	return say(w, "%d better, %d worse, %d within the noise or %g %%, %d with too few runs", counts[better], counts[worse], counts[noise], 100*o.threshold, counts[fewRuns])
}

// percent writes a ratio as a change; beyond ten times as large, as a factor.
func percent(ratio float64) string {
	if ratio >= 10 {
		return fmt.Sprintf("×%.3g", ratio)
	}
	return fmt.Sprintf("%+.1f %%", 100*(ratio-1))
}

// change is percent without its sign, for intervals.
func change(ratio float64) string { return strings.TrimSuffix(percent(ratio), " %") }
