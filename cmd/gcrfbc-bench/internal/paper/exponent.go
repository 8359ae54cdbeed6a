package paper

import (
	"math"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/powerlaw"
)

// Exponent is a power law fitted to one line of figure 4.
type Exponent struct {
	Point // of the first point: panel, program, what
	powerlaw.Fit
	End float64 // the exponent between the two largest points
}

// Exponents fits every line with at least two points, in the order of the points.
func Exponents(points []Point) []Exponent {
	type key struct{ panel, program, what string }
	var order []key
	lines := map[key][]Point{}
	for _, p := range points {
		k := key{p.Panel, p.Program, p.What}
		if lines[k] == nil {
			order = append(order, k)
		}
		lines[k] = append(lines[k], p)
	}
	var out []Exponent
	for _, k := range order {
		var x, y []float64
		for _, p := range lines[k] {
			v := p.M
			if p.Against == "n" {
				v = p.N
			}
			x, y = append(x, float64(v)), append(y, p.Seconds)
		}
		if f := powerlaw.Of(x, y); !math.IsNaN(f.Exponent) {
			n := len(x)
			out = append(out, Exponent{lines[k][0], f, powerlaw.Of(x[n-2:], y[n-2:]).Exponent})
		}
	}
	return out
}

func (e *Exponent) fields() map[string]any {
	f := map[string]any{"panel": e.Panel, "program": e.Program, "what": e.What, "variant": string(e.Variant), "against": e.Against,
		"stated_exponent": e.Stated, "exponent": e.Fit.Exponent, "exponent_end": e.End, "points": e.Points}
	if !math.IsNaN(e.Low) {
		f["low"], f["high"] = e.Low, e.High
	}
	return f
}
