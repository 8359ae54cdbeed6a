package counties

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// Outlines are derived from npm us-atlas 3.0.1; the NOTICE file has its terms.
//
//go:embed shapes.txt.gz
var shapes []byte

// MapWidth and MapHeight are the size of the plane that outlines and the table's
// x and y are in (Albers' projection, y downwards).
const (
	MapWidth  = 975
	MapHeight = 610
)

// Shape is a county's name and outline.
type Shape struct {
	Name string
	Path string // SVG path data in half units of the map: scale by 1/2
}

// Shapes returns the outlines in the order of nodes, corners rounded to half a
// unit. Command simplify made them.
var Shapes = sync.OnceValue(func() []Shape {
	z, err := gzip.NewReader(bytes.NewReader(shapes))
	if err != nil {
		panic("counties: " + err.Error()) // embedded at build time
	}
	var out []Shape
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, rings, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			panic(fmt.Sprintf("counties: outline %d has no name", len(out)))
		}
		var path strings.Builder
		for ring := range strings.SplitSeq(rings, ";") {
			first, rest, _ := strings.Cut(ring, " ")
			path.WriteString("M" + first + "l" + rest + "z")
		}
		out = append(out, Shape{name, path.String()})
	}
	if err := lines.Err(); err != nil {
		panic("counties: " + err.Error())
	}
	return out
})
