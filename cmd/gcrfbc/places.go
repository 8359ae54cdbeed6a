package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
)

// places say where the nodes of a table are on a map, y downwards.
type places struct {
	width, height float64
	shapes        []page.Shape // outlines, of a node without one empty
	scale         float64      // of outlines
	x, y          []float64    // points, if there are no outlines
	names         []string
	missing       int // nodes without a place
}

// size of a map's longer side.
const mapWidth, mapHeight = 975, 900

// findPlaces finds outlines or coordinates of the nodes, nil if there are none.
func findPlaces(d *data, geojson, id string) (*places, error) {
	switch {
	case d.table == nil && geojson != "":
		return nil, usagef("--geojson goes with a node table; instances in --npz have no places")
	case d.table == nil:
		return nil, nil
	case geojson != "":
		return featurePlaces(d, geojson, id)
	case id != "":
		return nil, usagef("--id says which column names the features of --geojson, which is not given")
	case d.embedded:
		p := &places{width: counties.MapWidth, height: counties.MapHeight, scale: .5}
		for _, s := range counties.Shapes() {
			p.shapes = append(p.shapes, page.Shape{Name: s.Name, Path: s.Path})
			p.names = append(p.names, s.Name)
		}
		return p, nil
	}
	for _, c := range []struct {
		x, y string
		geo  bool
	}{{"lon", "lat", true}, {"longitude", "latitude", true}, {"lng", "lat", true}, {"x", "y", false}} {
		x, y := numberColumn(d.table, c.x), numberColumn(d.table, c.y)
		if x == nil || y == nil {
			continue
		}
		p := &places{x: x, y: y, names: nodeNames(d.table, "")}
		for i := range x {
			if math.IsNaN(x[i] + y[i]) {
				x[i], y[i] = math.NaN(), math.NaN()
				p.missing++
			}
		}
		if p.missing == len(x) {
			return nil, nil
		}
		pr := newProjection(x, y, c.geo)
		p.width, p.height = pr.width, pr.height
		for i := range x {
			x[i], y[i] = pr.at(x[i], y[i])
		}
		return p, nil
	}
	return nil, nil
}

// numberColumn returns a column of numbers, NaN where a field is none; nil if there
// is no such column or nothing in it is a number.
func numberColumn(t *dataio.Table, name string) []float64 {
	k := slices.IndexFunc(t.Columns(), func(c string) bool { return strings.EqualFold(c, name) })
	if k < 0 {
		return nil
	}
	column, err := t.Column(t.Columns()[k])
	if err != nil {
		return nil
	}
	out, some := make([]float64, len(column)), false
	for i, s := range column {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || math.IsInf(v, 0) {
			v = math.NaN()
		}
		out[i] = v
		some = some || !math.IsNaN(v)
	}
	if !some {
		return nil
	}
	return out
}

// nodeNames are what a reader knows the nodes by.
func nodeNames(t *dataio.Table, id string) []string {
	for _, name := range []string{"name", "title", id, "id"} {
		k := slices.IndexFunc(t.Columns(), func(c string) bool { return name != "" && strings.EqualFold(c, name) })
		if k < 0 {
			continue
		}
		if column, err := t.Column(t.Columns()[k]); err == nil {
			return column
		}
	}
	out := make([]string, t.N())
	for i := range out {
		out[i] = "node " + strconv.Itoa(i)
	}
	return out
}

// featurePlaces matches the features of a GeoJSON file to nodes: in their order,
// or by a column that holds their id or one of their properties.
func featurePlaces(d *data, file, id string) (*places, error) {
	features, err := dataio.ReadGeoJSON(file)
	if err != nil {
		return nil, err
	}
	n := d.table.N()
	of := make([]int, n)
	column, property, named := strings.Cut(id, "=")
	if id == "" {
		if len(features) != n {
			return nil, inputf("%s has %d features, %s %d nodes; give one feature a node in the same order, or name the column that identifies them: --id COLUMN or --id COLUMN=PROPERTY", file, len(features), d.name, n)
		}
		for i := range of {
			of[i] = i
		}
	} else {
		keys, err := d.table.Column(column)
		if err != nil {
			return nil, err
		}
		if !named {
			property = column
		}
		at := map[string]int{}
		for k, f := range features {
			key, ok := f.Properties[property]
			if !ok && !named {
				key = f.ID
			}
			if key != "" {
				at[key] = k
			}
		}
		found := 0
		for i, key := range keys {
			k, ok := at[strings.TrimSpace(key)]
			if !ok {
				k = -1
			} else {
				found++
			}
			of[i] = k
		}
		if found == 0 {
			return nil, inputf("%s: no feature has one of the values of column %s (such as %q) as its id or property %s; --id COLUMN=PROPERTY names another property", file, column, keys[0], property)
		}
	}
	var xs, ys []float64
	for _, k := range of {
		if k < 0 {
			continue
		}
		for _, r := range append(slices.Clone(features[k].Rings), features[k].Points) {
			for _, q := range r {
				xs, ys = append(xs, q[0]), append(ys, q[1])
			}
		}
	}
	if len(xs) == 0 {
		return nil, inputf("%s: the features have no polygons and no points", file)
	}
	geo := true
	for i := range xs {
		geo = geo && math.Abs(xs[i]) <= 360 && math.Abs(ys[i]) <= 90
	}
	pr := newProjection(xs, ys, geo)
	p := &places{width: pr.width, height: pr.height, scale: .5, shapes: make([]page.Shape, n), names: nodeNames(d.table, column)}
	for i, k := range of {
		if k >= 0 {
			f := &features[k]
			if name := cmpFirst(f.Properties["name"], f.Properties["NAME"], f.Properties["Name"]); name != "" {
				p.names[i] = name
			}
			p.shapes[i] = page.Shape{Name: p.names[i], Path: pr.path(f)}
		}
		if p.shapes[i].Path == "" {
			p.missing++
		}
	}
	return p, nil
}

func cmpFirst(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// projection maps coordinates onto the plane of a map.
type projection struct {
	cut           float64 // longitudes below are a turn further; −Inf for none
	left, top     float64
	sx, sy        float64 // units of the map a unit of the coordinates
	width, height float64
}

// newProjection fits the plane to coordinates. Longitudes are shortened as the
// latitude in the middle asks (equirectangular), and the map is cut where most of
// the globe is empty, not always at the antimeridian.
func newProjection(x, y []float64, geo bool) *projection {
	p := &projection{cut: math.Inf(-1)}
	lo, hi := math.Inf(1), math.Inf(-1)
	top, bottom := math.Inf(-1), math.Inf(1)
	for i := range x {
		if !math.IsNaN(x[i] + y[i]) {
			lo, hi = min(lo, x[i]), max(hi, x[i])
			bottom, top = min(bottom, y[i]), max(top, y[i])
		}
	}
	if geo && hi-lo > 180 {
		sorted := slices.DeleteFunc(slices.Clone(x), math.IsNaN)
		slices.Sort(sorted)
		gap := 60.0
		for i := 1; i < len(sorted); i++ {
			if d := sorted[i] - sorted[i-1]; d > gap {
				gap, p.cut = d, sorted[i]-d/2
				lo, hi = sorted[i], sorted[i-1]+360
			}
		}
	}
	squeeze := 1.0
	if geo {
		squeeze = max(.1, math.Cos((top+bottom)/2*math.Pi/180))
	}
	w, h := max((hi-lo)*squeeze, 1e-9*(1+math.Abs(hi))), max(top-bottom, 1e-9*(1+math.Abs(top)))
	const margin = 8
	unit := min((mapWidth-2*margin)/w, (mapHeight-2*margin)/h)
	p.sx, p.sy = unit*squeeze, unit
	p.width, p.height = max(w*unit+2*margin, mapWidth/3), max(h*unit+2*margin, mapHeight/6)
	p.left = lo - (p.width-w*unit)/2/p.sx
	p.top = top + (p.height-h*unit)/2/p.sy
	return p
}

func (p *projection) at(x, y float64) (float64, float64) {
	if x < p.cut {
		x += 360
	}
	return (x - p.left) * p.sx, (p.top - y) * p.sy
}

// path draws a feature in half units: outlines with corners that differ, points
// and outlines too small to see as squares.
func (p *projection) path(f *dataio.Feature) string {
	var b strings.Builder
	at := func(q [2]float64) (int, int) {
		x, y := p.at(q[0], q[1])
		return int(math.Round(2 * x)), int(math.Round(2 * y))
	}
	for _, ring := range f.Rings {
		if len(ring) == 0 {
			continue
		}
		x0, y0 := at(ring[0])
		x, y := x0, y0
		var corners strings.Builder
		n := 0
		for _, q := range ring[1:] {
			if u, v := at(q); (u != x || v != y) && (u != x0 || v != y0) {
				fmt.Fprintf(&corners, " %d %d", u-x, v-y)
				x, y = u, v
				n++
			}
		}
		if n >= 2 {
			fmt.Fprintf(&b, "M%d %dl%sz", x0, y0, corners.String()[1:])
		}
	}
	square := func(q [2]float64, size int) {
		x, y := at(q)
		fmt.Fprintf(&b, "M%d %dh%dv%dh%dz", x-size/2, y-size/2, size, size, -size)
	}
	for _, q := range f.Points {
		square(q, 10)
	}
	if b.Len() == 0 && len(f.Rings) > 0 && len(f.Rings[0]) > 0 {
		square(f.Rings[0][0], 4)
	}
	return b.String()
}
