package main

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/learn"
)

// page builds the page, leaving out what there is nothing to say about.
func (r *reporter) page() (*page.Page, error) {
	title := "A fitted model"
	switch {
	case r.flags.model != "":
		title = "Report of " + filepath.Base(r.flags.model)
	case r.d.embedded:
		title = "Report of the counties"
	}
	zeros, ones := count(r.d.allLabels())
	subtitle := fmt.Sprintf("%s: %s", upperFirst(r.d.name), plural(r.d.set.NumNodes(), "node"))
	if len(r.d.set.Instances) > 1 {
		subtitle += " of " + plural(len(r.d.set.Instances), "instance")
	}
	if zeros+ones > 0 {
		subtitle += fmt.Sprintf(", %s, %d of them 1", plural(zeros+ones, "label"), ones)
	}
	p := &page.Page{Title: title, Subtitle: subtitle + "."}
	p.Sections = append(p.Sections, r.learned())
	if r.summary != nil {
		p.Sections = append(p.Sections, r.quality())
	}
	if r.places != nil {
		p.Sections = append(p.Sections, r.maps())
	}
	if r.shown() > 0 {
		s, err := r.pictures()
		if err != nil {
			return nil, err
		}
		p.Sections = append(p.Sections, s)
	}
	if s := r.surprises(); s != nil {
		p.Sections = append(p.Sections, *s)
	}
	p.Sections = append(p.Sections, r.made())
	return p, nil
}

func decimals(v float64, n int) page.Cell {
	if math.IsNaN(v) {
		return page.Num("–", v)
	}
	return page.Num(strconv.FormatFloat(v, 'f', n, 64), v)
}

func significant(v float64) page.Cell { return page.Num(number(v), v) }

func share(v float64) page.Cell { return page.Num(percent(v), v) }

// learned says what the parameters mean.
func (r *reporter) learned() page.Section {
	m := r.model
	s := page.Section{ID: "learned", Title: "What was learned"}
	add := func(b page.Block) { s.Blocks = append(s.Blocks, b) }
	how := "GCRFBCb: every node has a latent value, neighbours' values are alike, and the label is 1 with the probability that the logistic function gives to the value. Probabilities average over what the value may be (approximation " + string(m.Approx) + ")."
	if m.Variant == gcrfbc.NonBayesian {
		how = "GCRFBCnb: every node has a latent value, neighbours' values are alike, and the label is 1 with the probability that the logistic function gives to the value's mean. Observed labels and the uncertainty of the value play no part."
	}
	add(page.Text(how))
	if m.Label != "" && m.Label != "Y" {
		label := m.Label + "."
		if r.d.embedded && m.Label == "class_swing" {
			label = "the Democratic share of the two-party vote rose from 2016 to 2020."
		}
		add(page.Text("Label 1: " + label))
	}
	if fit := m.Fit; fit != nil {
		ended := "the fit converged"
		if !strings.Contains(fit.Status, "Converged") && fit.Status != "" {
			ended = "the fit ended early (" + fit.Status + ")"
		}
		text := fmt.Sprintf("Fitted to %s of %s; %s.", plural(fit.Labelled, "label"), plural(fit.Nodes, "node"), ended)
		if fit.Labelled > 0 {
			text += fmt.Sprintf(" Its objective is %.4f, %.4f a label; guessing has −0.6931.", fit.Objective, fit.Objective/float64(fit.Labelled))
		}
		add(page.Text(text))
		if !strings.Contains(fit.Status, "Converged") && fit.Status != "" {
			add(page.Note("The fit ended before it converged: its numbers may still be far from their best."))
		}
	}
	parts, err := m.Mean.Parts()
	if err != nil {
		parts = gcrfbc.MeanParts{FixedGain: m.Gain}
	}
	t := &page.Table{Caption: "How far each predictor is trusted. Share: of the weighted mean of scores that neighbours smooth.", Head: []string{"predictor", "α", "share"}}
	if parts.Direct {
		t.Caption += " Direct weight: of the score itself, added without smoothing; it sharpens single nodes."
		t.Head = append(t.Head, "direct weight")
	}
	sum := m.SumAlpha()
	for k, a := range m.Alpha {
		row := []page.Cell{page.Word(name(m.Scores, k, "score")), significant(a), share(a / sum)}
		if parts.Direct {
			row = append(row, decimals(m.Direct[k], 3))
		}
		t.Rows = append(t.Rows, row)
	}
	add(t)
	if m.L() > 0 {
		strengths, edges := (&summary{d: r.d, res: &learn.Result{Model: m}}).strengths()
		total := sum
		for _, v := range strengths {
			total += v
		}
		t := &page.Table{Caption: "How strongly neighbours agree. Share: how much of the say neighbours have in an average node's latent value; the rest is its own scores'.", Head: []string{"graph", "edges", "β", "neighbours' share"}}
		for l, b := range m.Beta {
			graph := fmt.Sprintf("graph %d", l+1)
			if l < len(m.Graphs) && m.Graphs[l].Name != "" {
				graph = m.Graphs[l].Name + pick(m.Graphs[l].Normalized, ", normalized", "")
			}
			t.Rows = append(t.Rows, []page.Cell{page.Word(graph), page.Num(strconv.Itoa(edges[l]), float64(edges[l])), significant(b), share(strengths[l] / total)})
		}
		add(t)
	}
	var words []string
	if parts.Gain || m.Gain != 1 {
		words = append(words, fmt.Sprintf("The smoothed mean is multiplied by the gain %.3f%s.", m.Gain, gainWords(m.Gain)))
	}
	if parts.Bias {
		words = append(words, fmt.Sprintf("The bias %+.3f is added to every logit%s.", m.Bias, pick(math.Abs(m.Bias) < .05, " (next to nothing)", pick(m.Bias > 0, " (towards 1)", " (towards 0)"))))
	}
	if len(words) > 0 {
		add(page.Text(strings.Join(words, " ")))
	}
	if m.Fit != nil && len(m.Fit.AtBound) > 0 {
		add(page.Note("At a bound of their range: " + strings.Join(m.Fit.AtBound, ", ") + ". At its lower bound a predictor or graph is as good as not used; nothing is wrong."))
	}
	return s
}

// quality compares stated probabilities with labels.
func (r *reporter) quality() page.Section {
	s := page.Section{ID: "quality", Title: "How good the predictions are"}
	zeros, ones := count(r.observed)
	from := "the scores and graphs alone"
	if zeros+ones > 0 && r.model.Variant == gcrfbc.Bayesian {
		from = fmt.Sprintf("the scores, the graphs and %s, never from its own label", plural(zeros+ones, "observed label"))
	}
	text := fmt.Sprintf("Measured on %s%s, %d of them 1. Each is predicted from %s.", plural(r.summary.N, "label"), flagText(",", strings.TrimSpace(r.flags.on)), r.summary.Positives, from)
	if len(r.d.set.Instances) > 0 && r.model.Fit != nil && r.flags.observed == "" && r.flags.on == "" && r.model.Fit.Nodes == r.d.set.NumNodes() {
		text += " If the model was fitted to these labels, it will do less well on others."
	}
	t := &page.Table{Caption: "Log-likelihood adds up every label for itself; the evidence is the log-probability of all of them together. AUC, accuracy, log-likelihood, evidence: higher is better; log loss, Brier, ECE: lower.",
		Head: []string{"predictor", "AUC", "accuracy", "log loss", "Brier", "ECE", "log-likelihood", "evidence"}}
	if r.d.pictures() {
		t.Head = slices.Insert(t.Head, 3, "IoU")
	}
	row := func(name string, v score.Summary, evidence float64, strong bool) {
		cells := []page.Cell{page.Word(name), decimals(v.AUC, 4), decimals(v.Accuracy, 4), decimals(v.LogLoss, 4), decimals(v.Brier, 4), decimals(v.ECE, 4),
			decimals(-v.LogLoss*float64(v.N), 2), decimals(evidence, 2)}
		cells[0].Strong = strong
		if r.d.pictures() {
			cells = slices.Insert(cells, 3, decimals(v.IoU, 4))
		}
		t.Rows = append(t.Rows, cells)
	}
	row("the model", *r.summary, r.evidence, true)
	all := r.gather("the model", func(j, i int) float64 { return r.p.Instances[j].P1[i] })
	curves := []page.Curve{all}
	set := r.d.set
	for k := range min(set.K, 7) {
		title := name(set.ScoreNames, k, "score") + " alone"
		if alone, err := scoreAlone(set, k, r.on); err == nil {
			row(title, alone, math.NaN(), false)
		}
		curves = append(curves, r.gather(title, func(j, i int) float64 { return 1 / (1 + math.Exp(-set.Instances[j].Scores[i*set.K+k])) }))
	}
	s.Blocks = append(s.Blocks, page.Text(text), t, page.Figures{
		{Name: "roc", SVG: page.ROC(curves), Alt: "ROC curves of the model and of each score alone",
			Caption: "ROC: how many of the ones are found (upwards) at the price of how many false alarms (to the right), for every threshold. Up and left is better."},
		{Name: "reliability", SVG: page.Reliability(curves), Alt: "Reliability diagram of the model and of each score alone",
			Caption: "Reliability: where a probability was stated, how often was the label 1? On the diagonal stated probabilities are frequencies. Scores are read as logits."},
		{Name: "distributions", SVG: page.Distributions(all.Labels, all.P1), Alt: "How the stated probabilities of labels 0 and 1 are spread",
			Caption: "The stated probabilities of nodes of either label. The further apart, the better they are told from each other."},
	})
	if t := thresholds(all); t != nil {
		s.Blocks = append(s.Blocks, t)
	}
	if bins, err := score.Reliability(all.Labels, all.P1, 10); err == nil {
		t := &page.Table{Folded: true, Caption: "Calibration in numbers", Head: []string{"stated between", "labels", "mean stated", "share of 1"}}
		for _, b := range bins {
			if b.Count > 0 {
				t.Rows = append(t.Rows, []page.Cell{page.Num(fmt.Sprintf("%.1f and %.1f", b.Low, b.High), b.Low), page.Num(strconv.Itoa(b.Count), float64(b.Count)), share(b.Predicted), share(b.Observed)})
			}
		}
		s.Blocks = append(s.Blocks, t)
	}
	return s
}

// thresholds says what deciding at a probability would mean.
func thresholds(c page.Curve) *page.Table {
	t := &page.Table{Caption: "What it means to say 1 from a probability on. Precision: the share of those said to be 1 that are; recall: the share of the ones that are found.",
		Head: []string{"threshold", "said 1", "precision", "recall", "false alarms", "missed"}}
	whole := func(n int) page.Cell { return page.Num(strconv.Itoa(n), float64(n)) }
	for _, at := range []float64{.1, .25, .5, .75, .9} {
		q, err := score.Confuse(c.Labels, c.P1, at)
		if err != nil {
			return nil
		}
		said, ones := q.TruePositive+q.FalsePositive, q.TruePositive+q.FalseNegative
		t.Rows = append(t.Rows, []page.Cell{decimals(at, 2), whole(said), part(q.TruePositive, said), part(q.TruePositive, ones), whole(q.FalsePositive), whole(q.FalseNegative)})
	}
	return t
}

func part(n, of int) page.Cell {
	if of == 0 {
		return page.Num("–", math.NaN())
	}
	return share(float64(n) / float64(of))
}

// gather collects the scored labels of all instances.
func (r *reporter) gather(name string, p1 func(j, i int) float64) page.Curve {
	c := page.Curve{Name: name}
	for j := range r.on {
		for i, y := range r.on[j] {
			if y != gcrfbc.Missing {
				c.Labels, c.P1 = append(c.Labels, y), append(c.P1, p1(j, i))
			}
		}
	}
	return c
}

// maps shows probability, uncertainty and, where known, labels.
func (r *reporter) maps() page.Section {
	s := page.Section{ID: "map", Title: "On the map"}
	in := &r.p.Instances[0]
	width := make([]float64, len(in.P1))
	for i := range width {
		width[i] = in.Upper[i] - in.Lower[i]
	}
	draw := func(values []float64, hi float64, ramp page.Ramp, what string, format func(float64) string) string {
		m := page.Map{Width: r.places.width, Height: r.places.height, Values: values, Hi: hi, Ramp: ramp, What: what, Format: format,
			Shapes: r.places.shapes, Scale: r.places.scale, X: r.places.x, Y: r.places.y, Names: r.places.names}
		return m.SVG()
	}
	hundredth := func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
	figs := page.Figures{{Name: "map-probability", Wide: true, SVG: draw(in.P1, 1, page.Diverging, "probability", hundredth),
		Alt: "Map of the nodes, coloured by the probability of label 1", Caption: "The probability of label 1. Point at a place to see its name and number."}}
	if r.model.Variant == gcrfbc.Bayesian {
		figs = append(figs, page.Figure{Name: "map-uncertainty", Wide: true,
			SVG:     draw(width, max(slices.Max(width), 1e-9), page.Sequential, "width of the interval", func(v float64) string { return fmt.Sprintf("%.2f", v) }),
			Alt:     "Map of the nodes, coloured by the uncertainty of their probability",
			Caption: fmt.Sprintf("How uncertain that probability is: the width of its %.0f %% interval. Where it is dark, scores and neighbours leave most open.", 100*mapLevel)})
	}
	if zeros, ones := count(r.d.allLabels()); zeros+ones > 0 {
		known := make([]float64, len(in.P1))
		for i, y := range r.d.allLabels()[0] {
			known[i] = float64(y)
			if y == gcrfbc.Missing {
				known[i] = math.NaN()
			}
		}
		figs = append(figs, page.Figure{Name: "map-labels", Wide: true, SVG: draw(known, 1, page.Diverging, "label", func(v float64) string { return fmt.Sprintf("%.0f", v) }),
			Alt: "Map of the nodes, coloured by their label", Caption: "The labels that are known."})
	}
	if r.places.missing > 0 {
		s.Blocks = append(s.Blocks, page.Note(fmt.Sprintf("Without a place, and not drawn: %d of %s.", r.places.missing, plural(len(in.P1), "node"))))
	}
	s.Blocks = append(s.Blocks, figs)
	return s
}

// pictures shows the first pictures beside what was predicted.
func (r *reporter) pictures() (page.Section, error) {
	s := page.Section{ID: "pictures", Title: "Pictures"}
	h, w := r.d.shape[1], r.d.shape[2]
	colours, err := dataio.ReadColours(r.flags.data.npz, r.d.shape, r.shown())
	if err != nil {
		return s, err
	}
	t := &page.Table{Caption: fmt.Sprintf("Every pixel is a node, %d in a picture. IoU: pixels rightly said to be 1, of those that are or were said to be.", h*w), Head: []string{"picture", "AUC", "accuracy", "IoU"}}
	var figs page.Figures
	gray := func(v float64) color.Color { return color.Gray{Y: uint8(math.Round(255 * max(0, min(v, 1))))} }
	for j := range r.shown() {
		in, labels := &r.p.Instances[j], r.on[j]
		var panels []page.Panel
		panel := func(title string, at func(i int) color.Color) {
			panels = append(panels, page.Panel{PNG: page.PNG(w, h, at), Title: title})
		}
		at := func(i int) color.NRGBA {
			c := colours[j][3*i:]
			return color.NRGBA{R: c[0], G: c[1], B: c[2], A: 255}
		}
		if colours != nil {
			panel("picture", func(i int) color.Color { return at(i) })
		}
		zeros, ones := count([][]int8{labels})
		if zeros+ones > 0 {
			panel("labels", func(i int) color.Color {
				if labels[i] == gcrfbc.Missing {
					return color.NRGBA{R: 128, G: 128, B: 160, A: 255}
				}
				return gray(float64(labels[i]))
			})
			t.Rows = append(t.Rows, pictureRow(j, labels, in))
		}
		panel("probability", func(i int) color.Color { return gray(in.P1[i]) })
		if colours != nil {
			// What is said to be 1 keeps its colours, the ground is paled.
			panel("segmented", func(i int) color.Color {
				c := at(i)
				if in.P1[i] >= .5 {
					return c
				}
				pale := func(v uint8) uint8 { return uint8((int(v) + 5*236) / 6) }
				return color.NRGBA{R: pale(c.R), G: pale(c.G), B: pale(c.B), A: 255}
			})
		}
		figs = append(figs, page.Figure{Name: fmt.Sprintf("picture-%d", j), Wide: true, SVG: page.Row(float64(w), float64(h), panels), Panels: page.Rows(float64(w), float64(h), panels),
			Caption: fmt.Sprintf("Picture %d of %s.", j, filepath.Base(r.flags.data.npz)), Alt: "A picture and what was predicted"})
	}
	s.Blocks = append(s.Blocks, figs)
	if len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, t)
	}
	return s, nil
}

func pictureRow(j int, labels []int8, in *infer.InstancePrediction) []page.Cell {
	row := []page.Cell{page.Num(strconv.Itoa(j), float64(j)), decimals(math.NaN(), 4), decimals(math.NaN(), 4), decimals(math.NaN(), 4)}
	if v, err := score.Evaluate(labels, in.P1, in.P0); err == nil {
		row[1], row[2], row[3] = decimals(v.AUC, 4), decimals(v.Accuracy, 4), decimals(v.IoU, 4)
	}
	return row
}

// surprises lists the labels that the model found least likely: errors in the
// data, if there are any, are often among them.
func (r *reporter) surprises() *page.Section {
	if r.summary == nil || r.d.table == nil {
		return nil
	}
	const most = 20
	in := &r.p.Instances[0]
	likely := func(i int) float64 {
		if r.on[0][i] == 1 {
			return in.P1[i]
		}
		return in.P0[i]
	}
	var nodes []int
	for i, y := range r.on[0] {
		if y != gcrfbc.Missing && likely(i) < .5 {
			nodes = append(nodes, i)
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(likely(a), likely(b)) })
	names := nodeNames(r.d.table, "")
	if r.places != nil {
		names = r.places.names
	}
	t := &page.Table{Folded: true, Caption: "The least likely labels", Head: []string{"node", "name", "label", "probability of 1", fmt.Sprintf("%.0f %% interval", 100*mapLevel)}}
	t.Head = append(t.Head, r.d.set.ScoreNames...)
	for _, i := range nodes[:min(most, len(nodes))] {
		row := []page.Cell{page.Num(strconv.Itoa(i), float64(i)), page.Word(names[i]), page.Num(strconv.Itoa(int(r.on[0][i])), float64(r.on[0][i])),
			decimals(in.P1[i], 4), page.Num(fmt.Sprintf("%.3f to %.3f", in.Lower[i], in.Upper[i]), in.Lower[i])}
		for k := range r.d.set.ScoreNames {
			row = append(row, decimals(r.d.set.Instances[0].Scores[i*r.d.set.K+k], 3))
		}
		t.Rows = append(t.Rows, row)
	}
	return &page.Section{ID: "surprises", Title: "Surprising labels", Blocks: []page.Block{
		page.Text(fmt.Sprintf("%s have a label that the model found less likely than the other. The worst are worth a look: they are errors of the data, or what scores and graphs do not know.", upperFirst(plural(len(nodes), "node")))), t}}
}

// made says how to make the page again.
func (r *reporter) made() page.Section {
	f := r.flags
	command := "gcrfbc report" + flag(" --model", f.model) + f.data.args() + flag(" --observed", pick(r.d.embedded, "", f.observed)) + flag(" --on", pick(r.d.embedded, "", f.on)) +
		flag(" --geojson", f.geojson) + flag(" --id", f.id) + flag(" --html", f.html) + flag(" --markdown", f.markdown)
	s := page.Section{ID: "made", Title: "How this was made", Command: command}
	s.Blocks = append(s.Blocks, page.Text("gcrfbc "+version()+"."))
	for _, n := range r.p.Notes {
		s.Blocks = append(s.Blocks, page.Note(upperFirst(n)+"."))
	}
	return s
}
