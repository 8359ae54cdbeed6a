//go:build browser

package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc/cmd/internal/browser"
)

// TestBrowser opens the page in a headless Chromium, light and dark, wide and as
// on a phone:
//
//	go test -tags browser ./cmd/...
//
// CHROMIUM names the program if it is not on the path.
func TestBrowser(t *testing.T) {
	page := render(t, sample())
	for _, v := range browser.Views {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			var got struct {
				Pictures          [][2]float64
				Probability       int
				Uncertainty       int
				Up, Down, Text    []string
				Foreground, Label []float64
			}
			browser.Inspect(t, page, v, `
  r.Probability = fills("#map-probability"); r.Uncertainty = fills("#map-uncertainty");
  var tables = document.querySelectorAll("#figure-4 table"), table = tables[tables.length - 1];
  var n = head(table, "N"), p = head(table, "program");
  r.Up = sort(table, n); r.Down = sort(table, n); r.Text = sort(table, p);
  r.Label = rgb(document.querySelector("#figure-4 svg text"), "fill");`, &got)
			if len(got.Pictures) < 12 {
				t.Errorf("%d pictures", len(got.Pictures))
			}
			if got.Probability < 20 || got.Uncertainty < 2 {
				t.Errorf("the maps have %d and %d colours", got.Probability, got.Uncertainty)
			}
			if want := "2 4 8 16"; strings.Join(slices.Compact(got.Up), " ") != want {
				t.Errorf("sorted by N: %v", got.Up)
			}
			if want := "16 8 4 2"; strings.Join(slices.Compact(got.Down), " ") != want {
				t.Errorf("sorted by N, descending: %v", got.Down)
			}
			if len(got.Text) < 2 || !slices.IsSorted(got.Text) {
				t.Errorf("sorted by program: %v", got.Text)
			}
			if fmt.Sprint(got.Label) != fmt.Sprint(got.Foreground) {
				t.Errorf("text of pictures is %v, of the page %v", got.Label, got.Foreground)
			}
		})
	}
}
