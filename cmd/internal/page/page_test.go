package page

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"strings"
	"testing"
)

// wellFormed checks that an SVG's elements are closed.
func wellFormed(t *testing.T, what, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
}

func TestMap(t *testing.T) {
	percent := func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
	m := Map{Width: 100, Height: 50, Values: []float64{0, .5, 1, math.NaN()}, Hi: 1, Ramp: Diverging, What: "p", Format: percent,
		Shapes: []Shape{{"A & B", "M0 0h9v9z"}, {"", "M9 9h9v9z"}, {"C", ""}, {"D", "M1 1h1v1z"}}}
	svg := m.SVG()
	wellFormed(t, "outlines", svg)
	if !strings.Contains(svg, "<title>A &amp; B: 0 %</title>") || !strings.Contains(svg, "<title>50 %</title>") || strings.Count(svg, "<path") != 2 {
		t.Errorf("outlines: %s", svg)
	}
	m.Shapes, m.X, m.Y = nil, []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4}
	svg = m.SVG()
	wellFormed(t, "points", svg)
	if strings.Count(svg, "<circle") != 3 { // none where there is no value
		t.Errorf("points: %s", svg)
	}
	m.X[1] = math.NaN()
	if svg = m.SVG(); strings.Count(svg, "<circle") != 2 || strings.Contains(svg, "NaN") { // none without a place
		t.Errorf("points: %s", svg)
	}
	// Many points become an image.
	many := Map{Width: 100, Height: 50, Hi: 0, Ramp: Sequential, Format: percent}
	for i := range dense + 1 {
		many.Values, many.X, many.Y = append(many.Values, 0), append(many.X, float64(i%100)), append(many.Y, float64(i%50))
	}
	many.X[0] = math.NaN()
	svg = many.SVG()
	wellFormed(t, "image", svg)
	if strings.Contains(svg, "<circle") || !strings.Contains(svg, "data:image/png") {
		t.Error("many points are no image")
	}
}

func TestRamp(t *testing.T) {
	if got := Diverging.At(0) + Diverging.At(Classes-1); got != "#b2182b#2166ac" {
		t.Error(got)
	}
}

func TestCurves(t *testing.T) {
	one := []Curve{{Name: "m", Labels: []int8{1, 1, -1}, P1: []float64{.2, .8, .5}}} // no ROC of one class
	two := []Curve{{Name: "m", Labels: []int8{1, 0, 1, 0, 1, 1}, P1: []float64{.25, .21, .22, .23, .24, .9}}}
	for _, c := range [][]Curve{nil, one, two} {
		for what, svg := range map[string]string{"ROC": ROC(c), "reliability": Reliability(c)} {
			wellFormed(t, what, svg)
			if !strings.HasPrefix(svg, "<svg") {
				t.Errorf("%s: %.40s", what, svg)
			}
		}
	}
	wellFormed(t, "distributions", Distributions(one[0].Labels, []float64{0, 1, .5}))
	wellFormed(t, "no labels", Distributions(nil, nil))
}

func TestThin(t *testing.T) {
	var x, y []float64
	for i := range 10001 {
		x, y = append(x, float64(i)/1e4), append(y, float64(i/10000))
	}
	a, b := thin(x, y)
	if n := len(a); n > 1100 || a[0] != 0 || a[n-1] != 1 || b[n-1] != 1 || b[n-2] != 0 {
		t.Errorf("%d points, from %v to %v, %v", n, a[0], a[n-1], b[n-2:])
	}
}

func TestRow(t *testing.T) {
	png := PNG(2, 2, func(i int) color.Color { return color.Gray{Y: uint8(60 * i)} })
	svg := Row(2, 2, []Panel{{png, "<a>"}, {png, "b"}})
	wellFormed(t, "row", svg)
	if strings.Count(svg, png) != 2 {
		t.Error(svg)
	}
}

func ExamplePage_WriteMarkdown() {
	p := Page{Title: "Trial", Subtitle: "Two runs.", Sections: []Section{{ID: "runs", Title: "Runs", Blocks: []Block{
		&Table{Caption: "Time.", Head: []string{"run", "s"}, Rows: [][]Cell{{Word("first"), Num("0.5", .5)}, {Word("second"), Num("0.25", .25)}}},
	}}}}
	if err := p.WriteMarkdown(os.Stdout, "", nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// # Trial
	//
	// Two runs.
	//
	// ## Runs
	//
	// Time.
	//
	// | run | s |
	// | --- | ---: |
	// | first | 0.5 |
	// | second | 0.25 |
}

func TestTicks(t *testing.T) {
	labels := func(lo, hi float64) (out []string) {
		for _, k := range (decades{}).Ticks(lo, hi) {
			if k.Label != "" {
				out = append(out, k.Label)
			}
		}
		return out
	}
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{{2, 50, "2 5 10 20 50"}, {1e-4, 2, "0.0001 0.001 0.01 0.1 1"}, {100, 1e6, "100 1000 10k 100k 1M"}} {
		if got := strings.Join(labels(c.lo, c.hi), " "); got != c.want {
			t.Errorf("%g to %g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}
