//go:build browser

package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestBrowser opens the page in a headless Chromium, light and dark, wide and as
// on a phone:
//
//	go test -tags browser ./cmd/gcrfbc-bench/internal/report
//
// CHROMIUM names the program if it is not on the path.
func TestBrowser(t *testing.T) {
	chromium := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		t.Fatal("no Chromium found; install it (Debian: apt-get install chromium), or name it by CHROMIUM")
	}
	page := render(t, sample())
	page = strings.Replace(page, "<style>", "<script>"+listen+"</script><style>", 1)
	page = strings.Replace(page, "</body>", "<script>"+inspect+"</script></body>", 1)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("page.html", page)
	for _, c := range []struct {
		width int
		dark  bool
	}{{1280, false}, {1280, true}, {390, false}, {390, true}} {
		t.Run(fmt.Sprintf("%d px, dark %t", c.width, c.dark), func(t *testing.T) {
			// Windows have a least width, frames do not.
			path := write("frame.html", fmt.Sprintf(frame, c.width))
			scheme := 1
			if c.dark {
				scheme = 0
			}
			ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--virtual-time-budget=3000",
				"--window-size=1400,1000", fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme),
				"--enable-logging=stderr", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+path)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s", err, errs.String())
			}
			if m := regexp.MustCompile(`(?m)^.*CONSOLE.*$`).FindString(errs.String()); m != "" {
				t.Errorf("on the console: %s", m)
			}
			m := regexp.MustCompile(`(?s)<pre id="result">(.*?)</pre>`).FindStringSubmatch(out.String())
			if m == nil {
				t.Fatalf("the page did not report:\n%.500s\n%s", out.String(), errs.String())
			}
			var got struct {
				Ready                  string
				Errors                 []string
				Requests, Width, Doc   int
				Pictures               [][2]float64
				Colours                int
				Up, Down, Text         []string
				Background, Foreground []float64
				Label                  []float64
			}
			if err := json.Unmarshal([]byte(html.UnescapeString(m[1])), &got); err != nil {
				t.Fatal(err)
			}
			if got.Ready != "yes" || len(got.Errors) > 0 || got.Requests > 0 {
				t.Errorf("ready %q, errors %v, %d requests", got.Ready, got.Errors, got.Requests)
			}
			if got.Doc > got.Width || got.Width < c.width-20 || got.Width > c.width {
				t.Errorf("the page is %d px wide in a window of %d", got.Doc, got.Width)
			}
			if len(got.Pictures) < 12 {
				t.Errorf("%d pictures", len(got.Pictures))
			}
			for i, size := range got.Pictures {
				if size[0] < 200 || size[1] < 60 || size[0] > float64(got.Width) {
					t.Errorf("picture %d is shown at %v px", i, size)
				}
			}
			if got.Colours < 20 {
				t.Errorf("the map has %d colours", got.Colours)
			}
			if want := []string{"2", "4", "8", "16"}; strings.Join(unique(got.Up), " ") != strings.Join(want, " ") {
				t.Errorf("sorted by N: %v", got.Up)
			}
			if want := []string{"16", "8", "4", "2"}; strings.Join(unique(got.Down), " ") != strings.Join(want, " ") {
				t.Errorf("sorted by N, descending: %v", got.Down)
			}
			if len(got.Text) < 2 || got.Text[0] > got.Text[len(got.Text)-1] {
				t.Errorf("sorted by program: %v", got.Text)
			}
			bright := func(c []float64) float64 { return c[0] + c[1] + c[2] }
			if (bright(got.Background) < bright(got.Foreground)) != c.dark {
				t.Errorf("background %v, text %v", got.Background, got.Foreground)
			}
			if fmt.Sprint(got.Label) != fmt.Sprint(got.Foreground) {
				t.Errorf("text of pictures is %v, of the page %v", got.Label, got.Foreground)
			}
		})
	}
}

func unique(list []string) (out []string) {
	for _, s := range list {
		if len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}

// listen collects what goes wrong from the beginning.
const listen = `var wrong = [];
window.addEventListener("error", function (e) { wrong.push(String(e.message || e.target.outerHTML)); }, true);
["error", "warn"].forEach(function (k) { console[k] = function () { wrong.push(k + ": " + Array.prototype.join.call(arguments, " ")); }; });`

// inspect looks at the page as a reader would, and clicks.
const inspect = `(function () {
  document.querySelectorAll("details").forEach(function (d) { d.open = true; });
  function rgb(e, p) { return getComputedStyle(e)[p].match(/[\d.]+/g).slice(0, 3).map(Number); }
  var r = { Ready: document.documentElement.getAttribute("data-ready") };
  r.Pictures = Array.prototype.map.call(document.querySelectorAll("figure svg"), function (s) { var b = s.getBoundingClientRect(); return [b.width, b.height]; });
  var fills = {};
  document.querySelectorAll("#map-probability .land g").forEach(function (g) { if (g.getBBox().width > 0) fills[getComputedStyle(g).fill] = 1; });
  r.Colours = Object.keys(fills).length;
  var tables = document.querySelectorAll("#figure-4 table"), table = tables[tables.length - 1];
  function column(c) { return Array.prototype.map.call(table.tBodies[0].rows, function (row) { return row.cells[c].textContent; }); }
  var heads = table.tHead.rows[0].cells;
  function head(name) { return Array.prototype.findIndex.call(heads, function (h) { return h.textContent === name; }); }
  var n = head("N"), p = head("program");
  heads[n].querySelector("button").click(); r.Up = column(n);
  heads[n].querySelector("button").click(); r.Down = column(n);
  heads[p].querySelector("button").click(); r.Text = column(p);
  r.Background = rgb(document.body, "backgroundColor");
  r.Foreground = rgb(document.body, "color");
  r.Label = rgb(document.querySelector("#figure-4 svg text"), "fill");
  r.Width = innerWidth; r.Doc = document.documentElement.scrollWidth;
  r.Requests = performance.getEntriesByType("resource").filter(function (e) { return e.name.indexOf("data:") !== 0; }).length;
  r.Errors = wrong;
  parent.postMessage(JSON.stringify(r), "*");
})();`

// frame shows the page at a given width and keeps what it reports.
const frame = `<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<script>addEventListener("message", function (e) { var p = document.createElement("pre"); p.id = "result"; p.textContent = e.data; document.body.appendChild(p); });</script>
<iframe src="page.html" style="width:%dpx;height:900px;border:0"></iframe>`
