package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/internal/simd"
	"github.com/google/go-cmp/cmp"
)

func TestMachine(t *testing.T) {
	t.Setenv("OPENBLAS_CORETYPE", "Haswell")
	code, out, errs := bench(t, "machine", "--json")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	records, err := record.Read(strings.NewReader(out), "stdout")
	if err != nil || len(records) != 1 || records[0].Kind != "environment" {
		t.Fatalf("%v, %v", records, err)
	}
	r := records[0]
	for key, want := range map[string]string{"go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH, "instructions": simd.Best().String(), "backend": "native"} {
		if r.String(key) != want {
			t.Errorf("%s is %q, want %q", key, r.String(key), want)
		}
	}
	if !strings.Contains(r.String("variables"), "OPENBLAS_CORETYPE=Haswell") || value(r, "gomaxprocs") != float64(runtime.GOMAXPROCS(0)) {
		t.Errorf("variables %q, GOMAXPROCS %q", r.String("variables"), r.String("gomaxprocs"))
	}
	if runtime.GOOS == "linux" && (!(value(r, "memory_mb") > 10) || r.String("kernel") == "") {
		t.Errorf("memory %q, kernel %q", r.String("memory_mb"), r.String("kernel"))
	}
	if code, out, _ := bench(t, "machine"); code != exitOK || !strings.Contains(out, "GOMAXPROCS") || !strings.Contains(out, runtime.Version()) {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestCaches(t *testing.T) {
	root := tree(t, map[string]string{
		"index0/type": "Data\n", "index0/level": "1\n", "index0/size": "48K\n",
		"index1/type": "Instruction\n", "index1/level": "1\n", "index1/size": "32K\n",
		"index2/type": "Unified\n", "index2/level": "2\n", "index2/size": "1024K\n",
	})
	if got := caches(root); got != "L1d 48K, L2 1024K" {
		t.Errorf("%q", got)
	}
}

func TestEnvironmentChanges(t *testing.T) {
	a := record.New("environment", "cpu", "x", "go", "go1.26.0", "date", "then", "gomaxprocs", 2)
	b := record.New("environment", "cpu", "x", "go", "go1.26.1", "date", "now", "gomaxprocs", 2, "commit", "abc")
	if d := cmp.Diff([]string{"Go: go1.26.0 → go1.26.1", "commit: none → abc"}, environmentChanges(a, b)); d != "" {
		t.Error(d)
	}
}
