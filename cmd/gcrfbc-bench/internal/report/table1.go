package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/paper"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// study holds the runs of the synthetic study by setting, labels and model, and
// in each the numbers of the seeds by key.
type study map[studyKey]map[string]map[int]float64

type studyKey struct {
	row    int
	labels string
	model  string
}

// Study collects the results of kind "paper.table1".
func Study(list []record.Record) study {
	s := study{}
	for _, r := range list {
		row, _ := r.Float("row")
		seed, _ := r.Float("seed")
		k := studyKey{int(row), r.String("labels"), r.String("model")}
		if s[k] == nil {
			s[k] = map[string]map[int]float64{"": {}}
		}
		s[k][""][int(seed)] = 1 // counts the runs
		for _, name := range []string{"auc", "loglik", "decided_loglik", "variance_norm", "accuracy", "objective", "fit_s", "evaluations", "labels_n"} {
			if v, ok := r.Float(name); ok {
				if s[k][name] == nil {
					s[k][name] = map[int]float64{}
				}
				s[k][name][int(seed)] = v
			}
		}
	}
	return s
}

// values returns a measure over the seeds.
func (s study) values(row int, labels, model, name string) []float64 {
	var out []float64
	m := s[studyKey{row, labels, model}][name]
	for seed := range s.seeds(row, labels, model) {
		if v, ok := m[seed]; ok {
			out = append(out, v)
		}
	}
	return out
}

// seeds returns the seeds in order, as a sequence.
func (s study) seeds(row int, labels, model string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		runs := s[studyKey{row, labels, model}][""]
		top := 0
		for seed := range runs {
			top = max(top, seed)
		}
		for seed := range top + 1 {
			if runs[seed] > 0 && !yield(seed) {
				return
			}
		}
	}
}

// difference returns mean and 95 % interval of a measure of b minus that of nb,
// seed by seed.
func (s study) difference(row int, labels, a, b, name string) (mean, half float64, n int) {
	x, y := s[studyKey{row, labels, a}][name], s[studyKey{row, labels, b}][name]
	var d []float64
	for seed := range s.seeds(row, labels, a) {
		if u, ok := x[seed]; ok {
			if v, ok := y[seed]; ok {
				d = append(d, u-v)
			}
		}
	}
	if len(d) < 2 {
		return math.NaN(), math.NaN(), len(d)
	}
	m, sd := stat.MeanStdDev(d, nil)
	t := distuv.StudentsT{Sigma: 1, Nu: float64(len(d) - 1)}.Quantile(.975)
	return m, t * sd / math.Sqrt(float64(len(d))), len(d)
}

// modelNames say what the rows of the second table are.
var modelNames = []struct{ model, name string }{
	{paper.ModelB, "GCRFBCb"},
	{paper.ModelNB, "GCRFBCnb"},
	{paper.ModelAuthors, "GCRFBCb, published algorithm"},
	{paper.ModelEP, "b, ep, calibrated mean"},
	{paper.ModelTruth, "the parameters that made the labels"},
	{paper.ModelScore, "better predictor alone"},
}

// Comparison returns the table in the paper's layout for one kind of labels.
func (s study) Comparison(labels string) *Table {
	how := "1 where the model's probability exceeds .5, as published"
	if labels == paper.Sampled {
		how = "drawn from the model"
	}
	t := &Table{Caption: fmt.Sprintf("Table 1, labels %s: mean ± standard deviation over seeds on the test instances. Difference: AUC of b less that of nb, seed by seed, with its 95 %% interval.", how),
		Head: []string{"no.", "α", "β", "seeds", "b: AUC", "nb: AUC", "difference", "b: norm of variances", "b: log-likelihood", "nb: log-likelihood", "b: of own decisions", "nb: of own decisions"}}
	for _, set := range paper.Settings {
		v := func(model, name string) []float64 { return s.values(set.Row, labels, model, name) }
		runs := v(paper.ModelB, "loglik")
		if len(runs) == 0 {
			continue
		}
		published := num(missing, math.NaN())
		if p := set.Published.VarianceNorm; p > 0 && labels == paper.Threshold {
			published = fixed(p, 1)
		}
		norm := spread(v(paper.ModelB, "variance_norm"), 1)
		if vs := v(paper.ModelB, "variance_norm"); stat.Mean(vs, nil) < 1 {
			norm = spread(vs, 3)
		}
		mean, half, _ := s.difference(set.Row, labels, paper.ModelB, paper.ModelNB, "auc")
		diff := num(missing, math.NaN())
		if !math.IsNaN(mean) {
			diff = num(fmt.Sprintf("%+.3f ± %.3f", mean, half), mean)
			diff.Strong = math.Abs(mean) > half
		}
		row := []Cell{num(fmt.Sprint(set.Row), float64(set.Row)), word(list(set.Alpha)), word(list(set.Beta)), count(float64(len(runs))),
			spread(v(paper.ModelB, "auc"), 3), spread(v(paper.ModelNB, "auc"), 3), diff, norm,
			spread(v(paper.ModelB, "loglik"), 1), spread(v(paper.ModelNB, "loglik"), 1),
			spread(v(paper.ModelB, "decided_loglik"), 1), spread(v(paper.ModelNB, "decided_loglik"), 1)}
		if labels == paper.Threshold { // as the paper made them
			row = slices.Insert(row, 8, published)
		}
		t.Rows = append(t.Rows, row)
	}
	if labels == paper.Threshold {
		t.Head = slices.Insert(t.Head, 8, "norm, published")
	}
	return t
}

// Models returns a table of all models for one kind of labels.
func (s study) Models(labels string) *Table {
	t := &Table{Caption: "The same data, all models (labels: " + labels + ")", Folded: true,
		Head: []string{"no.", "model", "runs", "AUC", "accuracy", "log-likelihood", "of own decisions", "norm of variances", "fit", "evaluations"}}
	for _, set := range paper.Settings {
		for _, m := range modelNames {
			v := func(name string) []float64 { return s.values(set.Row, labels, m.model, name) }
			runs := len(s[studyKey{set.Row, labels, m.model}][""])
			if runs == 0 {
				continue
			}
			mean := func(x []float64) float64 {
				if len(x) == 0 {
					return math.NaN()
				}
				return stat.Mean(x, nil)
			}
			norm := digits(mean(v("variance_norm")), 3)
			t.Rows = append(t.Rows, []Cell{num(fmt.Sprint(set.Row), float64(set.Row)), word(m.name), count(float64(runs)),
				spread(v("auc"), 3), spread(v("accuracy"), 3), spread(v("loglik"), 1), spread(v("decided_loglik"), 1), norm,
				duration(mean(v("fit_s"))), digits(mean(v("evaluations")), 3)})
		}
	}
	return t
}

func list(v []float64) string {
	var s []string
	for _, x := range v {
		s = append(s, fmt.Sprintf("%g", x))
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// tableSection shows Table 1 and says what it means.
func tableSection(by map[string][]record.Record) *Section {
	s := &Section{ID: "table-1", Title: "Table 1: the synthetic study", Command: "gcrfbc-bench paper"}
	st := Study(by["paper.table1"])
	s.Blocks = append(s.Blocks, Text(studyWords))
	for _, labels := range []string{paper.Threshold, paper.Sampled} {
		if t := st.Comparison(labels); len(t.Rows) > 0 {
			s.Blocks = append(s.Blocks, t)
		}
	}
	s.Blocks = append(s.Blocks, Note(st.Verdict()))
	if w := st.optima(); w != "" {
		s.Blocks = append(s.Blocks, Text(w))
	}
	for _, w := range []string{publishedWords, likelihoodWords, normWords, thresholdWords, sampledWords} {
		s.Blocks = append(s.Blocks, Text(w))
	}
	for _, labels := range []string{paper.Threshold, paper.Sampled} {
		if t := st.Models(labels); len(t.Rows) > 0 {
			s.Blocks = append(s.Blocks, t)
		}
	}
	return s
}

// Verdict says by numbers whether the paper's claim holds: b is better than nb
// where the norm of the variances is large, alike elsewhere.
func (s study) Verdict() string {
	found := map[string][]string{}
	judged := 0
	for _, labels := range []string{paper.Threshold, paper.Sampled} {
		rows := map[string][]string{}
		for _, set := range paper.Settings {
			mean, half, n := s.difference(set.Row, labels, paper.ModelB, paper.ModelNB, "auc")
			if n < 2 {
				continue
			}
			judged++
			verdict := "no difference in"
			switch {
			case mean > half:
				verdict = "b better in"
			case mean < -half:
				verdict = "nb better in"
			}
			rows[verdict] = append(rows[verdict], fmt.Sprint(set.Row))
		}
		for verdict, list := range rows {
			found[verdict] = append(found[verdict], fmt.Sprintf("row%s %s (%s)", plural(list), strings.Join(list, ", "), labels))
		}
	}
	if judged == 0 {
		return "The claim that GCRFBCb beats GCRFBCnb where the norm of the variances is large needs at least two seeds to be judged."
	}
	var parts []string
	for _, verdict := range []string{"b better in", "nb better in", "no difference in"} {
		if list := found[verdict]; len(list) > 0 {
			parts = append(parts, verdict+" "+strings.Join(list, " and "))
		}
	}
	return "The paper's claim is that GCRFBCb ranks better than GCRFBCnb where the norm of the variances is large, and alike elsewhere. " +
		"AUC of b less that of nb on the same data, judged by its 95 % interval: " + strings.Join(parts, "; ") + "."
}

// optima says how often the published algorithm ended below the engine's fit of
// the same objective.
func (s study) optima() string {
	var below []string
	total, rest := 0, 0
	for _, labels := range []string{paper.Threshold, paper.Sampled} {
		for _, set := range paper.Settings {
			ours := s[studyKey{set.Row, labels, paper.ModelB}]["objective"]
			var gaps []float64
			for seed, v := range s[studyKey{set.Row, labels, paper.ModelAuthors}]["objective"] {
				if u, ok := ours[seed]; ok {
					gaps = append(gaps, u-v)
				}
			}
			n := 0
			for _, g := range gaps {
				if g > .5 {
					n++
				}
			}
			total, rest = total+len(gaps), rest+len(gaps)
			if n > 0 {
				slices.Sort(gaps)
				middle := (gaps[(len(gaps)-1)/2] + gaps[len(gaps)/2]) / 2
				below = append(below, fmt.Sprintf("%d of %d in row %d (%s labels, by %.0f in the median)", n, len(gaps), set.Row, labels, middle))
				rest -= len(gaps)
			}
		}
	}
	switch {
	case total == 0:
		return ""
	case below == nil:
		return fmt.Sprintf("Which optimum. The published algorithm, from one random start, reaches the engine's bound on the training data to half a nat in all of %d runs.", total)
	}
	return fmt.Sprintf("Which optimum. The published algorithm, from one random start, ends more than half a nat below the engine's bound on the same training data in %s; in the other %d runs it reaches it. "+
		"Where it stays below it keeps α large and variances near 0, where b and nb are one model; the bound is higher at small α, where they are not. So what a table of this study shows depends on the optimiser, not on the model alone.", strings.Join(below, ", "), rest)
}

func plural(list []string) string {
	if len(list) == 1 {
		return ""
	}
	return "s"
}

// Brief returns the comparison of both variants for a terminal, a table for each
// kind of labels.
func (s study) Brief() []*Table {
	var out []*Table
	for _, labels := range []string{paper.Threshold, paper.Sampled} {
		full := s.Comparison(labels)
		how := "labels by the threshold, as published"
		if labels == paper.Sampled {
			how = "labels drawn from the model"
		}
		t := &Table{Head: []string{"no.", "AUC of b", "AUC of nb", "b − nb", "variances of b", "log-l. b", "nb"}}
		for _, r := range full.Rows {
			n := len(r) // a column more where something is published
			t.Caption = fmt.Sprintf("Table 1, %s: mean ± standard deviation over seeds (%s); difference of AUC with its 95 %% interval; norm of the variances; log-likelihood (mean).", how, r[3].Text)
			mean := func(c Cell) Cell { return fixed(c.Sort, 1) }
			t.Rows = append(t.Rows, []Cell{r[0], r[4], r[5], r[6], r[7], mean(r[n-4]), mean(r[n-3])})
		}
		out = append(out, t)
	}
	return out
}
