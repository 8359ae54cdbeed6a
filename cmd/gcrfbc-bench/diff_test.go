package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
)

// process draws the runs of one process: log-normal about center, which is the
// process's own within between.
func process(rng *rand.Rand, center, between, within float64, runs int) []float64 {
	center *= math.Exp(between * rng.NormFloat64())
	out := make([]float64, runs)
	for i := range out {
		out[i] = center * math.Exp(within*math.Abs(rng.NormFloat64()))
	}
	return out
}

// verdicts simulates studies of one quantity and counts their verdicts.
func verdicts(processes int, change, between float64) map[verdict]int {
	rng := rand.New(rand.NewPCG(3, uint64(processes)))
	count := map[verdict]int{}
	for range 400 {
		var old, now [][]float64
		for range processes {
			old = append(old, process(rng, 1, between, .02, 9))
			now = append(now, process(rng, 1+change, between, .02, 9))
		}
		c := compareSamples(old, now, true)
		judge([]*comparisonOf{&c}, []bool{true}, .03)
		count[c.verdict]++
	}
	return count
}

// TestVerdictsOnNoise: without a change there are few verdicts, also where processes
// differ by more than their runs; a real change is found.
func TestVerdictsOnNoise(t *testing.T) {
	for _, c := range []struct {
		processes       int
		change, between float64
		verdict         verdict
		low, high       float64
	}{
		{1, 0, .002, worse, 0, .02},
		{1, .1, .002, worse, .98, 1},
		{1, -.1, .002, better, .98, 1},
		{5, 0, .05, worse, 0, .04},
		{5, 0, .05, better, 0, .04},
		{5, .2, .03, worse, .95, 1},
		{5, .01, .001, worse, 0, .02}, // below the threshold
		{3, .2, .02, worse, .9, 1},
	} {
		share := float64(verdicts(c.processes, c.change, c.between)[c.verdict]) / 400
		if share < c.low || share > c.high {
			t.Errorf("%d processes that differ by %g, change %g: %.3f are %s, want %g to %g", c.processes, c.between, c.change, share, c.verdict, c.low, c.high)
		}
	}
}

func TestFewRuns(t *testing.T) {
	c := compareSamples([][]float64{{1, 1.1, 1.2}}, [][]float64{{2, 2.1, 2.2}}, true)
	judge([]*comparisonOf{&c}, []bool{true}, .03)
	if c.verdict != fewRuns {
		t.Errorf("3 and 3 runs: %s", c.verdict)
	}
	for _, n := range [][3]int{{3, 3, 0}, {4, 4, 1}, {3, 5, 1}, {1, 20, 0}, {1, 39, 1}} {
		if separable(n[0], n[1]) != (n[2] == 1) {
			t.Errorf("separable(%d, %d)", n[0], n[1])
		}
	}
}

// TestAdjustment: among many comparisons without a change hardly any verdict.
func TestAdjustment(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var list []*comparisonOf
	lower := make([]bool, 300)
	for i := range lower {
		lower[i] = true
		c := compareSamples([][]float64{process(rng, 1, 0, .3, 9)}, [][]float64{process(rng, 1, 0, .3, 9)}, true)
		list = append(list, &c)
	}
	judge(list, lower, 0)
	found, smallest := 0, 1.0
	for _, c := range list {
		if c.verdict == better || c.verdict == worse {
			found++
		}
		if c.adjusted < c.p-1e-12 {
			t.Fatalf("p %g adjusted to %g", c.p, c.adjusted)
		}
		smallest = min(smallest, c.p)
	}
	if found > 1 || smallest > .05 {
		t.Errorf("%d of 300 comparisons of equal distributions have verdicts; smallest p %g", found, smallest)
	}
}

// TestDirection: a higher rate is better, a longer time is worse.
func TestDirection(t *testing.T) {
	low, high := []float64{1, 1.01, 1.02, 1.01, 1}, []float64{2, 2.01, 2.02, 2.01, 2}
	old := []record.Record{record.New("calibrate", "quantity", "gemm", "n", 8, "rate_all_gflops", low, "x_all_s", low)}
	now := []record.Record{record.New("calibrate", "quantity", "gemm", "n", 8, "rate_all_gflops", high, "x_all_s", high)}
	d := compareRecords(old, now, .03)
	if len(d.lines) != 2 || d.lines[0].verdict != better || d.lines[1].verdict != worse || math.Abs(d.lines[0].ratio-2.01/1.01) > 1e-9 {
		t.Errorf("%+v %+v", d.lines[0], d.lines[1])
	}
}

func writeRecords(t *testing.T, name string, records ...record.Record) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	var b bytes.Buffer
	if err := record.WriteJSON(&b, records); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDiffCommand(t *testing.T) {
	runs := func(f float64) []float64 { return []float64{f, 1.01 * f, 1.02 * f, 1.005 * f, 1.015 * f} }
	env := func(v string) record.Record { return record.New("environment", "go", v, "date", v) }
	solver := func(matrix string, refactor, solve, logdet float64) record.Record {
		return record.New("solver", "matrix", matrix, "order", "auto", "threads", 1, "logdet", logdet, "residual", logdet, "refactor_s", refactor,
			"refactor_all_s", runs(refactor), "solve1_all_s", runs(solve), "rss_mb", 7*refactor)
	}
	old := writeRecords(t, "old", env("go1"), solver("a", 1, 1, 5), solver("b", 1, 1, 6), solver("gone", 1, 1, 1))
	now := writeRecords(t, "new", env("go2"), solver("a", 2, 1, 5.5), solver("b", .5, 1, 6))
	code, out, errs := bench(t, "diff", old, now)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, want := range []string{"Go: go1 → go2", "solver a auto threads=1", "+100.0 %", "-50.0 %", "worse", "better", "1 better, 1 worse, 2 within", "logdet: 5 → 5.5", "1 results are in the old file only"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Count(out, "\nsolver a auto threads=1\n") != 1 || !strings.Contains(out, "1.01 s  2.02 s") || widest(out) > 100 {
		t.Errorf("%d columns wide, or not by what was measured:\n%s", widest(out), out)
	}
	if strings.Contains(out, "residual") || strings.Contains(out, "rss_mb") || strings.Contains(out, "date") {
		t.Errorf("measured fields are listed as exact in\n%s", out)
	}
	code, out, _ = bench(t, "diff", old, now, "--only", "refactor", "--changed", "--json")
	records, err := record.Read(strings.NewReader(out), "out")
	if code != exitOK || err != nil || len(records) != 2 || records[0].String("verdict") != "worse" || records[0].String("matrix") != "a" || math.Abs(value(records[0], "ratio")-2) > 1e-9 {
		t.Errorf("exit %d, %v, %v", code, records, err)
	}
	if code, _, errs := bench(t, "diff", old, now, "--fail-if-worse"); code != exitWorse || !strings.Contains(errs, "1 ") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, _ := bench(t, "diff", old, now, "--fail-if-worse", "--only", "solver b"); code != exitOK {
		t.Errorf("exit %d", code)
	}
	if code, out, _ := bench(t, "diff", old, old); code != exitOK || !strings.Contains(out, "0 better, 0 worse") {
		t.Errorf("exit %d\n%s", code, out)
	}
	other := writeRecords(t, "other", record.New("scale", "n", 3))
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("{\"kind\":\"a\"}\nnot a record\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{old, other}, "in common"},
		{[]string{old, broken}, "broken: line 2"},
		{[]string{old, "/no/such/file"}, "/no/such/file"},
		{[]string{old}, "two files"},
		{[]string{old, now, "--threshold", "5"}, "--threshold"},
	} {
		if code, out, errs := bench(t, append([]string{"diff"}, c.args...)...); code != exitBadInput || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, %q, %q", c.args, code, out, errs)
		}
	}
}

// widest returns the characters of the longest line.
func widest(text string) int {
	n := 0
	for l := range strings.Lines(text) {
		n = max(n, utf8.RuneCountInString(strings.TrimRight(l, "\n")))
	}
	return n
}

// TestDiffTableWidth: whatever the sizes and units, a table can be read.
func TestDiffTableWidth(t *testing.T) {
	old := compareRecords([]record.Record{record.New("calibrate", "quantity", "gemm", "n", 8, "rate_all_gflops", []float64{99.94, 101.2, 100.1, 200.4})},
		[]record.Record{record.New("calibrate", "quantity", "gemm", "n", 8, "rate_all_gflops", []float64{1.23e-2, 2.222, 3.14, 4.44})}, .05)
	var wide []*difference
	for _, unit := range []string{"s", "mb", "gflops", "gbs"} {
		for _, v := range []float64{1.234e-7, 1.234e-4, .1234, 123.4} {
			l := *old.lines[0]
			l.first = record.New("scale", "family", strings.Repeat("long ", 20), "n", v)
			l.quantity, l.unit, l.between = "factor_first", unit, v > 1
			l.old.Center, l.now.Center, l.ratio, l.low, l.high = v, 12*v, 12, -.9, 123.4
			wide = append(wide, &l)
		}
	}
	text := differenceTable(wide)
	if widest(text) > 100 || strings.Count(text, "factor_first") != len(wide) || !strings.Contains(text, "123 µs") || !strings.Contains(text, "×12") {
		t.Errorf("%d columns:\n%s", widest(text), text)
	}
}

// TestDiffReadsSolver: what solver writes is what diff reads.
func TestDiffReadsSolver(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.jsonl")
	if code, out, errs := bench(t, "solver", "--matrix", "grid2d:12", "--out", file, "--csv", filepath.Join(dir, "a.csv")); code != exitOK || !strings.Contains(out, "grid2d:12") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	code, out, errs := bench(t, "diff", file, file)
	if code != exitOK || !strings.Contains(out, "\n  refactor ") || !strings.Contains(out, "\n  solve_multi ") || !strings.Contains(out, "0 better, 0 worse") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := bench(t, "solver", "--matrix", "grid2d:12,grid2d:400", "--time", "60ms"); code != exitOK || !strings.Contains(errs, "--time") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
