package page

import (
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// palette has colours that are read on white and on black.
var palette = []color.NRGBA{
	{0x2f, 0x7f, 0xc8, 255}, {0xd9, 0x77, 0x2b, 255}, {0x35, 0x9a, 0x5b, 255}, {0xc8, 0x50, 0x6a, 255},
	{0x8b, 0x6b, 0xc4, 255}, {0x97, 0x86, 0x1e, 255}, {0x2a, 0x9d, 0xa5, 255}, {0x8a, 0x8f, 0x96, 255},
}

// Line is one curve of a chart.
type Line struct {
	Name   string
	X, Y   []float64
	Points bool // mark the points
	Dashed bool
	Color  int // of the palette
	Gray   bool
	Fill   bool // tint what is below
}

// Chart is a picture of lines.
type Chart struct {
	X, Y         string // labels
	LogX, LogY   bool
	Lines        []Line
	LegendLeft   bool
	LegendBottom bool
	YMin, YMax   float64 // a fixed range if different
	Square       bool
}

// Size of a chart in points, the unit of its text.
const (
	chartWidth  = 380
	chartHeight = 270
)

func init() {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
}

// SVG draws the chart: transparent, axes and text in the page's colour.
func (c *Chart) SVG() string {
	p := plot.New()
	p.BackgroundColor = color.Transparent
	p.X.Label.Text, p.Y.Label.Text = c.X, c.Y
	axis := func(a *plot.Axis, log bool) {
		a.Label.TextStyle.Font.Size = 11
		a.Tick.Label.Font.Size = 10
		a.Padding = 4
		if log {
			a.Scale, a.Tick.Marker = plot.LogScale{}, decades{}
		}
	}
	axis(&p.X, c.LogX)
	axis(&p.Y, c.LogY)
	grid := plotter.NewGrid()
	faint := color.NRGBA{0x80, 0x88, 0x90, 0x48}
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	p.Add(grid)
	p.Legend.TextStyle.Font.Size = 10
	p.Legend.Top, p.Legend.Left = !c.LegendBottom, c.LegendLeft
	p.Legend.Padding, p.Legend.ThumbnailWidth = 2, 18
	if c.LegendLeft {
		p.Legend.XOffs = 6
	} else {
		p.Legend.XOffs = -4
	}
	drawn := false
	for _, l := range c.Lines {
		xy := make(plotter.XYs, 0, len(l.X))
		for i := range l.X {
			ok := !math.IsNaN(l.X[i]+l.Y[i]) && !math.IsInf(l.X[i]+l.Y[i], 0)
			if ok && !(c.LogX && l.X[i] <= 0) && !(c.LogY && l.Y[i] <= 0) {
				xy = append(xy, plotter.XY{X: l.X[i], Y: l.Y[i]})
			}
		}
		if len(xy) == 0 {
			continue
		}
		drawn = true
		col := palette[l.Color%len(palette)]
		if l.Gray {
			col = color.NRGBA{0x8a, 0x8f, 0x96, 255}
		}
		pl, err := plotter.NewLine(xy)
		if err != nil {
			continue
		}
		pl.Color, pl.Width = col, 1.6
		if l.Dashed {
			pl.Dashes, pl.Width = []vg.Length{4, 3}, 1.1
		}
		if l.Fill {
			tint := col
			tint.A = 0x30
			pl.FillColor = tint
		}
		p.Add(pl)
		thumbs := []plot.Thumbnailer{pl}
		if l.Points {
			sc, err := plotter.NewScatter(xy)
			if err != nil {
				continue
			}
			sc.Shape, sc.Radius, sc.Color = draw.CircleGlyph{}, 2.6, col
			p.Add(sc)
			thumbs = append(thumbs, sc)
		}
		if l.Name != "" {
			p.Legend.Add(l.Name, thumbs...)
		}
	}
	if !drawn {
		p.X.Scale, p.Y.Scale = plot.LinearScale{}, plot.LinearScale{}
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.DefaultTicks{}, plot.DefaultTicks{}
	}
	if c.YMin != c.YMax {
		p.Y.Min, p.Y.Max = c.YMin, c.YMax
	}
	w, h := vg.Length(chartWidth), vg.Length(chartHeight)
	if c.Square {
		w, h = 340, 320
	}
	canvas := vgsvg.New(w, h)
	p.Draw(draw.Crop(draw.New(canvas), 0, -10, 0, 0)) // room for half a tick's label
	var b strings.Builder
	if _, err := canvas.WriteTo(&b); err != nil {
		return ""
	}
	return restyle(b.String())
}

var sizes = regexp.MustCompile(`<svg width="[^"]*" height="[^"]*"`)

// restyle takes the XML prolog and fixed sizes off, and replaces black and the
// fonts by the page's.
func restyle(svg string) string {
	if i := strings.Index(svg, "<svg"); i > 0 {
		svg = svg[i:]
	}
	svg = sizes.ReplaceAllString(svg, "<svg")
	return strings.NewReplacer(
		"font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", "",
		"stroke:#000000", "stroke:currentColor", "fill:#000000", "fill:currentColor",
		"\n\txmlns:xlink=\"http://www.w3.org/1999/xlink\"", "", "\n\t", " ", "\r", "",
	).Replace(strings.TrimSpace(svg))
}

// decades marks powers of ten, or 1, 2, 5 where there are few.
type decades struct{}

func (decades) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0) || !(hi > lo) {
		return plot.DefaultTicks{}.Ticks(lo, hi)
	}
	a, b := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	span := math.Log10(hi / lo)
	var ticks []plot.Tick
	for e := a; e <= b; e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, e)
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 && (span < 6 || int(e)%2 == 0) || span < 1.7 && (m == 2 || m == 5) {
				t.Label = short(v)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// short writes a number in few characters: 0.01, 300, 10k, 1M, 1e-06.
func short(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e9:
		return strconv.FormatFloat(v/1e9, 'g', 3, 64) + "G"
	case a >= 1e6:
		return strconv.FormatFloat(v/1e6, 'g', 3, 64) + "M"
	case a >= 1e4:
		return strconv.FormatFloat(v/1e3, 'g', 3, 64) + "k"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
