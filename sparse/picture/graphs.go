package picture

import (
	"fmt"
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// Colour says how a graph is made from colours.
type Colour struct {
	// Contrast is how fast weights fall with the squared difference, in units of
	// its mean: exp(−Contrast) at the mean. Above 0.
	Contrast float64
	// Smooth averages colours over squares of 2·Smooth+1 pixels first; 0 leaves
	// them as they are.
	Smooth int
}

// String is the name of the graph.
func (c Colour) String() string {
	if c.Smooth == 0 {
		return fmt.Sprintf("contrast %g", c.Contrast)
	}
	return fmt.Sprintf("contrast %g smooth %d", c.Contrast, c.Smooth)
}

// DefaultContrasts and DefaultSmooths are the lists whose pairs are [Default].
func DefaultContrasts() []float64 { return []float64{30} }

// DefaultSmooths is the other list; see [DefaultContrasts].
func DefaultSmooths() []int { return []int{0, 1, 2} }

// Default returns the graphs that gcrfbc fit makes unless told otherwise.
func Default() []Colour { return Pairs(DefaultContrasts(), DefaultSmooths()) }

// Pairs returns every contrast with every smoothing.
func Pairs(contrasts []float64, smooths []int) []Colour {
	out := make([]Colour, 0, len(contrasts)*len(smooths))
	for _, s := range smooths {
		for _, c := range contrasts {
			out = append(out, Colour{Contrast: c, Smooth: s})
		}
	}
	return out
}

// Validate returns an *Error unless every contrast is positive and finite, no
// smoothing is negative and none of them is there twice.
func Validate(colours []Colour) error {
	seen := make(map[Colour]int, len(colours))
	for k, c := range colours {
		if !(c.Contrast > 0) || math.IsInf(c.Contrast, 0) {
			return &Error{Colour: k, Pixel: -1, Msg: fmt.Sprintf("contrast is %v; want a positive finite number, or no colour graph at all", c.Contrast)}
		}
		if c.Smooth < 0 {
			return &Error{Colour: k, Pixel: -1, Msg: fmt.Sprintf("smoothing is %d; want a number of pixels, 0 for colours as they are", c.Smooth)}
		}
		if first, twice := seen[c]; twice {
			return &Error{Colour: k, Pixel: -1, Msg: fmt.Sprintf("%v is colour graph %d already; name every graph once", c, first)}
		}
		seen[c] = k
	}
	return nil
}

// Info returns the descriptions of the graphs, for [gcrfbc.Dataset.GraphInfo]; a
// model keeps them, and [Of] finds them there.
func Info(colours []Colour) []gcrfbc.GraphInfo {
	out := make([]gcrfbc.GraphInfo, len(colours))
	for k, c := range colours {
		out[k] = gcrfbc.GraphInfo{Name: c.String(), Contrast: c.Contrast, Smooth: c.Smooth}
	}
	return out
}

// Of returns how the colour graphs of a fitted model were made, in its order: what
// [Graphs] makes of them goes with it. A model without colour graphs has none.
func Of(m *gcrfbc.Model) []Colour {
	var out []Colour
	for _, g := range m.Graphs {
		if g.Contrast > 0 {
			out = append(out, Colour{Contrast: g.Contrast, Smooth: g.Smooth})
		}
	}
	return out
}

// Graphs returns one graph for every entry of colours, with the links of grid, whose
// pattern they share, and weights from rgb, the 3·height·width colours of one
// picture. A picture of one colour has weights one. The error is an *Error. Cost:
// proportional to links, and to pixels times (1 + Smooth) for every smoothing.
func Graphs(grid *sparse.Graph, height, width int, rgb []float64, colours []Colour) ([]*sparse.Graph, error) {
	if height < 1 || width < 1 || grid.N() != height*width || len(rgb) != 3*height*width {
		return nil, &Error{Colour: -1, Pixel: -1, Msg: fmt.Sprintf("%d colours and a graph of %d nodes for a picture of %d×%d pixels; want three colours and a node for each", len(rgb), grid.N(), height, width)}
	}
	if err := Validate(colours); err != nil {
		return nil, err
	}
	for i, v := range rgb {
		if math.IsNaN(v) || math.Abs(v) > 1e150 { // squares of differences must be finite
			return nil, &Error{Colour: -1, Pixel: i / 3, Msg: fmt.Sprintf("has colours %v, not finite or too large; want 0 … 255", rgb[i/3*3:i/3*3+3])}
		}
	}
	out := make([]*sparse.Graph, len(colours))
	for k, c := range colours {
		if out[k] != nil {
			continue
		}
		d := differences(grid.Pattern(), smoothed(rgb, height, width, c.Smooth))
		for l := k; l < len(colours); l++ {
			if colours[l].Smooth != c.Smooth {
				continue
			}
			weights := make([]float64, len(d))
			for e, v := range d {
				weights[e] = math.Exp(-colours[l].Contrast * v)
			}
			g, err := sparse.NewGraphFromPattern(grid.Pattern(), weights)
			if err != nil {
				return nil, err
			}
			out[l] = g
		}
	}
	return out, nil
}

// differences returns the squared difference of colour along every link, over their
// mean; zeros if there is no difference.
func differences(p *sparse.Pattern, colours []float64) []float64 {
	out := make([]float64, 0, p.NNZ())
	sum := 0.0
	n, _ := p.Dims()
	for i := range n {
		for _, j := range p.Row(i) {
			d := 0.0
			for c := range 3 {
				x := (colours[3*i+c] - colours[3*int(j)+c]) / 255
				d += x * x
			}
			out = append(out, d)
			sum += d
		}
	}
	if sum > 0 {
		for e, d := range out {
			out[e] = d / sum * float64(len(out)) // the mean itself may underflow
		}
	}
	return out
}

// Error says what is wrong with colours or with how graphs are made of them.
type Error struct {
	Colour int // index in the list of graphs, −1 if the fault is not there
	Pixel  int // index of the pixel, −1 if the fault is not there
	Msg    string
}

func (e *Error) Error() string {
	switch {
	case e.Colour >= 0:
		return fmt.Sprintf("picture: colour graph %d: %s", e.Colour, e.Msg)
	case e.Pixel >= 0:
		return fmt.Sprintf("picture: pixel %d %s", e.Pixel, e.Msg)
	}
	return "picture: " + e.Msg
}
