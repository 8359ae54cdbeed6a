package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/ceiling"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/report"
	"github.com/gcrfbc/gcrfbc/internal/dense"
	"github.com/gcrfbc/gcrfbc/internal/simd"
	"github.com/spf13/cobra"
)

// The target of the dense product: 115·10⁹ operations a second at n = 1024 on one
// core of the machine where OpenBLAS reaches 110 and multiply-adds 142. On other
// machines it is the same fraction of their multiply-adds.
const (
	targetOrder    = 1024
	targetRate     = 115
	targetPeak     = 142
	targetFraction = float64(targetRate) / targetPeak
)

// backends are the dense kernels of this build.
var backends = []dense.Backend{dense.Native{}}

type calibrateOptions struct {
	threads, sizes, levels string
	quick, quiet           bool
	outputs                record.Outputs
}

func calibrateCommand(stdout, stderr io.Writer) *cobra.Command {
	var o calibrateOptions
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure the ceilings of this machine and how near the kernels come",
		Long: `calibrate measures

  fma     fused multiply-adds that touch no memory: the peak of the processor
  triad   a = b + s c on arrays beyond the caches: memory bandwidth, 24 bytes an
          element as STREAM counts
  gemm    our dense product C −= A Bᵀ of order n, 2n³ operations
  potrf   our dense Cholesky factorization of order n, n³/3 operations

on one thread and on all cores; gemm and potrf on several threads are one product or
factorization on each, which is how the solver treats independent subtrees. Rates are
medians of 7 runs; the peak is the best run. With tags netlib a build measures that
library beside our kernels.

The last line compares gemm at n = 1024 with its target: 115 GF/s where multiply-adds
reach 142 and OpenBLAS 110, and the same fraction of the peak elsewhere.`,
		Example: `  gcrfbc-bench calibrate
  gcrfbc-bench calibrate --threads 1 --sizes 32,64,128 --levels avx512,avx2 --csv kernels.csv`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), stdout, stderr) },
	}
	f := cmd.Flags()
	f.StringVar(&o.threads, "threads", "", "numbers of threads, separated by commas (default 1 and all cores)")
	f.StringVar(&o.sizes, "sizes", "16,32,64,128,256,512,1024,2048", "orders of gemm and potrf")
	f.StringVar(&o.levels, "levels", simd.Best().String(), "instructions of the kernels: avx512, avx2 or go, as far as the processor has them; several separated by commas")
	f.BoolVar(&o.quick, "quick", false, "short runs, orders up to 1024")
	f.BoolVar(&o.quiet, "quiet", false, "no progress")
	o.outputs.Register(f)
	return cmd
}

// calibration is a planned run.
type calibration struct {
	threads, sizes []int
	levels         []simd.Level
	runs           int
	each           time.Duration
	elements       int // of triad's arrays
}

func (o *calibrateOptions) plan() (*calibration, error) {
	c := &calibration{runs: 7, each: 40 * time.Millisecond, elements: 1 << 23}
	if o.quick {
		c.runs, c.each, c.elements = 3, 5*time.Millisecond, 1<<22
	}
	if o.threads == "" {
		c.threads = []int{1, runtime.GOMAXPROCS(0)}
	} else {
		var err error
		if c.threads, err = parseThreads(o.threads, 1); err != nil {
			return nil, err
		}
	}
	slices.Sort(c.threads)
	c.threads = slices.Compact(c.threads)
	for f := range strings.SplitSeq(o.sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil || n < 1 || n > 1<<14 {
			return nil, usagef("--sizes %s: %q is no order from 1 to 16384; write 64,1024", o.sizes, f)
		}
		if !o.quick || n <= targetOrder {
			c.sizes = append(c.sizes, n)
		}
	}
	for f := range strings.SplitSeq(o.levels, ",") {
		at := slices.IndexFunc([]simd.Level{simd.Go, simd.AVX2, simd.AVX512}, func(l simd.Level) bool { return l.String() == strings.TrimSpace(f) })
		if at < 0 {
			return nil, usagef("--levels %s: %q is none of avx512, avx2, go", o.levels, f)
		}
		if simd.Level(at) > simd.Best() {
			return nil, usagef("--levels %s: this processor or build has %s at most", o.levels, simd.Best())
		}
		c.levels = append(c.levels, simd.Level(at))
	}
	return c, nil
}

func (o *calibrateOptions) run(ctx context.Context, stdout, stderr io.Writer) error {
	c, err := o.plan()
	if err != nil {
		return err
	}
	res, err := openResults(o.outputs, stdout)
	if err != nil {
		return err
	}
	err = res.write(currentEnvironment().record())
	if err == nil {
		bar := newProgress(stderr, len(c.threads)*(1+len(c.levels)*(1+2*len(c.sizes)*len(backends))), o.quiet)
		err = c.measure(ctx, res, bar)
		bar.done()
	}
	err = res.close(err)
	if !o.outputs.JSON {
		if e := printCalibration(stdout, res.sink.Records); err == nil {
			err = e
		}
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	if ctx.Err() != nil {
		return &interruptedError{"interrupted: " + res.kept()}
	}
	return nil
}

// measure measures everything and emits it.
func (c *calibration) measure(ctx context.Context, res *results, bar *progress) error {
	emit := func(unit string, rates []float64, peak float64, fields map[string]any) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fields["rate_"+unit], fields["rate_all_"+unit], fields["rate_max_"+unit] = median(rates), rates, slices.Max(rates)
		fields["rate_runs"] = len(rates)
		if peak > 0 {
			fields["peak_fraction"] = median(rates) / peak
		}
		return res.emit("calibrate", fields)
	}
	for _, t := range c.threads {
		bar.step(fmt.Sprintf("triad, %d threads", t))
		rates := ceiling.Triad(ctx, t, c.runs, c.elements, 2*c.each)
		if err := emit("gbs", rates, 0, map[string]any{"quantity": "triad", "level": simd.Current().String(), "n": c.elements, "threads": t}); err != nil {
			return err
		}
	}
	for _, level := range c.levels {
		old := simd.SetLevel(level)
		err := c.kernels(ctx, bar, emit, level.String())
		simd.SetLevel(old)
		if err != nil {
			return err
		}
	}
	return nil
}

// kernels measures arithmetic with the instructions in use.
func (c *calibration) kernels(ctx context.Context, bar *progress, emit func(unit string, rates []float64, peak float64, fields map[string]any) error, level string) error {
	for _, t := range c.threads {
		bar.step(fmt.Sprintf("fma %s, %d threads", level, t))
		rates := ceiling.FMA(ctx, t, c.runs, c.each)
		if len(rates) == 0 {
			return ctx.Err()
		}
		peak := slices.Max(rates)
		if err := emit("gflops", rates, 0, map[string]any{"quantity": "fma", "level": level, "threads": t}); err != nil {
			return err
		}
		for _, b := range backends {
			for _, n := range c.sizes {
				for _, q := range []string{"gemm", "potrf"} {
					bar.step(fmt.Sprintf("%s %s n = %d, %d threads", q, level, n, t))
					fields := map[string]any{"quantity": q, "backend": b.Name(), "level": level, "n": n, "threads": t, "peak_gflops": peak}
					rates := c.kernel(ctx, b, q, n, t)
					if q == "gemm" && n == targetOrder && t == 1 && len(rates) > 0 {
						fields["target_gflops"], fields["met"] = targetFraction*peak, median(rates) >= targetFraction*peak
					}
					if err := emit("gflops", rates, peak, fields); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// kernel measures one operation of order n on every thread.
func (c *calibration) kernel(ctx context.Context, b dense.Backend, quantity string, n, threads int) []float64 {
	type operands struct {
		x, y, z []float64
		ws      *dense.Workspace
	}
	work := make([]operands, threads)
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	for t := range work {
		work[t] = operands{make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), dense.NewWorkspace()}
		for i := range work[t].x {
			work[t].x[i], work[t].y[i] = 2*rng.Float64()-1, 2*rng.Float64()-1
		}
	}
	flops := 2 * math.Pow(float64(n), 3)
	f := func(t int) {
		w := &work[t]
		b.GemmNT(w.ws, n, n, n, -1, w.x, n, w.y, n, w.z, n)
	}
	if quantity == "potrf" {
		flops = math.Pow(float64(n), 3) / 3
		for t := range work {
			for i := range n { // diagonally dominant
				work[t].x[i+i*n] = 2 * float64(n)
			}
		}
		f = func(t int) {
			w := &work[t]
			copy(w.z, w.x) // n² of n³/3 operations
			b.Potrf(w.ws, n, w.z, n)
		}
	}
	var rates []float64
	ceiling.Side(ctx, threads, 0, f) // warm
	for range c.runs {
		if ctx.Err() != nil {
			break
		}
		calls, seconds := ceiling.Side(ctx, threads, c.each, f)
		rates = append(rates, 1e-9*flops*float64(calls)/seconds)
	}
	return rates
}

// printCalibration prints the ceilings and a table of the kernels by order.
func printCalibration(w io.Writer, records []record.Record) error {
	list := record.Select(records, "calibrate")
	for _, r := range list {
		switch r.String("quantity") {
		case "fma":
			if err := say(w, "fma    %-6s threads: %-3s %8.1f GF/s, best of %s runs %.1f", r.String("level"), r.String("threads"), value(r, "rate_gflops"), r.String("rate_runs"), value(r, "rate_max_gflops")); err != nil {
				return err
			}
		case "triad":
			if err := say(w, "triad  %-6s threads: %-3s %8.1f GB/s, best of %s runs %.1f", r.String("level"), r.String("threads"), value(r, "rate_gbs"), r.String("rate_runs"), value(r, "rate_max_gbs")); err != nil {
				return err
			}
		}
	}
	for _, q := range []string{"gemm", "potrf"} {
		t := &report.Table{Caption: fmt.Sprintf("\n%s, GF/s (%% of the multiply-adds of as many threads)", q), Head: []string{"n"}}
		var orders []string
		for _, r := range list {
			if r.String("quantity") != q {
				continue
			}
			head := fmt.Sprintf("%s, %s thr.", r.String("level"), r.String("threads"))
			if len(backends) > 1 {
				head = r.String("backend") + " " + head
			}
			if !slices.Contains(t.Head, head) {
				t.Head = append(t.Head, head)
			}
			row := slices.Index(orders, r.String("n"))
			if row < 0 {
				row = len(orders)
				orders = append(orders, r.String("n"))
				t.Rows = append(t.Rows, []report.Cell{{Text: r.String("n"), Number: true}})
			}
			t.Rows[row] = append(t.Rows[row], report.Cell{Text: fmt.Sprintf("%.1f (%.0f)", value(r, "rate_gflops"), 100*value(r, "peak_fraction")), Number: true})
		}
		if err := printTable(w, t); err != nil {
			return err
		}
	}
	for _, r := range list {
		target, ok := r.Float("target_gflops")
		if !ok {
			continue
		}
		verdict := "below it"
		if r.Bool("met") {
			verdict = "met"
		}
		if err := say(w, "%s gemm %s, n = %d: %.1f GF/s; target %.1f (%d where multiply-adds reach %d, here %.0f): %s",
			r.String("backend"), r.String("level"), targetOrder, value(r, "rate_gflops"), target, targetRate, targetPeak, value(r, "peak_gflops"), verdict); err != nil {
			return err
		}
	}
	return nil
}

// value returns a number of a record, NaN where there is none.
func value(r record.Record, key string) float64 {
	if v, ok := r.Float(key); ok {
		return v
	}
	return math.NaN()
}
