//go:build browser

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gcrfbc/gcrfbc/cmd/internal/browser"
)

// TestBrowser opens the report of the counties in a headless Chromium, light and
// dark, wide and as on a phone.
func TestBrowser(t *testing.T) {
	dir := t.TempDir()
	html := filepath.Join(dir, "r.html")
	must(t, "report", "--quiet", "--model", write(t, dir, "m.json", countiesModel()), "--html", html)
	text, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range browser.Views {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			var got struct {
				Pictures                 [][2]float64
				Probability, Uncertainty int
				Titles                   int
				Nodes                    []string
			}
			browser.Inspect(t, string(text), v, `
  r.Probability = fills("#map-probability"); r.Uncertainty = fills("#map-uncertainty");
  r.Titles = document.querySelectorAll("#map-probability path title").length;
  var table = document.querySelector("#surprises table");
  r.Nodes = sort(table, head(table, "name"));`, &got)
			if len(got.Pictures) != 6 { // three curves, three maps
				t.Errorf("%d pictures", len(got.Pictures))
			}
			if got.Probability < 20 || got.Uncertainty < 20 || got.Titles != 3108 {
				t.Errorf("the maps have %d and %d colours, %d names", got.Probability, got.Uncertainty, got.Titles)
			}
			if len(got.Nodes) < 10 || !slices.IsSorted(got.Nodes) {
				t.Errorf("sorted by name: %v", got.Nodes)
			}
		})
	}
}
