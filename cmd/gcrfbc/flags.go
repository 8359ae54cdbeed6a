package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/internal/hardware"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/internal/bytesize"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
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
	pictures dataio.PictureFlags

	set func(name string) bool // whether a flag was given
}

func (d *dataFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.nodes, "nodes", "", "node table: CSV with a header and one row a node, .gz too; - is stdin")
	f.StringArrayVar(&d.graphs, "graph", nil, "graph of the nodes: Matrix Market (from 1) or edge-list CSV (from 0), .gz too,\nor a symmetric matrix saved by scipy.sparse.save_npz;\nFILE,normalized divides weights by the root of both degrees; repeat for several graphs")
	f.StringVar(&d.label, "label", "", "label column of 0 and 1, or COLUMN=VALUE for that value against the rest;\n-1 and empty are missing")
	f.StringVar(&d.scores, "scores", "", "score columns, separated by commas; logits are best")
	f.StringVar(&d.npz, "npz", "", "instances: NumPy arrays R, Y, S, Si, scale, or R, Y, rgb of pictures")
	d.pictures = dataio.DefaultPictureFlags()
	f.Var(&d.pictures.Contrasts, "contrast", "pictures: how fast weights fall with the colour difference; every contrast with\nevery smoothing is a graph, whose strength is learned; 0 for no colour graph")
	f.Var(&d.pictures.Smooths, "smooth", "pictures: over how many pixels to each side colours are averaged first;\n0 leaves them as they are")
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
		add("--contrast", d.pictures.Contrasts.String())
	}
	if d.set("smooth") {
		add("--smooth", d.pictures.Smooths.String())
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
	memory  bytesize.Flag
	solver  choice
	cmax    int
	quiet   bool
}

func (c *commonFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&c.threads, "threads", 0, "threads; 0 is all cores; results do not depend on it")
	c.memory.Bytes = hardware.UsableMemory()
	f.Var(&c.memory, "memory", "refuse factors that would need more, such as 8GB; 0 is no limit")
	c.solver = choice{value: string(infer.SolverAuto), of: []string{"auto", "exact", "partial"}}
	f.Var(&c.solver, "solver", "factor of large graphs: exact; partial: exact elimination up to degree --cmax, the rest\napproximately; auto: exact where that is affordable")
	f.IntVar(&c.cmax, "cmax", 0, "partial: degree up to which nodes are eliminated exactly; 0 is 16,\nand 4 for graphs of millions of edges")
	f.BoolVar(&c.quiet, "quiet", false, "no progress, no notes, no summary")
}

// addModelFlags are those of the commands that use a model.
func addModelFlags(cmd *cobra.Command, model, observed *string) {
	cmd.Flags().StringVar(model, "model", "", "model file written by fit")
	cmd.Flags().StringVar(observed, "observed", "", "rows whose labels predictions may use, as COLUMN=VALUE (default none)")
}

// addOn is the flag of the commands that score predictions.
func addOn(cmd *cobra.Command, on *string) {
	cmd.Flags().StringVar(on, "on", "", "rows to score, as COLUMN=VALUE (default all labelled rows not observed)")
}

// predictOptions are what the flags say about predictions.
func (c *commonFlags) predictOptions() infer.PredictOptions {
	return infer.PredictOptions{Threads: c.threads, MaxBytes: c.memory.Bytes, Solver: infer.Solver(c.solver.value), Cmax: c.cmax}
}

func (c *commonFlags) check() error {
	if c.threads < 0 {
		return usagef("--threads %d: want a positive number, or 0 for all cores", c.threads)
	}
	if c.cmax < 0 {
		return usagef("--cmax %d: want a degree, or 0 for the default", c.cmax)
	}
	return nil
}

// learnFlags are those of fitting.
type learnFlags struct {
	variant, approx, optimizer, se choice
	mean                           meanFlag
	prior                          priorFlag
	joint                          bool
	recalibrate                    choice
	maxEvaluations                 int
	timeLimit                      time.Duration
	checkpoint                     string
	every                          time.Duration
	resume                         bool
}

func (l *learnFlags) add(cmd *cobra.Command) {
	l.variant = choice{value: string(learn.AutoVariant), of: []string{"auto", "b", "nb"}}
	l.approx = choice{of: []string{"ep", "jj", "laplace"}}
	l.mean.value = learn.AutoMean
	l.optimizer = choice{value: string(learn.LBFGSB), of: []string{"lbfgsb", "tnc", "sqp", "gradient"}}
	l.se = choice{value: "auto", of: []string{"auto", "yes", "no"}}
	f := cmd.Flags()
	f.Var(&l.variant, "variant", "b: Bayesian, the latent field integrated out; nb: the field at its mean;\nauto: b, but nb where every node has a label and b predicts single nodes clearly worse, or takes long")
	f.Var(&l.approx, "approx", "approximation of log p(labels) for b: ep, jj (the paper's bound) or laplace (default ep, jj with --joint)")
	f.Var(&l.mean, "mean", "calibrated: gain, bias and direct weights learned; paper: without them;\nor what to learn, such as gain,bias or gain=0,bias,direct;\nauto: calibrated, or the simpler bias,direct or paper where that is as good by its evidence")
	f.Var(&l.prior, "prior", "default: gain and direct weights held softly beyond 10 logits a standard deviation;\nnone; or Gaussians as KIND=MEAN:SD of alpha and beta (of the logarithm), gain and direct,\nsuch as alpha=0:3,beta=0:3")
	f.Var(&l.optimizer, "optimizer", "lbfgsb, tnc, sqp or gradient")
	f.Var(&l.se, "se", "standard errors of the parameters, two evaluations each; auto: if they are cheap")
	f.Lookup("se").NoOptDefVal = "yes"
	l.recalibrate = choice{value: "auto", of: []string{"auto", "no"}}
	f.Var(&l.recalibrate, "recalibrate", "b with ep, some nodes without label: correct probabilities by a monotone map, learned from\npredictions of every training label from the others; auto: where that is worth it")
	f.BoolVar(&l.joint, "joint", false, "optimise over all variational parameters together, as the paper does (b with jj)")
	f.IntVar(&l.maxEvaluations, "max-evaluations", 0, "end after so many values and gradients, with the best so far; 0 is 1000 a start")
	f.StringVar(&l.checkpoint, "checkpoint", "", "file that keeps the state of the fit, written now and then and at its end")
	f.DurationVar(&l.every, "checkpoint-every", time.Minute, "time between checkpoints")
	f.BoolVar(&l.resume, "resume", false, "continue the fit whose state is in --checkpoint, to the same bits; give the same\ndata and options; without such a file the fit starts")
	f.DurationVar(&l.timeLimit, "time-limit", 0, "end after this time, such as 90s or 2h, with the best so far; 0 is no limit")
}

func (l *learnFlags) options(c *commonFlags) (learn.Options, error) {
	if l.maxEvaluations < 0 {
		return learn.Options{}, usagef("--max-evaluations %d: want a positive number, or 0 for the default", l.maxEvaluations)
	}
	if l.timeLimit < 0 {
		return learn.Options{}, usagef("--time-limit %v: want a positive time, or 0 for none", l.timeLimit)
	}
	if l.joint && (l.variant.value == "nb" || l.approx.value != "" && l.approx.value != "jj") {
		return learn.Options{}, usagef("--joint is the paper's problem; it needs --variant b and --approx jj")
	}
	if l.resume && l.checkpoint == "" {
		return learn.Options{}, usagef("--resume continues what a --checkpoint FILE holds; name that file")
	}
	if l.every <= 0 {
		return learn.Options{}, usagef("--checkpoint-every %v: want a positive time", l.every)
	}
	o := learn.Options{
		Variant: gcrfbc.Variant(l.variant.value), Approx: gcrfbc.Approx(l.approx.value), Mean: l.mean.value, Prior: l.prior.prior,
		Optimizer: learn.Optimizer(l.optimizer.value), Joint: l.joint, Threads: c.threads, MaxBytes: c.memory.Bytes, Solver: infer.Solver(c.solver.value), Cmax: c.cmax,
		MaxEvaluations: l.maxEvaluations, TimeLimit: l.timeLimit, NoRecalibration: l.recalibrate.value == "no",
		StandardErrors: map[string]learn.StandardErrors{"auto": learn.CheapStandardErrors, "yes": learn.AlwaysStandardErrors}[l.se.value],
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

// meanFlag is a form of the mean.
type meanFlag struct{ value gcrfbc.Mean }

func (m *meanFlag) String() string { return string(m.value) }
func (m *meanFlag) Type() string   { return "auto|calibrated|paper|LIST" }
func (m *meanFlag) Set(s string) (err error) {
	if s == string(learn.AutoMean) {
		m.value = learn.AutoMean
		return nil
	}
	if m.value, err = gcrfbc.ParseMean(s); err != nil {
		return fmt.Errorf("want auto, calibrated, paper, or some of gain (or gain=NUMBER), bias, direct, separated by commas")
	}
	return nil
}

// priorFlag is a prior; nil is the default one.
type priorFlag struct {
	text  string
	prior *learn.Prior
}

func (p *priorFlag) String() string {
	if p.text == "" {
		return "default"
	}
	return p.text
}
func (p *priorFlag) Type() string { return "default|none|LIST" }
func (p *priorFlag) Set(s string) error {
	p.text, p.prior = s, nil
	if s == "default" {
		return nil
	}
	prior := &learn.Prior{}
	if s != "none" {
		prior = learn.DefaultPrior()
		kinds := map[string]*learn.Normal{"alpha": &prior.LogAlpha, "beta": &prior.LogBeta, "gain": &prior.Gain, "direct": &prior.Direct}
		for part := range strings.SplitSeq(s, ",") {
			kind, numbers, _ := strings.Cut(strings.TrimSpace(part), "=")
			mean, sd, _ := strings.Cut(numbers, ":")
			n := kinds[kind]
			if n == nil {
				return fmt.Errorf("want default, none, or some of alpha, beta, gain and direct as KIND=MEAN:SD, not %q", part)
			}
			*n = learn.Normal{}
			var err1, err2 error
			n.Mean, err1 = strconv.ParseFloat(mean, 64)
			n.SD, err2 = strconv.ParseFloat(sd, 64)
			if err1 != nil || err2 != nil || !(n.SD > 1e-100) || math.IsInf(n.SD, 0) || math.IsNaN(n.Mean) || math.IsInf(n.Mean, 0) {
				return fmt.Errorf("want a mean and a positive standard deviation, as in %s=0:3, not %q", pick(kind == "", "alpha", kind), part)
			}
		}
	}
	p.prior = prior
	return nil
}
