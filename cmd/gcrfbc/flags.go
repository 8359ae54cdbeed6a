package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/spf13/cobra"
)

// dataFlags say where the data are.
type dataFlags struct {
	nodes    string
	graphs   []string
	label    string
	scores   string
	npz      string
	contrast float64

	set func(name string) bool // whether a flag was given
}

func (d *dataFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.nodes, "nodes", "", "node table: CSV with a header and one row a node, .gz too; - is stdin")
	f.StringArrayVar(&d.graphs, "graph", nil, "graph of the nodes: Matrix Market (from 1) or edge-list CSV (from 0), .gz too,\nor a symmetric matrix saved by scipy.sparse.save_npz;\nFILE,normalized divides weights by the root of both degrees; repeat for several graphs")
	f.StringVar(&d.label, "label", "", "label column of 0 and 1, or COLUMN=VALUE for that value against the rest;\n-1 and empty are missing")
	f.StringVar(&d.scores, "scores", "", "score columns, separated by commas; logits are best")
	f.StringVar(&d.npz, "npz", "", "instances: NumPy arrays R, Y, S, Si, scale, or R, Y, rgb of pictures")
	f.Float64Var(&d.contrast, "contrast", 4, "pictures: how fast weights fall with the colour difference;\n0 leaves the colour graph out")
	d.set = f.Changed
}

// args returns the flags again as they could be typed, for suggestions.
func (d *dataFlags) args() string {
	var b strings.Builder
	add := func(flag, value string) {
		if value != "" {
			fmt.Fprintf(&b, " %s %s", flag, quote(value))
		}
	}
	add("--nodes", d.nodes)
	for _, g := range d.graphs {
		add("--graph", g)
	}
	add("--label", d.label)
	add("--scores", d.scores)
	add("--npz", d.npz)
	if d.set("contrast") {
		add("--contrast", fmt.Sprint(d.contrast))
	}
	return b.String()
}

func quote(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,=:@%", r)
	}) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

// commonFlags are those of every command.
type commonFlags struct {
	threads int
	memory  memoryFlag
	quiet   bool
}

func (c *commonFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&c.threads, "threads", 0, "threads; 0 is all cores; results do not depend on it")
	c.memory.bytes = defaultMemory()
	f.Var(&c.memory, "memory", "refuse factors that would need more, such as 8GB; 0 is no limit")
	f.BoolVar(&c.quiet, "quiet", false, "no progress, no notes, no summary")
}

func (c *commonFlags) check() error {
	if c.threads < 0 {
		return usagef("--threads %d: want a positive number, or 0 for all cores", c.threads)
	}
	return nil
}

// learnFlags are those of fitting.
type learnFlags struct {
	variant, approx, mean, optimizer choice
	joint                            bool
	maxEvaluations                   int
	timeLimit                        time.Duration
}

func (l *learnFlags) add(cmd *cobra.Command) {
	l.variant = choice{value: string(gcrfbc.Bayesian), of: []string{"b", "nb"}}
	l.approx = choice{of: []string{"ep", "jj", "laplace"}}
	l.mean = choice{value: string(gcrfbc.CalibratedMean), of: []string{"calibrated", "paper"}}
	l.optimizer = choice{value: string(learn.LBFGSB), of: []string{"lbfgsb", "tnc", "sqp", "gradient"}}
	f := cmd.Flags()
	f.Var(&l.variant, "variant", "b: Bayesian, the latent field integrated out; nb: the field at its mean")
	f.Var(&l.approx, "approx", "approximation of log p(labels) for b: ep, jj (the paper's bound) or laplace (default ep, jj with --joint)")
	f.Var(&l.mean, "mean", "calibrated: gain, bias and direct weights learned; paper: without them")
	f.Var(&l.optimizer, "optimizer", "lbfgsb, tnc, sqp or gradient")
	f.BoolVar(&l.joint, "joint", false, "optimise over all variational parameters together, as the paper does (b with jj)")
	f.IntVar(&l.maxEvaluations, "max-evaluations", 0, "end after so many values and gradients, with the best so far; 0 is 1000 a start")
	f.DurationVar(&l.timeLimit, "time-limit", 0, "end after this time, such as 90s or 2h, with the best so far; 0 is no limit")
}

func (l *learnFlags) options(c *commonFlags) (learn.Options, error) {
	if l.maxEvaluations < 0 {
		return learn.Options{}, usagef("--max-evaluations %d: want a positive number, or 0 for the default", l.maxEvaluations)
	}
	if l.timeLimit < 0 {
		return learn.Options{}, usagef("--time-limit %v: want a positive time, or 0 for none", l.timeLimit)
	}
	if l.joint && (l.variant.value != "b" || l.approx.value != "" && l.approx.value != "jj") {
		return learn.Options{}, usagef("--joint is the paper's problem; it needs --variant b and --approx jj")
	}
	o := learn.Options{
		Variant: gcrfbc.Variant(l.variant.value), Approx: gcrfbc.Approx(l.approx.value), Mean: gcrfbc.Mean(l.mean.value),
		Optimizer: learn.Optimizer(l.optimizer.value), Joint: l.joint, Threads: c.threads, MaxBytes: c.memory.bytes,
		MaxEvaluations: l.maxEvaluations, TimeLimit: l.timeLimit,
	}
	return o, nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.of, "|") }
func (c *choice) Set(s string) error {
	if !slices.Contains(c.of, s) {
		return fmt.Errorf("want %s", strings.Join(c.of, ", "))
	}
	c.value = s
	return nil
}
