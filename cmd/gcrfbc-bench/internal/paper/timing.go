package paper

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/authors"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/learn"
)

// Size says how far the figures of time go.
type Size int

// Sizes.
const (
	Quick  Size = iota // seconds
	Normal             // the published range
	Full               // 10⁶ instances, and one graph of 10⁶ nodes
)

// TimeOptions control Times.
type TimeOptions struct {
	Size   Size
	Python *authors.Python // nil: NumPy is not measured
	// Budget ends the figures early: no point is begun that would end after it. 0
	// means no limit.
	Budget time.Duration
	Step   func(what string)
	Left   func() // called for each line that the budget ended
}

// Programs that are measured.
const (
	Engine       = "gcrfbc"
	EngineShared = "gcrfbc, shared graphs" // every instance has the same graphs
	PublishedGo  = "published, in Go"
	PublishedPy  = "published, in NumPy"
)

// What is measured.
const (
	Evaluation   = "evaluation" // one value and gradient; for b of the engine ξ is brought to its optimum
	EvaluationXi = "given xi"   // one value and gradient in θ and ξ at given ξ, what the published program does
	WholeFit     = "fit"
)

// panel is one of the figure's pictures.
type panel struct {
	name    string
	variant gcrfbc.Variant
	against string
	stated  float64 // exponent that the paper's O(TMN³) or O(TMN²) gives
	shapes  []Shape
	sparse  bool
}

// panels returns the pictures (a) to (d), and two for one sparse graph.
func panels(size Size) []panel {
	const k, l = 2, 2
	instances := [][]int{
		{100, 400, 1600, 6400},
		{100, 400, 1600, 6400, 25600},
		{100, 1000, 10000, 100000, 1000000},
	}[size]
	total := []int{2000, 10000, 10000}[size]
	nodes := [][]int{{2, 4, 10, 20, 50}, {2, 5, 10, 20, 50, 100}, {2, 5, 10, 20, 50, 100, 200}}[size]
	graphs := [][]int{{1000, 4000, 16000}, {1000, 10000, 100000}, {1000, 10000, 100000, 1000000}}[size]
	var m, n, s []Shape
	for _, v := range instances {
		m = append(m, Shape{M: v, N: 4, K: k, L: l})
	}
	for _, v := range nodes {
		n = append(n, Shape{M: total / v, N: v, K: k, L: l})
	}
	for _, v := range graphs {
		s = append(s, Shape{M: 1, N: v, K: k, L: l, Sparse: fmt.Sprintf("rgg:%d:8", v)})
	}
	return []panel{
		{"a", gcrfbc.Bayesian, "m", 1, m, false}, {"b", gcrfbc.NonBayesian, "m", 1, m, false},
		{"c", gcrfbc.Bayesian, "n", 2, n, false}, {"d", gcrfbc.NonBayesian, "n", 1, n, false},
		{"e", gcrfbc.Bayesian, "n", 3, s, true}, {"f", gcrfbc.NonBayesian, "n", 2, s, true},
	}
}

// series is one line of a picture.
type series struct {
	program, what string
}

// TimeWork returns how many steps Times will announce at most.
func TimeWork(o TimeOptions) int {
	n := 0
	for _, p := range panels(o.Size) {
		n += len(p.shapes) * len(p.lines(o))
	}
	return n
}

func (p *panel) lines(o TimeOptions) []series {
	var s []series
	s = append(s, series{Engine, Evaluation})
	if p.variant == gcrfbc.Bayesian {
		s = append(s, series{Engine, EvaluationXi})
	}
	if p.sparse {
		return append(s, series{PublishedGo, Evaluation})
	}
	s = append(s, series{Engine, WholeFit})
	if p.against == "m" {
		s = append(s, series{EngineShared, Evaluation})
	}
	s = append(s, series{PublishedGo, Evaluation}, series{PublishedGo, WholeFit})
	if o.Python != nil {
		s = append(s, series{PublishedPy, Evaluation})
	}
	return s
}

// limit returns the seconds that a point may be expected to take, and those that
// repeats may.
func (o TimeOptions) limit(s series) (point, repeats float64) {
	point, repeats = []float64{.6, 10, 120}[o.Size], []float64{.06, .5, 2}[o.Size]
	if s.what == WholeFit {
		point = []float64{1, 30, 300}[o.Size]
	}
	return point, repeats
}

// Times emits one result "paper.time" a point, then "paper.exponent" for every
// line. A line ends where its next point would take too long: the published
// algorithm is measured where it finishes. Everything runs on one thread, so
// that programs compare.
func Times(ctx context.Context, o TimeOptions, emit Emit) error {
	step := o.Step
	if step == nil {
		step = func(string) {}
	}
	began := time.Now()
	var points []Point
	for _, p := range panels(o.Size) {
		lines := p.lines(o)
		last := make([]float64, len(lines)) // seconds of one run at the shape before
		for q, shape := range p.shapes {
			data := map[bool]*gcrfbc.Dataset{}
			for i, line := range lines {
				if err := ctx.Err(); err != nil {
					return err
				}
				limit, repeats := o.limit(line)
				expected := 0.0
				if q > 0 {
					expected = last[i] * p.growth(q, line)
				}
				over := o.Budget != 0 && time.Since(began).Seconds()+expected > o.Budget.Seconds()
				if q > 0 && (last[i] == 0 || expected > limit) || over {
					if over && o.Left != nil && (q == 0 || last[i] != 0 && expected <= limit) {
						o.Left()
					}
					last[i] = 0 // the line has ended
					step("")
					continue
				}
				step(fmt.Sprintf("figure 4 (%s): %s, %s, M = %d, N = %d", p.name, line.program, line.what, shape.M, shape.N))
				point, err := p.measure(ctx, o, line, shape, data, repeats)
				if err != nil {
					return fmt.Errorf("figure 4 (%s), %s, M = %d, N = %d: %w", p.name, line.program, shape.M, shape.N, err)
				}
				last[i] = point.Seconds
				points = append(points, point)
				if err := emit("paper.time", point.fields()); err != nil {
					return err
				}
			}
		}
	}
	for _, e := range Exponents(points) {
		if err := emit("paper.exponent", e.fields()); err != nil {
			return err
		}
	}
	return nil
}

// growth estimates how much longer a point takes than the one before.
func (p *panel) growth(q int, s series) float64 {
	a, b := p.shapes[q-1], p.shapes[q]
	g := float64(b.M) / float64(a.M)
	n := float64(b.N) / float64(a.N)
	switch {
	case p.sparse && s.program == Engine:
		g *= n * 1.3
	case s.program == Engine || s.program == EngineShared:
		g *= n * n
	default:
		g *= n * n * n
	}
	return g
}

// Point is one measured time.
type Point struct {
	Panel, Program, What string
	Variant              gcrfbc.Variant
	Against              string
	Stated               float64
	M, N                 int
	Edges                int       // of one graph
	Seconds              float64   // median
	All                  []float64 // all runs, ascending
	Evaluations          int
	Objective            float64
	Version              string
}

func (p *Point) fields() map[string]any {
	f := map[string]any{"panel": p.Panel, "program": p.Program, "what": p.What, "variant": string(p.Variant), "against": p.Against,
		"stated_exponent": p.Stated, "m": p.M, "n": p.N, "edges": p.Edges, "k": 2, "l": 2, "threads": 1,
		"time_s": p.Seconds, "time_min_s": p.All[0], "time_runs": len(p.All), "time_all_s": p.All}
	if p.What == WholeFit {
		f["evaluations"], f["objective"] = p.Evaluations, p.Objective
	}
	if p.Version != "" {
		f["version"] = p.Version
	}
	return f
}

// timingParams label the data and are where evaluations are timed.
func timingParams(factor float64) gcrfbc.Params {
	return gcrfbc.NewParams([]float64{3 * factor, 4 * factor}, []float64{4, 5})
}

func (p *panel) measure(ctx context.Context, o TimeOptions, s series, shape Shape, data map[bool]*gcrfbc.Dataset, repeats float64) (Point, error) {
	pt := Point{Panel: p.name, Program: s.program, What: s.what, Variant: p.variant, Against: p.against, Stated: p.stated, M: shape.M, N: shape.N}
	if s.program == PublishedPy {
		t, err := o.Python.Time(ctx, p.variant, shape.M, shape.N, shape.K, shape.L, repeats)
		if err != nil {
			return pt, err
		}
		pt.Seconds, pt.All, pt.Version = t.Seconds, t.All, "Python "+t.Version+", NumPy "+t.NumPy
		pt.Edges = shape.N * (shape.N - 1) / 2
		return pt, nil
	}
	shape.Shared = s.program == EngineShared
	d := data[shape.Shared]
	if d == nil {
		var err error
		if d, err = Generate(ctx, shape, timingParams(1), Sampled, 7); err != nil {
			return pt, err
		}
		data[shape.Shared] = d
	}
	pt.Edges = d.GraphsOf(0)[0].NumEdges()
	run, err := p.job(ctx, s, d, &pt)
	if err != nil {
		return pt, err
	}
	var times []float64
	for total := 0.0; len(times) == 0 || len(times) < 25 && total < repeats; {
		began := time.Now()
		if err := run(); err != nil {
			return pt, err
		}
		if err := ctx.Err(); err != nil {
			return pt, err
		}
		t := time.Since(began).Seconds()
		times = append(times, t)
		total += t
	}
	slices.Sort(times)
	pt.All = times
	pt.Seconds = (times[(len(times)-1)/2] + times[len(times)/2]) / 2
	return pt, nil
}

// job returns what is timed. Evaluations alternate between two nearby
// parameters, and come after one that is not timed, as within a fit.
func (p *panel) job(ctx context.Context, s series, d *gcrfbc.Dataset, pt *Point) (func() error, error) {
	if s.program == PublishedGo {
		prob := authors.New(d)
		if s.what == WholeFit {
			return func() error {
				r, err := prob.Fit(ctx, p.variant, 1, authorsEvaluations)
				if err != nil {
					return err
				}
				pt.Evaluations, pt.Objective = r.Evaluations, r.Objective
				return nil
			}, nil
		}
		x := append(append([]float64(nil), timingParams(1).Alpha...), timingParams(1).Beta...)
		if p.variant == gcrfbc.Bayesian {
			for i := range prob.Nodes() {
				x = append(x, .5+float64(i%7)/4)
			}
		}
		grad := make([]float64, len(x))
		return func() error { prob.Evaluate(p.variant, x, grad); return nil }, nil
	}
	if s.what == WholeFit {
		return func() error {
			r, err := learn.Fit(ctx, d, learn.Options{Variant: p.variant, Approx: gcrfbc.JJ, Mean: gcrfbc.PaperMean, Threads: 1})
			if err != nil {
				return err
			}
			pt.Evaluations, pt.Objective = r.Evaluations, r.Objective
			return nil
		}, nil
	}
	ev, err := infer.NewEvaluator(ctx, d, infer.Options{Variant: p.variant, Approx: gcrfbc.JJ, Threads: 1, SiteTol: 1e-6})
	if err != nil {
		return nil, err
	}
	grad := make([]float64, infer.GradientLen(d.K, d.NumGraphs()))
	var xi, gradXi [][]float64
	if s.what == EvaluationXi {
		for j := range d.Instances {
			x := make([]float64, d.Instances[j].N())
			for i := range x {
				x[i] = .5 + float64(i%7)/4
			}
			xi, gradXi = append(xi, x), append(gradXi, make([]float64, len(x)))
		}
	}
	turn := 0
	run := func() error {
		turn++
		params := timingParams(1 + .05*float64(turn%2))
		var err error
		if xi != nil {
			_, err = ev.EvaluateXi(ctx, params, xi, grad, gradXi)
		} else {
			_, err = ev.Evaluate(ctx, params, grad)
		}
		return err
	}
	return run, run()
}
