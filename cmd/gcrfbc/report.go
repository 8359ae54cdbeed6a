package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/internal/page"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/spf13/cobra"
)

type reportFlags struct {
	data     dataFlags
	common   commonFlags
	model    string
	observed string
	on       string
	html     string
	markdown string
	geojson  string
	id       string
	pictures int
	json     bool
}

func reportCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Show a model and its predictions as a page",
		Long: `report writes one page that stands by itself: what was learned, in words and
tables; how good the predictions are on labels that they do not use, with ROC curve,
reliability diagram and the spread of the probabilities; and where there is something
to see, a map or pictures.

A map needs places: columns lon and lat, or x and y (y upwards), of the node table,
or outlines in a GeoJSON file, whose features are in the nodes' order or are named by
--id. Pictures come from --npz files of shape (M, H, W, K).

Every node is predicted from the scores and graphs of all nodes and the observed
labels of all others, never from its own. --observed and --on are those of evaluate.

Without data flags it is about the embedded counties.`,
		Example: `  gcrfbc report --html counties.html
  gcrfbc report --model model.json --nodes nodes.csv.gz --graph graph.mtx.gz \
      --observed split=train --on split=test --html report.html
  gcrfbc report --model model.json --nodes nodes.csv --graph graph.csv \
      --geojson districts.geojson --id district=CODE --html report.html --markdown report.md
  gcrfbc report --model model.json --npz pictures.npz --html report.html`,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), cmd) },
	}
	addModelFlags(cmd, &f.model, &f.observed)
	f.data.add(cmd)
	addOn(cmd, &f.on)
	cmd.Flags().StringVar(&f.html, "html", "", "page to write (default HTML on standard output)")
	cmd.Flags().StringVar(&f.markdown, "markdown", "", "the same as Markdown; its figures go to a folder beside it")
	cmd.Flags().StringVar(&f.geojson, "geojson", "", "outlines or points of the nodes, .gz too")
	cmd.Flags().StringVar(&f.id, "id", "", "how --geojson names nodes: COLUMN of the table, or COLUMN=PROPERTY;\n(default the order of the nodes)")
	cmd.Flags().IntVar(&f.pictures, "pictures", 6, "how many pictures to show")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the measures as one JSON object; needs --html or --markdown")
	f.common.add(cmd)
	return cmd
}

// reportJSON is what report --json prints: the files, and the measures of evaluate
// where there are labels to score.
type reportJSON struct {
	HTML     string        `json:"html,omitempty"`
	Markdown string        `json:"markdown,omitempty"`
	Map      bool          `json:"map"`
	Pictures int           `json:"pictures"`
	Scores   *evaluateJSON `json:"scores,omitempty"`
	Seconds  float64       `json:"seconds"`
}

func (f *reportFlags) run(ctx context.Context, cmd *cobra.Command) error {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	began := time.Now()
	if err := f.check(); err != nil {
		return err
	}
	m, d, err := modelAndData(ctx, f.model, &f.data, &f.common, f.observed != "" || f.on != "", cmd.InOrStdin(), stderr)
	if err != nil {
		return err
	}
	if d.embedded && !cmd.Flags().Changed("observed") {
		f.observed = counties.Train
	}
	if d.embedded && !cmd.Flags().Changed("on") {
		f.on = counties.Test
	}
	if err := d.knowLabels(m); err != nil {
		return err
	}
	r := reporter{flags: f, model: m, d: d, on: d.allLabels()}
	if f.observed != "" {
		if r.observed, r.on, err = d.where("observed", f.observed); err != nil {
			return err
		}
	}
	if f.on != "" {
		if r.on, _, err = d.where("on", f.on); err != nil {
			return err
		}
		if zeros, ones := count(r.on); zeros+ones == 0 {
			return inputf("%s: --on %s selects no labelled node", d.name, f.on)
		}
	}
	if r.places, err = findPlaces(d, f.geojson, f.id); err != nil {
		return err
	}
	o := f.common.predictOptions()
	o.Observed, o.Level = r.observed, mapLevel
	if r.p, err = infer.LeaveOneOut(ctx, m, d.set, o); err != nil {
		return fmt.Errorf("predicting %s%s: %w", d.name, flagText(" with", f.model), err)
	}
	if !f.common.quiet {
		writeNotes(stderr, r.p.Notes)
	}
	result := reportJSON{HTML: f.html, Markdown: f.markdown, Map: r.places != nil, Pictures: r.shown()}
	if zeros, ones := count(r.on); zeros+ones > 0 {
		if result.Scores, err = r.score(ctx, o); err != nil {
			return err
		}
	}
	p, err := r.page()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.write(p, stdout); err != nil {
		return err
	}
	result.Seconds = time.Since(began).Seconds()
	if f.json {
		return writeJSON(stdout, result)
	}
	if !f.common.quiet {
		for _, name := range []string{f.html, f.markdown} {
			if name != "" {
				fmt.Fprintf(stderr, "report written to %s\n", name)
			}
		}
	}
	return nil
}

func (f *reportFlags) check() error {
	if err := f.common.check(); err != nil {
		return err
	}
	if f.pictures < 0 {
		return usagef("--pictures %d: want a number, 0 for none", f.pictures)
	}
	if f.json && f.html == "" && f.markdown == "" {
		return usagef("--json prints the measures; name a file for the page: --html report.html")
	}
	if f.html != "" && f.html == f.markdown {
		return usagef("--html and --markdown are the same file, %s", f.html)
	}
	for name, path := range map[string]string{"html": f.html, "markdown": f.markdown} {
		if err := checkWritable(name, path); err != nil {
			return err
		}
	}
	return nil
}

// write writes the page. Figures of Markdown are written before the text that
// shows them.
func (f *reportFlags) write(p *page.Page, stdout io.Writer) error {
	if f.html == "" && f.markdown == "" {
		if err := p.WriteHTML(stdout); err != nil {
			return &outputError{fmt.Errorf("writing the report: %w", err)}
		}
		return nil
	}
	if f.html != "" {
		if err := dataio.WriteFile(f.html, p.WriteHTML); err != nil {
			return &outputError{err}
		}
	}
	if f.markdown == "" {
		return nil
	}
	folder := strings.TrimSuffix(filepath.Base(f.markdown), filepath.Ext(f.markdown)) + "_files"
	beside := filepath.Join(filepath.Dir(f.markdown), folder)
	figure := func(name string, svg []byte) error {
		if err := os.MkdirAll(beside, 0o777); err != nil {
			return err
		}
		return dataio.WriteFile(filepath.Join(beside, name), func(w io.Writer) error {
			_, err := w.Write(svg)
			return err
		})
	}
	err := dataio.WriteFile(f.markdown, func(w io.Writer) error { return p.WriteMarkdown(w, folder, figure) })
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// knowLabels reads the labels that the model was fitted to where no flag asked for
// them and the table has them.
func (d *data) knowLabels(m *gcrfbc.Model) error {
	if d.table == nil || d.label != "" || m.Label == "" {
		return nil
	}
	labels, err := d.table.Labels(m.Label)
	if err != nil {
		return nil // new data have no labels yet
	}
	d.set = d.set.WithLabels([][]int8{labels})
	d.label = m.Label
	return nil
}

// score measures as evaluate does.
func (r *reporter) score(ctx context.Context, o infer.PredictOptions) (*evaluateJSON, error) {
	began := time.Now()
	s, err := scorePrediction(r.p, r.on)
	if err != nil {
		return nil, err
	}
	evidence, err := infer.Evidence(ctx, r.model, r.d.set.WithLabels(r.on), o)
	if err != nil {
		return nil, fmt.Errorf("the evidence of %s%s: %w", r.d.name, flagText(" with", r.flags.model), err)
	}
	zeros, ones := count(r.observed)
	r.summary, r.evidence = &s, evidence
	return measures(r.model, r.d, s, evidence, zeros+ones, time.Since(began).Seconds()), nil
}

// reporter holds what a report is made of.
type reporter struct {
	flags        *reportFlags
	model        *gcrfbc.Model
	d            *data
	observed, on [][]int8
	p            *infer.Prediction
	places       *places
	summary      *score.Summary // nil if no label is scored
	evidence     float64
}

// mapLevel is that of the intervals whose width a map shows.
const mapLevel = .9

// shown returns the number of pictures on the page.
func (r *reporter) shown() int {
	if !r.d.pictures() {
		return 0
	}
	return min(r.flags.pictures, r.d.shape[0])
}
