package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// randomGraph returns a connected-ish random graph: a path with some edges
// left out, and about extra·n chords.
func randomGraph(rng *rand.Rand, n int, extra float64) *sparse.Graph {
	seen := map[[2]int]bool{}
	var edges []sparse.Edge
	add := func(i, j int) {
		if i == j {
			return
		}
		if i < j {
			i, j = j, i
		}
		if !seen[[2]int{i, j}] {
			seen[[2]int{i, j}] = true
			edges = append(edges, sparse.Edge{I: i, J: j, W: rng.ExpFloat64()})
		}
	}
	for i := 1; i < n; i++ {
		if rng.Float64() < 0.9 {
			add(i, i-1)
		}
	}
	for range int(extra * float64(n)) {
		add(rng.IntN(n), rng.IntN(n))
	}
	g, err := sparse.NewGraph(n, edges)
	if err != nil {
		panic(err)
	}
	return g
}

func randomInstance(rng *rand.Rand, n, K int) gcrfbc.Instance {
	in := gcrfbc.Instance{Scores: make([]float64, n*K), Labels: make([]int8, n)}
	for i := range in.Scores {
		in.Scores[i] = 2 * rng.NormFloat64()
	}
	for i := range in.Labels {
		in.Labels[i] = int8(rng.IntN(3)) - 1
	}
	return in
}

// randomDataset has M instances of about n nodes; own graphs have unequal N.
func randomDataset(seed uint64, M, n, K, L int, own bool) *gcrfbc.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := &gcrfbc.Dataset{K: K}
	if !own {
		for range L {
			d.Graphs = append(d.Graphs, randomGraph(rng, n, 0.5))
		}
	}
	for range M {
		nj := n
		if own {
			nj = n + rng.IntN(5)
		}
		in := randomInstance(rng, nj, K)
		if own {
			for range L {
				in.Graphs = append(in.Graphs, randomGraph(rng, nj, 0.5))
			}
		}
		d.Instances = append(d.Instances, in)
	}
	return d
}

func randomParams(seed uint64, K, L int) gcrfbc.Params {
	rng := rand.New(rand.NewPCG(seed, 2))
	p := gcrfbc.NewParams(make([]float64, K), make([]float64, L))
	for k := range p.Alpha {
		p.Alpha[k] = 0.05 + 0.3*rng.Float64()
	}
	for l := range p.Beta {
		p.Beta[l] = 0.1 + rng.Float64()
	}
	p.Gain, p.Bias = 1.3, -0.4
	for k := range p.Direct {
		p.Direct[k] = 0.3 * rng.NormFloat64()
	}
	return p
}

// variants lists every objective with the options that select it.
var variants = []struct {
	name string
	opts Options
}{
	{"nb", Options{Variant: gcrfbc.NonBayesian}},
	{"jj", Options{Approx: gcrfbc.JJ}},
	{"ep", Options{Approx: gcrfbc.EP}},
	{"laplace", Options{Approx: gcrfbc.Laplace}},
}

// entry returns a pointer to component k of the parameters in the gradient's
// order.
func entry(p *gcrfbc.Params, k int) *float64 {
	K, L := len(p.Alpha), len(p.Beta)
	switch {
	case k < K:
		return &p.Alpha[k]
	case k < K+L:
		return &p.Beta[k-K]
	case k == K+L:
		return &p.Gain
	case k == K+L+1:
		return &p.Bias
	}
	return &p.Direct[k-K-L-2]
}

func TestGradientFiniteDifferences(t *testing.T) {
	shapes := []struct {
		M, n, K, L int
		own        bool
	}{
		{1, 1, 1, 0, false}, {3, 6, 2, 2, false}, {4, 7, 3, 1, true}, {5, 12, 1, 3, true},
		{1, 120, 2, 2, false}, {2, 80, 1, 1, false}, {2, 70, 2, 2, true},
	}
	for _, v := range variants {
		for s, sh := range shapes {
			t.Run(fmt.Sprintf("%s/M=%d,n=%d,K=%d,L=%d,own=%t", v.name, sh.M, sh.n, sh.K, sh.L, sh.own), func(t *testing.T) {
				d := randomDataset(uint64(s), sh.M, sh.n, sh.K, sh.L, sh.own)
				p := randomParams(uint64(s), sh.K, sh.L)
				opts := v.opts
				opts.SiteTol = 1e-12
				ev, err := NewEvaluator(t.Context(), d, opts)
				if err != nil {
					t.Fatal(err)
				}
				grad := make([]float64, GradientLen(sh.K, sh.L))
				if _, err := ev.Evaluate(t.Context(), p, grad); err != nil {
					t.Fatal(err)
				}
				for k := range grad {
					q := p.Clone()
					x := entry(&q, k)
					h := 1e-4 * math.Max(1e-1, math.Abs(*x))
					at := func(dx float64) float64 {
						old := *x
						*x += dx
						value, err := ev.Evaluate(t.Context(), q, nil)
						*x = old
						if err != nil {
							t.Fatal(err)
						}
						return value
					}
					// Fourth-order central difference.
					fd := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
					if diff := math.Abs(fd - grad[k]); !(diff <= 1e-6*(1+math.Abs(fd))) {
						t.Errorf("component %d: gradient %.12g, difference %.12g", k, grad[k], fd)
					}
				}
			})
		}
	}
}

func TestGradientXiFiniteDifferences(t *testing.T) {
	d := randomDataset(5, 2, 9, 2, 2, true)
	p := randomParams(5, 2, 2)
	ev, err := NewEvaluator(t.Context(), d, Options{Approx: gcrfbc.JJ})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	xi, gx := make([][]float64, 2), make([][]float64, 2)
	for j := range xi {
		n := d.Instances[j].N()
		xi[j], gx[j] = make([]float64, n), make([]float64, n)
		for i := range xi[j] {
			xi[j][i] = 3 * rng.Float64()
		}
	}
	if _, err := ev.EvaluateXi(t.Context(), p, xi, nil, gx); err != nil {
		t.Fatal(err)
	}
	for j := range xi {
		for i := range xi[j] {
			const h = 1e-5
			at := func(dx float64) float64 {
				old := xi[j][i]
				defer func() { xi[j][i] = old }()
				xi[j][i] += dx
				value, err := ev.EvaluateXi(t.Context(), p, xi, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				return value
			}
			if fd := (at(h) - at(-h)) / (2 * h); math.Abs(fd-gx[j][i]) > 1e-8 {
				t.Errorf("ξ[%d][%d]: gradient %g, difference %g", j, i, gx[j][i], fd)
			}
		}
	}
}

// TestSameBits checks that values, gradients and predictions have the same bits
// for any number of threads.
func TestSameBits(t *testing.T) {
	for _, v := range variants {
		for _, own := range []bool{false, true} {
			for _, sh := range [][2]int{{9, 8}, {3, 70}, {1, 300}} {
				d := randomDataset(3, sh[0], sh[1], 2, 2, own)
				p := randomParams(3, 2, 2)
				var first []float64
				for _, threads := range []int{1, 2, 7} {
					opts := v.opts
					opts.Threads = threads
					ev, err := NewEvaluator(t.Context(), d, opts)
					if err != nil {
						t.Fatal(err)
					}
					got := make([]float64, 1+GradientLen(2, 2))
					if got[0], err = ev.Evaluate(t.Context(), p, got[1:]); err != nil {
						t.Fatal(err)
					}
					if first == nil {
						first = got
					}
					for k := range got {
						if math.Float64bits(got[k]) != math.Float64bits(first[k]) {
							t.Fatalf("%s own=%t M=%d n=%d threads=%d: entry %d is %v, was %v", v.name, own, sh[0], sh[1], threads, k, got[k], first[k])
						}
					}
				}
			}
		}
	}
}

// TestDenseAgainstSparse evaluates one problem on both paths, by embedding it
// into a larger one with isolated, unlabelled nodes.
func TestDenseAgainstSparse(t *testing.T) {
	small := randomDataset(8, 1, 20, 2, 2, true)
	in := small.Instances[0]
	n, N := in.N(), denseMax+30
	big := gcrfbc.Instance{Scores: make([]float64, 2*N), Labels: make([]int8, N)}
	copy(big.Scores, in.Scores)
	for i := range big.Labels {
		big.Labels[i] = gcrfbc.Missing
	}
	copy(big.Labels, in.Labels)
	for _, g := range in.Graphs {
		h, err := sparse.NewGraph(N, g.Edges())
		if err != nil {
			t.Fatal(err)
		}
		big.Graphs = append(big.Graphs, h)
	}
	p := randomParams(8, 2, 2)
	for _, v := range variants {
		var got [2][]float64
		for k, x := range []gcrfbc.Instance{in, big} {
			opts := v.opts
			opts.SiteTol = 1e-13
			ev, err := NewEvaluator(t.Context(), &gcrfbc.Dataset{K: 2, Instances: []gcrfbc.Instance{x}}, opts)
			if err != nil {
				t.Fatal(err)
			}
			got[k] = make([]float64, 1+GradientLen(2, 2))
			if got[k][0], err = ev.Evaluate(t.Context(), p, got[k][1:]); err != nil {
				t.Fatal(err)
			}
		}
		for k, want := range got[0] {
			if math.Abs(got[1][k]-want) > 1e-10*(1+math.Abs(want)) {
				t.Errorf("%s: entry %d: sparse %.15g, dense %.15g (n=%d)", v.name, k, got[1][k], want, n)
			}
		}
	}
}

func TestBoundBelowEvidence(t *testing.T) {
	// The bound never exceeds ep's evidence by more than ep's own error.
	for seed := range uint64(5) {
		d := randomDataset(seed, 1, 10, 1, 1, true)
		p := randomParams(seed, 1, 1)
		value := map[gcrfbc.Approx]float64{}
		for _, a := range []gcrfbc.Approx{gcrfbc.JJ, gcrfbc.EP} {
			ev, err := NewEvaluator(t.Context(), d, Options{Approx: a})
			if err != nil {
				t.Fatal(err)
			}
			if value[a], err = ev.Evaluate(t.Context(), p, nil); err != nil {
				t.Fatal(err)
			}
		}
		if value[gcrfbc.JJ] > value[gcrfbc.EP]+1e-2 {
			t.Errorf("seed %d: bound %v above evidence %v", seed, value[gcrfbc.JJ], value[gcrfbc.EP])
		}
	}
}

func TestEvaluatorErrors(t *testing.T) {
	good := randomDataset(1, 2, 5, 2, 1, true)
	if _, err := NewEvaluator(t.Context(), good, Options{Variant: "x"}); !asError[*OptionError](err) {
		t.Errorf("variant: %v", err)
	}
	if _, err := NewEvaluator(t.Context(), good, Options{Approx: "x"}); !asError[*OptionError](err) {
		t.Errorf("approx: %v", err)
	}
	bad := randomDataset(1, 2, 5, 2, 1, true)
	bad.Instances[1].Scores[3] = math.NaN()
	_, err := NewEvaluator(t.Context(), bad, Options{})
	var de *gcrfbc.DataError
	if !errors.As(err, &de) || de.Instance != 1 || de.Node != 1 {
		t.Errorf("NaN score: %v", err)
	}
	ev, err := NewEvaluator(t.Context(), good, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []gcrfbc.Params{
		gcrfbc.NewParams([]float64{1, -1}, []float64{1}),
		gcrfbc.NewParams([]float64{1, 1}, []float64{math.NaN()}),
		gcrfbc.NewParams([]float64{1}, []float64{1}),
		{},
	} {
		if _, err := ev.Evaluate(t.Context(), p, nil); err == nil {
			t.Errorf("parameters %+v: no error", p)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ev.Evaluate(ctx, gcrfbc.NewParams([]float64{1, 1}, []float64{1}), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestMemoryLimit: a forecast beyond the limit is an error that counts all the
// factors that would be held.
func TestMemoryLimit(t *testing.T) {
	d := randomDataset(2, 1, 300, 2, 1, true)
	for _, v := range variants {
		opts := v.opts
		opts.MaxBytes = 1000
		_, err := NewEvaluator(t.Context(), d, opts)
		var e *chol.MemoryError
		if !errors.As(err, &e) || e.Limit != 1000 || e.Need <= 1000 {
			t.Errorf("%s: %v", v.name, err)
		}
		opts.MaxBytes = 1 << 30
		if _, err := NewEvaluator(t.Context(), d, opts); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}

// TestSingularPrecision: a precision that is singular to rounding is an error,
// not a wrong prediction.
func TestSingularPrecision(t *testing.T) {
	n := 400
	var edges []sparse.Edge
	in := gcrfbc.Instance{Labels: make([]int8, n)}
	for i := range n {
		in.Scores = append(in.Scores, float64(i))
		if i > 0 {
			edges = append(edges, sparse.Edge{I: i, J: i - 1, W: 1})
		}
	}
	g, err := sparse.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	d := &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{g}, Instances: []gcrfbc.Instance{in}}
	m := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean, Params: gcrfbc.NewParams([]float64{1e-300}, []float64{1e300})}
	if p, err := Predict(t.Context(), m, d, PredictOptions{}); err == nil {
		t.Errorf("means %v … %v, no error", p.Instances[0].Mean[0], p.Instances[0].Mean[n-1])
	}
}

func asError[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
