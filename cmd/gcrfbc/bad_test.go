package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBadInput runs every kind of bad input: the exit code is 2, stdout stays
// empty, the message names file and place, and nothing is written.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	nodes, graph := tiny(t, dir, 12)
	text, err := os.ReadFile(nodes)
	if err != nil {
		t.Fatal(err)
	}
	edit := func(name, old, new string) string {
		t.Helper()
		if !strings.Contains(string(text), old) {
			t.Fatalf("%s: no %q in the table", name, old)
		}
		return write(t, dir, name, strings.Replace(string(text), old, new, 1))
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	fields := strings.Split(lines[4], ",") // node 3, on line 5
	row := func(name string, column int, value string) string {
		t.Helper()
		f := slices.Clone(fields)
		f[column] = value
		return edit(name, lines[4]+"\n", strings.Join(f, ",")+"\n")
	}
	file := func(name, content string) string { t.Helper(); return write(t, dir, name, content) }
	zipped := func(name, content string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(content))
		_ = z.Close()
		return b.Bytes()
	}
	whole := zipped("", strings.Repeat(string(text), 1))
	cutTable := file("cut.csv.gz", string(whole[:len(whole)/2]))
	edges, err := os.ReadFile(graph)
	if err != nil {
		t.Fatal(err)
	}
	packed := zipped("", string(edges))
	cutGraph := file("cut_graph.csv.gz", string(packed[:len(packed)-9]))

	good := instances(6)
	with := func(name, key string, a array) string {
		t.Helper()
		m := map[string]array{}
		for k, v := range good {
			m[k] = v
		}
		if a.data == nil {
			delete(m, key)
		} else {
			m[key] = a
		}
		return npz(t, dir, name, m)
	}
	archive, err := os.ReadFile(npz(t, dir, "good.npz", good))
	if err != nil {
		t.Fatal(err)
	}
	nan := slices.Clone(good["R"].data.([]float64))
	nan[9] = math.NaN()
	skew := slices.Clone(good["S"].data.([]float64))
	skew[1] = 3
	two := slices.Clone(good["Y"].data.([]int8))
	two[5] = 2

	model := filepath.Join(dir, "model.json")
	table := func(nodes, graph string) []string {
		return []string{"--nodes", nodes, "--graph", graph, "--label", "class", "--scores", "a,b"}
	}
	must(t, append([]string{"fit", "--quiet", "--out", model}, table(nodes, graph)...)...)
	saved, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	edited := func(name string, change func(m map[string]any)) string {
		t.Helper()
		var m map[string]any
		if err := json.Unmarshal(saved, &m); err != nil {
			t.Fatal(err)
		}
		change(m)
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return file(name, string(b))
	}
	predict := func(model string, more ...string) []string {
		return append([]string{"predict", "--model", model, "--nodes", nodes, "--graph", graph, "--scores", "a,b"}, more...)
	}
	fit := func(args ...string) []string { return append([]string{"fit"}, args...) }
	graphs := func(name, content string) []string { return fit(table(nodes, file(name, content))...) }
	market := "%%MatrixMarket matrix coordinate real "

	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		// node tables
		{"NaN score", fit(table(row("nan.csv", 2, "NaN"), graph)...), []string{"nan.csv", "5", "a"}},
		{"infinite score", fit(table(row("inf.csv", 2, "inf"), graph)...), []string{"inf.csv", "5", "a"}},
		{"score is a word", fit(table(row("word.csv", 3, "high"), graph)...), []string{"word.csv", "5", "b", "high"}},
		{"label outside 0, 1", fit(table(row("two.csv", 1, "2"), graph)...), []string{"two.csv", "5", "class", "2"}},
		{"empty table", fit(table(file("empty.csv", ""), graph)...), []string{"empty.csv"}},
		{"header only", fit(table(file("header.csv", "node,class,a,b,split\n"), graph)...), []string{"header.csv"}},
		{"missing column", fit("--nodes", nodes, "--graph", graph, "--label", "class", "--scores", "a,c"), []string{"nodes.csv", "c"}},
		{"missing label column", fit("--nodes", nodes, "--graph", graph, "--label", "klass", "--scores", "a"), []string{"nodes.csv", "klass"}},
		{"missing train column", fit(append(table(nodes, graph), "--train", "part=train")...), []string{"nodes.csv", "part"}},
		{"train selects nothing", fit(append(table(nodes, graph), "--train", "split=trian")...), []string{"split", "trian"}},
		{"fields missing", fit(table(row("short.csv", 4, "train,1"), graph)...), []string{"short.csv", "5"}},
		{"truncated gzip", fit(table(cutTable, graph)...), []string{"cut.csv.gz"}},
		{"no such table", fit(table(filepath.Join(dir, "none.csv"), graph)...), []string{"none.csv"}},
		{"no predictors", fit("--nodes", nodes, "--graph", graph, "--label", "class"), []string{"no predictors", "--scores"}},
		{"no labels named", fit("--nodes", nodes, "--graph", graph, "--scores", "a"), []string{"no labels", "--label"}},
		{"one class only", fit(append(table(nodes, graph), "--train", "class=1")...), []string{"nodes.csv", "--label class", "--train class=1", "label"}},
		{"classes -1 and 1", fit("--nodes", file("signs.csv", "class,a\n"+strings.Repeat("-1,1\n1,2\n", 6)), "--label", "class", "--scores", "a"), []string{"signs.csv", "-1 and 1 must be written 0 and 1"}},
		{"no such class", fit("--nodes", nodes, "--graph", graph, "--label", "class=7", "--scores", "a"), []string{"nodes.csv", "class", "7"}},
		{"no labels at all", fit(table(file("unlabelled.csv", "class,a,b\n"+strings.Repeat("-1,1,2\n", 12)), graph)...), []string{"unlabelled.csv", "label"}},

		// graphs
		{"wrong N", fit(table(file("few.csv", "class,a,b\n0,1,2\n1,2,3\n"), graph)...), []string{"graph.csv", "few.csv"}},
		{"wrong N, mtx", graphs("n.mtx", market+"symmetric\n5 5 1\n2 1 1\n"), []string{"n.mtx", "5", "12"}},
		{"negative weight", graphs("neg.csv", "i,j,w\n0,1,1\n1,2,-3\n"), []string{"neg.csv", "3"}},
		{"NaN weight", graphs("nanw.csv", "i,j,w\n0,1,nan\n"), []string{"nanw.csv", "2"}},
		{"self loop", graphs("loop.csv", "i,j\n0,1\n4,4\n"), []string{"loop.csv", "3", "4"}},
		{"index out of range", graphs("range.csv", "i,j\n0,1\n1,12\n"), []string{"range.csv", "3", "12"}},
		{"duplicate edge", graphs("dup.csv", "i,j\n0,1\n2,3\n1,0\n"), []string{"dup.csv", "4"}},
		{"asymmetric values", graphs("asym.mtx", market+"general\n12 12 2\n1 2 1\n2 1 5\n"), []string{"asym.mtx"}},
		{"no mtx banner", graphs("banner.mtx", "%%Matrix coordinate\n"), []string{"banner.mtx", "1"}},
		{"fewer entries", graphs("fewer.mtx", market+"symmetric\n12 12 4\n2 1 1\n"), []string{"fewer.mtx"}},
		{"truncated gzip graph", fit(table(nodes, cutGraph)...), []string{"cut_graph.csv.gz"}},
		{"unknown graph option", fit(table(nodes, graph+",normalised")...), []string{"normalised"}},
		{"no such graph", fit(table(nodes, filepath.Join(dir, "none.mtx"))...), []string{"none.mtx"}},

		// .npz
		{"npz NaN score", fit("--npz", with("nan.npz", "R", array{"<f8", good["R"].shape, nan})), []string{"nan.npz", "R"}},
		{"npz label 2", fit("--npz", with("two.npz", "Y", array{"|i1", good["Y"].shape, two})), []string{"two.npz", "Y"}},
		{"npz wrong dtype", fit("--npz", with("dtype.npz", "R", array{"<c16", []int{6, 2, 2}, good["R"].data})), []string{"dtype.npz", "R", "c16"}},
		{"npz wrong order", fit("--npz", with("order.npz", "R", array{"<f8F", good["R"].shape, good["R"].data})), []string{"order.npz", "R"}},
		{"npz wrong shape", fit("--npz", with("shape.npz", "Y", array{"|i1", []int{24}, good["Y"].data})), []string{"shape.npz", "Y"}},
		{"npz asymmetric S", fit("--npz", with("asym.npz", "S", array{"<f8", good["S"].shape, skew})), []string{"asym.npz", "S"}},
		{"npz without R", fit("--npz", with("nor.npz", "R", array{})), []string{"nor.npz", "R"}},
		{"npz without Y", fit("--npz", with("noy.npz", "Y", array{})), []string{"noy.npz", "Y"}},
		{"truncated npz", fit("--npz", file("cut.npz", string(archive[:len(archive)-40]))), []string{"cut.npz"}},
		{"not an npz", fit("--npz", nodes), []string{"nodes.csv"}},
		{"no such npz", fit("--npz", filepath.Join(dir, "none.npz")), []string{"none.npz"}},

		// models
		{"model of another K", []string{"predict", "--model", model, "--nodes", nodes, "--graph", graph, "--scores", "a"}, []string{"model.json", "predictor"}},
		{"model of another L", predict(model, "--graph", graph+",normalized"), []string{"model.json", "graph"}},
		{"model of other version", predict(edited("version.json", func(m map[string]any) { m["version"] = 99 })), []string{"version.json", "version 99"}},
		{"no model format", predict(file("other.json", `{"a": 1}`)), []string{"other.json", "format"}},
		{"truncated model", predict(file("cut.json", string(saved[:len(saved)/2]))), []string{"cut.json"}},
		{"negative alpha", predict(edited("alpha.json", func(m map[string]any) { m["alpha"] = []float64{1, -1} })), []string{"alpha.json", "alpha"}},
		{"no such model", predict(filepath.Join(dir, "none.json")), []string{"none.json"}},
		{"no model for own data", []string{"predict", "--nodes", nodes, "--graph", graph, "--scores", "a,b"}, []string{"--model"}},

		// flags
		{"unknown flag", fit("--nodez", nodes), []string{"nodez", "--help"}},
		{"unknown command", []string{"train"}, []string{"train", "fit"}},
		{"argument", fit(nodes), []string{nodes, "--nodes"}},
		{"variant", fit("--variant", "c"), []string{"--variant", "auto, b, nb"}},
		{"optimizer", fit("--optimizer", "adam"), []string{"--optimizer", "lbfgsb"}},
		{"joint with ep", fit("--joint", "--approx", "ep"), []string{"--joint", "jj"}},
		{"threads", fit("--threads", "-2"), []string{"--threads"}},
		{"memory", fit("--memory", "lots"), []string{"--memory", "8GB"}},
		{"graph without nodes", fit("--graph", graph), []string{"--graph", "--nodes"}},
		{"npz with nodes", fit("--npz", "x.npz", "--nodes", nodes), []string{"--npz", "--nodes"}},
		{"train with npz", fit("--npz", filepath.Join(dir, "good.npz"), "--train", "split=train"), []string{"--train", "--npz"}},
		{"out folder missing", fit("--out", filepath.Join(dir, "none", "m.json")), []string{"--out", "folder"}},
		{"out is a folder", fit("--out", dir), []string{"--out", "folder"}},
		{"out format", predict(model, "--out", filepath.Join(dir, "p.txt")), []string{"p.txt", ".csv"}},
		{"memory forecast", fit("--memory", "10KB"), []string{"--memory"}},
		{"nothing to score", []string{"evaluate", "--model", model, "--nodes", nodes, "--graph", graph, "--scores", "a,b", "--label", "class", "--observed", "split=train", "--on", "class=-1"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.json")
			args := c.args
			if args[0] == "fit" && !slices.Contains(args, "--out") {
				args = append(slices.Clone(args), "--out", out)
			}
			code, stdout, stderr := cli(t, args...)
			if code != exitBadInput || stdout != "" {
				t.Errorf("exit %d, stdout %q, want 2 and nothing; stderr %q", code, stdout, stderr)
			}
			if !strings.HasPrefix(stderr, "gcrfbc: ") || strings.Contains(stderr, "panic") {
				t.Errorf("stderr %q", stderr)
			}
			for _, s := range c.says {
				if !strings.Contains(stderr, s) {
					t.Errorf("message %q does not mention %q", stderr, s)
				}
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("a model was written")
			}
		})
	}
	// What was there before is as it was.
	if now, err := os.ReadFile(model); err != nil || !bytes.Equal(now, saved) {
		t.Errorf("the model file changed: %v", err)
	}
}

// TestNotPositiveDefinite: parameters that overflow the precision are the fault
// of the model file.
func TestNotPositiveDefinite(t *testing.T) {
	dir := t.TempDir()
	nodes, graph := tiny(t, dir, 12)
	m := `{"format":"gcrfbc-model","version":1,"variant":"b","approx":"ep","mean":"paper","alpha":[1],"beta":[1e308],"gain":1,"bias":0,"direct":[0]}`
	code, _, errs := cli(t, "predict", "--model", write(t, dir, "m.json", m), "--nodes", nodes, "--graph", graph, "--scores", "a")
	if code != exitBadInput || !strings.Contains(errs, "positive definite") || !strings.Contains(errs, "m.json") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestMemoryFlag: what --memory means is bytesize's; here it has to arrive.
func TestMemoryFlag(t *testing.T) {
	nodes, graph := tiny(t, t.TempDir(), 200)
	args := []string{"fit", "--quiet", "--nodes", nodes, "--graph", graph, "--label", "class", "--scores", "a", "--memory"}
	for size, says := range map[string]string{"8XB": "512MiB", "-1GB": "512MiB", "1kB": "--memory 0"} {
		if code, _, errs := cli(t, append(args, size)...); code != exitBadInput || !strings.Contains(errs, says) {
			t.Errorf("--memory %s: exit %d, %s", size, code, errs)
		}
	}
}
