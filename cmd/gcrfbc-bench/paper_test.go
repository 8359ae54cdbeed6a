package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
)

func kinds(t *testing.T, list []record.Record) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, r := range list {
		n[r.Kind]++
	}
	return n
}

func TestPaperFigures(t *testing.T) {
	dir := t.TempDir()
	file, csv := filepath.Join(dir, "r.jsonl"), filepath.Join(dir, "r.csv")
	code, out, errs := bench(t, "paper", "--only", "fig2,fig3", "--json", "--out", file, "--csv", csv)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	printed, err := record.Read(strings.NewReader(out), "standard output")
	if err != nil {
		t.Fatal(err)
	}
	written, err := record.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]record.Record{printed, written} {
		if k := kinds(t, list); k["environment"] != 1 || k["paper.fig2"] != 4 || k["paper.fig3"] != 3 || len(list) != 8 {
			t.Errorf("%v", k)
		}
	}
	if text, err := os.ReadFile(csv); err != nil || !strings.HasPrefix(string(text), "kind,") || strings.Count(string(text), "\npaper.fig") != 7 {
		t.Errorf("CSV: %v\n%.300s", err, text)
	}
}

// TestPaperInterrupted: results that were finished are printed and in the file.
func TestPaperInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			time.Sleep(20 * time.Millisecond)
			if list, _ := record.ReadFile(file); len(list) > 6 {
				cancel()
				return
			}
		}
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"paper", "--only", "table1", "--seeds", "1000", "--out", file}, &out, &errs)
	list, err := record.ReadFile(file)
	if code != exitInterrupted || err != nil || len(list) < 7 {
		t.Fatalf("exit %d, %d results, %v: %s", code, len(list), err, errs.String())
	}
	if !strings.Contains(errs.String(), "interrupted") || !strings.Contains(errs.String(), file) || !strings.Contains(out.String(), "threshold") {
		t.Errorf("%s%s", out.String(), errs.String())
	}
}

// TestPaperTime: what --time left out is said, and the rest is shown.
func TestPaperTime(t *testing.T) {
	code, out, errs := bench(t, "paper", "--full", "--time", "1ns", "--python", "none")
	if code != exitOK || !strings.Contains(out, "Figures 2 and 3") || !strings.Contains(errs, "--time 1ns left out ") || !strings.Contains(errs, "of 1200 data sets of Table 1 and the rest of ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := bench(t, "paper", "--time", "-1s"); code != exitBadInput || !strings.Contains(errs, "--time") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestPaperFaults(t *testing.T) {
	dir := t.TempDir()
	full := ""
	if _, err := os.Stat("/dev/full"); err == nil {
		full = "/dev/full"
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"command", []string{"papr"}, exitBadInput, []string{"papr", "paper", "report"}},
		{"argument", []string{"paper", "x"}, exitBadInput, []string{`"x"`, "--help"}},
		{"both", []string{"paper", "--full", "--quick"}, exitBadInput, []string{"--full", "--quick"}},
		{"part", []string{"paper", "--only", "fig7"}, exitBadInput, []string{"fig7", "fig4"}},
		{"seeds", []string{"paper", "--seeds", "-3"}, exitBadInput, []string{"--seeds -3"}},
		{"python", []string{"paper", "--only", "fig4", "--python", filepath.Join(dir, "no")}, exitBadInput, []string{"--python", "NumPy"}},
		{"no folder", []string{"paper", "--only", "fig2", "--out", filepath.Join(dir, "no", "r.jsonl")}, exitFailure, []string{"r.jsonl", "cannot be written"}},
		{"full disk", []string{"paper", "--only", "fig2", "--out", full}, exitFailure, []string{"/dev/full", "space"}},
		{"nothing", []string{"report"}, exitBadInput, []string{"nothing to report", "paper"}},
		{"no file", []string{"report", filepath.Join(dir, "none.jsonl")}, exitBadInput, []string{"none.jsonl"}},
		{"pictures", []string{"report", "--pictures", "x.npz"}, exitBadInput, []string{"--picture-model"}},
		{"folder", []string{"report", "--counties", "--html", filepath.Join(dir, "no", "r.html")}, exitFailure, []string{"r.html", "folder"}},
		{"tour", []string{"--dir", filepath.Join("/dev/null", "x")}, exitFailure, []string{"/dev/null/x", "cannot be written"}},
	} {
		if c.name == "full disk" && full == "" {
			continue
		}
		code, out, errs := bench(t, c.args...)
		if code != c.code {
			t.Errorf("%s: exit %d, want %d: %s%s", c.name, code, c.code, out, errs)
		}
		for _, s := range c.says {
			if !strings.Contains(errs, s) {
				t.Errorf("%s: %q does not mention %q", c.name, errs, s)
			}
		}
	}
	// Standard output that cannot be written.
	if full != "" {
		f, err := os.OpenFile(full, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		var errs bytes.Buffer
		if code := run(t.Context(), []string{"paper", "--only", "fig2", "--json"}, f, &errs); code != exitFailure || !strings.Contains(errs.String(), "space") {
			t.Errorf("standard output on a full disk: exit %d: %s", code, errs.String())
		}
	}
}

func TestReport(t *testing.T) {
	dir := t.TempDir()
	lines := filepath.Join(dir, "r.jsonl")
	if code, _, errs := bench(t, "paper", "--only", "fig2,fig3", "--out", lines, "--quiet"); code != exitOK {
		t.Fatal(errs)
	}
	f, err := os.OpenFile(lines, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"kind":"paper.fi`); err != nil { // as a run that was ended by force leaves it
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	page, text := filepath.Join(dir, "p.html"), filepath.Join(dir, "p.md")
	code, out, errs := bench(t, "report", lines, "--html", page, "--markdown", text)
	if code != exitOK || !strings.Contains(out, page) || !strings.Contains(out, text) || !strings.Contains(errs, "line 9") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	for _, name := range []string{page, text, filepath.Join(dir, "p_files", "figure-2.svg"), filepath.Join(dir, "p_files", "figure-3.svg")} {
		if b, err := os.ReadFile(name); err != nil || len(b) < 500 {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
	if err := os.WriteFile(lines, []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := bench(t, "report", lines, "--html", page); code != exitBadInput || !strings.Contains(errs, "line 1") {
		t.Errorf("no results: exit %d: %s", code, errs)
	}
}

// TestTourInterrupted: a tour that is ended leaves its results and a page of them.
func TestTourInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			time.Sleep(20 * time.Millisecond)
			if list, _ := record.ReadFile(filepath.Join(dir, "results.jsonl")); kinds(t, list)["solver"] > 0 {
				cancel()
				return
			}
		}
	}()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"--dir", dir}, &out, &errs); code != exitInterrupted {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	list, err := record.ReadFile(filepath.Join(dir, "results.jsonl"))
	if k := kinds(t, list); err != nil || k["counties"] != 1 || k["score"] != 5 || k["solver"] == 0 {
		t.Errorf("%v, %v", k, err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || !bytes.Contains(page, []byte(`id="map-probability"`)) || !bytes.Contains(page, []byte(`id="solver"`)) {
		t.Errorf("page of %d bytes, %v", len(page), err)
	}
	if !strings.Contains(errs.String(), "report.html") || !strings.Contains(out.String(), "b, ep, calibrated mean") {
		t.Errorf("%s%s", out.String(), errs.String())
	}
}
