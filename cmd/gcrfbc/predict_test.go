package main

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// predictions runs predict and returns the header and the rows.
func predictions(t *testing.T, args ...string) (head []string, rows [][]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(must(t, append([]string{"predict", "--quiet"}, args...)...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

// TestPredictColumns: intervals hold the probability and narrow with their level;
// labels and splits of the table are carried along, if it has them.
func TestPredictColumns(t *testing.T) {
	dir := t.TempDir()
	nodes, graph := tiny(t, dir, 20)
	model := dir + "/m.json"
	data := []string{"--nodes", nodes, "--graph", graph}
	must(t, append([]string{"fit", "--quiet", "--out", model, "--label", "class", "--scores", "a,b", "--train", "split=train"}, data...)...)
	use := append([]string{"--model", model}, data...)
	head, wide := predictions(t, append(use, "--observed", "split=train")...)
	if want := "node,p1,mean,variance,lower,upper,label,split"; strings.Join(head, ",") != want {
		t.Fatalf("columns %v, want %s", head, want)
	}
	_, narrow := predictions(t, append(use, "--observed", "split=train", "--interval", "0.5")...)
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for i := range wide {
		lo, hi := number(wide[i][4]), number(wide[i][5])
		if p := number(wide[i][1]); !(lo <= p && p <= hi) || number(narrow[i][4]) < lo || number(narrow[i][5]) > hi {
			t.Errorf("node %d: p1 %v in [%v, %v]; at 50 %% %v", i, p, lo, hi, narrow[i][4:6])
		}
		if want := []string{"train", "test"}[b2i(i%3 == 2)]; wide[i][7] != want || wide[i][6] != "0" && wide[i][6] != "1" {
			t.Errorf("node %d: label %q, split %q", i, wide[i][6], wide[i][7])
		}
	}
	// Without labels and splits there is nothing to carry.
	bare := write(t, dir, "bare.csv", "a,b\n"+strings.Repeat("1,2\n-1,0\n", 10))
	if head, _ = predictions(t, "--model", model, "--nodes", bare, "--graph", graph); slices.Contains(head, "label") || slices.Contains(head, "split") {
		t.Errorf("columns %v", head)
	}
	file := npz(t, dir, "x.npz", instances(6))
	must(t, "fit", "--quiet", "--npz", file, "--out", model)
	if head, _ = predictions(t, "--model", model, "--npz", file); strings.Join(head, ",") != "instance,node,p1,mean,variance,lower,upper,label" {
		t.Errorf("columns %v", head)
	}
	for _, bad := range []string{"0", "1", "-1", "nan", "x"} {
		if code, _, errs := cli(t, append([]string{"predict", "--interval", bad}, use...)...); code != exitBadInput || !strings.Contains(errs, "--interval") {
			t.Errorf("--interval %s: exit %d, %s", bad, code, errs)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestEvaluateInstances: on instances the joint evidence stands beside the sum of
// the nodes' own log-probabilities.
func TestEvaluateInstances(t *testing.T) {
	dir := t.TempDir()
	file, model := npz(t, dir, "x.npz", instances(30)), dir+"/m.json"
	must(t, "fit", "--quiet", "--npz", file, "--out", model)
	o := object(t, must(t, "evaluate", "--quiet", "--npz", file, "--model", model, "--json"))
	numbers(t, o, "evidence", "log_likelihood", "log_loss", "n")
	if d := o["log_likelihood"].(float64) + o["log_loss"].(float64)*o["n"].(float64); d > 1e-9 || d < -1e-9 {
		t.Errorf("log-likelihood %v, log loss %v of %v", o["log_likelihood"], o["log_loss"], o["n"])
	}
	text := must(t, "evaluate", "--quiet", "--npz", file, "--model", model)
	for _, s := range []string{"log-likelihood", "evidence"} {
		if !strings.Contains(text, s) {
			t.Errorf("no %s in\n%s", s, text)
		}
	}
}
