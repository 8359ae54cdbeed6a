//go:build browser

package browser

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

// View is how a page is looked at.
type View struct {
	Width int // of the window, px
	Dark  bool
}

func (v View) String() string { return fmt.Sprintf("%d px, dark %t", v.Width, v.Dark) }

// Views are a desk's and a phone's, light and dark.
var Views = []View{{1280, false}, {1280, true}, {390, false}, {390, true}}

// seen is what every page is asked for.
type seen struct {
	Ready                  string
	Errors                 []string
	Requests, Width, Doc   int
	Pictures               [][2]float64
	Background, Foreground []float64
}

// Inspect opens a page, runs a script in it that adds what it finds to the object r,
// and stores r in result. It fails unless the page says that it is ready, with
// nothing on the console and no requests, shows all its pictures at a size that can
// be read, needs no scrolling sideways, and has the colours of its scheme.
func Inspect(t *testing.T, page string, v View, script string, result any) {
	t.Helper()
	page = strings.Replace(page, "<style>", "<script>"+listen+"</script><style>", 1)
	page = strings.Replace(page, "</body>", "<script>"+before+script+after+"</script></body>", 1)
	dir := t.TempDir()
	path := filepath.Join(dir, "frame.html")
	// Windows have a least width, frames do not.
	for name, text := range map[string]string{filepath.Join(dir, "page.html"): page, path: fmt.Sprintf(frame, v.Width)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	scheme := 1
	if v.Dark {
		scheme = 0
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium(t), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--virtual-time-budget=3000",
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
	text := []byte(html.UnescapeString(m[1]))
	var got seen
	for _, into := range []any{&got, result} {
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	if got.Ready != "yes" || len(got.Errors) > 0 || got.Requests > 0 {
		t.Errorf("ready %q, errors %v, %d requests", got.Ready, got.Errors, got.Requests)
	}
	if got.Doc > got.Width || got.Width < v.Width-20 || got.Width > v.Width {
		t.Errorf("the page is %d px wide in a window of %d", got.Doc, got.Width)
	}
	for i, size := range got.Pictures {
		if size[0] < 200 || size[1] < 60 || size[0] > float64(got.Width) {
			t.Errorf("picture %d is shown at %v px", i, size)
		}
	}
	bright := func(c []float64) float64 { return c[0] + c[1] + c[2] }
	if (bright(got.Background) < bright(got.Foreground)) != v.Dark {
		t.Errorf("background %v, text %v", got.Background, got.Foreground)
	}
}

// chromium returns the program: what CHROMIUM names, or one on the path.
func chromium(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("CHROMIUM"); name != "" {
		return name
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium found; install it (Debian: apt-get install chromium), or name it by CHROMIUM")
	return ""
}

// listen collects what goes wrong from the beginning.
const listen = `var wrong = [];
window.addEventListener("error", function (e) { wrong.push(String(e.message || e.target.outerHTML)); }, true);
["error", "warn"].forEach(function (k) { console[k] = function () { wrong.push(k + ": " + Array.prototype.join.call(arguments, " ")); }; });`

// before and after stand around the script of a test, which looks at the page as a
// reader would, and clicks. Fills counts the colours of a map, column reads one of a
// table.
const before = `(function () {
  document.querySelectorAll("details").forEach(function (d) { d.open = true; });
  function rgb(e, p) { return getComputedStyle(e)[p].match(/[\d.]+/g).slice(0, 3).map(Number); }
  function fills(map) {
    var seen = {};
    document.querySelectorAll(map + " .land g").forEach(function (g) { if (g.getBBox().width > 0) seen[getComputedStyle(g).fill] = 1; });
    return Object.keys(seen).length;
  }
  function head(table, name) { return Array.prototype.findIndex.call(table.tHead.rows[0].cells, function (h) { return h.textContent === name; }); }
  function column(table, c) { return Array.prototype.map.call(table.tBodies[0].rows, function (row) { return row.cells[c].textContent; }); }
  function sort(table, c) { table.tHead.rows[0].cells[c].querySelector("button").click(); return column(table, c); }
  var r = { Ready: document.documentElement.getAttribute("data-ready") };
  r.Pictures = Array.prototype.map.call(document.querySelectorAll("figure > svg"), function (s) { var b = s.getBoundingClientRect(); return [b.width, b.height]; });
`

const after = `
  r.Background = rgb(document.body, "backgroundColor");
  r.Foreground = rgb(document.body, "color");
  r.Width = innerWidth; r.Doc = document.documentElement.scrollWidth;
  r.Requests = performance.getEntriesByType("resource").filter(function (e) { return e.name.indexOf("data:") !== 0; }).length;
  r.Errors = wrong;
  parent.postMessage(JSON.stringify(r), "*");
})();`

// frame shows the page at a given width and keeps what it reports.
const frame = `<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<script>addEventListener("message", function (e) { var p = document.createElement("pre"); p.id = "result"; p.textContent = e.data; document.body.appendChild(p); });</script>
<iframe src="page.html" style="width:%dpx;height:900px;border:0"></iframe>`
