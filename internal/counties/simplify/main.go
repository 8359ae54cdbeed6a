// Command simplify makes the embedded outlines of the counties from a GeoJSON
// file of polygons in the map's plane (975 × 610, y downwards), with the property
// "node" and "name": corners are rounded to half a unit, which neighbours do
// alike, and repeated and straight ones are left out.
//
//	go run ./internal/counties/simplify counties.geojson.gz > internal/counties/shapes.txt.gz
//
// The output has one line a county in the order of nodes: its name, a tab, and
// its rings separated by ";", each a list of x,y in half units: the first
// absolute, the others relative to the one before.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"strings"
)

type point struct{ x, y int }

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: simplify counties.geojson.gz > shapes.txt.gz")
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		log.Fatal("simplify: ", err)
	}
}

func run(path string, w io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	var doc struct {
		Features []struct {
			Properties struct {
				Node int
				Name string
			}
			Geometry struct {
				Coordinates [][][][2]float64
			}
		}
	}
	if err := json.NewDecoder(z).Decode(&doc); err != nil {
		return err
	}
	lines := make([]string, len(doc.Features))
	for _, c := range doc.Features {
		var rings []string
		var largest []point
		for _, polygon := range c.Geometry.Coordinates {
			for _, ring := range polygon {
				p := simplify(ring)
				if math.Abs(area(p)) > math.Abs(area(largest)) {
					largest = p
				}
				if math.Abs(area(p)) >= 4 { // a square unit of the map
					rings = append(rings, encode(p))
				}
			}
		}
		if rings == nil {
			if len(largest) < 3 { // a city smaller than the grid: a square of one unit
				at := c.Geometry.Coordinates[0][0][0]
				x, y := int(math.Round(2*at[0])), int(math.Round(2*at[1]))
				largest = []point{{x - 1, y - 1}, {x + 1, y - 1}, {x + 1, y + 1}, {x - 1, y + 1}}
			}
			rings = []string{encode(largest)}
		}
		if c.Properties.Node >= len(lines) || lines[c.Properties.Node] != "" {
			return fmt.Errorf("node %d comes twice or is out of range", c.Properties.Node)
		}
		lines[c.Properties.Node] = c.Properties.Name + "\t" + strings.Join(rings, ";")
	}
	g, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(g)
	for _, l := range lines {
		fmt.Fprintln(b, l)
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return g.Close()
}

// simplify rounds a closed ring and leaves out what then says nothing.
func simplify(ring [][2]float64) []point {
	var p []point
	for _, c := range ring {
		q := point{int(math.Round(2 * c[0])), int(math.Round(2 * c[1]))}
		if len(p) > 0 && p[len(p)-1] == q {
			continue
		}
		if n := len(p); n >= 2 && straight(p[n-2], p[n-1], q) {
			p = p[:n-1]
		}
		p = append(p, q)
	}
	if n := len(p); n > 1 && p[0] == p[n-1] {
		p = p[:n-1]
	}
	return p
}

func straight(a, b, c point) bool {
	return (b.x-a.x)*(c.y-b.y) == (b.y-a.y)*(c.x-b.x)
}

func area(p []point) float64 {
	s := 0
	for i, a := range p {
		b := p[(i+1)%len(p)]
		s += a.x*b.y - a.y*b.x
	}
	return float64(s) / 2
}

func encode(p []point) string {
	var s []string
	var last point
	for _, q := range p {
		s = append(s, fmt.Sprintf("%d,%d", q.x-last.x, q.y-last.y))
		last = q
	}
	return strings.Join(s, " ")
}
