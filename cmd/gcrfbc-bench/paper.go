package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/authors"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/paper"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/report"
	"github.com/gcrfbc/gcrfbc/cmd/internal/terminal"
	"github.com/spf13/cobra"
)

type paperOptions struct {
	full, quick bool
	seeds       int
	only        string
	quiet       bool
	python      string
	threads     int
	time        time.Duration
	outputs     record.Outputs
}

func paperCommand(stdout, stderr io.Writer) *cobra.Command {
	o := paperOptions{}
	cmd := &cobra.Command{
		Use:   "paper",
		Short: "Repeat the published evaluation: Table 1, Figures 2 to 4",
		Long: `paper repeats the evaluation of A. Petrović, M. Nikolić, M. Jovanović and
B. Delibašić, Gaussian Conditional Random Fields for Classification (2019).

  table1   the synthetic study: six settings, GCRFBCb and GCRFBCnb, labels by the
           threshold .5 as published and drawn from the model, over many seeds
  fig2     the integrand of the probability of a label
  fig3     the lower bound that GCRFBCb is learned with
  fig4     time against instances and nodes, with fitted exponents, beside the
           published algorithm in Go and, where Python has NumPy, in NumPy

--quick takes about half a minute, the default some minutes; --full goes to 10⁶
instances and to one graph of 10⁶ nodes and takes 15 to 30 minutes on two cores.

Results are printed as tables, with --json as lines of JSON as they are finished;
--out writes the same lines to a file. An interruption and the end of --time keep
them. For a page with figures: gcrfbc-bench report FILE.`,
		Example: `  gcrfbc-bench paper --quick
  gcrfbc-bench paper --out paper.jsonl && gcrfbc-bench report paper.jsonl --html paper.html
  gcrfbc-bench paper --only table1 --seeds 100 --json > table1.jsonl
  gcrfbc-bench paper --full --out full.jsonl
  gcrfbc-bench paper --full --time 5m --out full.jsonl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), stdout, stderr) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.full, "full", false, "100 seeds, 10⁶ instances, 10⁶ nodes")
	f.BoolVar(&o.quick, "quick", false, "few seeds and small sizes")
	f.IntVar(&o.seeds, "seeds", 0, "seeds of Table 1 (default 30; 4 with --quick, 100 with --full)")
	f.StringVar(&o.only, "only", "table1,fig2,fig3,fig4", "parts, separated by commas")
	f.BoolVar(&o.quiet, "quiet", false, "no progress and no explanations")
	f.StringVar(&o.python, "python", "", "Python interpreter with NumPy (default: python3 where it has NumPy); none to do without")
	o.outputs.Register(f)
	f.DurationVar(&o.time, "time", 0, "begin nothing that would end after this time, such as 10m, and show what is finished; half of it is Table 1's; 0 is no limit")
	f.IntVar(&o.threads, "threads", 0, "fits of Table 1 at a time; 0 is one a core. Times of Figure 4 are of one thread")
	return cmd
}

// parts says which parts --only asks for.
func (o *paperOptions) parts() (map[string]bool, error) {
	parts := map[string]bool{}
	for p := range strings.SplitSeq(o.only, ",") {
		switch p = strings.TrimSpace(p); p {
		case "table1", "fig2", "fig3", "fig4":
			parts[p] = true
		default:
			return nil, usagef("--only %s: %q is none of table1, fig2, fig3, fig4", o.only, p)
		}
	}
	return parts, nil
}

// size returns how far figure 4 goes and how many seeds Table 1 has, and in how
// many of them the slower models are fitted.
func (o *paperOptions) size() (size paper.Size, t paper.TableOptions) {
	switch {
	case o.full:
		size, t = paper.Full, paper.TableOptions{Seeds: 100, EP: 30, Authors: 20}
	case o.quick:
		size, t = paper.Quick, paper.TableOptions{Seeds: 4, EP: 2, Authors: 1}
	default:
		size, t = paper.Normal, paper.TableOptions{Seeds: 30, EP: 10, Authors: 5}
	}
	if o.seeds > 0 {
		t.Seeds = o.seeds
	}
	t.Threads = o.threads
	return size, t
}

func (o *paperOptions) run(ctx context.Context, stdout, stderr io.Writer) error {
	parts, err := o.parts()
	if err != nil {
		return err
	}
	switch {
	case o.full && o.quick:
		return usagef("--full and --quick exclude each other")
	case o.seeds < 0:
		return usagef("--seeds %d: want a positive number", o.seeds)
	case o.time < 0:
		return usagef("--time %v: want a positive time, or 0 for no limit", o.time)
	case o.threads < 0:
		return usagef("--threads %d: want a number from 0", o.threads)
	}
	res, err := openResults(o.outputs, stdout)
	if err != nil {
		return err
	}
	err = res.close(o.measure(ctx, res, parts, stderr))
	interrupted := ctx.Err() != nil && err != nil
	if !o.outputs.JSON {
		if e := printPaper(stdout, res, o.quiet); err == nil {
			err = e
		}
	}
	if err != nil && !interrupted {
		return err
	}
	if interrupted {
		return &interruptedError{"interrupted: " + res.kept()}
	}
	if o.outputs.Out != "" && !o.outputs.JSON && !o.quiet {
		return say(stdout, "\n%d results are in %s; as a page: gcrfbc-bench report %s --html paper.html", len(res.sink.Records), o.outputs.Out, o.outputs.Out)
	}
	return nil
}

// measure computes the parts.
func (o *paperOptions) measure(ctx context.Context, res *results, parts map[string]bool, stderr io.Writer) error {
	if err := res.write(currentEnvironment().record()); err != nil {
		return err
	}
	size, table := o.size()
	times := paper.TimeOptions{Size: size}
	if parts["fig4"] {
		py, err := o.interpreter(ctx)
		if err != nil {
			return err
		}
		times.Python = py
	}
	work := 0
	if parts["table1"] {
		work += table.Work()
	}
	if parts["fig4"] {
		work += paper.TimeWork(times)
	}
	bar := newProgress(stderr, work, o.quiet)
	defer bar.done()
	if parts["fig2"] {
		if err := paper.Figure2(res.emit); err != nil {
			return err
		}
	}
	if parts["fig3"] {
		if err := paper.Figure3(res.emit); err != nil {
			return err
		}
	}
	began := time.Now()
	var seeds, lines int // left out by --time
	if o.time > 0 {
		if table.Budget = o.time; parts["fig4"] {
			table.Budget = max(o.time/2, 1)
		}
		table.Left, times.Left = func() { seeds++ }, func() { lines++ }
	}
	if parts["table1"] {
		bar.say("Table 1")
		table.Done = func() { bar.step("Table 1") }
		if err := paper.Table1(ctx, table, res.emit); err != nil {
			return err
		}
	}
	if parts["fig4"] {
		times.Step = bar.step
		if o.time > 0 {
			times.Budget = max(o.time-time.Since(began), 1)
		}
		if err := paper.Times(ctx, times, res.emit); err != nil {
			return err
		}
	}
	bar.done()
	var left []string
	if seeds > 0 {
		left = append(left, fmt.Sprintf("%d of %d data sets of Table 1", seeds, table.Work()))
	}
	if lines > 0 {
		left = append(left, fmt.Sprintf("the rest of %d lines of Figure 4", lines))
	}
	if len(left) > 0 {
		fmt.Fprintf(stderr, "gcrfbc-bench: --time %v left out %s; what is finished is shown\n", o.time, strings.Join(left, " and "))
	}
	return nil
}

// interpreter finds Python with NumPy; without --python it is optional.
func (o *paperOptions) interpreter(ctx context.Context) (*authors.Python, error) {
	switch o.python {
	case "none":
		return nil, nil
	case "":
		py, err := authors.FindPython(ctx, "python3", "/usr/bin/python3")
		if errors.Is(err, authors.ErrNoPython) {
			return nil, nil
		}
		return py, err
	}
	py, err := authors.FindPython(ctx, o.python)
	if err != nil {
		return nil, usagef("--python %s: cannot import NumPy", o.python)
	}
	return py, nil
}

// printPaper prints the tables of what was finished.
func printPaper(w io.Writer, res *results, quiet bool) error {
	if list := record.Select(res.sink.Records, "paper.table1"); len(list) > 0 {
		study := report.Study(list)
		if err := printTables(w, study.Brief()...); err != nil {
			return err
		}
		if !quiet {
			if err := say(w, "%s\n", terminal.Wrap(study.Verdict(), "")); err != nil {
				return err
			}
		}
	}
	if n := len(record.Select(res.sink.Records, "paper.fig2")) + len(record.Select(res.sink.Records, "paper.fig3")); n > 0 && !quiet {
		if err := say(w, "Figures 2 and 3: %d curves, for --out FILE and gcrfbc-bench report FILE.\n", n); err != nil {
			return err
		}
	}
	points := report.TimePoints(record.Select(res.sink.Records, "paper.time"))
	return printTables(w, report.SpeedTable(points), report.ExponentBrief(points))
}

// noArguments refuses arguments where flags are meant.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasParent() {
		var names []string
		for _, c := range cmd.Commands() {
			if c.Name() != "help" {
				names = append(names, c.Name())
			}
		}
		return usagef("unknown command %q; the commands are %s", args[0], strings.Join(names, ", "))
	}
	return &usageError{fmt.Errorf("unexpected argument %q", args[0])}
}
