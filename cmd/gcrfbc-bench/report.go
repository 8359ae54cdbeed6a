package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/report"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/showcase"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/spf13/cobra"
)

type reportOptions struct {
	html, markdown string
	counties       bool
	pictures       string
	model          string
	limit          int
	quiet          bool
}

// defaultPage is where report writes without --html and --markdown.
const defaultPage = "report.html"

func reportCommand(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	o := reportOptions{}
	cmd := &cobra.Command{
		Use:   "report [FILE…]",
		Short: "Turn result files into a page with figures, tables and maps",
		Long: `report reads files of results (one JSON object a line, as --out and --json give them;
"-" is the standard input) and writes one HTML page that needs no other file, or
Markdown with its figures in a folder beside it. Sections follow from the kinds of
results in the files: Table 1 and Figures 2 to 4, solver scaling, real data, the
machine. Files that cannot be read to their end give what stands before the fault.

Real data: --counties fits the embedded counties and adds the maps, ROC curves,
reliability and convergence; --pictures FILE.npz --picture-model MODEL adds segmented
pictures, with a model that gcrfbc fit --npz wrote.`,
		Example: `  gcrfbc-bench paper --quick --out paper.jsonl
  gcrfbc-bench report paper.jsonl --html paper.html
  gcrfbc-bench solver --json | gcrfbc-bench report - --markdown solver.md
  gcrfbc-bench report --counties --html counties.html
  gcrfbc fit --npz train.npz --out horses.json
  gcrfbc-bench report --pictures test.npz --picture-model horses.json --html horses.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args, stdin, stdout, stderr)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.html, "html", "", "HTML page to write (default "+defaultPage+", unless --markdown is given)")
	f.StringVar(&o.markdown, "markdown", "", "Markdown file to write; its figures go to a folder of its name with _files")
	f.BoolVar(&o.counties, "counties", false, "fit the embedded counties and add them")
	f.StringVar(&o.pictures, "pictures", "", ".npz file of pictures to segment: R (M, H, W, K), optionally Y and rgb")
	f.StringVar(&o.model, "picture-model", "", "model for --pictures, written by gcrfbc fit")
	f.IntVar(&o.limit, "limit", 4, "pictures at most")
	f.BoolVar(&o.quiet, "quiet", false, "say nothing but errors")
	return cmd
}

func (o *reportOptions) run(ctx context.Context, files []string, stdin io.Reader, stdout, stderr io.Writer) error {
	switch {
	case len(files) == 0 && !o.counties && o.pictures == "":
		return usagef("nothing to report: name files of results, such as those of gcrfbc-bench paper --out FILE, or add --counties")
	case (o.pictures == "") != (o.model == ""):
		return usagef("--pictures and --picture-model go together")
	case o.limit < 1:
		return usagef("--limit %d: want a positive number", o.limit)
	}
	if o.html == "" && o.markdown == "" {
		o.html = defaultPage
	}
	for _, path := range []string{o.html, o.markdown} {
		if err := checkOutput(path); err != nil {
			return err
		}
	}
	var list []record.Record
	for _, path := range files {
		part, err := readResults(path, stdin)
		var fault *record.Error
		if errors.As(err, &fault) && len(part) > 0 {
			fmt.Fprintf(stderr, "gcrfbc-bench: %v; the %d results before it are shown\n", err, len(part))
		} else if err != nil {
			return err
		}
		list = append(list, part...)
	}
	if len(list) == 0 && len(files) > 0 {
		return usagef("%s: no results in there", strings.Join(files, ", "))
	}
	var sink record.Sink
	res := &results{sink: &sink}
	if len(files) == 0 {
		if err := res.write(currentEnvironment().record()); err != nil {
			return err
		}
	}
	if o.counties {
		if err := showcase.Counties(ctx, 0, res.emit); err != nil {
			return err
		}
	}
	if o.pictures != "" {
		m, err := readModel(o.model)
		if err != nil {
			return err
		}
		if err := showcase.Pictures(ctx, showcase.PictureOptions{File: o.pictures, Model: m, Limit: o.limit}, res.emit); err != nil {
			return err
		}
	}
	page := report.Build(append(list, sink.Records...))
	written, err := writePage(page, o.html, o.markdown)
	if err != nil {
		return err
	}
	if o.quiet {
		return nil
	}
	return say(stdout, "%d results in %d sections: %s", len(list)+len(sink.Records), len(page.Sections), strings.Join(written, ", "))
}

func readResults(path string, stdin io.Reader) ([]record.Record, error) {
	if path == "-" {
		return record.Read(stdin, "standard input")
	}
	return record.ReadFile(path)
}

func readModel(path string) (*gcrfbc.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	m, err := gcrfbc.ReadModel(f)
	if err != nil {
		return nil, &inputError{fmt.Errorf("%s: %w", path, err)}
	}
	return m, nil
}

// checkOutput tells before the work that a file's folder does not exist.
func checkOutput(path string) error {
	if path == "" {
		return nil
	}
	dir := filepath.Dir(path)
	if s, err := os.Stat(dir); err != nil || !s.IsDir() {
		return &record.WriteError{File: path, Err: fmt.Errorf("there is no folder %s; make it, or name another", dir)}
	}
	if s, err := os.Stat(path); err == nil && s.IsDir() {
		return &record.WriteError{File: path, Err: errors.New("it is a folder; name a file")}
	}
	return nil
}

// writePage writes a page in the formats that have a name, and returns the files.
func writePage(page *report.Page, html, markdown string) ([]string, error) {
	var written []string
	if html != "" {
		if err := dataio.WriteFile(html, page.WriteHTML); err != nil {
			return nil, &record.WriteError{File: html, Err: err}
		}
		written = append(written, html)
	}
	if markdown == "" {
		return written, nil
	}
	folder := strings.TrimSuffix(markdown, filepath.Ext(markdown)) + "_files"
	figures := 0
	var text bytes.Buffer
	err := page.WriteMarkdown(&text, filepath.Base(folder), func(name string, svg []byte) error {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return &record.WriteError{File: folder, Err: err}
		}
		figures++
		path := filepath.Join(folder, name)
		return asWriteError(path, dataio.WriteFile(path, func(w io.Writer) error { _, err := w.Write(svg); return err }))
	})
	if err != nil {
		return nil, err
	}
	err = asWriteError(markdown, dataio.WriteFile(markdown, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err }))
	if err != nil {
		return nil, err
	}
	written = append(written, markdown)
	if figures > 0 {
		written = append(written, fmt.Sprintf("%s (%d figures)", folder, figures))
	}
	return written, nil
}

func asWriteError(path string, err error) error {
	if err == nil {
		return nil
	}
	return &record.WriteError{File: path, Err: err}
}
