package dataio

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// Feature is a place: outlines, points, or both.
type Feature struct {
	ID         string            // the member "id", empty if there is none
	Properties map[string]string // scalars, as text
	Rings      [][][2]float64    // closed outlines, holes too
	Points     [][2]float64
}

// ReadGeoJSON reads the features of a GeoJSON file (RFC 7946), gzipped or not:
// polygons, points and collections of them; lines are left out.
func ReadGeoJSON(path string) ([]Feature, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Msg: "cannot be opened: " + reason(err), Err: err}
	}
	defer func() { _ = f.Close() }()
	return ReadGeoJSONFrom(f, path)
}

// ReadGeoJSONFrom reads features; name is for messages.
func ReadGeoJSONFrom(r io.Reader, name string) ([]Feature, error) {
	z, err := plain(r)
	if err != nil {
		return nil, tableError(name, err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, tableError(name, err)
	}
	var file struct {
		Type     string          `json:"type"`
		Features []geoFeature    `json:"features"`
		Objects  json.RawMessage `json:"objects"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, &Error{File: name, Msg: fmt.Sprintf("is no complete GeoJSON: %v", err), Err: err}
	}
	switch {
	case file.Type == "Topology":
		return nil, &Error{File: name, Msg: "is TopoJSON; convert it to GeoJSON, for instance with topo2geo"}
	case file.Type != "FeatureCollection":
		return nil, &Error{File: name, Msg: fmt.Sprintf("has type %s; want a FeatureCollection", quote(file.Type))}
	case len(file.Features) == 0:
		return nil, &Error{File: name, Msg: "has no features; want one a node"}
	}
	out := make([]Feature, len(file.Features))
	for i := range file.Features {
		g := &file.Features[i]
		out[i] = Feature{ID: scalar(g.ID), Properties: map[string]string{}}
		for k, v := range g.Properties {
			if s := scalar(v); s != "" {
				out[i].Properties[k] = s
			}
		}
		if err := g.Geometry.addTo(&out[i], 0); err != nil {
			return nil, &Error{File: name, Name: fmt.Sprintf("feature %d", i), Msg: err.Error(), Err: err}
		}
	}
	return out, nil
}

type geoFeature struct {
	ID         json.RawMessage            `json:"id"`
	Properties map[string]json.RawMessage `json:"properties"`
	Geometry   *geometry                  `json:"geometry"`
}

type geometry struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
	Geometries  []*geometry     `json:"geometries"`
}

// addTo adds a geometry to a feature; a feature may have none.
func (g *geometry) addTo(f *Feature, depth int) error {
	if g == nil {
		return nil
	}
	var rings [][][2]float64
	var points [][2]float64
	var err error
	switch g.Type {
	case "Polygon":
		rings, err = decodeRings[[][][]float64](g.Coordinates, func(c [][][]float64) [][][]float64 { return c })
	case "MultiPolygon":
		rings, err = decodeRings[[][][][]float64](g.Coordinates, func(c [][][][]float64) (all [][][]float64) {
			for _, p := range c {
				all = append(all, p...)
			}
			return all
		})
	case "Point":
		rings, err = decodeRings[[]float64](g.Coordinates, func(c []float64) [][][]float64 { return [][][]float64{{c}} })
	case "MultiPoint":
		rings, err = decodeRings[[][]float64](g.Coordinates, func(c [][]float64) [][][]float64 { return [][][]float64{c} })
	case "LineString", "MultiLineString":
	case "GeometryCollection":
		if depth > 8 {
			return fmt.Errorf("has collections in collections, too deep")
		}
		for _, inner := range g.Geometries {
			if err := inner.addTo(f, depth+1); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("has a geometry of type %s, which GeoJSON does not know", quote(g.Type))
	}
	if err != nil {
		return fmt.Errorf("has coordinates that are none of a %s: %w", g.Type, err)
	}
	if strings.HasSuffix(g.Type, "Point") {
		for _, r := range rings {
			points = append(points, r...)
		}
		rings = nil
	}
	f.Rings, f.Points = append(f.Rings, rings...), append(f.Points, points...)
	return nil
}

// decodeRings decodes coordinates as C and checks what list makes of them.
func decodeRings[C any](text json.RawMessage, list func(C) [][][]float64) ([][][2]float64, error) {
	var c C
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	var out [][][2]float64
	for _, ring := range list(c) {
		r := make([][2]float64, len(ring))
		for i, p := range ring {
			if len(p) < 2 || math.IsInf(p[0], 0) || math.IsInf(p[1], 0) {
				return nil, fmt.Errorf("a position of %d numbers; want two or three", len(p))
			}
			r[i] = [2]float64{p[0], p[1]}
		}
		out = append(out, r)
	}
	return out, nil
}

// scalar returns a JSON string or number as text, anything else as nothing.
func scalar(text json.RawMessage) string {
	if len(text) == 0 {
		return ""
	}
	if text[0] == '"' {
		var s string
		if json.Unmarshal(text, &s) == nil {
			return s
		}
		return ""
	}
	if _, err := strconv.ParseFloat(string(text), 64); err == nil {
		return string(text)
	}
	return ""
}
