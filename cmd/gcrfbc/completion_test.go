package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCompletion asks what a shell would ask.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out := must(t, "completion", shell); !strings.Contains(out, "gcrfbc") || len(out) < 1000 {
			t.Errorf("%s: %d bytes", shell, len(out))
		}
	}
	dir := t.TempDir()
	nodes, _ := tiny(t, dir, 30)
	for _, c := range []struct {
		args string
		want []string // all of these, at the start of a line
		not  []string
	}{
		{"|", []string{"fit", "predict", "evaluate", "report", "completion"}, nil},
		{"fit --variant|", []string{"auto", "b", "nb"}, nil},
		{"fit --approx|", []string{"ep", "jj", "laplace"}, nil},
		{"fit --solver|", []string{"auto", "exact", "partial"}, nil},
		{"report --geojson|", []string{"geojson", ":8"}, nil},
		{"fit --mean|", []string{"auto", "calibrated", "paper"}, nil},
		{"fit --nodes|", []string{"csv", ":8"}, nil}, // files of these endings
		{"predict --model|", []string{"json", ":8"}, nil},
		{"fit --scores|", []string{"lr_swing"}, nil},
		{"fit --scores|gb_swing,", []string{"gb_swing,lr_swing"}, []string{"gb_swing,gb_swing"}},
		{"fit --train|", []string{"split=train", "split=test", "class_swing=1"}, []string{"x="}},
		{"fit --nodes " + nodes + " --scores|", []string{"a", "b", "class"}, []string{"lr_swing"}},
		{"evaluate --nodes " + nodes + " --on|split=", []string{"split=test", "split=train"}, []string{"class=1"}},
		{"fit --nodes " + filepath.Join(dir, "none.csv") + " --scores|", []string{":4"}, nil},
		{"fit|", []string{":4"}, nil}, // no arguments
	} {
		before, typed, _ := strings.Cut(c.args, "|")
		out := must(t, append(append([]string{"__complete"}, strings.Fields(before)...), typed)...)
		lines := "\n" + out
		for _, w := range c.want {
			if !strings.Contains(lines, "\n"+w+"\n") && !strings.Contains(lines, "\n"+w+"\t") {
				t.Errorf("%s: no %q in\n%s", c.args, w, out)
			}
		}
		for _, w := range c.not {
			if strings.Contains(lines, "\n"+w) {
				t.Errorf("%s: %q in\n%s", c.args, w, out)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	if out := must(t, "--version"); !strings.Contains(out, "go1.") {
		t.Errorf("%q", out)
	}
}
