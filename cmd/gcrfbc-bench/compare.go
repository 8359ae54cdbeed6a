package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

const comparedMatrices = "rgg:200000:8,grid2d:300,grid2d:1000,ba:20000:2,grid3d:40,grid3d:64"

type compareOptions struct {
	peers, matrices, threads, format string
	rounds                           int
	build, quick, all                bool
}

func compareCommand(stdout, stderr io.Writer) *cobra.Command {
	var o compareOptions
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Measure our solver beside others in one run, and print the ratios",
		Long: `compare runs the programs that measure other solvers (CHOLMOD, Eigen, and a
selected inverse composed from CHOLMOD's factor and OpenBLAS) and ours in turn on
the same matrices, and prints their time divided by ours: the best of the others,
each with AMD and METIS, against ours with its automatic ordering. Beside the times
stand our own speed-up with more threads, what log-determinants, traces of the
inverse and residuals have in common, memory, the orderings for themselves, and the
dense product of order 1024 with AVX-512 and AVX2.

With the matrices that are given by default it takes about 25 minutes on two
idle cores, with --quick about half of that.

Their sources are in cmd/gcrfbc-bench/peers and inside this program. --build makes
them in a temporary copy; it needs make, a C compiler and the libraries that
peers/README.md names. Without it --peers names the directory where they are
built. A program that is missing or fails is reported and left out.

The ratios at one thread are of CPU seconds, which other load disturbs least,
those at several threads of wall time. Every program runs with OPENBLAS_CORETYPE
and OPENBLAS_L2_SIZE unset, OMP_THREAD_LIMIT=1 and OPENBLAS_NUM_THREADS as the
number of threads: the settings in which the others are fastest.`,
		Example: `  gcrfbc-bench compare --build
  gcrfbc-bench compare --peers peers --matrix grid2d:300,mesh.mtx.gz --rounds 3 --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return compare(cmd.Context(), o, stdout, stderr) },
	}
	f := cmd.Flags()
	f.StringVar(&o.peers, "peers", "", "directory of the other solvers' programs; with --build, of their sources (default: those inside this program)")
	f.StringVar(&o.matrices, "matrix", comparedMatrices, "matrices, separated by commas, as in gcrfbc-bench solver")
	f.StringVar(&o.threads, "threads", "1,2", "numbers of threads, separated by commas")
	f.StringVar(&o.format, "format", "text", "text, markdown or json")
	f.IntVar(&o.rounds, "rounds", 1, "how often to measure everything; ratios are medians over the rounds")
	f.BoolVar(&o.build, "build", false, "build the other solvers' programs first")
	f.BoolVar(&o.quick, "quick", false, "few runs of each phase")
	f.BoolVar(&o.all, "all", false, "also CHOLMOD's simplicial mode and MUMPS")
	return cmd
}

// parseThreads reads a list of numbers of threads of at least lowest.
func parseThreads(list string, lowest int) ([]int, error) {
	var threads []int
	for f := range strings.SplitSeq(list, ",") {
		t, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil || t < lowest || t > 1<<16 {
			return nil, usagef("--threads %s: %q is not a number of threads; write 1,2", list, f)
		}
		threads = append(threads, t)
	}
	return threads, nil
}

// compare measures all matrices in rounds and prints the report, also of what was
// finished when ctx ended.
func compare(ctx context.Context, o compareOptions, stdout, stderr io.Writer) error {
	threads, err := parseThreads(o.threads, 1)
	if err != nil {
		return err
	}
	slices.Sort(threads)
	threads = slices.Compact(threads)
	if !slices.Contains([]string{"text", "markdown", "json"}, o.format) {
		return usagef("--format %q is none of text, markdown, json", o.format)
	}
	if o.rounds < 1 || o.rounds > 1000 {
		return usagef("--rounds %d: at least 1, at most 1000", o.rounds)
	}
	if o.peers == "" && !o.build {
		return usagef("--peers DIR or --build is needed: where the other solvers' programs are, or that they be built")
	}
	if o.peers != "" {
		if info, err := os.Stat(o.peers); err != nil {
			return fmt.Errorf("--peers: %w", err)
		} else if !info.IsDir() {
			return usagef("--peers %s is not a directory", o.peers)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := &comparison{options: o, self: self, dir: o.peers, threads: threads, env: currentEnvironment(), stderr: stderr}
	if o.build {
		c.progress("building the other solvers' programs")
		built, complaint, err := buildPeers(ctx, o.peers, c.programNames())
		if built != "" {
			defer os.RemoveAll(built)
		}
		if err != nil {
			return err
		}
		c.dir = built
		if complaint != "" {
			c.failed("make", complaint)
		}
	}
	scratch, err := os.MkdirTemp("", "gcrfbc-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	for spec := range strings.SplitSeq(o.matrices, ",") {
		t, err := newTarget(strings.TrimSpace(spec), scratch, len(c.targets))
		if err != nil {
			return err
		}
		c.targets = append(c.targets, t)
	}
	for round := range o.rounds {
		for _, t := range c.targets {
			t.rounds = append(t.rounds, nil)
			c.measure(ctx, t, round)
		}
	}
	for round := range o.rounds {
		c.multiply(ctx, round)
	}
	c.env.LoadEnd = load()
	if err := c.report(ctx.Err() == nil).write(stdout, o.format); err != nil {
		return &record.WriteError{File: "standard output", Err: err}
	}
	return ctx.Err()
}

// target is a matrix and what was measured with it, by round.
type target struct {
	name   string
	spec   string // what the programs are given: name, or a plain copy of a file
	n, nnz int
	rounds [][]reading
}

// newTarget checks a specification. A matrix from a file is written out as the
// engine reads it, so that all programs get the same one: those of the peers know
// neither gzip nor graphs.
func newTarget(spec, scratch string, number int) (*target, error) {
	m, err := generate(spec)
	if err != nil {
		return nil, err
	}
	t := &target{name: spec, spec: spec, n: m.n, nnz: m.a.Pattern().NNZ()}
	if !strings.Contains(spec, ".mtx") {
		return t, nil
	}
	t.spec = filepath.Join(scratch, fmt.Sprintf("%d.mtx", number))
	f, err := os.Create(t.spec)
	if err != nil {
		return nil, err
	}
	if err := sparse.WriteMatrixMarket(f, m.a); err != nil {
		f.Close()
		return nil, err
	}
	return t, f.Close()
}

// comparison is the state of a run.
type comparison struct {
	options  compareOptions
	self     string
	dir      string
	threads  []int
	env      environment
	targets  []*target
	dense    [][]reading // of the dense product, by round
	failures []failure
	stderr   io.Writer
}

// failure is a program that could not be measured.
type failure struct {
	Program string `json:"program"`
	Matrix  string `json:"matrix,omitempty"`
	Message string `json:"message"`
}

func (c *comparison) failed(program, message string) { c.failedOn(program, "", message) }

func (c *comparison) failedOn(program, matrix, message string) {
	f := failure{Program: program, Matrix: matrix, Message: message}
	if !slices.Contains(c.failures, f) {
		c.failures = append(c.failures, f)
	}
}

// progress tells a person who watches what is going on.
func (c *comparison) progress(format string, args ...any) {
	if f, ok := c.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(f, format+"\n", args...)
	}
}

// programs lists the peers' programs to run.
func (c *comparison) programs() []peerProgram {
	return slices.DeleteFunc(slices.Clone(peerPrograms), func(p peerProgram) bool { return p.extra && !c.options.all })
}

func (c *comparison) programNames() []string {
	var names []string
	for _, p := range c.programs() {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return append(names, densePeer)
}

const ourLabel = "gcrfbc"

// measure runs all programs on a matrix, ours and the others' in turn for each
// number of threads.
func (c *comparison) measure(ctx context.Context, t *target, round int) {
	for k, threads := range c.threads {
		c.ours(ctx, t, round, threads, "auto")
		for _, p := range c.programs() {
			if k > 0 && !p.threaded { // measured with the first number of threads
				continue
			}
			if p.orders == nil {
				c.peer(ctx, t, round, threads, p, "")
			}
			for _, order := range p.orders {
				c.peer(ctx, t, round, threads, p, order)
			}
		}
	}
	if round == 0 && slices.ContainsFunc(t.rounds[0], func(r reading) bool { return r.Program == "peer_amd_metis" }) {
		c.ours(ctx, t, round, 1, "amd")
		c.ours(ctx, t, round, 1, "nd")
	}
}

// ours measures the engine in a process of its own: its memory and CPU clocks
// then count nothing else. Orderings other than auto are for the comparison of
// orderings.
func (c *comparison) ours(ctx context.Context, t *target, round, threads int, order string) {
	args := []string{"solver", "--matrix", t.spec, "--threads", strconv.Itoa(threads), "--order", order, "--json"}
	if c.options.quick || order != "auto" {
		args = append(args, "--quick")
	}
	program := ourLabel
	if order != "auto" {
		program += " ordering"
	}
	c.take(ctx, t, round, reading{Label: ourLabel, Program: program, Threads: threads, phases: phaseKeys()}, c.self, args)
}

func (c *comparison) peer(ctx context.Context, t *target, round, threads int, p peerProgram, order string) {
	path, err := find(c.dir, p.name)
	if err != nil {
		c.failed(p.name, err.Error())
		return
	}
	args := append([]string{"--matrix", t.spec}, p.args...)
	if order != "" {
		args = append(args, "--order", order)
	}
	if c.options.quick {
		args = append(args, p.quick...)
	}
	like := reading{Label: p.label, Program: p.name, Threads: threads, phases: p.phases}
	if !p.threaded {
		like.Threads = 0
	}
	c.take(ctx, t, round, like, path, args)
}

// take runs a program and keeps its results, described like the reading given.
func (c *comparison) take(ctx context.Context, t *target, round int, like reading, path string, args []string) {
	if ctx.Err() != nil {
		return
	}
	c.progress("round %d/%d  %s  %s", round+1, c.options.rounds, like.Program, strings.Join(args, " "))
	list, err := execute(ctx, peerEnvironment(max(1, like.Threads)), path, args...)
	if err != nil && ctx.Err() == nil {
		c.failedOn(like.Program, t.name, err.Error())
	}
	for _, r := range list {
		if why := r.words["skipped"]; why != "" {
			continue
		}
		r.Label, r.Program, r.Threads, r.phases = like.Label, like.Program, like.Threads, like.phases
		for k, v := range r.words {
			if strings.HasSuffix(k, "_version") {
				c.env.Peers[strings.TrimSuffix(k, "_version")] = v
			}
		}
		t.rounds[round] = append(t.rounds[round], r)
	}
}

// runRecord is a reading in the JSON report.
type runRecord struct {
	Round   int             `json:"round"`
	Program string          `json:"program"`
	Threads int             `json:"threads,omitempty"`
	Result  json.RawMessage `json:"result"`
}
