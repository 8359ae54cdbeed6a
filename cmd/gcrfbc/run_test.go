package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse/picture"
)

func TestCounties(t *testing.T) {
	for _, v := range []struct {
		variant string
		auc     float64 // of the held-out counties; the scores alone reach 0.796 and 0.808
	}{{"b", .855}, {"nb", .80}} {
		t.Run(v.variant, func(t *testing.T) {
			dir := t.TempDir()
			model := filepath.Join(dir, "model.json")
			fit := object(t, must(t, "fit", "--variant", v.variant, "--mean", "calibrated", "--out", model, "--json"))
			numbers(t, fit, "objective", "evaluations", "factorizations", "seconds", "gain", "bias")
			if fit["converged"] != true || fit["status"] == "" {
				t.Errorf("status %v, converged %v", fit["status"], fit["converged"])
			}
			for k, n := range map[string]int{"alpha": 2, "beta": 1, "direct": 2} {
				if a, ok := fit[k].([]any); !ok || len(a) != n {
					t.Errorf("%s is %v, want %d numbers", k, fit[k], n)
				}
			}
			if _, ok := fit["at_bound"].([]any); !ok {
				t.Errorf("at_bound is %v, want a list", fit["at_bound"])
			}
			m := readBack(t, model)
			if string(m.Variant) != v.variant || m.Label != "class_swing" || strings.Join(m.Scores, ",") != "lr_swing,gb_swing" {
				t.Errorf("model %+v", m)
			}

			ev := object(t, must(t, "evaluate", "--model", model, "--json"))
			numbers(t, ev, "n", "auc", "accuracy", "log_loss", "brier", "ece", "evidence", "seconds")
			if ev["n"] != 777. || !(ev["auc"].(float64) > v.auc) {
				t.Errorf("n %v, AUC %v, want 777 and above %v", ev["n"], ev["auc"], v.auc)
			}
			if e := ev["evidence"].(float64); !(e < 0 && e > -777) {
				t.Errorf("evidence %v", e)
			}

			out := filepath.Join(dir, "p.csv")
			must(t, "predict", "--model", model, "--out", out)
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if lines := strings.Count(strings.TrimSpace(string(text)), "\n"); lines != 3108 {
				t.Errorf("%d predictions, want 3108", lines)
			}
			onlyFiles(t, dir, "model.json", "p.csv")
		})
	}
}

// TestWords checks what a newcomer reads.
func TestWords(t *testing.T) {
	out, model := countiesFit()
	for _, s := range []string{"3108 counties", "Status: Converged", "lr_swing", "gb_swing", "share", "neighbours", "bias", "direct weight",
		"held out", "AUC", "log loss", "gb_swing alone", "The model is in", "gcrfbc evaluate"} {
		if !strings.Contains(out, s) {
			t.Errorf("fit does not say %q", s)
		}
	}
	code, out, errs := cli(t, "evaluate")
	if code != exitOK || !strings.Contains(errs, "fitting one in memory") || !strings.Contains(out, "AUC") || !strings.Contains(out, "evidence") {
		t.Errorf("evaluate: exit %d\n%s%s", code, out, errs)
	}
	code, out, errs = cli(t, "predict", "--model", write(t, t.TempDir(), "m.json", model))
	if code != exitOK || errs != "" || strings.Count(out, "\n") != 3109 {
		t.Errorf("predict: exit %d, %d lines\n%s", code, strings.Count(out, "\n"), errs)
	}
	for _, c := range []string{"", "fit", "predict", "evaluate"} {
		args := append(strings.Fields(c), "--help")
		if out := must(t, args...); !strings.Contains(out, "gcrfbc fit") && !strings.Contains(out, "gcrfbc "+c) {
			t.Errorf("%s --help shows no example:\n%s", c, out)
		}
	}
	nodes, graph := tiny(t, t.TempDir(), 20)
	small := []string{"--nodes", nodes, "--graph", graph, "--label", "class", "--scores", "a"}
	for _, s := range []string{"was not saved", "--out model.json"} {
		if out := must(t, append([]string{"fit"}, small...)...); !strings.Contains(out, s) {
			t.Errorf("fit without --out does not say %q:\n%s", s, out)
		}
	}
	code, out, errs = cli(t, append([]string{"fit", "--quiet"}, small...)...)
	if code != exitOK || out != "" || errs != "" {
		t.Errorf("fit --quiet: exit %d, %q, %q", code, out, errs)
	}
}

func TestTable(t *testing.T) {
	dir := t.TempDir()
	nodes, graph := tiny(t, dir, 60)
	model := filepath.Join(dir, "m.json")
	data := []string{"--nodes", nodes, "--graph", graph, "--graph", graph + ",normalized", "--label", "class=1", "--scores", "a,b"}
	out := must(t, append([]string{"fit", "--train", "split=train", "--out", model}, data...)...)
	for _, s := range []string{"nodes.csv", "class=1", "normalized", "20 labels held out", "a alone", model, "gcrfbc predict --model"} {
		if !strings.Contains(out, s) {
			t.Errorf("fit does not say %q:\n%s", s, out)
		}
	}
	ev := object(t, must(t, append([]string{"evaluate", "--model", model, "--observed", "split=train", "--on", "split=test", "--json"}, data...)...))
	if ev["n"] != 20. || ev["observed"] != 40. {
		t.Errorf("n %v, observed %v", ev["n"], ev["observed"])
	}
	// Without --on the labelled rows that are not observed are scored: the same.
	again := object(t, must(t, append([]string{"evaluate", "--model", model, "--observed", "split=train", "--json"}, data...)...))
	if again["auc"] != ev["auc"] || again["evidence"] != ev["evidence"] {
		t.Errorf("without --on: %v, with: %v", again, ev)
	}
	// Scores and label of the model are the defaults.
	must(t, "predict", "--model", model, "--nodes", nodes, "--graph", graph, "--graph", graph+",normalized", "--observed", "split=train", "--out", filepath.Join(dir, "p.npz"))
	text, err := os.ReadFile(nodes)
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, errs := cliWith(t, context.Background(), string(text), append([]string{"predict", "--model", model, "--nodes", "-"}, data[2:]...)...)
	if code != exitOK || strings.Count(stdout, "\n") != 61 {
		t.Errorf("table from stdin: exit %d\n%s", code, errs)
	}
	// New data need no labels, even if the column is there.
	unknown := write(t, dir, "new.csv", "a,b,class\n"+strings.Repeat("1,.5,\n-1,.2,-1\n", 30))
	if out := must(t, append([]string{"predict", "--model", model, "--nodes", unknown}, data[2:6]...)...); strings.Count(out, "\n") != 61 {
		t.Errorf("predictions of unlabelled data:\n%s", out)
	}
	// Every optimiser, approximation and mean reaches a model.
	for _, extra := range []string{"--approx jj", "--approx laplace", "--mean paper", "--joint", "--optimizer tnc", "--optimizer sqp", "--optimizer gradient --max-evaluations 50",
		"--threads 1", "--time-limit 10s", "--memory 1GB", "--variant nb --mean paper"} {
		must(t, append(append([]string{"fit", "--json", "--train", "split=train"}, data...), strings.Fields(extra)...)...)
	}
	// nb says that it does not use observed labels.
	must(t, append([]string{"fit", "--variant", "nb", "--json", "--quiet", "--out", model}, data...)...)
	if _, _, errs := cli(t, append([]string{"predict", "--model", model, "--observed", "split=train"}, data...)...); !strings.Contains(errs, "observed") {
		t.Errorf("nb with --observed: stderr %q", errs)
	}
	// No graph: every node stands alone. No held-out labels: leave-one-out.
	if out := must(t, "fit", "--nodes", nodes, "--label", "class", "--scores", "a"); !strings.Contains(out, "all the others") {
		t.Errorf("without --train:\n%s", out)
	}
}

func TestInstances(t *testing.T) {
	dir := t.TempDir()
	train := npz(t, dir, "train.npz", instances(20))
	model := filepath.Join(dir, "m.json")
	if out := must(t, "fit", "--npz", train, "--out", model); !strings.Contains(out, "20 instances") {
		t.Errorf("fit:\n%s", out)
	}
	if m := readBack(t, model); m.K() != 2 || m.L() != 1 || m.Variant != gcrfbc.Bayesian {
		t.Errorf("model %+v", m)
	}
	ev := object(t, must(t, "evaluate", "--npz", train, "--model", model, "--json"))
	if ev["n"] != 80. {
		t.Errorf("n %v, want 80", ev["n"])
	}
	for _, out := range []string{"p.npz", "p.csv", "p.csv.gz"} {
		must(t, "predict", "--npz", train, "--model", model, "--out", filepath.Join(dir, out))
	}
	onlyFiles(t, dir, "train.npz", "m.json", "p.npz", "p.csv", "p.csv.gz")

	// A picture: pixels make the graphs.
	const h, w = 5, 6
	r, y, rgb := make([]float64, h*w), make([]int8, h*w), make([]uint8, 3*h*w)
	for i := range y {
		if i%w >= w/2 {
			y[i] = 1
		}
		if i%7 == 3 {
			y[i] = 1 - y[i]
		}
		r[i] = float64(i%w) - 2.5
		rgb[3*i] = uint8(40 * (i % w))
	}
	file := npz(t, dir, "picture.npz", map[string]array{
		"R": {"<f8", []int{1, h, w, 1}, r}, "Y": {"|i1", []int{1, h, w}, y}, "rgb": {"|u1", []int{1, h, w, 3}, rgb},
	})
	for _, bad := range []struct{ flags, says string }{
		{"--contrast 3,x", "numbers above 0"}, {"--contrast 3,-1", "numbers above 0"}, {"--contrast NaN", "numbers above 0"}, {"--contrast inf", "numbers above 0"}, {"--contrast ,", "numbers above 0"},
		{"--contrast 3,0", "0 stands alone"}, {"--contrast 3,10,3.0", "3 is there twice"},
		{"--smooth 0,-1", "whole numbers"}, {"--smooth 1.5", "whole numbers"}, {"--smooth 1,", "whole numbers"}, {"--smooth 2,0,2", "2 is there twice"},
	} {
		code, _, errs := cli(t, append([]string{"fit", "--npz", file}, strings.Fields(bad.flags)...)...)
		if code != exitBadInput || !strings.Contains(errs, bad.says) || !strings.Contains(errs, strings.Fields(bad.flags)[0]) {
			t.Errorf("%s: exit %d, %q", bad.flags, code, errs)
		}
	}
	for contrast, graphs := range map[string]int{"4,9": 3, "0": 1, "": 1 + len(picture.Default())} {
		model := filepath.Join(dir, "m"+contrast+".json")
		flags := []string{"--contrast", contrast, "--smooth", "2"}
		if contrast == "" {
			flags = nil
		}
		o := object(t, must(t, append([]string{"fit", "--npz", file, "--json", "--out", model}, flags...)...))
		if beta, _ := o["beta"].([]any); len(beta) != graphs {
			t.Errorf("--contrast %s: beta %v, want %d graphs", contrast, o["beta"], graphs)
		}
		// The model knows how its graphs were made.
		plain := object(t, must(t, "evaluate", "--npz", file, "--model", model, "--json"))
		if iou, ok := plain["iou"].(float64); !ok || !(iou > 0 && iou <= 1) {
			t.Errorf("--contrast %s: iou %v", contrast, plain["iou"])
		}
		args := []string{"evaluate", "--npz", file, "--model", model, "--json"}
		for f := range max(1, len(flags)/2) { // one flag of the fit, the other from the model
			same := object(t, must(t, append(args, flags[min(2*f, len(flags)):min(2*f+2, len(flags))]...)...))
			if plain["log_loss"] != same["log_loss"] {
				t.Errorf("--contrast %s: log loss %v without flags, %v with one of the fit's", contrast, plain["log_loss"], same["log_loss"])
			}
		}
		if graphs == 3 {
			for _, other := range []struct{ flags, says string }{
				{"--contrast 4,5", "contrast 9 and smoothing 2"}, {"--smooth 0,2", `5 ["grid" "contrast 4"`}, {"--contrast 0", `the data 1 ["grid"]`},
			} {
				code, _, errs := cli(t, append(args, strings.Fields(other.flags)...)...)
				if code != exitBadInput || !strings.Contains(errs, other.says) {
					t.Errorf("%s, not the fit's: exit %d, %q", other.flags, code, errs)
				}
			}
		}
	}
}

// TestInterrupted cancels a fit in its first iteration.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "m.json")
	for _, when := range []string{"before", "during"} {
		ctx, cancel := context.WithCancel(context.Background())
		args := []string{"fit", "--out", model, "--json"}
		if when == "before" {
			cancel()
		} else {
			afterIteration = cancel
		}
		code, out, errs := cliWith(t, ctx, "", args...)
		cancel()
		afterIteration = nil
		if code != exitInterrupted || !strings.Contains(errs, "interrupted") {
			t.Errorf("%s: exit %d, stderr %q", when, code, errs)
		}
		if when == "before" {
			if out != "" {
				t.Errorf("printed %q", out)
			}
			onlyFiles(t, dir)
			continue
		}
		if o := object(t, out); o["converged"] != false {
			t.Errorf("status %v", o["status"])
		}
		if !strings.Contains(errs, model) {
			t.Errorf("does not say where the model is: %q", errs)
		}
		if m := readBack(t, model); m.K() != 2 {
			t.Errorf("model %+v", m)
		}
		onlyFiles(t, dir, "m.json")
	}
}

// cancelOn cancels a context when a word is written to it.
type cancelOn struct {
	bytes.Buffer
	word   string
	cancel func()
}

func (c *cancelOn) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(c.word)) {
		c.cancel()
	}
	return c.Buffer.Write(b)
}

// TestInterruptedAfterTheFit cancels between fit and predictions: the model is
// complete, and the message says where it is.
func TestInterruptedAfterTheFit(t *testing.T) {
	dir := t.TempDir()
	nodes, graph := tiny(t, dir, 30)
	model := filepath.Join(dir, "m.json")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &cancelOn{word: "Status:", cancel: cancel}
	var errs bytes.Buffer
	code := run(ctx, []string{"fit", "--nodes", nodes, "--graph", graph, "--label", "class", "--scores", "a,b", "--train", "split=train", "--out", model}, strings.NewReader(""), out, &errs)
	if code != exitInterrupted || !strings.Contains(errs.String(), "the model is kept in "+model) {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	if m := readBack(t, model); m.K() != 2 {
		t.Errorf("model %+v", m)
	}
}

// fuse is a context that is canceled when it is asked for the left-th time.
type fuse struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func (f *fuse) Err() error {
	if f.left.Add(-1) < 0 {
		f.cancel()
	}
	return f.Context.Err()
}

// TestInterruptedAnywhere: wherever a fit is interrupted, the code says so, and a
// model file holds a whole model or what it held before.
func TestInterruptedAnywhere(t *testing.T) {
	model := write(t, t.TempDir(), "m.json", "before")
	saved := 0
	for left := int64(0); left < 1000; left += 1 + left {
		for _, args := range []string{"--variant b", "--variant nb"} {
			ctx, cancel := context.WithCancel(context.Background())
			f := &fuse{Context: ctx, cancel: cancel}
			f.left.Store(left)
			code, _, errs := cliWith(t, f, "", append(strings.Fields("fit --quiet --out "+model), strings.Fields(args)...)...)
			cancel()
			text, err := os.ReadFile(model)
			if err != nil {
				t.Fatal(err)
			}
			switch kept := strings.Contains(errs, "kept in "+model); {
			case code == exitOK && f.left.Load() >= 0: // it converged first
			case code != exitInterrupted:
				t.Errorf("%s, canceled at check %d: exit %d: %s", args, left, code, errs)
			case kept == (string(text) == "before"):
				t.Errorf("%s, canceled at check %d: file %q, but: %s", args, left, text, errs)
			}
			if string(text) != "before" {
				saved++
				readBack(t, model)
				if err := os.WriteFile(model, []byte("before"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if saved == 0 {
		t.Error("no interrupted fit kept a model")
	}
}
