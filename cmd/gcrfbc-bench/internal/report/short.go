package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
)

// shortSection says the main things in a sentence each.
func shortSection(by map[string][]record.Record) *Section {
	s := &Section{ID: "in-short", Title: "In short"}
	add := func(format string, args ...any) { s.Blocks = append(s.Blocks, Text(fmt.Sprintf(format, args...))) }
	best, alone, n := math.Inf(-1), math.Inf(-1), 0.0
	for _, r := range by["score"] {
		if r.String("set") != "counties" {
			continue
		}
		n = value(r, "labels_n")
		if strings.HasPrefix(r.String("model"), "score ") {
			alone = math.Max(alone, value(r, "auc"))
		} else {
			best = math.Max(best, value(r, "auc"))
		}
	}
	if !math.IsInf(best+alone, 0) {
		add("Real data. On %.0f counties held out the model reaches an area under the ROC curve (AUC) of %.3f; the better of the two predictors that it builds on has %.3f alone.", n, best, alone)
	}
	if list := by["paper.table1"]; len(list) > 0 {
		add("The published study. %s", Study(list).Verdict())
	}
	if t := SpeedTable(TimePoints(by["paper.time"])); len(t.Rows) > 0 {
		lo, hi := math.Inf(1), 0.0
		for _, r := range t.Rows {
			if what := r[2].Text; what != "fit" {
				lo, hi = math.Min(lo, r[8].Sort), math.Max(hi, r[8].Sort)
			}
		}
		add("Time of learning. A value and gradient of the published algorithm takes %s to %s times as long as the engine's, by size and by the language it is written in.", times(lo), times(hi))
	}
	var largest record.Record
	for _, r := range by["solver"] {
		if largest.Kind == "" || value(r, "n") > value(largest, "n") {
			largest = r
		}
	}
	if largest.Kind != "" {
		add("Solver. %s, %s rows: factorized in %s, selected inverse in %s.", largest.String("matrix"), count(value(largest, "n")).Text,
			duration(value(largest, "refactor_s")).Text, duration(value(largest, "selinv_s")).Text)
	}
	return s
}

func times(v float64) string {
	if v < 10 {
		return fmt.Sprintf("%.1f", v)
	}
	return count(v).Text
}
