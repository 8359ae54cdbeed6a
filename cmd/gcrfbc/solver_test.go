package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSolverIsSaid: a fit says which factor it took and how accurate that is, in
// words, in --json and in the model, and evaluate takes the same.
func TestSolverIsSaid(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "model.json")
	args := []string{"fit", "--variant", "nb", "--solver", "partial", "--cmax", "3", "--out", model}
	words := must(t, args...)
	if !strings.Contains(words, "Solver: partial, exact elimination up to degree 3") || !strings.Contains(words, "at strong\n") && !strings.Contains(words, "at strong smoothing") {
		t.Errorf("the summary does not name the solver:\n%s", words)
	}
	s := readBack(t, model).Fit.Solver
	if !s.Partial() || s.Cmax != 3 || s.Core == 0 || !(s.Quality > 0) {
		t.Errorf("the model's solver is %+v", s)
	}
	fit := object(t, must(t, append(args, "--json")...))
	if o, ok := fit["solver"].(map[string]any); !ok || o["kind"] != "partial" || o["cmax"] != 3. || !(o["quality"].(float64) > 0) {
		t.Errorf("--json has solver %v", fit["solver"])
	}
	exact := object(t, must(t, "fit", "--variant", "nb", "--json"))
	if o, ok := exact["solver"].(map[string]any); !ok || o["kind"] != "exact" || o["ordering"] == "" {
		t.Errorf("--json has solver %v of an exact fit", exact["solver"])
	}
	ev := object(t, must(t, "evaluate", "--model", model, "--json"))
	numbers(t, ev, "auc")
}
