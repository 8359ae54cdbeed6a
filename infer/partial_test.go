package infer

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/chol/partial"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// socialDataset is one graph with a few nodes of high degree, half labelled.
func socialDataset(seed uint64, n, m int) *gcrfbc.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	seen := map[[2]int]bool{}
	var edges []sparse.Edge
	for i := 1; i < n; i++ {
		for range m {
			j := int(float64(i) * math.Pow(rng.Float64(), 2))
			if j != i && !seen[[2]int{i, j}] {
				seen[[2]int{i, j}] = true
				edges = append(edges, sparse.Edge{I: i, J: j, W: 1})
			}
		}
	}
	g, err := sparse.NewGraph(n, edges)
	if err != nil {
		panic(err)
	}
	in := gcrfbc.Instance{Scores: make([]float64, 2*n), Labels: make([]int8, n)}
	for i := range n {
		in.Labels[i] = int8(rng.IntN(2))
		for k := range 2 {
			in.Scores[2*i+k] = float64(2*in.Labels[i]-1)*0.5 + rng.NormFloat64()
		}
		if rng.IntN(2) == 0 {
			in.Labels[i] = gcrfbc.Missing
		}
	}
	return &gcrfbc.Dataset{K: 2, Graphs: []*sparse.Graph{g, g.DegreeNormalized()}, Instances: []gcrfbc.Instance{in}}
}

func socialParams() gcrfbc.Params {
	p := gcrfbc.NewParams([]float64{0.05, 0.02}, []float64{0.1, 0.2})
	p.Gain, p.Bias, p.Direct[0] = 1.3, -0.2, 0.1
	return p
}

// TestPartialExact: with every node eliminated the approximate path gives what
// the exact one gives, up to the sites' tolerance.
func TestPartialExact(t *testing.T) {
	ctx := context.Background()
	d := socialDataset(1, 300, 3)
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			opts := v.opts
			opts.Solver = SolverExact
			exact, err := NewEvaluator(ctx, d, opts)
			if err != nil {
				t.Fatal(err)
			}
			opts.Solver, opts.Cmax = SolverPartial, partial.Exact
			part, err := NewEvaluator(ctx, d, opts)
			if err != nil {
				t.Fatal(err)
			}
			want, got := make([]float64, GradientLen(2, 2)), make([]float64, GradientLen(2, 2))
			a, err := exact.Evaluate(ctx, socialParams(), want)
			if err != nil {
				t.Fatal(err)
			}
			b, err := part.Evaluate(ctx, socialParams(), got)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(a-b) > 1e-7*math.Abs(a) {
				t.Errorf("value %.12g, want %.12g", b, a)
			}
			for k := range want {
				if math.Abs(got[k]-want[k]) > 1e-5*(1+math.Abs(want[k])) {
					t.Errorf("gradient[%d] %.10g, want %.10g", k, got[k], want[k])
				}
			}
			if part.Sites().ValueErr != 0 {
				t.Errorf("standard error %g of an exact value", part.Sites().ValueErr)
			}
		})
	}
}

// TestPartialApproximate: with a core the value is within its standard error
// and the gradient close.
func TestPartialApproximate(t *testing.T) {
	ctx := context.Background()
	d := socialDataset(2, 3000, 4)
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			opts := v.opts
			exact, err := NewEvaluator(ctx, d, opts)
			if err != nil {
				t.Fatal(err)
			}
			opts.Solver, opts.Cmax = SolverPartial, 8
			part, err := NewEvaluator(ctx, d, opts)
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := part.Solver(); !ok || r.Kind != SolverPartial || r.Core == 0 {
				t.Fatalf("solver %+v", r)
			}
			want, got := make([]float64, GradientLen(2, 2)), make([]float64, GradientLen(2, 2))
			a, err := exact.Evaluate(ctx, socialParams(), want)
			if err != nil {
				t.Fatal(err)
			}
			b, err := part.Evaluate(ctx, socialParams(), got)
			if err != nil {
				t.Fatal(err)
			}
			e := part.Sites().ValueErr
			t.Logf("value %.6f ± %.2g, exact %.6f", b, e, a)
			if math.Abs(a-b) > 6*e+0.02 {
				t.Errorf("value %g ± %g, want %g", b, e, a)
			}
			for k := range want {
				if math.Abs(got[k]-want[k]) > 0.01*math.Abs(want[k])+0.02*math.Abs(a)/100 {
					t.Errorf("gradient[%d] %g, want %g", k, got[k], want[k])
				}
			}
		})
	}
}

// TestJudge: auto takes the approximate factor of a social graph, with its
// quality, raises Cmax on a grid, and refuses where that does not help.
func TestJudge(t *testing.T) {
	ctx := context.Background()
	build := func(g *sparse.Graph, opts partial.Options) (*structure, error) {
		prec, err := gcrfbc.NewPrecision(g.N(), []*sparse.Graph{g})
		if err != nil {
			t.Fatal(err)
		}
		sym, err := partial.Analyze(ctx, prec.Pattern(), opts)
		if err != nil {
			t.Fatal(err)
		}
		st := &structure{prec: prec, part: sym}
		return st, (&structureSet{solver: SolverAuto, part: opts}).judge(ctx, st)
	}
	social := socialDataset(3, 3000, 4).Graphs[0]
	st, err := build(social, partial.Options{})
	if err != nil || st.part.CoreN() == 0 || !(st.quality > 0 && st.quality <= enoughQuality) {
		t.Errorf("social graph: quality %g with a core of %d, %v", st.quality, st.part.CoreN(), err)
	}
	grid := sparse.Grid2D(60, 60)
	var inaccurate *AccuracyError
	if _, err := build(grid, partial.Options{Cmax: 4}); !errors.As(err, &inaccurate) || inaccurate.Cmax != 4 || !(inaccurate.Quality > enoughQuality) {
		t.Errorf("grid at the caller's cmax: %v", err)
	}
	st, err = build(grid, partial.Options{})
	if st.part.Cmax() != cmaxRaise*16 {
		t.Errorf("grid: cmax %d, %v", st.part.Cmax(), err)
	}
}

// TestMissingTraces: the probes say without bias what traces with the restricted
// inverse miss, on a grid, where that is much.
func TestMissingTraces(t *testing.T) {
	ctx := context.Background()
	g := sparse.Grid2D(80, 80)
	prec, err := gcrfbc.NewPrecision(g.N(), []*sparse.Graph{g})
	if err != nil {
		t.Fatal(err)
	}
	p, fam := prec.Pattern(), prec.Family()
	values, coef := make([]float64, p.NNZ()), []float64{0.05, 1}
	prec.AssembleTo(values, coef)
	sym, err := chol.Analyze(ctx, p, chol.Options{})
	if err != nil {
		t.Fatal(err)
	}
	part, err := partial.Analyze(ctx, p, partial.Options{Cmax: 2})
	if err != nil {
		t.Fatal(err)
	}
	exact, rough := newSparseField(sym, p), newPartialField(part)
	z, rest := make([]float64, p.NNZ()), make([]float64, 2*traceProbes)
	want, got, none := make([]float64, 2), make([]float64, 2), make([]float64, traceProbes)
	for _, f := range []Field{exact, rough} {
		if err := f.Update(ctx, values); err != nil {
			t.Fatal(err)
		}
	}
	if err := invertTo(ctx, exact, fam, z, rest); err != nil {
		t.Fatal(err)
	}
	fam.TraceTo(want, z)
	for _, v := range rest {
		if v != 0 {
			t.Fatal("an exact inverse misses nothing")
		}
	}
	if err := invertTo(ctx, rough, fam, z, rest); err != nil {
		t.Fatal(err)
	}
	fam.TraceTo(got, z)
	for k := range want {
		probes := rest[k*traceProbes : (k+1)*traceProbes]
		bias, rid := want[k]-got[k], want[k]-got[k]-missing(probes, none)
		t.Logf("trace %d: %g, misses %g, %g with the probes", k, want[k], bias, rid)
		if math.Abs(rid) > math.Abs(bias)/2 {
			t.Errorf("trace %d misses %g of %g, %g with the probes", k, bias, want[k], rid)
		}
	}
	if m := missing([]float64{1, -1, 1, -1, 1, -1, 1, -0.5}, none); m != 0 {
		t.Errorf("%g from noise alone", m)
	}
}

// TestGradientNoise: the covariance that is stated is that of the probes' means
// over seeds, and the gradient's errors are no larger.
func TestGradientNoise(t *testing.T) {
	ctx := context.Background()
	d := socialDataset(2, 1500, 4)
	const seeds, terms = 60, 3
	dim := GradientLen(2, 2)
	exact, err := NewEvaluator(ctx, d, Options{Solver: SolverExact})
	if err != nil {
		t.Fatal(err)
	}
	want, cov := make([]float64, dim), make([]float64, dim*dim)
	if _, err := exact.Evaluate(ctx, socialParams(), want); err != nil {
		t.Fatal(err)
	}
	if exact.GradientCovTo(cov) || cov[0] != 0 {
		t.Error("an exact gradient has a random part")
	}
	stated, squares := make([]float64, dim), make([]float64, dim)
	var mean, spread [terms]float64
	for seed := range seeds {
		ev, err := NewEvaluator(ctx, d, Options{Solver: SolverPartial, Cmax: 4, Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		grad := make([]float64, dim)
		if _, err := ev.Evaluate(ctx, socialParams(), grad); err != nil {
			t.Fatal(err)
		}
		if !ev.GradientCovTo(cov) {
			t.Fatal("the gradient has no random part")
		}
		for k := range grad {
			squares[k] += (grad[k] - want[k]) * (grad[k] - want[k]) / seeds
			stated[k] += cov[k*dim+k] / seeds
		}
		for k := range terms {
			m := 0.0
			for _, v := range ev.states[0].noise[k*traceProbes : (k+1)*traceProbes] {
				m += v / traceProbes
			}
			mean[k] += m / seeds
			spread[k] += m * m / seeds
		}
	}
	for k := range dim {
		t.Logf("component %d of %.5g: off by %.3g over seeds, %.3g stated", k, want[k], math.Sqrt(squares[k]), math.Sqrt(stated[k]))
		if k >= 4 {
			if stated[k] != 0 {
				t.Errorf("component %d has no trace, but a variance of %g", k, stated[k])
			}
			continue
		}
		if squares[k] > 1.5*stated[k] {
			t.Errorf("component %d: mean square of the errors %.3g, variance %.3g stated", k, squares[k], stated[k])
		}
		term := max(0, k-1) // both alphas share the first
		if r := stated[k] / (spread[term] - mean[term]*mean[term]); !(r > 0.5 && r < 2) {
			t.Errorf("component %d: %.2g times the variance over seeds is stated", k, r)
		}
	}
}

// TestFollowsFit: predictions take the factor of the fit unless told otherwise.
func TestFollowsFit(t *testing.T) {
	d := socialDataset(3, 1500, 3)
	m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Params: socialParams(), Mean: gcrfbc.CalibratedMean}
	for _, c := range []struct {
		fit   *gcrfbc.FitSummary
		opts  PredictOptions
		kind  Solver
		cmax  int
		title string
	}{
		{nil, PredictOptions{}, SolverExact, 0, "no fit"},
		{&gcrfbc.FitSummary{}, PredictOptions{}, SolverExact, 0, "a fit of small graphs"},
		{&gcrfbc.FitSummary{Solver: &gcrfbc.FitSolver{Kind: "exact"}}, PredictOptions{}, SolverExact, 0, "an exact fit"},
		{&gcrfbc.FitSummary{Solver: &gcrfbc.FitSolver{Kind: "partial", Cmax: 5}}, PredictOptions{}, SolverPartial, 5, "a partial fit"},
		{&gcrfbc.FitSummary{Solver: &gcrfbc.FitSolver{Kind: "partial", Cmax: 5}}, PredictOptions{Solver: SolverAuto, Cmax: 7}, SolverPartial, 7, "a partial fit, another cmax"},
		{&gcrfbc.FitSummary{Solver: &gcrfbc.FitSolver{Kind: "partial", Cmax: 5}}, PredictOptions{Solver: SolverExact}, SolverExact, 0, "a partial fit, the exact solver"},
	} {
		m.Fit = c.fit
		ev, err := newPredictor(t.Context(), m, d, c.opts)
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := ev.Solver(); !ok || r.Kind != c.kind || r.Cmax != c.cmax {
			t.Errorf("%s: solver %+v, want %s with cmax %d", c.title, r, c.kind, c.cmax)
		}
	}
}
