package partial

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawCmax is any degree, the default or Exact.
func drawCmax(t *rapid.T) int {
	return rapid.OneOf(rapid.IntRange(0, 20), rapid.Just(Exact)).Draw(t, "cmax")
}

// results computes everything a factor offers, of p and of p with .3 more of
// ridge on every other node.
func (p *problem) results(t testing.TB, opts Options) (out []float64, ld, ratio Estimate, exact float64) {
	ctx := context.Background()
	f := p.factor(t, opts)
	n := p.n()
	z := make([]float64, len(p.values))
	if err := f.SelectedInverse(ctx, z); err != nil {
		t.Fatal(err)
	}
	const k = 9
	b, x := make([]float64, k*n), make([]float64, k*n)
	for i := range b {
		b[i] = math.Sin(float64(1 + i*i%101))
	}
	if _, err := f.SolveManyTo(ctx, x, b, k, 1e-9, false); err != nil {
		t.Fatal(err)
	}
	one := make([]float64, n)
	if _, err := f.SolveTo(ctx, one, b[:n], 1e-9, false); err != nil {
		t.Fatal(err)
	}
	ld, err := f.LogDet(ctx)
	if err != nil {
		t.Fatal(err)
	}
	q, err := f.Quality(ctx, 8)
	if err != nil {
		t.Fatal(err)
	}
	more := &problem{pattern: p.pattern, values: slices.Clone(p.values), ridge: slices.Clone(p.ridge)}
	for i := 0; i < n; i += 2 {
		more.ridge[i] += 0.3
		more.values[p.pattern.Ptr()[i+1]-1] += 0.3
	}
	g := f.Symbolic().NewFactor()
	if err := g.RefactorizeGraph(ctx, more.ridge, more.values); err != nil {
		t.Fatal(err)
	}
	if ratio, err = g.LogDetRatio(ctx, f); err != nil {
		t.Fatal(err)
	}
	out = slices.Concat(z, x, one, []float64{ld.Value, ld.StdErr, ratio.Value, ratio.StdErr, q})
	return out, ld, ratio, more.exact(t).LogDet() - p.exact(t).LogDet()
}

// TestProperties: on graphs of one node to 120, connected or not, with any Cmax,
// results have the same bits for any number of threads, and stochastic ones are
// within five of their standard errors of the exact.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := drawProblem(rt)
		// Steps enough for the quadrature to be exact: errors are the probes'.
		opts := Options{Cmax: drawCmax(rt), Probes: 64, Steps: 40, Threads: 1, Seed: rapid.Uint64().Draw(rt, "probes")}
		first, ld, ratio, want := p.results(t, opts)
		for _, threads := range []int{2, 7} {
			opts.Threads = threads
			again, _, _, _ := p.results(t, opts)
			for i, v := range again {
				if v != first[i] && !(math.IsNaN(v) && math.IsNaN(first[i])) {
					rt.Fatalf("%d threads: number %d of %d is %v, was %v", threads, i, len(again), v, first[i])
				}
			}
		}
		rounding := 1e-7 * (1 + math.Abs(ld.Value))
		if exact := p.exact(t).LogDet(); math.Abs(ld.Value-exact) > 5*ld.StdErr+rounding {
			rt.Fatalf("log-determinant %v ± %v, exact %v", ld.Value, ld.StdErr, exact)
		}
		if math.Abs(ratio.Value-want) > 5*ratio.StdErr+rounding {
			rt.Fatalf("log-determinant ratio %v ± %v, exact %v", ratio.Value, ratio.StdErr, want)
		}
		if opts.Cmax == Exact && (ld.StdErr != 0 || ratio.StdErr != 0) {
			rt.Fatalf("standard errors %v and %v of exact numbers", ld.StdErr, ratio.StdErr)
		}
	})
}

// TestExactDigits: with every node eliminated results are package chol's to
// 1e-10, where the matrix is conditioned well enough for that.
func TestExactDigits(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(rt *rapid.T) {
		p := drawProblem(rt)
		for i := range p.ridge {
			p.ridge[i]++
			p.values[p.pattern.Ptr()[i+1]-1]++
		}
		f, want := p.factor(t, Options{Cmax: Exact}), p.exact(t)
		n := p.n()
		z, zWant := make([]float64, len(p.values)), make([]float64, len(p.values))
		x, xWant, b := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range b {
			b[i] = float64(1 + i%5)
		}
		if err := f.SelectedInverse(ctx, z); err != nil {
			rt.Fatal(err)
		}
		if _, err := f.SolveTo(ctx, x, b, 0, false); err != nil {
			rt.Fatal(err)
		}
		if err := want.SelectedInverse(ctx, zWant); err != nil {
			rt.Fatal(err)
		}
		if err := want.SolveTo(xWant, b); err != nil {
			rt.Fatal(err)
		}
		ld, err := f.LogDet(ctx)
		if err != nil {
			rt.Fatal(err)
		}
		for i, v := range slices.Concat(z, x, []float64{ld.Value}) {
			w := slices.Concat(zWant, xWant, []float64{want.LogDet()})[i]
			if math.Abs(v-w) > 1e-10*(1e-3+math.Abs(w)) {
				rt.Fatalf("number %d is %v, want %v", i, v, w)
			}
		}
	})
}

// TestOneNode: a matrix of order one, and one without edges, have no core.
func TestOneNode(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{1, 5} {
		p := newProblem(rand.New(rand.NewPCG(1, 2)), n, 0, 1, false)
		for i := range p.ridge {
			p.ridge[i], p.values[i] = 2, 2 // no edges: the values are the diagonal
		}
		f := p.factor(t, Options{})
		diag := make([]float64, n)
		if err := f.InverseDiagTo(ctx, diag); err != nil {
			t.Fatal(err)
		}
		ld, err := f.LogDet(ctx)
		if err != nil || ld.StdErr != 0 || math.Abs(ld.Value-float64(n)*math.Log(2)) > 1e-12 {
			t.Errorf("%d nodes: log-determinant %v, %v", n, ld, err)
		}
		for _, v := range diag {
			if v != 0.5 {
				t.Errorf("%d nodes: inverse %v", n, diag)
				break
			}
		}
		if f.Symbolic().CoreN() != 0 {
			t.Errorf("a core of %d", f.Symbolic().CoreN())
		}
	}
}
