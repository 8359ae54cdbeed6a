package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/ceiling"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/hardware"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/internal/bytesize"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/spf13/cobra"
)

// axis is what a scaling study varies, with its default range.
type axis struct {
	from, to float64
	points   int
	about    string
}

var axes = map[string]axis{
	"n":       {1e3, 1e5, 5, "nodes of an instance"},
	"m":       {10, 1e4, 4, "instances"},
	"edges":   {1, 8, 4, "edges per node"},
	"k":       {1, 64, 4, "predictors"},
	"l":       {1, 16, 5, "graphs"},
	"threads": {1, 0, 0, "threads: 1, 2, 4, … up to all cores"},
}

type scaleOptions struct {
	vary, family, matrix   string
	table                  tableData
	npz                    string
	pictures               dataio.PictureFlags
	from, to               float64
	points                 int
	n, m, edges            float64
	k, l, threads          int
	variants, approx, what string
	solver                 string
	cmax                   int
	time                   time.Duration
	memory                 bytesize.Flag
	quiet                  bool
	outputs                record.Outputs
}

func scaleCommand(stdout, stderr io.Writer) *cobra.Command {
	o := scaleOptions{memory: bytesize.Flag{Bytes: hardware.UsableMemory()}}
	cmd := &cobra.Command{
		Use:   "scale",
		Short: "Time and memory against the size of the problem",
		Long: `scale measures how time and memory grow with the number of nodes (n), instances
(m), edges per node, predictors (k), graphs (l) or threads:

  evaluate    one value of the objective and its gradient, which learning repeats
  fit         a whole fit from cold
  predict     probabilities of all nodes
  posterior   the same given the labels of every second node

for GCRFBCb (b) and GCRFBCnb (nb), on generated families of graphs

` + familyHelp() + `
on the graph of a matrix (--matrix, as in gcrfbc-bench solver), on a node table, or on
the pictures or instances of an .npz file, of which the first m are taken.
Times are medians of repeated runs; cold includes the analysis of the graphs and all
memory new. Peak memory is that of the process during the measurement, data included.
Operations are counted, not measured; their rate is compared with the multiply-adds
that this machine reaches on as many threads. Time is fitted by c·x^e, and e is
printed with its 95 % interval.

--time and --memory bound the study: a point that would not fit is not begun, and
what was finished is reported.`,
		Example: `  gcrfbc-bench scale --vary n --family grid --from 1e3 --to 1e6 --points 7 --time 2m
  gcrfbc-bench scale --vary m --n 20 --to 1e5 --what evaluate,fit --approx jj
  gcrfbc-bench scale --vary threads --family geometric --n 200000 --what evaluate
  gcrfbc-bench scale --vary edges --family power-law --n 5000 --memory 4GB --out scale.jsonl
  gcrfbc-bench scale --matrix mesh.mtx.gz --vary threads
  gcrfbc-bench scale --nodes nodes.csv.gz --graph graph.mtx.gz --label class=1 --scores lr_1,nb_1
  gcrfbc-bench scale --npz pictures.npz --what evaluate,predict --time 5m`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.command(cmd.Context(), stdout, stderr) },
	}
	f := cmd.Flags()
	f.StringVar(&o.vary, "vary", "", "n, m, edges, k, l or threads (default n; threads where the graph is given,\nm with --npz)")
	f.StringVar(&o.family, "family", "grid", familyNames())
	f.StringVar(&o.matrix, "matrix", "", "the graph of a matrix instead of a family: a specification or a .mtx file")
	f.StringVar(&o.table.nodes, "nodes", "", "a node table instead of a family; with --graph, --label and --scores as in gcrfbc fit")
	f.StringArrayVar(&o.table.graphs, "graph", nil, "graph of the node table; repeat for several")
	f.StringVar(&o.table.label, "label", "", "label column of the node table, or COLUMN=VALUE")
	f.StringVar(&o.table.scores, "scores", "", "score columns of the node table, separated by commas")
	f.StringVar(&o.npz, "npz", "", "pictures or instances instead of a family: arrays R, Y, … as in gcrfbc fit")
	o.pictures = dataio.DefaultPictureFlags()
	f.Var(&o.pictures.Contrasts, "contrast", "--npz with colours: how fast weights fall with the difference; 0: no colour graph")
	f.Var(&o.pictures.Smooths, "smooth", "--npz with colours: over how many pixels to each side they are averaged first")
	f.Float64Var(&o.from, "from", 0, "first value of what is varied (default depends on it)")
	f.Float64Var(&o.to, "to", 0, "last value of what is varied")
	f.IntVar(&o.points, "points", 0, "number of values, evenly spaced by ratio")
	f.Float64Var(&o.n, "n", 0, "nodes (default 10000; 100 with --vary m)")
	f.Float64Var(&o.m, "m", 1, "instances")
	f.Float64Var(&o.edges, "edges", 0, "edges per node (default of the family)")
	f.IntVar(&o.k, "k", 2, "predictors")
	f.IntVar(&o.l, "l", 1, "graphs; beyond the first, its edges with other weights")
	f.IntVar(&o.threads, "threads", 0, "threads; 0 is all cores")
	f.StringVar(&o.variants, "variant", "b,nb", "variants of the model, separated by commas")
	f.StringVar(&o.approx, "approx", "ep", "approximation for b: ep, jj or laplace")
	f.StringVar(&o.solver, "solver", "auto", "factor of large graphs: auto, exact or partial")
	f.IntVar(&o.cmax, "cmax", 0, "partial: degree up to which nodes are eliminated exactly; 0 is the default")
	f.StringVar(&o.what, "what", "evaluate,fit,predict", "quantities, separated by commas")
	f.DurationVar(&o.time, "time", 60*time.Second, "end after this time with what is finished; 0 is no limit")
	f.Var(&o.memory, "memory", "end before more memory would be needed, such as 4GB; 0 is no limit")
	f.BoolVar(&o.quiet, "quiet", false, "no progress")
	o.outputs.Register(f)
	return cmd
}

func familyHelp() string {
	var b strings.Builder
	for _, f := range families {
		fmt.Fprintf(&b, "  %-11s %s\n", f.name, f.about)
	}
	return b.String()
}

func (o *scaleOptions) command(ctx context.Context, stdout, stderr io.Writer) error {
	st, err := o.study()
	if err != nil {
		return err
	}
	res, err := openResults(o.outputs, stdout)
	if err != nil {
		return err
	}
	err = res.write(currentEnvironment().record())
	if err == nil {
		err = st.run(ctx, res, stderr, o.quiet)
	}
	err = res.close(err)
	interrupted := ctx.Err() != nil
	if finished := len(record.Select(res.sink.Records, "scale")) > 0; !o.outputs.JSON && (finished || err == nil) {
		if e := printScale(stdout, res.sink.Records); err == nil {
			err = e
		}
	}
	if interrupted {
		return &interruptedError{"interrupted: " + res.kept()}
	}
	return err
}

// words splits a list of flags' words and checks them.
func words(flag, list string, known []string) ([]string, error) {
	var out []string
	for w := range strings.SplitSeq(list, ",") {
		if w = strings.TrimSpace(w); !slices.Contains(known, w) {
			return nil, usagef("--%s %s: %q is none of %s", flag, list, w, strings.Join(known, ", "))
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out, nil
}

// study checks the options and plans the points.
func (o *scaleOptions) study() (*study, error) {
	st := &study{solver: infer.Solver(o.solver), cmax: o.cmax, approx: gcrfbc.Approx(o.approx), limit: o.time, memory: o.memory.Bytes}
	if _, err := words("approx", o.approx, []string{"ep", "jj", "laplace"}); err != nil || strings.Contains(o.approx, ",") {
		return nil, usagef("--approx %q is none of ep, jj, laplace", o.approx)
	}
	var err error
	if st.variants, err = words("variant", o.variants, []string{"b", "nb"}); err != nil {
		return nil, err
	}
	if st.quantities, err = words("what", o.what, []string{"evaluate", "fit", "predict", "posterior"}); err != nil {
		return nil, err
	}
	switch {
	case o.matrix != "" && o.table.nodes != "", o.npz != "" && (o.matrix != "" || o.table.nodes != ""):
		return nil, usagef("--matrix, --nodes and --npz exclude each other")
	case o.table.nodes == "" && (len(o.table.graphs) > 0 || o.table.label != "" || o.table.scores != ""):
		return nil, usagef("--graph, --label and --scores belong to a node table: give --nodes")
	case o.time < 0:
		return nil, usagef("--time %v: want a positive time, or 0 for no limit", o.time)
	}
	if st.family, err = familyNamed(o.family); err != nil {
		return nil, err
	}
	st.vary = o.vary
	base := shape{n: int(o.n), m: int(o.m), k: o.k, l: o.l, edges: o.edges, threads: o.threads}
	fixed := []string{} // what cannot be varied
	switch {
	case o.matrix != "":
		if st.family, err = given(o.matrix); err != nil {
			return nil, err
		}
		g, err := st.family.graph(base)
		if err != nil {
			return nil, err
		}
		base.n, fixed = g.N(), []string{"n", "edges"}
	case o.table.nodes != "":
		if st.table, err = o.table.load(); err != nil {
			return nil, err
		}
		st.family = &family{name: o.table.nodes}
		base.n, base.k, base.l = st.table.Instances[0].N(), st.table.K, st.table.NumGraphs()
		fixed = []string{"n", "edges", "k", "l"}
	case o.npz != "":
		if st.table, err = instances(o.npz, o.pictures.Options()); err != nil {
			return nil, err
		}
		st.family = &family{name: o.npz}
		base.n, base.k, base.l = st.table.Instances[0].N(), st.table.K, st.table.NumGraphs()
		fixed = []string{"n", "edges", "k", "l"}
		if st.vary == "" {
			st.vary = "m"
		}
		if st.vary == "m" && o.from == 0 {
			o.from = 1
		}
		if st.vary == "m" && o.to == 0 {
			o.to = max(o.from, float64(len(st.table.Instances)))
		}
	case st.family.pictures:
		base.l, fixed = 2, []string{"edges", "l"}
	case st.family.edges == 0:
		fixed = []string{"edges"}
	}
	if st.vary == "" {
		if st.vary = "n"; slices.Contains(fixed, "n") {
			st.vary = "threads"
		}
	}
	ax, ok := axes[st.vary]
	if !ok {
		return nil, usagef("--vary %q is none of %s", st.vary, strings.Join(slices.Sorted(maps.Keys(axes)), ", "))
	}
	if slices.Contains(fixed, st.vary) {
		return nil, usagef("--vary %s: %s of %s cannot be varied", st.vary, ax.about, st.family.name)
	}
	if base.n == 0 {
		if base.n = 10000; st.vary == "m" || st.family.pictures {
			base.n = 100
		}
	}
	if base.edges == 0 {
		base.edges = st.family.edges
	}
	if base.threads == 0 {
		base.threads = runtime.GOMAXPROCS(0)
	}
	for _, c := range []struct {
		flag string
		v    float64
	}{{"n", float64(base.n)}, {"m", o.m}, {"k", float64(base.k)}, {"l", float64(base.l)}, {"threads", float64(base.threads)}} {
		if !(c.v >= 1 && c.v <= 1<<30) && !(c.flag == "l" && st.table != nil) {
			return nil, usagef("--%s %g: want a number from 1 to 2³⁰", c.flag, c.v)
		}
	}
	if !(base.edges >= 0 && base.edges < 1000) {
		return nil, usagef("--edges %g: want a positive number below 1000", base.edges)
	}
	return st, o.plan(st, ax, base)
}

// plan lays out the points.
func (o *scaleOptions) plan(st *study, ax axis, base shape) error {
	if o.from != 0 {
		ax.from = o.from
	}
	if o.to != 0 {
		ax.to = o.to
	}
	if o.points != 0 {
		ax.points = o.points
	}
	if o.from != 0 && o.to == 0 && ax.to < ax.from && st.vary != "threads" {
		ax.to = 100 * ax.from
	}
	var values []float64
	switch {
	case st.vary == "threads" && o.points == 0:
		if o.to == 0 {
			ax.to = float64(runtime.GOMAXPROCS(0))
		}
		for t := ax.from; t < ax.to; t *= 2 {
			values = append(values, t)
		}
		values = append(values, ax.to)
	default:
		if ax.points < 1 || ax.points > 1000 {
			return usagef("--points %d: want a number from 1 to 1000", ax.points)
		}
		for i := range ax.points {
			f := 0.0
			if ax.points > 1 {
				f = float64(i) / float64(ax.points-1)
			}
			values = append(values, ax.from*math.Pow(ax.to/ax.from, f))
		}
	}
	if !(ax.from > 0) || !(ax.to >= ax.from) || ax.to > 1<<30 {
		return usagef("--from %g --to %g: want 0 < from ≤ to ≤ 2³⁰", ax.from, ax.to)
	}
	for _, v := range values {
		s := base
		whole := max(1, int(math.Round(v)))
		switch st.vary {
		case "n":
			s.n = whole
		case "m":
			s.m = whole
		case "edges":
			s.edges = math.Round(10*v) / 10
		case "k":
			s.k = whole
		case "l":
			s.l = whole
		case "threads":
			s.threads = whole
		}
		if len(st.points) == 0 || st.points[len(st.points)-1] != s {
			st.points = append(st.points, s)
		}
	}
	return nil
}

// study is a planned scaling study.
type study struct {
	vary       string
	family     *family
	table      *gcrfbc.Dataset // of a node table or an .npz file, or nil
	points     []shape
	variants   []string
	quantities []string
	approx     gcrfbc.Approx
	solver     infer.Solver
	cmax       int
	limit      time.Duration
	memory     int64

	curves map[[2]string]*curve // by quantity and variant
	peaks  map[int]float64      // by threads, 10⁹ operations a second
	ops    *infer.Operations    // of the data set at hand, once known
}

// curve is what was measured of one quantity and variant, and why no more.
type curve struct {
	x, seconds []float64 // of the least number of runs
	stopped    bool
}

// next predicts the seconds of the measurement at x from the last ones.
func (c *curve) next(x float64) float64 {
	n := len(c.x)
	if n == 0 {
		return 0
	}
	e := 1.0
	if n > 1 && c.x[n-1] > c.x[n-2] {
		e = math.Log(c.seconds[n-1]/c.seconds[n-2]) / math.Log(c.x[n-1]/c.x[n-2])
	}
	return c.seconds[n-1] * math.Pow(x/c.x[n-1], min(max(e, 0), 4))
}

// position returns the value of the varied size in a record.
func (st *study) position(r record.Record) float64 {
	key := st.vary
	if key == "edges" {
		key = "edges_per_node"
	}
	x, _ := r.Float(key)
	return x
}

// wanted returns the value of the varied size that is asked for.
func (st *study) wanted(s shape) float64 {
	return map[string]float64{"n": float64(s.n), "m": float64(s.m), "edges": s.edges, "k": float64(s.k), "l": float64(s.l), "threads": float64(s.threads)}[st.vary]
}

// data makes or takes the data set of a point.
func (st *study) data(s shape) (*gcrfbc.Dataset, error) {
	if st.table != nil {
		return copies(st.table, s.m), nil
	}
	return st.family.synthesize(s)
}

// run measures all points until the limits.
func (st *study) run(parent context.Context, res *results, stderr io.Writer, quiet bool) error {
	ctx, cancel := parent, func() {}
	if st.limit > 0 {
		ctx, cancel = context.WithTimeout(parent, st.limit)
	}
	defer cancel()
	began := time.Now()
	st.curves, st.peaks = map[[2]string]*curve{}, map[int]float64{}
	bar := newProgress(stderr, len(st.points)*len(st.quantities)*len(st.variants), quiet)
	defer bar.done()
	var d *gcrfbc.Dataset
	var last shape
	for _, s := range st.points {
		if st.finished() {
			break
		}
		if need := forecastBytes(s); st.memory > 0 && need > float64(st.memory) {
			if err := st.stop(res, s, nil, "memory", fmt.Sprintf("the data and a factor without fill would take %s of --memory %s", bytesize.Format(int64(need)), bytesize.Format(st.memory))); err != nil {
				return err
			}
			break
		}
		bar.say(fmt.Sprintf("%s = %g: data", st.vary, st.wanted(s)))
		same := s
		if same.threads = last.threads; d == nil || same != last {
			d, st.ops = nil, nil // not two at once
			var err error
			if d, err = st.data(s); err != nil {
				return err
			}
		}
		last = s
		if _, known := st.peaks[s.threads]; !known {
			st.peaks[s.threads] = slices.Max(append(ceiling.FMA(ctx, s.threads, 7, 10*time.Millisecond), 0))
		}
		for _, q := range st.quantities {
			for _, v := range st.variants {
				bar.step(fmt.Sprintf("%s = %g: %s, %s", st.vary, st.wanted(s), q, v))
				if err := st.measure(ctx, res, d, s, q, v, began); err != nil {
					if parent.Err() != nil {
						return errors.Join(err, st.fits(res))
					}
					return err
				}
			}
		}
	}
	return st.fits(res)
}

func (st *study) finished() bool {
	if len(st.curves) == 0 {
		return false
	}
	for _, c := range st.curves {
		if !c.stopped {
			return false
		}
	}
	return true
}

// measure measures one quantity and variant at one point, unless it has been
// stopped or would exceed a limit.
func (st *study) measure(ctx context.Context, res *results, d *gcrfbc.Dataset, s shape, quantity, variant string, began time.Time) error {
	key := [2]string{quantity, variant}
	c := st.curves[key]
	if c == nil {
		c = &curve{}
		st.curves[key] = c
	}
	if c.stopped {
		return nil
	}
	rest := st.limit - time.Since(began)
	if need := c.next(st.wanted(s)); st.limit > 0 && (need > rest.Seconds() || rest <= 0) {
		return st.stop(res, s, &key, "time", fmt.Sprintf("it would take about %.3g s, and %.3g s of --time %v are left", need, max(0, rest.Seconds()), st.limit))
	}
	w := &workload{d: d, variant: gcrfbc.Variant(variant), approx: st.approx, threads: s.threads, maxBytes: st.memory, budget: st.budget(), ops: st.ops, solver: st.solver, cmax: st.cmax}
	r, err := w.point(ctx, quantity, st.peaks[s.threads])
	st.ops = w.ops
	var memory *chol.MemoryError
	var labels *gcrfbc.LabelError
	var accuracy *infer.AccuracyError
	switch {
	case errors.As(err, &labels): // of this point; others may have both classes
		return st.leave(res, s, &key, "labels", labels.Error())
	case errors.As(err, &memory):
		return st.stop(res, s, &key, "memory", memory.Error())
	case errors.As(err, &accuracy):
		return st.stop(res, s, &key, "accuracy", accuracy.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return st.stop(res, s, &key, "time", fmt.Sprintf("it was not finished within --time %v", st.limit))
	case err != nil:
		return err
	}
	r.Fields["family"], r.Fields["vary"], r.Fields["peak_gflops"] = st.family.name, st.vary, st.peaks[s.threads]
	c.x, c.seconds = append(c.x, st.wanted(s)), append(c.seconds, w.least(r, quantity))
	return res.write(r)
}

// budget returns the seconds for the runs of one measurement: small points leave
// most of the time to large ones.
func (st *study) budget() float64 {
	if st.limit == 0 {
		return mostSeconds
	}
	return min(mostSeconds, st.limit.Seconds()/float64(3*len(st.points)*len(st.quantities)*len(st.variants)))
}

// stop records why a quantity, or with nil all of them, has no more points.
func (st *study) stop(res *results, s shape, key *[2]string, reason, message string) error {
	if key != nil {
		st.curves[*key].stopped = true
	}
	return st.leave(res, s, key, reason, message)
}

// leave records why a quantity, or with nil all of them, was not measured at a point.
func (st *study) leave(res *results, s shape, key *[2]string, reason, message string) error {
	f := map[string]any{"family": st.family.name, "vary": st.vary, "at": st.wanted(s), "reason": reason, "message": message}
	if key != nil {
		f["quantity"], f["variant"] = key[0], key[1]
	}
	return res.emit("scale.stop", f)
}
