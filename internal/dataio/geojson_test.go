package dataio

import (
	"errors"
	"strings"
	"testing"
)

const places = `{"type":"FeatureCollection","features":[
 {"type":"Feature","id":7,"properties":{"name":"A","size":2.5,"list":[1]},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],[[0.2,0.1],[0.3,0.1],[0.3,0.2],[0.2,0.1]]]}},
 {"type":"Feature","id":"b","properties":null,"geometry":{"type":"MultiPolygon","coordinates":[[[[2,2],[3,2],[3,3],[2,2]]],[[[4,4,9],[5,4,9],[5,5,9],[4,4,9]]]]}},
 {"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[8,9]},{"type":"LineString","coordinates":[[0,0],[1,1]]}]}},
 {"type":"Feature","properties":{},"geometry":null}]}`

func TestGeoJSON(t *testing.T) {
	f, err := ReadGeoJSONFrom(strings.NewReader(places), "places.geojson")
	if err != nil {
		t.Fatal(err)
	}
	if len(f) != 4 || f[0].ID != "7" || f[1].ID != "b" || f[0].Properties["name"] != "A" || f[0].Properties["size"] != "2.5" || f[0].Properties["list"] != "" {
		t.Errorf("%+v", f)
	}
	if len(f[0].Rings) != 2 || len(f[1].Rings) != 2 || f[1].Rings[1][1] != [2]float64{5, 4} || len(f[2].Points) != 1 || f[2].Points[0] != [2]float64{8, 9} || len(f[3].Rings)+len(f[3].Points) != 0 {
		t.Errorf("%+v", f)
	}
	for text, says := range map[string]string{
		``:                                       "GeoJSON",
		`{"type":"Topology","objects":{}}`:       "TopoJSON",
		`{"type":"Feature"}`:                     "FeatureCollection",
		`{"type":"FeatureCollection"}`:           "no features",
		places[:200]:                             "GeoJSON",
		strings.Replace(places, "[1,0]", "1", 1): "feature 0",
		strings.Replace(places, "[1,0]", "[1]", 1):     "feature 0",
		strings.Replace(places, "Multi", "Hyper", 1):   "feature 1",
		strings.Replace(places, "[2,2]", "[\"a\"]", 1): "feature 1",
	} {
		_, err := ReadGeoJSONFrom(strings.NewReader(text), "places.geojson")
		if known := (*Error)(nil); !errors.As(err, &known) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "places.geojson") {
			t.Errorf("%.60s: %v, want %q", text, err, says)
		}
	}
}

func FuzzGeoJSON(f *testing.F) {
	f.Add(places)
	f.Add(`{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[1e999,0]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		features, err := ReadGeoJSONFrom(strings.NewReader(text), "f")
		if known := (*Error)(nil); err != nil && !errors.As(err, &known) {
			t.Fatalf("%v", err)
		}
		if err == nil && len(features) == 0 {
			t.Fatal("neither features nor an error")
		}
	})
}
