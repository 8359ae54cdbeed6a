package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/paper"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/internal/counties"
)

// sample returns results of every kind, with known numbers.
func sample() []record.Record {
	list := []record.Record{record.New("environment", "cpu", "<b>fast</b> & small", "cores", 2.0, "date", "today", "go", "go1")}
	for seed := 1; seed <= 3; seed++ {
		for _, labels := range []string{paper.Threshold, paper.Sampled} {
			for model, auc := range map[string]float64{paper.ModelB: .9, paper.ModelNB: .8} {
				list = append(list, record.New("paper.table1", "row", 5, "labels", labels, "seed", seed, "model", model,
					"auc", auc+.01*float64(seed), "loglik", -100.0-float64(seed), "decided_loglik", -90.0, "variance_norm", 30.0, "accuracy", .8, "labels_n", 240))
			}
		}
	}
	for i, n := range []int{2, 4, 8, 16} {
		for program, unit := range map[string]float64{paper.Engine: 1e-6, paper.PublishedGo: 1e-4} {
			list = append(list, record.New("paper.time", "panel", "d", "program", program, "what", paper.Evaluation, "variant", "nb", "against", "n", "stated_exponent", 1,
				"m", 160/n, "n", n, "time_s", unit*float64(n)*math.Pow(1.001, float64(i%2))))
		}
		list = append(list, record.New("solver", "matrix", "grid2d:"+string(rune('2'+i)), "order", "auto", "threads", 1, "n", n*n, "flops", 1e6*float64(n), "refactor_s", 1e-3*float64(n), "selinv_s", 1e-3, "order_s", 1e-3, "solve1_s", 1e-3))
		list = append(list, record.New("scale", "family", "grid", "vary", "n", "quantity", "evaluate", "variant", "b", "approx", "ep", "n", n, "m", 1, "time_s", 1e-3*float64(n), "rss_mb", 10.0))
	}
	list = append(list,
		record.New("scale.fit", "family", "grid", "vary", "n", "quantity", "evaluate", "variant", "b", "exponent", 1.0, "low", .9, "high", 1.1, "points", 4, "range", "all"),
		record.New("scale.stop", "family", "grid", "vary", "n", "at", 32, "message", "it would take <too> long"))
	if err := errors.Join(
		paper.Figure2(func(k string, f map[string]any) error {
			list = append(list, record.Record{Kind: k, Fields: f})
			return nil
		}),
		paper.Figure3(func(k string, f map[string]any) error {
			list = append(list, record.Record{Kind: k, Fields: f})
			return nil
		})); err != nil {
		panic(err)
	}
	p1, width := make([]float64, len(counties.Shapes())), make([]float64, len(counties.Shapes()))
	for i := range p1 {
		p1[i], width[i] = float64(i)/float64(len(p1)), .3+.4*float64(i%2)
	}
	return append(list, record.New("counties", "p1", p1, "interval_width", width, "interval_level", .9),
		record.New("prediction", "set", "counties", "model", "b", "labels", []float64{0, 0, 1, 1, 1, 0, 1}, "p1", []float64{.1, .4, .35, .8, .9, .5, .6}),
		record.New("score", "set", "counties", "model", "b", "labels_n", 777, "auc", .875, "accuracy", .8, "log_loss", .4, "brier", .1, "ece", .02),
		record.New("score", "set", "counties", "model", "score x alone", "labels_n", 777, "auc", .75),
		record.New("fit", "set", "counties", "model", "b", "status", "converged", "objective", -10.0, "evaluations", 3, "factorizations", 9, "fit_s", .5,
			"alpha", []float64{1, 2}, "beta", []float64{3}, "gain", 1.0, "bias", 0.0, "trace_start", []float64{0, 0, 1}, "trace_evaluations", []float64{1, 2, 3},
			"trace_objective", []float64{-30, -11, -10}, "trace_gradient", []float64{5, 1, .1}),
		record.New("picture", "index", 0, "width", 4, "height", 3, "file", "p.npz", "p1_png", "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAAAAACRn/EaAAAAEElEQVR42mNgCF31nwFOAAAn5wX7t7uzIQAAAABJRU5ErkJggg==", "auc", .9, "accuracy", .8),
		record.New("calibrate", "quantity", "fma", "rate_gflops", 140.0))
}

func render(t *testing.T, list []record.Record) string {
	t.Helper()
	var b bytes.Buffer
	if err := Build(list).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHTML: every section is there, nothing comes from outside, text is escaped,
// pictures are well formed and follow the page's colours.
func TestHTML(t *testing.T) {
	page := render(t, sample())
	for _, id := range []string{"in-short", "counties", "pictures", "table-1", "figure-4", "solver", "scaling", "figures-2-3", "kind-calibrate", "environment"} {
		if !strings.Contains(page, `<section id="`+id+`">`) || !strings.Contains(page, `href="#`+id+`"`) {
			t.Errorf("no section %s, or no link to it", id)
		}
	}
	if m := regexp.MustCompile(`(src|href)="(https?:|//)[^"]*`).FindString(page); m != "" {
		t.Errorf("from outside: %s", m)
	}
	if strings.Contains(page, "<b>fast") || !strings.Contains(page, "&lt;b&gt;fast&lt;/b&gt; &amp; small") || strings.Contains(page, "<too>") {
		t.Error("text is not escaped")
	}
	svgs := regexp.MustCompile(`(?s)<svg .*?</svg>`).FindAllString(page, -1)
	if len(svgs) < 12 {
		t.Errorf("%d pictures", len(svgs))
	}
	for _, s := range svgs {
		d := xml.NewDecoder(strings.NewReader(s))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%v in %.200s…", err, s)
				break
			}
		}
		if strings.Contains(s, "#000000") || regexp.MustCompile(`<svg[^>]*(width|height)="`).MatchString(s) {
			t.Errorf("black, or of fixed size: %.200s…", s)
		}
	}
	if n := strings.Count(page, "<path d=\"M") - strings.Count(page, "class=\"land\""); n < 2*len(counties.Shapes()) {
		t.Errorf("%d outlines in two maps of %d counties", n, len(counties.Shapes()))
	}
	for _, says := range []string{"0.920 ± 0.010", "+0.100 ± 0.000", "34.8", "100×", "(AUC) of 0.875", "b better in row 5 (threshold) and row 5 (sampled)"} {
		if !strings.Contains(page, says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}

// TestExponentTable: the exponent and its interval are those of the times.
func TestExponentTable(t *testing.T) {
	table := ExponentTable(TimePoints(record.Select(sample(), "paper.time")))
	if len(table.Rows) != 2 || math.Abs(table.Rows[0][6].Sort-1) > .01 || table.Rows[0][9].Text != "1" {
		t.Errorf("%+v", table.Rows)
	}
}

// TestPartial: results of an interrupted run, and none at all, make a page, too.
func TestPartial(t *testing.T) {
	all := sample()
	for n := range len(all) + 1 {
		if n%7 == 0 || n < 4 {
			render(t, all[:n])
		}
	}
	for _, r := range all { // kinds alone, and without any field
		render(t, []record.Record{r})
		render(t, []record.Record{{Kind: r.Kind, Fields: map[string]any{}}})
	}
}

// TestMarkdown: tables have as many columns in every line, and each figure is a
// file.
func TestMarkdown(t *testing.T) {
	files := map[string]string{}
	var b bytes.Buffer
	err := Build(sample()).WriteMarkdown(&b, "r_files", func(name string, svg []byte) error {
		if files[name] != "" {
			t.Errorf("two figures %s", name)
		}
		files[name] = string(svg)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text := b.String()
	columns := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if columns != 0 && n != columns {
			t.Errorf("%d columns, not %d: %s", n, columns, line)
		}
		columns = n
	}
	for name, svg := range files {
		if !strings.Contains(text, "(r_files/"+name+")") {
			t.Errorf("%s is not shown", name)
		}
		if !strings.Contains(svg, "prefers-color-scheme:dark") {
			t.Errorf("%s does not follow the colour scheme", name)
		}
	}
	if len(files) < 12 {
		t.Errorf("%d figures", len(files))
	}
	full := errors.New("full")
	if err := Build(sample()).WriteMarkdown(io.Discard, "f", func(string, []byte) error { return full }); !errors.Is(err, full) {
		t.Errorf("an error of a figure's file: %v", err)
	}
}
