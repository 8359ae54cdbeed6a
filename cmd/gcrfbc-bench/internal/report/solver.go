package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/powerlaw"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
)

// solverSection shows results of gcrfbc-bench solver.
func solverSection(by map[string][]record.Record) *Section {
	s := &Section{ID: "solver", Title: "Solver scaling", Command: "gcrfbc-bench solver --json --matrix …"}
	s.Blocks = append(s.Blocks, Text(solverWords))
	families, order := map[string][]record.Record{}, []string(nil)
	for _, r := range by["solver"] {
		threads, _ := r.Float("threads")
		name := familyOf(r.String("matrix"))
		if o := r.String("order"); o != "auto" && o != "" {
			name += ", " + o
		}
		if threads != 1 {
			name += fmt.Sprintf(", %.0f threads", threads)
		}
		if families[name] == nil {
			order = append(order, name)
		}
		families[name] = append(families[name], r)
	}
	phases := []struct{ key, title string }{{"refactor_s", "refactorization"}, {"selinv_s", "selected inverse"}, {"order_s", "ordering"}, {"solve1_s", "solve"}}
	var figs Figures
	fits := &Table{Caption: "Exponents of time against the number of rows n, with 95 % intervals.", Head: []string{"family", "points", "largest n"}}
	for _, p := range phases {
		fits.Head = append(fits.Head, p.title)
	}
	rows := map[string][]Cell{}
	for i, p := range phases {
		c := page.Chart{X: "rows n", Y: p.title + ", seconds", LogX: true, LogY: true, LegendLeft: true}
		for k, name := range order {
			l := page.Line{Name: name, Points: true, Color: k}
			list := slices.Clone(families[name])
			slices.SortFunc(list, func(a, b record.Record) int {
				x, _ := a.Float("n")
				y, _ := b.Float("n")
				return int(x - y)
			})
			for _, r := range list {
				n, _ := r.Float("n")
				v, _ := r.Float(p.key)
				l.X, l.Y = append(l.X, n), append(l.Y, v)
			}
			c.Lines = append(c.Lines, l)
			if i == 0 {
				rows[name] = []Cell{word(name), count(float64(len(l.X))), count(slices.Max(l.X))}
			}
			f := powerlaw.Of(l.X, l.Y)
			cell := fixed(f.Exponent, 2)
			if !math.IsNaN(f.Low) {
				cell = num(fmt.Sprintf("%.2f (%.2f to %.2f)", f.Exponent, f.Low, f.High), f.Exponent)
			}
			rows[name] = append(rows[name], cell)
		}
		if i < 2 {
			roomForLegend(&c)
			figs = append(figs, Figure{Name: "solver-" + slug(p.title), Caption: upper(p.title) + " against size.", SVG: c.SVG(), Alt: "Time of the " + p.title + " against the number of rows, logarithmic"})
		}
	}
	rate := page.Chart{X: "operations of a factorization", Y: "Gflop/s", LogX: true, LegendLeft: true}
	for k, name := range order {
		l := page.Line{Name: name, Points: true, Color: k}
		for _, r := range families[name] {
			flops, _ := r.Float("flops")
			t, _ := r.Float("refactor_s")
			l.X, l.Y = append(l.X, flops), append(l.Y, flops/t/1e9)
		}
		rate.Lines = append(rate.Lines, l)
	}
	figs = append(figs, Figure{Name: "solver-rate", Caption: "Speed of the refactorization.", SVG: rate.SVG(), Alt: "Gflop/s of the factorization against its operations"})
	for _, name := range order {
		if len(families[name]) > 1 {
			fits.Rows = append(fits.Rows, rows[name])
		}
	}
	s.Blocks = append(s.Blocks, figs)
	if len(fits.Rows) > 0 {
		s.Blocks = append(s.Blocks, fits)
	}
	t := &Table{Caption: "Medians. order: the ordering; analyze: the rest of the analysis; 32 solves: one call with 32 right-hand sides; MB: factor, working storage and analysis.",
		Head: []string{"matrix", "order", "threads", "n", "nnz(L)", "Gflop", "order", "analyze", "refactor", "GF/s", "selected inverse", "solve", "32 solves", "MB"}}
	for _, r := range by["solver"] {
		v := func(k string) float64 { return value(r, k) }
		t.Rows = append(t.Rows, []Cell{word(r.String("matrix")), word(r.String("order")), count(v("threads")), count(v("n")), count(v("nnzL")), digits(v("flops")/1e9, 3),
			duration(v("order_s")), duration(v("analyze_s")), duration(v("refactor_s")), digits(v("flops")/1e9/v("refactor_s"), 3), duration(v("selinv_s")),
			duration(v("solve1_s")), duration(v("solve_multi_s")), count(v("bytes") / 1e6)})
	}
	s.Blocks = append(s.Blocks, t)
	return s
}

// familyOf returns what matrices of different size have in common.
func familyOf(spec string) string {
	name, rest, ok := strings.Cut(spec, ":")
	if !ok {
		return spec // a file
	}
	if _, parameter, ok := strings.Cut(rest, ":"); ok {
		return name + ":n:" + parameter
	}
	return name
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// SolverBrief returns the times of the solver for a terminal.
func SolverBrief(list []record.Record) *Table {
	t := &Table{Caption: "Sparse Cholesky solver, one thread (medians; inverse: the selected inverse)", Head: []string{"matrix", "n", "nnz(L)", "order", "refactor", "GF/s", "inverse", "solve"}}
	for _, r := range list {
		v := func(k string) float64 { return value(r, k) }
		t.Rows = append(t.Rows, []Cell{word(r.String("matrix")), count(v("n")), count(v("nnzL")),
			duration(v("order_s")), duration(v("refactor_s")), digits(v("flops")/1e9/v("refactor_s"), 3), duration(v("selinv_s")), duration(v("solve1_s"))})
	}
	return t
}
