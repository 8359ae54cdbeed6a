package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/internal/terminal"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// summary says in words what a fit did.
type summary struct {
	w           io.Writer
	d           *data
	res         *learn.Result
	train, held [][]int8
	flags       *fitFlags
}

// say writes a paragraph; its lines after the first begin with the indent.
func (s *summary) say(indent, format string, args ...any) {
	fmt.Fprintln(s.w, terminal.Wrap(fmt.Sprintf(format, args...), indent))
}

func (s *summary) printf(format string, args ...any) { fmt.Fprintf(s.w, format, args...) }

func (s *summary) write(ctx context.Context, predictions bool) error {
	s.data()
	s.status()
	s.parameters()
	s.uncertainty()
	if predictions {
		if err := s.predictions(ctx); err != nil {
			return err
		}
	}
	s.next()
	return nil
}

// data says what was learned from.
func (s *summary) data() {
	set := s.d.set
	switch {
	case s.d.embedded:
		s.printf("Data: 3108 counties of the United States, joined where they border (embedded).\n")
		if s.d.label == "class_swing" {
			s.printf("Label 1: the Democratic share of the vote rose from 2016 to 2020.\n")
		} else {
			s.printf("Label 1: %s.\n", s.d.label)
		}
	case s.d.table != nil:
		label := "labels from column " + s.d.label
		if strings.Contains(s.d.label, "=") {
			label = "label 1 is " + s.d.label + ", 0 the rest"
		}
		s.say("  ", "Data: %s, %s; %s.", s.d.name, plural(set.NumNodes(), "node"), label)
	default:
		s.say("  ", "Data: %s, %s with %s.", s.d.name, plural(len(set.Instances), "instance"), plural(set.NumNodes(), "node"))
	}
	zeros, ones := count(s.train)
	held := ""
	if z, o := count(s.held); z+o > 0 {
		held = fmt.Sprintf("; %d other labels were held out", z+o)
	}
	s.say("  ", "Learned from %s: %d ones (%.0f %%), %d zeros%s.", plural(zeros+ones, "label"), ones, 100*float64(ones)/float64(zeros+ones), zeros, held)
}

// status says whether the fit is to be trusted.
func (s *summary) status() {
	m, r := s.res.Model, s.res
	what := "GCRFBCb, the latent field integrated out"
	objective := map[gcrfbc.Approx]string{gcrfbc.EP: "evidence (ep)", gcrfbc.JJ: "lower bound of the evidence (jj)", gcrfbc.Laplace: "evidence (laplace)"}[m.Approx]
	if m.Variant == gcrfbc.NonBayesian {
		what, objective = "GCRFBCnb, the latent field at its mean", "log-likelihood"
	}
	s.printf("Model: %s.\n\n", what)
	verdict := "Converged"
	if !r.Status.Converged() {
		verdict = "NOT converged"
	}
	s.say("  ", "Status: %s (%v). %s and gradients, %s, %s.", verdict, r.Status,
		plural(r.Evaluations, "value"), plural(r.Factorizations, "factorization"), seconds(r.Elapsed.Seconds()))
	if m.Fit.Labelled > 0 {
		s.printf("Objective: %s %.4f, %.4f a label (guessing: -0.6931).\n", objective, r.Objective, r.Objective/float64(m.Fit.Labelled))
	}
	if p := r.Objective - r.Penalised; p > 5e-5 {
		s.printf("Priors took %.4f off it; the fit maximised the two together.\n", p)
	}
	if u := m.Fit.Solver; u.Partial() {
		s.say("  ", "Solver: partial, exact elimination up to degree %d, %s left; the inverse is off by %.2g %% on average at strong smoothing.",
			u.Cmax, plural(u.Core, "node"), 100*u.Quality)
		if u.ObjectiveSE > 0 {
			s.printf("Standard error of the objective, from its log-determinants: %.2g.\n", u.ObjectiveSE)
		}
	}
	for _, n := range r.Notes {
		s.say("  ", "Note: %s.", strings.TrimSuffix(n, "."))
	}
}

// parameters says what the numbers mean.
func (s *summary) parameters() {
	m := s.res.Model
	s.printf("\nHow far each predictor is trusted\n")
	t := newTable(s.w)
	head := table.Row{"predictor", "alpha", "share"}
	parts, err := m.Mean.Parts()
	if err != nil {
		parts = gcrfbc.MeanParts{FixedGain: m.Gain} // a model just fitted always has parts
	}
	if parts.Direct {
		head = append(head, "direct weight")
	}
	t.AppendHeader(head)
	sum := m.SumAlpha()
	for k, a := range m.Alpha {
		row := table.Row{name(m.Scores, k, "score"), number(a), percent(a / sum)}
		if parts.Direct {
			row = append(row, fmt.Sprintf("%.3f", m.Direct[k]))
		}
		t.AppendRow(row)
	}
	alignRight(t, 2, len(head))
	t.Render()
	s.printf("share: of the weighted mean of scores that neighbours smooth.\n")
	if parts.Direct {
		s.say("  ", "direct weight: of the score itself, added without smoothing; it sharpens single nodes.")
	}
	switch {
	case parts.Gain:
		s.say("  ", "gain %.3f: the smoothed mean is multiplied by it%s.", m.Gain, gainWords(m.Gain))
	case m.Gain != 1:
		s.printf("gain %.3f, given: the smoothed mean is multiplied by it.\n", m.Gain)
	}
	if parts.Bias {
		s.printf("bias %+.3f: added to every logit%s.\n", m.Bias, pick(math.Abs(m.Bias) < .05, " (next to nothing)", pick(m.Bias > 0, " (towards 1)", " (towards 0)")))
	}
	if m.Mean == gcrfbc.PaperMean {
		s.say("  ", "mean paper: the smoothed mean is used as it is, without gain, bias and direct weights.")
	}

	if m.L() == 0 {
		s.printf("\nThere is no graph: every node stands alone.\n")
		return
	}
	s.printf("\nHow strongly neighbours agree\n")
	t = newTable(s.w)
	t.AppendHeader(table.Row{"graph", "edges", "beta", "neighbours' share"})
	strengths, edges := s.strengths()
	total := sum
	for _, v := range strengths {
		total += v
	}
	own := 1.0
	for l, b := range m.Beta {
		graph := fmt.Sprintf("graph %d", l+1)
		if l < len(m.Graphs) && m.Graphs[l].Name != "" {
			graph = m.Graphs[l].Name
			if m.Graphs[l].Normalized {
				graph += ", normalized"
			}
		}
		t.AppendRow(table.Row{graph, edges[l], number(b), percent(strengths[l] / total)})
		own -= strengths[l] / total
	}
	alignRight(t, 2, 4)
	t.Render()
	s.say("", "At an average node the neighbours' latent values have %s of the say and its own scores %s.", percent(1-own), percent(own))
}

func gainWords(gain float64) string {
	switch {
	case gain < 0:
		return " (negative: what neighbours share is taken off what the direct weights add)"
	case gain < .95:
		return " (below 1: less decided than the scores)"
	case gain > 1.05:
		return " (above 1: more decided than the scores)"
	}
	return ""
}

// strengths returns, for each graph, β times the mean weighted degree: with Σα
// these add up to half the average diagonal of the prior precision, of which the
// conditional mean of a node given its neighbours is the weighted average.
func (s *summary) strengths() (strength []float64, edges []int) {
	m, set := s.res.Model, s.d.set
	strength, edges = make([]float64, m.L()), make([]int, m.L())
	nodes := float64(set.NumNodes())
	for l, g := range set.Graphs { // the same for all instances
		copies := float64(len(set.Instances))
		for _, w := range g.Weights() {
			strength[l] += 2 * w * copies / nodes
		}
		edges[l] = g.NumEdges() * len(set.Instances)
	}
	for j := range set.Instances {
		for i, g := range set.Instances[j].Graphs {
			l := len(set.Graphs) + i
			for _, w := range g.Weights() {
				strength[l] += 2 * w / nodes
			}
			edges[l] += g.NumEdges()
		}
	}
	for l := range strength {
		strength[l] *= m.Beta[l]
	}
	return strength, edges
}

// uncertainty says how well the data determine the parameters.
func (s *summary) uncertainty() {
	u, m := s.res.Uncertainty, s.res.Model
	if u == nil {
		return
	}
	s.printf("\nHow well the labels determine them\n")
	t := newTable(s.w)
	t.AppendHeader(table.Row{"parameter", "value", "standard error", "95 % range"})
	for i, what := range u.Names {
		value, positive := parameter(m, what)
		row := table.Row{what, number(value), "–", "–"}
		if se := u.SE[i]; !math.IsNaN(se) {
			// of the logarithm, if positive
			row[2], row[3] = number(se), fmt.Sprintf("%s to %s", number(value-1.96*se), number(value+1.96*se))
			if positive {
				row[2] = percent(se)
				if se > 1 {
					row[2] = "factor " + number(math.Exp(se))
				}
				row[3] = fmt.Sprintf("%s to %s", number(value*math.Exp(-1.96*se)), number(value*math.Exp(1.96*se)))
			}
		}
		t.AppendRow(row)
	}
	alignRight(t, 2, 4)
	t.Render()
	for _, n := range u.Notes {
		s.say("  ", "Note: %s.", n)
	}
}

// parameter returns the value of a component that learn.Uncertainty names, and
// whether it is one of those whose logarithm is learned.
func parameter(m *gcrfbc.Model, what string) (value float64, positive bool) {
	switch what {
	case "gain":
		return m.Gain, false
	case "bias":
		return m.Bias, false
	case "sum(alpha)":
		return m.SumAlpha(), true
	}
	kind, index, _ := strings.Cut(strings.TrimSuffix(what, "]"), "[")
	of := map[string][]float64{"alpha": m.Alpha, "beta": m.Beta, "direct": m.Direct}[kind]
	if i, err := strconv.Atoi(index); err == nil && i < len(of) {
		return of[i], kind != "direct"
	}
	return math.NaN(), false
}

// predictions compares with each score alone, on labels held out if there are.
func (s *summary) predictions(ctx context.Context) error {
	o := s.flags.common.predictOptions()
	labels, title, method := s.held, "", ""
	var p *infer.Prediction
	var err error
	zeros, ones := count(s.held)
	switch {
	case zeros+ones > 0:
		o.Observed = s.train
		title = fmt.Sprintf("How well it predicts the %d labels held out", zeros+ones)
		method = "gcrfbc here knows the labels it learned from, and the scores and graphs of all nodes."
		if s.res.Model.Variant == gcrfbc.NonBayesian {
			method = "gcrfbc nb predicts from scores and graphs alone."
		}
		p, err = infer.Predict(ctx, s.res.Model, s.d.set, o)
	case s.d.table != nil:
		labels = s.train
		o.Observed = s.train
		title = "How well it predicts each label from all the others (no labels were held out)"
		method = "Parameters were learned from these labels too; --train keeps some apart."
		p, err = infer.LeaveOneOut(ctx, s.res.Model, s.d.set, o)
	default:
		labels = s.train
		title = "How well it predicts the labels it learned from, from scores and graphs alone"
		method = "On other instances it will do less well: gcrfbc evaluate --npz measures that."
		p, err = infer.Predict(ctx, s.res.Model, s.d.set, o)
	}
	if err != nil {
		return fmt.Errorf("predicting %s: %w", s.d.name, err)
	}
	mine, err := scorePrediction(p, labels)
	if err != nil {
		return err
	}
	s.printf("\n%s\n", title)
	t := newTable(s.w)
	t.AppendHeader(table.Row{"predictor", "AUC", "accuracy", "log loss"})
	t.AppendRow(scoreRow("gcrfbc", mine))
	set := s.d.set
	for k := range set.K {
		alone, err := scoreAlone(set, k, labels)
		if err != nil {
			return err
		}
		t.AppendRow(scoreRow(name(set.ScoreNames, k, "score")+" alone", alone))
	}
	alignRight(t, 2, 4)
	t.Render()
	s.say("", "%s AUC: how often a random 1 is ranked above a random 0. Log loss: lower is better; scores are read as logits.", method)
	return nil
}

// scoreAlone scores predictor k, read as a logit.
func scoreAlone(set *gcrfbc.Dataset, k int, labels [][]int8) (score.Summary, error) {
	var y []int8
	var p1, p0 []float64
	for j := range set.Instances {
		for i, l := range labels[j] {
			if l != gcrfbc.Missing {
				r := set.Instances[j].Scores[i*set.K+k]
				y, p1, p0 = append(y, l), append(p1, 1/(1+math.Exp(-r))), append(p0, 1/(1+math.Exp(r)))
			}
		}
	}
	return score.Evaluate(y, p1, p0)
}

func scoreRow(name string, s score.Summary) table.Row {
	auc := "–" // one class only
	if !math.IsNaN(s.AUC) {
		auc = fmt.Sprintf("%.4f", s.AUC)
	}
	return table.Row{name, auc, fmt.Sprintf("%.4f", s.Accuracy), fmt.Sprintf("%.4f", s.LogLoss)}
}

// next says what to type now.
func (s *summary) next() {
	f, flags := s.flags, s.flags.data.args()
	s.printf("\nNext\n")
	if f.out == "" {
		s.printf("  The model was not saved; to save it: gcrfbc fit%s%s --out model.json\n", flags, flag(" --train", pick(s.d.embedded, "", f.train)))
		if s.d.embedded {
			s.printf("  gcrfbc evaluate                     more measures on the counties held out\n")
			s.printf("  gcrfbc predict --out counties.csv   a probability for every county\n")
			s.printf("  gcrfbc fit --help                   how to give your own data\n")
		}
		return
	}
	s.printf("  The model is in %s.\n", f.out)
	model, observed := " --model "+quote(f.out), ""
	if s.d.table != nil && !s.d.embedded && s.res.Model.Variant == gcrfbc.Bayesian {
		observed = flag(" --observed", f.train)
	}
	if f.data.npz != "" {
		flags = " --npz test.npz"
	}
	s.printf("  gcrfbc evaluate%s%s%s\n", model, flags, observed)
	s.printf("  gcrfbc predict%s%s%s --out predictions.csv\n", model, flags, observed)
}

// write prints the measures of evaluate.
func (f *evaluateFlags) write(w io.Writer, m *gcrfbc.Model, d *data, s score.Summary, evidence float64, observed [][]int8, took float64) error {
	zeros, ones := count(observed)
	from := "scores and graphs alone"
	if zeros+ones > 0 && m.Variant == gcrfbc.Bayesian {
		from = fmt.Sprintf("scores, graphs and %s", plural(zeros+ones, "observed label"))
	}
	fmt.Fprintln(w, terminal.Wrap(fmt.Sprintf("%s%s: %s scored, %d of them 1; predicted from %s.", upperFirst(d.name), flagText(", --on", f.on), plural(s.N, "label"), s.Positives, from), ""))
	t := newTable(w)
	t.AppendHeader(table.Row{"measure", "value", "what it says"})
	auc := "–"
	if !math.IsNaN(s.AUC) {
		auc = fmt.Sprintf("%.4f", s.AUC)
	}
	t.AppendRows([]table.Row{
		{"AUC", auc, "how often a random 1 is ranked above a random 0"},
		{"accuracy", fmt.Sprintf("%.4f", s.Accuracy), "share on the right side of 1/2"},
	})
	if d.pictures() && !math.IsNaN(s.IoU) {
		t.AppendRow(table.Row{"IoU", fmt.Sprintf("%.4f", s.IoU), "overlap of what is 1 and what is said to be 1"})
	}
	t.AppendRows([]table.Row{
		{"log loss", fmt.Sprintf("%.4f", s.LogLoss), "mean -log p(label); guessing gives 0.6931"},
		{"Brier", fmt.Sprintf("%.4f", s.Brier), "mean squared error; guessing gives 0.25"},
		{"ECE", fmt.Sprintf("%.4f", s.ECE), fmt.Sprintf("how far confidence is from accuracy; by chance %.4f", s.ECEChance)},
		{"log-likelihood", fmt.Sprintf("%.3f", -s.LogLoss*float64(s.N)), "sum of log p(label), node by node"},
		{"evidence", fmt.Sprintf("%.3f", evidence), "log-probability of all these labels together"},
	})
	alignRight(t, 2, 2)
	t.Render()
	_, err := fmt.Fprintf(w, "%s.\n", upperFirst(seconds(took)))
	return err
}

func newTable(w io.Writer) table.Writer {
	t := terminal.NewTable()
	t.SetOutputMirror(w)
	return t
}

func alignRight(t table.Writer, first, last int) {
	var c []table.ColumnConfig
	for i := first; i <= last; i++ {
		c = append(c, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(c)
}

func name(names []string, k int, kind string) string {
	if k < len(names) && names[k] != "" {
		return names[k]
	}
	return fmt.Sprintf("%s %d", kind, k+1)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

func percent(v float64) string {
	if v > 0 && v < .0005 {
		return "<0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func seconds(s float64) string { return fmt.Sprintf("%.2f seconds", s) }

func flag(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + quote(value)
}

func pick(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}

func upperFirst(s string) string {
	if rest, ok := strings.CutPrefix(s, "the "); ok {
		return "The " + rest
	}
	return s
}
