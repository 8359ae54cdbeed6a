package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
)

// scaleRecords runs the command and returns the records of its --json lines.
func scaleRecords(t *testing.T, args ...string) []record.Record {
	t.Helper()
	code, out, errs := bench(t, append([]string{"scale", "--json"}, args...)...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	records, err := record.Read(strings.NewReader(out), "stdout")
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func TestScaleRecords(t *testing.T) {
	dir := t.TempDir()
	out, table := filepath.Join(dir, "s.jsonl.gz"), filepath.Join(dir, "s.csv")
	records := scaleRecords(t, "--vary", "n", "--from", "64", "--to", "400", "--points", "3", "--threads", "1", "--time", "2s", "--what", "evaluate,predict", "--out", out, "--csv", table)
	points, fits := record.Select(records, "scale"), record.Select(records, "scale.fit")
	if len(points) != 3*2*2 || len(fits) != 4 || records[0].Kind != "environment" {
		t.Fatalf("%d points, %d fits, %s first", len(points), len(fits), records[0].Kind)
	}
	for _, r := range points {
		for _, k := range []string{"n", "m", "k", "l", "threads", "edges", "edges_per_node", "time_s", "time_min_s", "time_runs", "rss_mb", "peak_gflops"} {
			if v, ok := r.Float(k); !ok || !(v > 0) {
				t.Errorf("%s %s: %s is %v", r.String("quantity"), r.String("variant"), k, r.Fields[k])
			}
		}
		runs := r.Floats("time_all_s")
		if n, _ := r.Float("time_runs"); len(runs) != int(n) || len(runs) < leastRuns || median(runs) != value(r, "time_s") {
			t.Errorf("%v runs, %d of them, median %g", n, len(runs), value(r, "time_s"))
		}
		if r.String("quantity") != "evaluate" {
			continue
		}
		if f := value(r, "flops"); !(f > 100) || math.Abs(1e-9*f/value(r, "time_s")/value(r, "rate_gflops")-1) > 1e-9 || !(value(r, "cold_s") > value(r, "analyze_s")) {
			t.Errorf("flops %g in %g s at %g GF/s, cold %g s", f, value(r, "time_s"), value(r, "rate_gflops"), value(r, "cold_s"))
		}
	}
	for _, r := range fits {
		if e := value(r, "exponent"); !(e > -1 && e < 4) || !(value(r, "low") <= e && e <= value(r, "high")) {
			t.Errorf("%v", r)
		}
	}
	kept, err := record.ReadFile(out)
	if err != nil || len(kept) != len(records) {
		t.Errorf("%d of %d records in the file, %v", len(kept), len(records), err)
	}
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil || len(rows) != len(records) { // the header for the environment
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestScaleSweepsItsAxis: every axis and family gives points that differ in what is
// varied alone.
func TestScaleSweepsItsAxis(t *testing.T) {
	for _, c := range []struct {
		args  string
		key   string
		want  []float64
		close float64
	}{
		{"--vary m --n 9 --from 2 --to 8 --points 3", "m", []float64{2, 4, 8}, 0},
		{"--vary k --n 30 --from 1 --to 3 --points 3", "k", []float64{1, 2, 3}, 0},
		{"--vary l --n 30 --from 1 --to 3 --points 2", "l", []float64{1, 3}, 0},
		{"--vary threads --n 60 --to 3", "threads", []float64{1, 2, 3}, 0},
		{"--vary edges --family power-law --n 200 --from 1 --to 4 --points 3", "edges_per_node", []float64{1, 2, 4}, .05},
		{"--vary edges --family geometric --n 900 --from 2 --to 4 --points 2", "edges_per_node", []float64{2, 4}, .1},
		{"--vary edges --family road-like --n 400 --from 1.2 --to 1.6 --points 2", "edges_per_node", []float64{1.2, 1.6}, .01},
		{"--family pictures --vary n --from 16 --to 64 --points 2", "n", []float64{16, 64}, 0},
		{"--matrix ba:50:2 --vary threads --to 2", "threads", []float64{1, 2}, 0},
	} {
		args := append(strings.Fields(c.args), "--what", "evaluate", "--variant", "nb", "--time", "20s")
		points := record.Select(scaleRecords(t, args...), "scale")
		if len(points) != len(c.want) {
			t.Errorf("%s: %d points, want %d", c.args, len(points), len(c.want))
			continue
		}
		for i, r := range points {
			if v := value(r, c.key); math.Abs(v-c.want[i]) > c.close*c.want[i] {
				t.Errorf("%s: %s = %g, want %g", c.args, c.key, v, c.want[i])
			}
			for _, k := range []string{"n", "m", "k", "l", "threads"} {
				if k != c.key && value(r, k) != value(points[0], k) {
					t.Errorf("%s: %s differs", c.args, k)
				}
			}
		}
	}
}

func TestScaleApproximationsAndFits(t *testing.T) {
	for _, approx := range []string{"ep", "jj", "laplace"} {
		points := record.Select(scaleRecords(t, "--vary", "n", "--from", "400", "--points", "1", "--to", "400", "--approx", approx, "--what", "evaluate,fit,posterior", "--time", "5s"), "scale")
		if len(points) != 6 {
			t.Fatalf("%s: %d points", approx, len(points))
		}
		for _, r := range points {
			if r.String("variant") == "b" != (r.String("approx") == approx) {
				t.Errorf("variant %s has approximation %q", r.String("variant"), r.String("approx"))
			}
			if r.String("quantity") == "fit" && (!strings.HasSuffix(r.String("status"), "Converged") || r.String("at_bound") != "" && approx != "jj" || !(value(r, "evaluations") > 5)) {
				t.Errorf("%s fit: status %q, at bound: %s, %g evaluations", approx, r.String("status"), r.String("at_bound"), value(r, "evaluations"))
			}
		}
	}
}

// TestScaleTiny: instances of a few nodes have labels of both classes, so that they
// can be fitted; one node cannot, and is left out.
func TestScaleTiny(t *testing.T) {
	for _, f := range families {
		for _, n := range []int{2, 3, 4, 7} {
			d, err := f.synthesize(shape{n: n, m: 1, k: 2, l: 1, edges: f.edges, threads: 1})
			if err != nil {
				t.Fatalf("%s, %d nodes: %v", f.name, n, err)
			}
			if err := d.ValidateLabels(); err != nil && d.Instances[0].N() > 1 {
				t.Errorf("%s, %d nodes: %v", f.name, n, err)
			}
		}
	}
	for _, family := range []string{"grid", "power-law"} {
		records := scaleRecords(t, "--vary", "n", "--family", family, "--from", "1", "--to", "20", "--points", "3", "--what", "evaluate,fit", "--variant", "nb", "--time", "20s")
		stops := record.Select(records, "scale.stop")
		if len(record.Select(records, "scale")) != 5 || len(stops) != 1 || stops[0].String("reason") != "labels" || value(stops[0], "at") != 1 {
			t.Errorf("%s: %d points, %v", family, len(record.Select(records, "scale")), stops)
		}
	}
	code, out, errs := bench(t, "scale", "--from", "1", "--to", "20", "--points", "3", "--what", "fit", "--variant", "nb", "--time", "20s")
	if code != exitOK || !strings.Contains(out, "fit nb left out at n = 1: ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// TestScaleStops: limits end a study cleanly, with what was finished.
func TestScaleStops(t *testing.T) {
	for args, says := range map[string]string{
		"--vary n --from 100 --to 1e8 --points 3 --memory 10MB":                              "without fill", // known before the data are made
		"--vary n --family power-law --edges 4 --from 100 --to 3000 --points 2 --memory 2MB": "chol: ",       // known from the analysis
	} {
		records := scaleRecords(t, append(strings.Fields(args), "--what", "evaluate", "--variant", "nb", "--time", "5s")...)
		stops := record.Select(records, "scale.stop")
		if len(record.Select(records, "scale")) != 1 || len(stops) != 1 || stops[0].String("reason") != "memory" || !strings.Contains(stops[0].String("message"), says) {
			t.Errorf("%s: %d points, %v", args, len(record.Select(records, "scale")), stops)
		}
	}
	records := scaleRecords(t, "--vary", "n", "--from", "100", "--to", "1e7", "--points", "6", "--what", "evaluate", "--variant", "b", "--time", "300ms", "--memory", "0")
	stops := record.Select(records, "scale.stop")
	if len(record.Select(records, "scale")) < 1 || len(stops) != 1 || stops[0].String("reason") != "time" || stops[0].String("quantity") != "evaluate" {
		t.Errorf("time: %d points, %v", len(record.Select(records, "scale")), stops)
	}
	code, out, errs := bench(t, "scale", "--from", "100", "--to", "1e7", "--what", "evaluate", "--time", "300ms")
	if code != exitOK || !strings.Contains(out, "stopped before n =") || !strings.Contains(out, "evaluate") || strings.Contains(errs, "time") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

func TestScaleInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := filepath.Join(t.TempDir(), "s.jsonl")
	var stdout, stderr bytes.Buffer
	if code := run(ctx, []string{"scale", "--out", out}, &stdout, &stderr); code != exitInterrupted || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
	if records, err := record.ReadFile(out); err != nil || records[0].Kind != "environment" {
		t.Errorf("%v, %v", records, err)
	}
}

func TestScaleRefuses(t *testing.T) {
	for args, says := range map[string]string{
		"--vary size":                         "edges, k, l",
		"--family torus":                      "power-law",
		"--vary edges":                        "cannot be varied",
		"--family pictures --vary l":          "cannot be varied",
		"--matrix grid2d:5 --vary n":          "cannot be varied",
		"--from 10 --to 5":                    "from ≤ to",
		"--from -3 --to 5":                    "from ≤ to",
		"--points -1":                         "--points",
		"--what train":                        "evaluate, fit",
		"--variant c":                         "b, nb",
		"--approx vb":                         "laplace",
		"--k 0":                               "--k",
		"--m 0":                               "--m",
		"--time -1s":                          "--time",
		"--memory much":                       "512MiB",
		"--label y":                           "--nodes",
		"--nodes x.csv":                       "--label and --scores",
		"--matrix grid2d:x":                   "grid2d:x",
		"--nodes x.csv --matrix grid2d:4":     "exclude",
		"--npz x.npz --matrix grid2d:4":       "exclude",
		"--npz none.npz":                      "none.npz",
		"--nodes no.csv --label y --scores r": "no.csv",
		"--out /no/such/folder/s.jsonl":       "/no/such/folder/s.jsonl",
		"extra":                               "extra",
	} {
		code, out, errs := bench(t, append([]string{"scale"}, strings.Fields(args)...)...)
		want := exitBadInput
		if strings.HasPrefix(args, "--out") {
			want = exitFailure
		}
		if code != want || out != "" || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d, stdout %q, message %q", args, code, out, errs)
		}
	}
}

func TestScaleNodeTable(t *testing.T) {
	dir := t.TempDir()
	nodes, graph := filepath.Join(dir, "n.csv"), filepath.Join(dir, "g.csv")
	table, edges := "y,r\n", "i,j\n"
	for i := range 60 {
		table += []string{"0,-1.5\n", "1,0.5\n", "1,1\n", "0,0.25\n"}[i*7%4]
		if i > 0 {
			edges += strings.Join([]string{strconv.Itoa(i - 1), strconv.Itoa(i)}, ",") + "\n"
		}
	}
	for name, text := range map[string]string{nodes: table, graph: edges} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	points := record.Select(scaleRecords(t, "--nodes", nodes, "--graph", graph, "--label", "y", "--scores", "r", "--vary", "m", "--from", "1", "--to", "4", "--points", "2", "--what", "evaluate,predict", "--time", "2s"), "scale")
	if len(points) != 8 || value(points[7], "m") != 4 || value(points[7], "n") != 60 || value(points[7], "edges") != 59 || value(points[7], "k") != 1 {
		t.Errorf("%d points, %v", len(points), points)
	}
	// four copies of an instance have four times the objective of one
	if a, b := value(points[0], "objective"), value(points[4], "objective"); math.Abs(b-4*a) > .02*math.Abs(b) {
		t.Errorf("objective %g of one, %g of four copies", a, b)
	}
}

func TestFamiliesAreReproducible(t *testing.T) {
	for i := range families {
		f := &families[i]
		s := shape{n: 150, m: 2, k: 2, l: 2, edges: f.edges}
		a, err := f.synthesize(s)
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.synthesize(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Validate(); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if err := a.ValidateLabels(); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if a.NumGraphs() != 2 {
			t.Errorf("%s: %d graphs", f.name, a.NumGraphs())
		}
		for j := range a.Instances {
			for i, v := range a.Instances[j].Scores {
				if b.Instances[j].Scores[i] != v {
					t.Fatalf("%s: scores differ", f.name)
				}
			}
		}
		if f.name != "geometric" { // which may leave points alone
			if _, parts := a.Graphs[0].Components(); parts != 1 {
				t.Errorf("%s has %d components", f.name, parts)
			}
		}
	}
}

// TestScaleArchive: of an .npz file the first m instances are measured, and the same
// ones again beyond what it has.
func TestScaleArchive(t *testing.T) {
	const file = "../../testdata/labelsets/emotions/train.npz" // 107 instances of 6 nodes
	args := []string{"--npz", file, "--what", "evaluate", "--variant", "nb", "--time", "2s"}
	points := record.Select(scaleRecords(t, args...), "scale")
	if len(points) != 4 || value(points[0], "m") != 1 || value(points[3], "m") != 107 || value(points[0], "n") != 6 {
		t.Fatalf("%d points, %v", len(points), points)
	}
	twice := record.Select(scaleRecords(t, append(args, "--from", "107", "--to", "214", "--points", "2")...), "scale")
	if a, b := value(twice[0], "objective"), value(twice[1], "objective"); math.Abs(a-value(points[3], "objective")) > .02*math.Abs(a) || math.Abs(b-2*a) > .02*math.Abs(b) {
		t.Errorf("objective %g of all instances, %g of all twice, %g before", a, b, value(points[3], "objective"))
	}
	if code, _, errs := bench(t, "scale", "--npz", file, "--vary", "k"); code != exitBadInput || !strings.Contains(errs, "cannot be varied") {
		t.Errorf("--vary k: exit %d, %s", code, errs)
	}
}
