package counties

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestShapes: there is an outline for every node, and the node's point is inside
// its bounding box.
func TestShapes(t *testing.T) {
	var centre [2][]string
	for k, name := range []string{"x", "y"} {
		var err error
		if centre[k], err = Nodes().Column(name); err != nil {
			t.Fatal(err)
		}
	}
	list := Shapes()
	if len(list) != Nodes().N() {
		t.Fatalf("%d outlines for %d nodes", len(list), Nodes().N())
	}
	if list[0].Name != "Autauga" {
		t.Errorf("the first is %q", list[0].Name)
	}
	for i, s := range list {
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for ring := range strings.SplitSeq(strings.TrimPrefix(s.Path, "M"), "M") {
			var at [2]float64
			corners := strings.Fields(strings.Replace(strings.TrimSuffix(ring, "z"), "l", " ", 1))
			if len(corners) < 3 {
				t.Fatalf("%s: a ring of %d corners", s.Name, len(corners))
			}
			for _, c := range corners {
				a, b, _ := strings.Cut(c, ",")
				for k, v := range []string{a, b} {
					d, err := strconv.ParseFloat(v, 64)
					if err != nil {
						t.Fatalf("%s: %v", s.Name, err)
					}
					at[k] += d / 2
					lo[k], hi[k] = math.Min(lo[k], at[k]), math.Max(hi[k], at[k])
				}
			}
		}
		for k := range 2 {
			v, err := strconv.ParseFloat(centre[k][i], 64)
			if err != nil || math.IsNaN(v) {
				continue // one county's point is missing in the table
			}
			if v < lo[k]-.5 || v > hi[k]+.5 {
				t.Errorf("%s: point %v outside [%v, %v]", s.Name, v, lo[k], hi[k])
			}
		}
	}
}
