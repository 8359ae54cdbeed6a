package page

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"
)

// Ramp is a scale of colours between anchors.
type Ramp [][3]float64

var (
	// Diverging is for probabilities: red 0, near white ½, blue 1 (after
	// ColorBrewer RdBu).
	Diverging = Ramp{{178, 24, 43}, {239, 138, 98}, {247, 247, 247}, {103, 169, 207}, {33, 102, 172}}
	// Sequential is for uncertainty: pale to dark (after ColorBrewer YlGnBu).
	Sequential = Ramp{{255, 255, 204}, {161, 218, 180}, {65, 182, 196}, {44, 127, 184}, {37, 52, 148}}
)

// Classes is how many colours a map uses.
const Classes = 24

// Color returns the colour of class k of Classes.
func (r Ramp) Color(k int) color.NRGBA {
	t := float64(k) / (Classes - 1) * float64(len(r)-1)
	i := min(int(t), len(r)-2)
	t -= float64(i)
	at := func(c int) uint8 { return uint8(math.Round(r[i][c] + t*(r[i+1][c]-r[i][c]))) }
	return color.NRGBA{at(0), at(1), at(2), 255}
}

// At returns the colour of class k as a hexadecimal number.
func (r Ramp) At(k int) string {
	c := r.Color(k)
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// Shape is an outline with the name that it shows when pointed at.
type Shape struct {
	Name string
	Path string // SVG path data
}

// Map colours places by values.
type Map struct {
	Width, Height float64 // of the plane that outlines and points are in, y downwards
	Values        []float64
	Lo, Hi        float64 // values of the first and the last colour
	Ramp          Ramp
	What          string // the legend's words
	Format        func(float64) string

	// One of the two: outlines, scaled by Scale (0 means 1), or points with names.
	Shapes []Shape
	Scale  float64
	X, Y   []float64 // NaN: without a place
	Names  []string  // of points; nil: without
}

// class returns the colour class of a value, −1 for NaN.
func (m *Map) class(v float64) int {
	if math.IsNaN(v) {
		return -1
	}
	if !(m.Hi > m.Lo) {
		return 0
	}
	return int(max(0, min((v-m.Lo)/(m.Hi-m.Lo)*Classes, Classes-1)))
}

// dense is from how many points on they become an image, one mean a pixel:
// thousands of circles are slow to show.
const dense = 20000

// SVG draws the map. Places of one colour are one group, so that the colour
// stands once.
func (m *Map) SVG() string {
	const legend = 60 // room for the larger letters of narrow windows, too
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %s %s" xmlns="http://www.w3.org/2000/svg">`, coordinate(m.Width), coordinate(m.Height+legend))
	groups := make([][]int, Classes)
	for i, v := range m.Values {
		placed := m.Shapes != nil || !math.IsNaN(m.X[i]+m.Y[i])
		if k := m.class(v); k >= 0 && placed {
			groups[k] = append(groups[k], i)
		}
	}
	switch {
	case m.Shapes != nil:
		scale := m.Scale
		if scale == 0 {
			scale = 1
		}
		fmt.Fprintf(&b, `<g transform="scale(%g)" class="land" stroke-width=".5" stroke-linejoin="round">`, scale)
	case len(m.X) > dense:
		m.image(&b)
		groups = nil
		b.WriteString(`<g>`)
	default:
		b.WriteString(`<g class="land" stroke-width=".3">`)
	}
	radius := max(1.6, min(9, .3*math.Sqrt(m.Width*m.Height/float64(len(m.Values)+1))))
	for k, group := range groups {
		if len(group) == 0 {
			continue
		}
		fmt.Fprintf(&b, `<g fill="%s">`, m.Ramp.At(k))
		for _, i := range group {
			name := ""
			if m.Shapes != nil {
				if m.Shapes[i].Path == "" {
					continue
				}
				fmt.Fprintf(&b, `<path d="%s">`, m.Shapes[i].Path)
				name = m.Shapes[i].Name
			} else {
				fmt.Fprintf(&b, `<circle cx="%s" cy="%s" r="%s">`, coordinate(m.X[i]), coordinate(m.Y[i]), coordinate(radius))
				if m.Names != nil {
					name = m.Names[i]
				}
			}
			if name != "" {
				name += ": "
			}
			fmt.Fprintf(&b, `<title>%s%s</title>`, html.EscapeString(name), html.EscapeString(m.Format(m.Values[i])))
			if m.Shapes != nil {
				b.WriteString(`</path>`)
			} else {
				b.WriteString(`</circle>`)
			}
		}
		b.WriteString(`</g>`)
	}
	b.WriteString(`</g>`)
	step := m.Width * .0175
	left, y := (m.Width-step*Classes)/2, m.Height+8
	for k := range Classes {
		fmt.Fprintf(&b, `<rect x="%s" y="%s" width="%s" height="14" fill="%s"/>`, coordinate(left+step*float64(k)), coordinate(y), coordinate(step+1), m.Ramp.At(k))
	}
	text := func(x float64, anchor, s string) {
		fmt.Fprintf(&b, `<text class="legend" x="%s" y="%s" font-size="19" text-anchor="%s" fill="currentColor">%s</text>`, coordinate(x), coordinate(y+42), anchor, html.EscapeString(s))
	}
	text(left-step, "start", m.Format(m.Lo))
	text(left+step*Classes/2, "middle", m.What)
	text(left+step*(Classes+1), "end", m.Format(m.Hi))
	b.WriteString(`</svg>`)
	return b.String()
}

// image draws points as an image whose pixels have the mean of their points.
func (m *Map) image(b *strings.Builder) {
	w := 480
	h := max(1, int(math.Round(float64(w)*m.Height/m.Width)))
	sum, n := make([]float64, w*h), make([]float64, w*h)
	for i, v := range m.Values {
		if math.IsNaN(m.X[i] + m.Y[i]) {
			continue
		}
		x, y := int(m.X[i]/m.Width*float64(w)), int(m.Y[i]/m.Height*float64(h))
		if x = min(x, w-1); x >= 0 && !math.IsNaN(v) {
			if y = min(y, h-1); y >= 0 {
				sum[y*w+x] += v
				n[y*w+x]++
			}
		}
	}
	data := PNG(w, h, func(i int) color.Color {
		if n[i] == 0 {
			return color.Transparent
		}
		return m.Ramp.Color(m.class(sum[i] / n[i]))
	})
	fmt.Fprintf(b, `<image x="0" y="0" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`, coordinate(m.Width), coordinate(m.Height), data)
}

// PNG encodes an image of w×h pixels, at(i) the colour of pixel i in rows from the
// top, as base64.
func PNG(w, h int, at func(i int) color.Color) string {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, at(y*w+x))
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil { // sizes below 1 only
		return ""
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// Panel is one of the images of a row.
type Panel struct {
	PNG   string // base64
	Title string
}

// Row draws images of w×h pixels side by side.
func Row(w, h float64, panels []Panel) string {
	var b strings.Builder
	x := 0.0
	for _, p := range panels {
		fmt.Fprintf(&b, `<image x="%g" y="0" width="%g" height="%g" href="data:image/png;base64,%s"/><text x="%g" y="%g" font-size="%g" text-anchor="middle" fill="currentColor">%s</text>`,
			x, w, h, p.PNG, x+w/2, h*1.11, h*.09, html.EscapeString(p.Title))
		x += w * 1.04
	}
	return fmt.Sprintf(`<svg viewBox="0 0 %g %g" xmlns="http://www.w3.org/2000/svg">%s</svg>`, x, h*1.16, b.String())
}

// Rows draws each image by itself, for Figure.Panels.
func Rows(w, h float64, panels []Panel) []string {
	var out []string
	for _, p := range panels {
		out = append(out, Row(w, h, []Panel{p}))
	}
	return out
}

// coordinate writes a length with a tenth of a unit.
func coordinate(v float64) string { return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64) }
