package picture

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/google/go-cmp/cmp"
)

// TestGraphs computes every weight from its definition.
func TestGraphs(t *testing.T) {
	const H, W = 4, 5
	rng := rand.New(rand.NewPCG(1, 2))
	rgb := make([]float64, 3*H*W)
	for i := range rgb {
		rgb[i] = float64(rng.IntN(256))
	}
	colours := []Colour{{3, 0}, {10, 2}, {1, 0}, {30, 1}, {3, 2}} // smoothings mixed
	grid := sparse.Grid2D(H, W)
	graphs, err := Graphs(grid, H, W, rgb, colours)
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range colours {
		g := graphs[k]
		if g.Pattern() != grid.Pattern() {
			t.Errorf("%v: another pattern", c)
		}
		smooth := smoothed(rgb, H, W, c.Smooth)
		d := func(i, j int) (sum float64) {
			for ch := range 3 {
				sum += (smooth[3*i+ch] - smooth[3*j+ch]) * (smooth[3*i+ch] - smooth[3*j+ch])
			}
			return sum
		}
		mean, links := 0.0, 0.0
		for i := range H * W {
			for j := range i {
				if _, ok := g.Weight(i, j); ok {
					mean += d(i, j)
					links++
				}
			}
		}
		if links != H*(W-1)+W*(H-1) {
			t.Fatalf("%v: %v links", c, links)
		}
		mean /= links
		for i := range H * W {
			for j := range i {
				if w, ok := g.Weight(i, j); ok && math.Abs(w-math.Exp(-c.Contrast*d(i, j)/mean)) > 1e-13 {
					t.Errorf("%v: weight of (%d, %d) is %v", c, i, j, w)
				}
			}
		}
	}
	if diff := cmp.Diff(colours, Of(&gcrfbc.Model{Graphs: append([]gcrfbc.GraphInfo{{Name: "grid"}}, Info(colours)...)})); diff != "" {
		t.Error("colours of a model:", diff)
	}
}

// TestDefault: what a first fit takes is sound, and each graph has its own name.
func TestDefault(t *testing.T) {
	if err := Validate(Default()); err != nil {
		t.Error(err)
	}
	names := map[string]bool{}
	for _, i := range Info(Pairs([]float64{1, 10}, []int{0, 1, 2})) {
		names[i.Name] = true
	}
	if len(names) != 6 {
		t.Errorf("names %v", names)
	}
}

func TestErrors(t *testing.T) {
	grid := sparse.Grid2D(1, 2)
	rgb := make([]float64, 6)
	bad := append([]float64(nil), rgb...)
	bad[4] = math.NaN()
	huge := append([]float64(nil), rgb...)
	huge[1] = 1e200
	for name, c := range map[string]struct {
		h, w    int
		rgb     []float64
		colours []Colour
		colour  int
		pixel   int
		says    string
	}{
		"contrast 0":      {1, 2, rgb, []Colour{{1, 0}, {0, 0}}, 1, -1, "contrast is 0"},
		"contrast NaN":    {1, 2, rgb, []Colour{{math.NaN(), 0}}, 0, -1, "contrast is NaN"},
		"contrast Inf":    {1, 2, rgb, []Colour{{math.Inf(1), 0}}, 0, -1, "contrast is +Inf"},
		"smoothing":       {1, 2, rgb, []Colour{{1, -1}}, 0, -1, "smoothing is -1"},
		"twice":           {1, 2, rgb, []Colour{{1, 1}, {2, 1}, {1, 1}}, 2, -1, "colour graph 0 already"},
		"other size":      {2, 2, rgb, []Colour{{1, 0}}, -1, -1, "2×2"},
		"negative size":   {-1, -2, rgb, []Colour{{1, 0}}, -1, -1, "pixels"},
		"colours missing": {1, 2, rgb[:5], []Colour{{1, 0}}, -1, -1, "5 colours"},
		"NaN":             {1, 2, bad, []Colour{{1, 0}}, -1, 1, "pixel 1"},
		"too large":       {1, 2, huge, []Colour{{1, 0}}, -1, 0, "pixel 0"},
	} {
		_, err := Graphs(grid, c.h, c.w, c.rgb, c.colours)
		e := (*Error)(nil)
		if !errors.As(err, &e) || e.Colour != c.colour || e.Pixel != c.pixel || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
