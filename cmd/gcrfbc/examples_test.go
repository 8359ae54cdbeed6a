package main

import (
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestExamples runs every example of the help texts, as it would be pasted, in a
// folder with files of the names that they use.
func TestExamples(t *testing.T) {
	counties := countiesModel()
	dir := t.TempDir()
	t.Chdir(dir)
	const n = 60
	nodes, graph := tiny(t, dir, n)
	text, err := os.ReadFile(nodes)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n") // node,class,a,b,split
	lines[0] = "node,class,lr_3,nb_3,split,district,flooded,rain,height"
	var features []string
	for i, l := range lines[1:] {
		f := strings.Split(l, ",")
		lines[i+1] = strings.Join([]string{f[0], pick(f[1] == "1", "3", "0"), f[2], f[3], f[4], "d" + f[0], f[1], f[2], f[3]}, ",")
		features = append(features, fmt.Sprintf(`{"type":"Feature","properties":{"CODE":"d%d"},"geometry":{"type":"Point","coordinates":[%d,%d]}}`, i, i%8, i/8))
	}
	table := strings.Join(lines, "\n") + "\n"
	edges, err := os.ReadFile(graph)
	if err != nil {
		t.Fatal(err)
	}
	matrix := fmt.Sprintf("%%%%MatrixMarket matrix coordinate pattern symmetric\n%d %d %d\n%d 1\n", n, n, n, n)
	for i := 2; i <= n; i++ {
		matrix += fmt.Sprintf("%d %d\n", i, i-1)
	}
	write(t, dir, "nodes.csv", table)
	write(t, dir, "nodes.csv.gz", zipped(t, table))
	write(t, dir, "graph.mtx.gz", zipped(t, matrix))
	for _, name := range []string{"roads.csv", "rivers.csv"} {
		write(t, dir, name, string(edges))
	}
	write(t, dir, "districts.geojson", `{"type":"FeatureCollection","features":[`+strings.Join(features, ",")+`]}`)
	npz(t, dir, "train.npz", instances(20))
	npz(t, dir, "test.npz", instances(8))
	const h, w = 5, 6
	r, y, rgb := make([]float64, h*w), make([]int8, h*w), make([]uint8, 3*h*w)
	for i := range y {
		y[i], r[i], rgb[3*i] = int8(i%w/3), float64(i%w)-2.5+float64(i%4), uint8(40*(i%w))
	}
	npz(t, dir, "pictures.npz", map[string]array{"R": {"<f8", []int{1, h, w, 1}, r}, "Y": {"|i1", []int{1, h, w}, y}, "rgb": {"|u1", []int{1, h, w, 3}, rgb}})
	models := map[string]string{"": counties}
	for name, flags := range map[string]string{
		"--nodes": "--nodes nodes.csv --graph graph.mtx.gz --label class=3 --scores lr_3,nb_3 --train split=train",
		"--npz":   "--npz train.npz", "pictures": "--npz pictures.npz",
	} {
		must(t, append([]string{"fit", "--quiet", "--out", "made.json"}, strings.Fields(flags)...)...)
		text, err := os.ReadFile("made.json")
		if err != nil {
			t.Fatal(err)
		}
		models[name] = string(text)
	}

	ran := 0
	root := rootCommand()
	for _, c := range append(root.Commands(), root) {
		for _, line := range examples(c) {
			input := ""
			if rest, ok := strings.CutPrefix(line, "zcat nodes.csv.gz | "); ok {
				line, input = rest, table
			}
			line = strings.TrimSuffix(strings.TrimPrefix(line, "source <("), ")")
			args := strings.Fields(line)
			if len(args) < 2 || args[0] != "gcrfbc" {
				t.Errorf("%s: not a command line: %q", c.Name(), line)
				continue
			}
			args = args[1:]
			kind := ""
			for _, k := range []string{"--nodes", "--npz", "pictures"} {
				if strings.Contains(line, k) {
					kind = k
				}
			}
			write(t, dir, "model.json", models[kind])
			if kind == "" && args[0] != "completion" { // fits of the counties are tested elsewhere
				if args[0] == "fit" {
					args = append(args, "--variant", "nb", "--se=no", "--mean", "paper")
				} else {
					args = append(args, "--model", "model.json")
				}
			}
			if code, _, errs := cliWith(t, context.Background(), input, args...); code != exitOK {
				t.Errorf("%s: exit %d\n%s", line, code, errs)
			}
			ran++
		}
	}
	if ran < 20 {
		t.Errorf("%d examples", ran)
	}
}

// examples are the command lines of a command's help: what is indented and not a
// title, without the words that follow some spaces after it.
func examples(c *cobra.Command) []string {
	text := strings.ReplaceAll(c.Example, "\\\n", "")
	var out []string
	for line := range strings.Lines(text) {
		if c.HasParent() || strings.HasPrefix(line, "    ") {
			if line = regexp.MustCompile(`\S   +[a-z].*$`).ReplaceAllStringFunc(strings.TrimSpace(line), func(s string) string {
				if strings.HasPrefix(strings.TrimSpace(s[1:]), "-") {
					return s
				}
				return s[:1]
			}); line != "" {
				out = append(out, regexp.MustCompile(` +`).ReplaceAllString(line, " "))
			}
		}
	}
	return out
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
