package main

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReport makes pages of counties, a table with coordinates, outlines, and
// pictures, and checks that what they are made for is there.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	page := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	has := func(text string, all ...string) {
		t.Helper()
		for _, s := range all {
			if !strings.Contains(text, s) {
				t.Errorf("no %q in the page", s)
			}
		}
	}
	html, markdown := filepath.Join(dir, "r.html"), filepath.Join(dir, "r.md")
	nodes, graph := tiny(t, dir, 60)
	model := filepath.Join(dir, "m.json")
	data := []string{"--nodes", nodes, "--graph", graph}
	must(t, append([]string{"fit", "--quiet", "--label", "class", "--scores", "a,b", "--train", "split=train", "--out", model}, data...)...)

	t.Run("counties", func(t *testing.T) {
		o := object(t, must(t, "report", "--model", write(t, dir, "counties.json", countiesModel()), "--html", html, "--json"))
		s, ok := o["scores"].(map[string]any)
		if !ok || s["n"] != 777. || o["map"] != true || s["log_likelihood"].(float64) >= 0 {
			t.Errorf("%v", o)
		}
		text := page("r.html")
		has(text, "lr_swing", "borders", "neighbours", "bias", "map-probability", "map-uncertainty", "ROC", "Reliability", "<title>Autauga", "prefers-color-scheme: dark", "width=device-width")
		wellFormed(t, text)
		if regexp.MustCompile(`(?:src|href)="(?:https?:)?//`).MatchString(text) {
			t.Error("the page loads something from elsewhere")
		}
	})
	t.Run("no coordinates", func(t *testing.T) {
		must(t, append([]string{"report", "--quiet", "--model", model, "--observed", "split=train", "--html", html, "--markdown", markdown}, data...)...)
		text := page("r.html")
		has(text, "id=\"quality\"", "20 labels", "40 observed labels", "id=\"surprises\"")
		if strings.Contains(text, "id=\"map\"") {
			t.Error("a map of nowhere")
		}
		has(page("r.md"), "# Report of m.json", "| a |", "](r_files/roc.svg)")
		for _, m := range regexp.MustCompile(`\]\((r_files/[^)]*)\)`).FindAllStringSubmatch(page("r.md"), -1) {
			wellFormed(t, page(m[1]))
		}
	})
	t.Run("standard output and no labels", func(t *testing.T) {
		new := write(t, dir, "new.csv", "a,b\n"+strings.Repeat("1,.5\n-1,.2\n", 30))
		out := must(t, "report", "--model", model, "--nodes", new, "--graph", graph)
		has(out, "<!DOCTYPE html>", "id=\"learned\"")
		if strings.Contains(out, "id=\"quality\"") {
			t.Error("quality without labels")
		}
	})
	t.Run("points", func(t *testing.T) {
		text, err := os.ReadFile(nodes)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		for i := range lines {
			switch i {
			case 0:
				lines[i] += ",lon,lat,name"
			case 5:
				lines[i] += ",,,Nowhere"
			default:
				lines[i] += fmt.Sprintf(",%d,%d,<Town> %d", 170+i/2, 40+i%7, i)
			}
		}
		places := write(t, dir, "places.csv", strings.Join(lines, "\n")+"\n")
		o := object(t, must(t, "report", "--json", "--model", model, "--nodes", places, "--graph", graph, "--html", html))
		if o["map"] != true {
			t.Errorf("%v", o)
		}
		svg := page("r.html")
		has(svg, "<circle", "&lt;Town&gt; 7: ", "not drawn: 1 of 60 nodes")
		wellFormed(t, svg)
	})
	t.Run("outlines", func(t *testing.T) {
		var features []string
		for i := range 60 {
			x, y := i%10, i/10
			features = append(features, fmt.Sprintf(`{"type":"Feature","id":%d,"properties":{"CODE":"%d","name":"Area %d"},"geometry":{"type":"Polygon","coordinates":[[[%d,%d],[%d,%d],[%d,%d],[%d,%d]]]}}`,
				i, i, i, x, y, x+1, y, x+1, y+1, x, y))
		}
		whole := write(t, dir, "areas.geojson", `{"type":"FeatureCollection","features":[`+strings.Join(features, ",")+`]}`)
		some := write(t, dir, "some.geojson", `{"type":"FeatureCollection","features":[`+strings.Join(features[:9], ",")+`]}`)
		for _, c := range []struct{ file, id, says string }{{whole, "", "Area 59: "}, {whole, "node", "Area 59: "}, {some, "node=CODE", "not drawn: 51 of 60 nodes"}} {
			args := append([]string{"report", "--quiet", "--model", model, "--geojson", c.file, "--html", html}, data...)
			if c.id != "" {
				args = append(args, "--id", c.id)
			}
			must(t, args...)
			has(page("r.html"), "<path d=\"M", c.says)
		}
		for _, c := range []struct{ args, says string }{
			{"--geojson " + some, "9 features"},
			{"--geojson " + whole + " --id split", "split"},
			{"--geojson " + whole + " --id nothing", "nothing"},
			{"--geojson " + nodes, "GeoJSON"},
			{"--id node", "--geojson"},
			{"--pictures -1", "--pictures"},
			{"--json --html=", "--html"},
			{"--markdown " + html, "same file"},
			{"--on split=none", "split"},
		} {
			args := append(append([]string{"report", "--model", model, "--html", html}, data...), strings.Fields(c.args)...)
			if code, out, errs := cli(t, args...); code != exitBadInput || out != "" || !strings.Contains(errs, c.says) {
				t.Errorf("%s: exit %d, %q", c.args, code, errs)
			}
		}
	})
	t.Run("pictures", func(t *testing.T) {
		const h, w = 5, 6
		r, y, rgb := make([]float64, 2*h*w), make([]int8, 2*h*w), make([]uint8, 2*3*h*w)
		for i := range y {
			y[i] = int8(i % w / (w / 2))
			r[i] = float64(i%w) - 2.5 + float64(i%4)
			rgb[3*i] = uint8(40 * (i % w))
		}
		a := map[string]array{"R": {"<f8", []int{2, h, w, 1}, r}, "Y": {"|i1", []int{2, h, w}, y}, "rgb": {"|u1", []int{2, h, w, 3}, rgb}}
		file := npz(t, dir, "pictures.npz", a)
		must(t, "fit", "--quiet", "--npz", file, "--out", model+"p")
		must(t, "report", "--quiet", "--npz", file, "--model", model+"p", "--html", html, "--pictures", "1")
		text := page("r.html")
		has(text, "id=\"picture-0\"", "segmented", "IoU", "data:image/png;base64,")
		if strings.Contains(text, "id=\"picture-1\"") {
			t.Error("more pictures than asked for")
		}
		wellFormed(t, text)
		// Colours that are not there cannot have contrast.
		delete(a, "rgb")
		plain := npz(t, dir, "plain.npz", a)
		for _, c := range []struct{ file, says string }{{plain, "rgb"}, {npz(t, dir, "instances.npz", instances(6)), "pictures"}} {
			for _, flag := range []string{"--contrast", "--smooth"} {
				if code, _, errs := cli(t, "fit", "--npz", c.file, flag, "2"); code != exitBadInput || !strings.Contains(errs, flag) || !strings.Contains(errs, c.says) {
					t.Errorf("%s without colours: exit %d, %q", flag, code, errs)
				}
			}
			must(t, "fit", "--quiet", "--npz", c.file, "--contrast", "0")
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		out := filepath.Join(dir, "never.html")
		code, _, errs := cliWith(t, ctx, "", append([]string{"report", "--model", model, "--html", out}, data...)...)
		if code != exitInterrupted || !strings.Contains(errs, "interrupted") {
			t.Errorf("exit %d: %s", code, errs)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("a page was written")
		}
	})
}

// wellFormed checks that a page's elements are closed in order.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(regexp.MustCompile(`(?s)<script>.*?</script>|<style>.*?</style>|<(?:meta|link)[^>]*>|<!DOCTYPE html>`).ReplaceAllString(text, "")))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
	}
}

// TestFullDisk writes to a device that is always full.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	dir := t.TempDir()
	nodes, graph := tiny(t, dir, 20)
	model := filepath.Join(dir, "m.json")
	data := []string{"--nodes", nodes, "--graph", graph, "--scores", "a,b"}
	must(t, append([]string{"fit", "--quiet", "--label", "class", "--out", model}, data...)...)
	link := filepath.Join(dir, "full.csv")
	if err := os.Symlink("/dev/full", link); err != nil {
		t.Skip(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = full.Close() }()
	for _, args := range []string{"fit --label class --out /dev/full", "predict --model " + model + " --out " + link, "report --model " + model + " --html /dev/full", "report --model " + model + " --markdown /dev/full"} {
		code, _, errs := cli(t, append(strings.Fields(args), data...)...)
		if code != exitFailure || !strings.Contains(errs, "no space left") || strings.Contains(errs, "panic") {
			t.Errorf("%s: exit %d, %q", args, code, errs)
		}
	}
	for _, args := range []string{"fit --label class --json", "predict --model " + model, "evaluate --json --label class --model " + model, "report --model " + model} {
		var errs strings.Builder
		code := run(context.Background(), append(strings.Fields(args), data...), strings.NewReader(""), full, &errs)
		if code != exitFailure || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%s > /dev/full: exit %d, %q", args, code, errs.String())
		}
	}
}

// TestUnwritable: a folder that takes no files is noticed before the work.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Create(filepath.Join(closed, "try")); err == nil { // root may
		_ = f.Close()
		closed = "/proc"
		if _, err := os.Stat(closed); err != nil {
			t.Skip("every folder can be written to")
		}
	}
	for _, args := range []string{"fit --out", "predict --out", "report --html", "report --markdown"} {
		code, out, errs := cli(t, append(strings.Fields(args), filepath.Join(closed, "out.csv"))...)
		if code != exitFailure || out != "" || !strings.Contains(errs, "cannot be written") || strings.Contains(errs, "in memory") {
			t.Errorf("%s: exit %d, %q", args, code, errs)
		}
	}
}
