package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func bench(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestSolverJSON(t *testing.T) {
	code, out, errs := bench(t, "solver", "--matrix", "grid2d:12,ba:60:2", "--order", "auto,amd,natural", "--threads", "1,2", "--json", "--quick")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 12 {
		t.Fatalf("%d lines, want 12", len(lines))
	}
	for i, line := range lines {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		for _, phase := range []string{"order", "analyze", "factor_first", "refactor", "selinv", "solve1", "solve_multi"} {
			for _, k := range []string{"_s", "_cpu_s", "_min_s", "_runs"} {
				if _, ok := r[phase+k].(float64); !ok {
					t.Errorf("no number %s%s", phase, k)
				}
			}
		}
		for _, k := range []string{"n", "nnzA", "nnzL", "flops", "nsuper", "nrhs", "logdet", "trace_inv", "bytes", "rss_mb", "threads"} {
			if v, ok := r[k].(float64); !ok || !(v > 0) {
				t.Errorf("%s is %v", k, r[k])
			}
		}
		if v := r["residual"].(float64); !(v < 1e-12) {
			t.Errorf("residual %g", v)
		}
		if i < 6 {
			logdet, trace := gridSpectrum(12)
			if got := r["logdet"].(float64); math.Abs(got-logdet) > 1e-9*math.Abs(logdet) {
				t.Errorf("logdet %.15g, want %.15g", got, logdet)
			}
			if got := r["trace_inv"].(float64); math.Abs(got-trace) > 1e-9*trace {
				t.Errorf("trace_inv %.15g, want %.15g", got, trace)
			}
		}
	}
}

// gridSpectrum returns log|A| and tr(A⁻¹) of the n×n grid's Laplacian + 0.1 I
// from its eigenvalues, sums of those of two paths.
func gridSpectrum(n int) (logdet, trace float64) {
	for a := range n {
		for b := range n {
			v := .1
			for _, k := range []int{a, b} {
				s := math.Sin(math.Pi * float64(k) / float64(2*n))
				v += 4 * s * s
			}
			logdet += math.Log(v)
			trace += 1 / v
		}
	}
	return logdet, trace
}

func TestTableAndHelp(t *testing.T) {
	code, out, errs := bench(t, "solver", "--matrix", "grid2d:5", "--quick")
	if code != exitOK || !strings.Contains(out, "grid2d:5") || !strings.Contains(out, "refactor ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if code, out, _ := bench(t, "--help"); code != exitOK || !strings.Contains(out, "solver") {
		t.Errorf("help: exit %d\n%s", code, out)
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.mtx")
	if err := os.WriteFile(bad, []byte("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 x 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	indefinite := filepath.Join(dir, "indefinite.mtx")
	if err := os.WriteFile(indefinite, []byte("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 5\n2 2 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"spec", []string{"--matrix", "grid2d:x"}, exitBadInput, []string{"grid2d:x", "rgg:N:DEGREE"}},
		{"order", []string{"--order", "best"}, exitBadInput, []string{"--order", "amd"}},
		{"threads", []string{"--threads", "-1"}, exitBadInput, []string{"--threads", "number"}},
		{"flag", []string{"--matrx", "x"}, exitBadInput, []string{"matrx", "--help"}},
		{"no file", []string{"--matrix", filepath.Join(dir, "none.mtx")}, exitBadInput, []string{"none.mtx"}},
		{"line", []string{"--matrix", bad}, exitBadInput, []string{"bad.mtx", "3"}},
		{"indefinite", []string{"--matrix", indefinite, "--quick"}, exitFailure, []string{"positive definite"}},
	} {
		code, out, errs := bench(t, append([]string{"solver"}, c.args...)...)
		if code != c.code || out != "" {
			t.Errorf("%s: exit %d, stdout %q, want %d and nothing", c.name, code, out, c.code)
		}
		for _, s := range c.says {
			if !strings.Contains(errs, s) {
				t.Errorf("%s: message %q does not mention %q", c.name, errs, s)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"solver", "--matrix", "grid2d:9"}, &out, &errs); code != exitInterrupted {
		t.Errorf("canceled: exit %d: %s", code, errs.String())
	}
}
