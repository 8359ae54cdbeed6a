package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// quicker are flags that make the examples of a command short. Flags given twice
// count as given last.
var quicker = map[string][]string{
	"scale":     {"--time", "150ms", "--n", "60", "--points", "2"},
	"solver":    {"--quick", "--matrix", "grid2d:9,mesh.mtx.gz"},
	"compare":   {"--quick", "--matrix", "grid2d:9,mesh.mtx.gz", "--rounds", "1"},
	"paper":     {"--quick", "--seeds", "1", "--only", "fig2,fig3"},
	"calibrate": {"--quick", "--sizes", "16", "--threads", "1"},
}

// TestExamples runs the examples of the help texts, as they would be pasted but
// shorter, in a folder with files of the names that they use.
func TestExamples(t *testing.T) {
	peers := fakePeers(t, map[string]string{})
	archive, err := os.ReadFile("../../testdata/labelsets/emotions/train.npz")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	put := func(name, text string) {
		var b bytes.Buffer
		var w io.Writer = &b
		if strings.HasSuffix(name, ".gz") {
			z := gzip.NewWriter(&b)
			defer func() {
				if err := z.Close(); err != nil {
					t.Error(err)
				}
				if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
					t.Error(err)
				}
			}()
			w = z
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("pictures.npz", string(archive))
	put("nodes.csv.gz", "class,lr_1,nb_1\n"+strings.Repeat("1,2,1\n0,-1,-2\n1,-.5,.1\n", 4))
	const path = "%%MatrixMarket matrix coordinate pattern symmetric\n12 12 3\n2 1\n3 2\n12 3\n"
	put("graph.mtx.gz", path)
	put("mesh.mtx.gz", path)

	root := rootCommand(strings.NewReader(""), io.Discard, io.Discard)
	ran := 0
	for _, c := range append(root.Commands(), root) {
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			switch {
			case !strings.HasPrefix(line, "gcrfbc-bench "), // the tour takes a minute; fits are gcrfbc's
				strings.Contains(line, "--counties"), strings.Contains(line, "--pictures"): // tested elsewhere
				continue
			}
			if strings.Contains(line, "avx512") && simd.Best() != simd.AVX512 {
				continue
			}
			stdin := ""
			for part := range strings.SplitSeq(strings.ReplaceAll(line, "&&", "|"), "|") {
				words := strings.Fields(part)
				words = append(words[1:], quicker[words[1]]...)
				switch {
				case strings.Contains(part, "--vary n"):
					words = append(words, "--from", "50", "--to", "60")
				case strings.Contains(part, "scale"): // edges, instances, threads
					words = append(words, "--from", "1", "--to", "2")
				}
				var args []string
				for i := 0; i < len(words); i++ {
					switch words[i] {
					case ">":
						i++
					case "--full":
					case "--build":
						args = append(args, "--peers", peers)
					case "--peers":
						i++
						args = append(args, "--peers", peers)
					default:
						args = append(args, words[i])
					}
				}
				var out, errs bytes.Buffer
				root := rootCommand(strings.NewReader(stdin), &out, &errs)
				root.SetArgs(args)
				cmd, err := root.ExecuteContextC(t.Context())
				code := exitCode(t.Context(), cmd, err, &errs)
				if code != exitOK && (code != exitWorse || !strings.Contains(line, "--fail-if-worse")) {
					t.Errorf("%s: %v: exit %d\n%s", line, args, code, errs.String())
				}
				if strings.Contains(line, "--html") && out.Len() > 10000 {
					t.Errorf("%s: a page on standard output", line)
				}
				stdin = out.String()
				ran++
			}
		}
	}
	if ran < 25 {
		t.Errorf("%d examples", ran)
	}
	if pages, _ := filepath.Glob("*.html"); len(pages) == 0 {
		t.Error("no page was written")
	}
}
