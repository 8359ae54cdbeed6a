package report

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
)

// functionSection shows figures 2 and 3.
func functionSection(by map[string][]record.Record) *Section {
	s := &Section{ID: "figures-2-3", Title: "Figures 2 and 3: the integrand and the bound", Command: "gcrfbc-bench paper"}
	var figs Figures
	var tables []Block
	if list := by["paper.fig2"]; len(list) > 0 {
		c := page.Chart{X: "z", Y: "σ(z) N(z; μ, s²)"}
		t := &Table{Caption: "∫σ(z) N(z; μ, s²) dz, and the published rule of Newton and Cotes on μ ± 10 s.", Head: []string{"μ", "s²", "integral", "published rule", "difference"}}
		for i, r := range list {
			v := func(k string) float64 { return value(r, k) }
			c.Lines = append(c.Lines, page.Line{Name: fmt.Sprintf("μ = %g, s² = %g", v("mean"), v("variance")), X: r.Floats("z"), Y: r.Floats("integrand"), Color: i})
			t.Rows = append(t.Rows, []Cell{digits(v("mean"), 3), digits(v("variance"), 3), fixed(v("integral"), 15), fixed(v("published_rule"), 15), digits(v("rule_error"), 2)})
		}
		figs = append(figs, Figure{Name: "figure-2", Caption: figure2Words, SVG: c.SVG(), Alt: "The integrand of the probability of a label for four normal distributions"})
		tables = append(tables, t)
	}
	if list := by["paper.fig3"]; len(list) > 0 {
		c := page.Chart{X: "x", LegendLeft: true, YMin: 0, YMax: 1.35}
		for i, r := range list {
			xi, _ := r.Float("xi")
			if i == 0 {
				c.Lines = append(c.Lines, page.Line{Name: "σ(x)", X: r.Floats("x"), Y: r.Floats("sigma"), Gray: true})
			}
			c.Lines = append(c.Lines, page.Line{Name: fmt.Sprintf("bound, ξ = %g", xi), X: r.Floats("x"), Y: r.Floats("bound"), Color: i})
			if i == 1 {
				x, y := r.Floats("x"), r.Floats("printed_sign")
				cut := page.Line{Name: "printed sign of λ, ξ = " + fmt.Sprint(xi), Dashed: true, Color: 3}
				for k := range x {
					if y[k] <= 1.35 {
						cut.X, cut.Y = append(cut.X, x[k]), append(cut.Y, y[k])
					}
				}
				c.Lines = append(c.Lines, cut)
			}
		}
		figs = append(figs, Figure{Name: "figure-3", Caption: figure3Words, SVG: c.SVG(), Alt: "The logistic function and lower bounds of it"})
	}
	s.Blocks = append(append(s.Blocks, figs), tables...)
	return s
}
