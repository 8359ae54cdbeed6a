package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// countiesFit runs "fit --out model.json" on the counties, once for all tests, and
// returns what it says and the model's file.
var countiesFit = sync.OnceValues(func() (words, model string) {
	dir, err := os.MkdirTemp("", "gcrfbc")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "m.json")
	var out, errs bytes.Buffer
	if code := run(context.Background(), []string{"fit", "--out", path}, strings.NewReader(""), &out, &errs); code != exitOK {
		panic(errs.String())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return out.String(), string(text)
})

func countiesModel() string {
	_, model := countiesFit()
	return model
}

// TestStandardInput: every command reads a table from standard input, gzipped or
// not, as it reads the file.
func TestStandardInput(t *testing.T) {
	dir := t.TempDir()
	nodes, graph := tiny(t, dir, 40)
	model := filepath.Join(dir, "m.json")
	text, err := os.ReadFile(nodes)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(text)
	_ = z.Close()
	for _, c := range []string{
		"fit --quiet --label class --scores a,b --train split=train --out " + model,
		"predict --quiet --observed split=train --model " + model,
		"predict --quiet --json --observed split=train --model " + model,
		"report --observed split=train --quiet --model " + model,
	} {
		args := append(strings.Fields(c), "--graph", graph, "--nodes")
		want := must(t, append(args, nodes)...)
		for _, in := range []string{string(text), packed.String()} {
			code, out, errs := cliWith(t, context.Background(), in, append(args, "-")...)
			if code != exitOK || errs != "" {
				t.Errorf("%s --nodes -: exit %d, %s", c, code, errs)
			}
			if !strings.HasPrefix(c, "report") && out != want {
				t.Errorf("%s --nodes -: other results", c)
			}
		}
		if code, out, errs := cliWith(t, context.Background(), "", append(args, "-")...); code != exitBadInput || out != "" || !strings.Contains(errs, "stdin") {
			t.Errorf("%s with nothing on standard input: exit %d, %q", c, code, errs)
		}
	}
}

// TestJSONLines: predict --json prints one object a node, and with --out one that
// says what was written.
func TestJSONLines(t *testing.T) {
	model := write(t, t.TempDir(), "m.json", countiesModel())
	d := json.NewDecoder(strings.NewReader(must(t, "predict", "--json", "--quiet", "--model", model)))
	n := 0
	for ; d.More(); n++ {
		var o struct {
			Node         int
			P1           float64
			Lower, Upper float64
			Label        int8
			Split        string
		}
		if err := d.Decode(&o); err != nil {
			t.Fatal(err)
		}
		if o.Node != n || !(o.Lower <= o.P1 && o.P1 <= o.Upper && o.P1 > 0) || o.Label < 0 || o.Split == "" {
			t.Fatalf("%+v", o)
		}
	}
	if n != 3108 {
		t.Errorf("%d objects", n)
	}
	out := filepath.Join(t.TempDir(), "p.csv")
	o := object(t, must(t, "predict", "--json", "--quiet", "--model", model, "--out", out))
	if o["out"] != out || o["nodes"] != 3108. || o["observed"] != 1554. || o["level"] != .95 {
		t.Errorf("%v", o)
	}
}

// TestQuiet: with --quiet nothing but the result is printed.
func TestQuiet(t *testing.T) {
	dir := t.TempDir()
	model := " --model " + write(t, dir, "counties.json", countiesModel())
	for _, args := range []string{"fit --variant nb --out " + dir + "/m.json", "predict --out " + dir + "/p.csv" + model, "report --html " + dir + "/r.html" + model, "evaluate --json" + model} {
		code, out, errs := cli(t, append(strings.Fields(args), "--quiet")...)
		if code != exitOK || errs != "" || (out != "") != strings.Contains(args, "--json") {
			t.Errorf("%s --quiet: exit %d, %q, %q", args, code, out, errs)
		}
	}
}

// TestExitCodes: the codes that the help names.
func TestExitCodes(t *testing.T) {
	help := must(t, "--help")
	for _, s := range []string{"0 done", "1 a computation failed", "2 wrong", "130 interrupted"} {
		if !strings.Contains(strings.Join(strings.Fields(help), " "), s) {
			t.Errorf("the help does not say %q", s)
		}
	}
	if code, _, _ := cli(t, "fit", "--what"); code != exitBadInput {
		t.Errorf("unknown flag: %d", code)
	}
}
