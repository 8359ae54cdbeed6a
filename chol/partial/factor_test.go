package partial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/sparse"
	"pgregory.net/rapid"
)

// problem is a random graph's Laplacian plus a ridge.
type problem struct {
	pattern       *sparse.Pattern
	values, ridge []float64
}

func (p *problem) n() int { n, _ := p.pattern.Dims(); return n }

// newProblem has n nodes and about m edges with weights over three decades;
// ridges are r times a number from 0 to 1, those of the first nodes of every
// component above 0.
func newProblem(rng *rand.Rand, n, m int, r float64, powerLaw bool) *problem {
	seen := map[[2]int]bool{}
	var edges []sparse.Edge
	for range m {
		if n < 2 {
			break
		}
		i, j := rng.IntN(n), rng.IntN(n)
		if powerLaw {
			j = int(float64(n) * math.Pow(rng.Float64(), 4))
		}
		i, j = max(i, j), min(i, j)
		if i == j || seen[[2]int{i, j}] {
			continue
		}
		seen[[2]int{i, j}] = true
		edges = append(edges, sparse.Edge{I: i, J: j, W: math.Pow(10, 2*rng.Float64()-1)})
	}
	g, err := sparse.NewGraph(n, edges)
	if err != nil {
		panic(err)
	}
	f, err := sparse.NewFamily(n, sparse.Laplacian(g))
	if err != nil {
		panic(err)
	}
	p := &problem{pattern: f.Pattern(), ridge: make([]float64, n)}
	p.values = make([]float64, p.pattern.NNZ())
	f.AssembleTo(p.values, []float64{1})
	label, _ := g.Components()
	done := map[int32]bool{}
	for i := range p.ridge {
		if rng.IntN(3) > 0 || !done[label[i]] {
			p.ridge[i] = r * (0.1 + rng.Float64())
			done[label[i]] = true
		}
		p.values[p.pattern.Ptr()[i+1]-1] += p.ridge[i]
	}
	return p
}

func (p *problem) exact(t testing.TB) *chol.Factor {
	s, err := chol.Analyze(context.Background(), p.pattern, chol.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := s.NewFactor()
	if err := f.Refactorize(context.Background(), p.values); err != nil {
		t.Fatal(err)
	}
	return f
}

func (p *problem) factor(t testing.TB, opts Options) *Factor {
	s, err := Analyze(context.Background(), p.pattern, opts)
	if err != nil {
		t.Fatal(err)
	}
	f := s.NewFactor()
	if err := f.RefactorizeGraph(context.Background(), p.ridge, p.values); err != nil {
		t.Fatal(err)
	}
	return f
}

func drawProblem(t *rapid.T) *problem {
	n := rapid.IntRange(1, 120).Draw(t, "n")
	m := rapid.IntRange(0, 5*n).Draw(t, "m")
	r := math.Pow(10, rapid.Float64Range(-4, 1).Draw(t, "log r"))
	return newProblem(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), n, m, r, rapid.Bool().Draw(t, "power law"))
}

// TestExact: with every node eliminated all results are those of package chol.
func TestExact(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(rt *rapid.T) {
		p := drawProblem(rt)
		n := p.n()
		f, want := p.factor(t, Options{Cmax: Exact}), p.exact(t)
		ld, err := f.LogDet(ctx)
		if err != nil || ld.StdErr != 0 || math.Abs(ld.Value-want.LogDet()) > 1e-9*(1+math.Abs(ld.Value)) {
			rt.Fatalf("log-determinant %v, %v; want %v", ld, err, want.LogDet())
		}
		z, zWant := make([]float64, len(p.values)), make([]float64, len(p.values))
		if err := f.SelectedInverse(ctx, z); err != nil {
			rt.Fatal(err)
		}
		if err := want.SelectedInverse(ctx, zWant); err != nil {
			rt.Fatal(err)
		}
		for q := range z {
			if math.Abs(z[q]-zWant[q]) > 1e-8*math.Abs(zWant[q]) {
				rt.Fatalf("inverse[%d] is %g, want %g", q, z[q], zWant[q])
			}
		}
		b, x, y := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range b {
			b[i] = float64(i%7) - 3
		}
		if _, err := f.SolveTo(ctx, x, b, 0, false); err != nil {
			rt.Fatal(err)
		}
		if err := want.SolveTo(y, b); err != nil {
			rt.Fatal(err)
		}
		scale := 0.0
		for _, v := range y {
			scale = math.Max(scale, math.Abs(v))
		}
		for i := range x {
			if math.Abs(x[i]-y[i]) > 1e-9*scale {
				rt.Fatalf("x[%d] is %g, want %g", i, x[i], y[i])
			}
		}
		if q, err := f.Quality(ctx, 8); q != 0 || err != nil {
			rt.Fatalf("quality %g, %v", q, err)
		}
	})
}

// TestKnob: for any Cmax solves are right, the restricted recursion is a lower
// bound of the inverse and the corrected one reproduces K1 = g, and the
// log-determinant is within its error.
func TestKnob(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(rt *rapid.T) {
		p := drawProblem(rt)
		n := p.n()
		opts := Options{
			Cmax: rapid.IntRange(1, 20).Draw(rt, "cmax"), Probes: 64,
			Preconditioner: Preconditioner(rapid.IntRange(0, 2).Draw(rt, "preconditioner")),
		}
		f, want := p.factor(t, opts), p.exact(t)
		zWant := make([]float64, len(p.values))
		if err := want.SelectedInverse(ctx, zWant); err != nil {
			rt.Fatal(err)
		}
		f.z, f.zd = make([]float64, len(f.u)), make([]float64, n)
		if err := f.invertCore(ctx); err != nil {
			rt.Fatal(err)
		}
		for q, slot := range f.s.where {
			k := -1 - slot
			if slot < 0 && int(k) >= f.s.first && f.zd[k] > zWant[q]*(1+1e-9) {
				rt.Fatalf("the bound %g of S[%d] is above %g", f.zd[k], q, zWant[q])
			}
		}
		f.z = nil
		z := make([]float64, len(p.values))
		if err := f.SelectedInverse(ctx, z); err != nil {
			rt.Fatal(err)
		}
		for q := range z {
			if !(z[q] > 0) || math.IsInf(z[q], 0) {
				rt.Fatalf("inverse[%d] is %g", q, z[q])
			}
		}
		k := rapid.IntRange(1, 11).Draw(rt, "right-hand sides")
		b, x := make([]float64, k*n), make([]float64, k*n)
		rng := rand.New(rand.NewPCG(3, 4))
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		if _, err := f.SolveManyTo(ctx, x, b, k, 1e-11, false); err != nil {
			rt.Fatal(err)
		}
		y := make([]float64, k*n)
		if err := want.SolveManyTo(y, b, k); err != nil {
			rt.Fatal(err)
		}
		for r := range k {
			diff, size := 0.0, 0.0
			for i := r * n; i < (r+1)*n; i++ {
				diff, size = math.Max(diff, math.Abs(x[i]-y[i])), math.Max(size, math.Abs(y[i]))
			}
			if diff > 1e-6*size {
				rt.Fatalf("right-hand side %d of %d is off by %g of %g", r, k, diff, size)
			}
		}
		stats, err := f.SolveManyTo(ctx, x, b, k, 1e-6, true)
		if err != nil || stats.Iterations > 0 {
			rt.Fatalf("a warm start from the solution took %d iterations, %v", stats.Iterations, err)
		}
		ld, err := f.LogDet(ctx)
		if err != nil || math.Abs(ld.Value-want.LogDet()) > 6*ld.StdErr+0.02*float64(f.s.CoreN())+1e-8*(1+math.Abs(ld.Value)) {
			rt.Fatalf("log-determinant %v, %v; want %v (core %d)", ld, err, want.LogDet(), f.s.CoreN())
		}
	})
}

// TestRatio: common probes make the difference of two log-determinants better
// than either.
func TestRatio(t *testing.T) {
	ctx := context.Background()
	p := newProblem(rand.New(rand.NewPCG(1, 2)), 2000, 12000, 0.1, true)
	f := p.factor(t, Options{Cmax: 6, Probes: 32})
	want := -p.exact(t).LogDet()
	for i := 0; i < p.n(); i += 2 {
		p.ridge[i] += 0.2
		p.values[p.pattern.Ptr()[i+1]-1] += 0.2
	}
	g := f.s.NewFactor()
	if err := g.RefactorizeGraph(ctx, p.ridge, p.values); err != nil {
		t.Fatal(err)
	}
	want += p.exact(t).LogDet()
	ratio, err := g.LogDetRatio(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := g.LogDet(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(ratio.Value-want) > 5*ratio.StdErr+0.01 || !(ratio.StdErr < alone.StdErr) {
		t.Fatalf("ratio %+v, want %g; alone ±%g", ratio, want, alone.StdErr)
	}
	if s, err := Analyze(ctx, p.pattern, Options{}); err != nil {
		t.Fatal(err)
	} else if _, err := s.NewFactor().LogDetRatio(ctx, f); !errors.Is(err, chol.ErrNotFactorized) {
		t.Fatalf("a factor without values gives %v", err)
	}
}

// TestThreads: the same bits for any number of threads, and again.
func TestThreads(t *testing.T) {
	ctx := context.Background()
	p := newProblem(rand.New(rand.NewPCG(5, 6)), 3000, 20000, 1e-3, true)
	n := p.n()
	var first []float64
	for _, threads := range []int{1, 2, 7, 7} {
		f := p.factor(t, Options{Cmax: 4, Threads: threads, Probes: 24, Preconditioner: Approximate})
		out := make([]float64, len(p.values)+20*n)
		if err := f.SelectedInverse(ctx, out[:len(p.values)]); err != nil {
			t.Fatal(err)
		}
		b := make([]float64, 20*n)
		for i := range b {
			b[i] = math.Sin(float64(i))
		}
		if _, err := f.SolveManyTo(ctx, out[len(p.values):], b, 20, 1e-8, false); err != nil {
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
		out = append(out, ld.Value, ld.StdErr, q)
		if first == nil {
			first = out
			continue
		}
		for i, v := range out {
			if v != first[i] {
				t.Fatalf("%d threads: number %d is %v, was %v", threads, i, v, first[i])
			}
		}
	}
}

// TestSample: the draws' covariance is the inverse.
func TestSample(t *testing.T) {
	ctx := context.Background()
	p := newProblem(rand.New(rand.NewPCG(7, 8)), 30, 100, 0.5, false)
	f, want := p.factor(t, Options{Cmax: 3}), p.exact(t)
	diag := make([]float64, p.n())
	if err := want.InverseDiagTo(ctx, diag); err != nil {
		t.Fatal(err)
	}
	const draws = 20000
	rng := rand.New(rand.NewPCG(9, 10))
	x, square := make([]float64, p.n()), make([]float64, p.n())
	for range draws {
		if err := f.SampleTo(ctx, x, p.values, rng, 1e-8); err != nil {
			t.Fatal(err)
		}
		for i, v := range x {
			square[i] += v * v / draws
		}
	}
	for i, v := range square {
		if math.Abs(v/diag[i]-1) > 6*math.Sqrt(2.0/draws) {
			t.Fatalf("variance of node %d is %g, want %g", i, v, diag[i])
		}
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	p := newProblem(rand.New(rand.NewPCG(1, 2)), 20, 40, 1, false)
	s, err := Analyze(ctx, p.pattern, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := s.NewFactor()
	if _, err := f.LogDet(ctx); !errors.Is(err, chol.ErrNotFactorized) {
		t.Errorf("log-determinant without values gives %v", err)
	}
	with := func(q int, v float64) []float64 {
		out := append([]float64(nil), p.values...)
		out[q] = v
		return out
	}
	off, diag := -1, p.pattern.Ptr()[8]-1
	for q, v := range p.values {
		if v < 0 {
			off = q
			break
		}
	}
	var matrix *MatrixError
	if err := f.Refactorize(ctx, with(off, 0.5)); !errors.As(err, &matrix) {
		t.Errorf("a positive entry gives %v", err)
	}
	if err := f.Refactorize(ctx, with(diag, -5)); !errors.As(err, &matrix) || matrix.Row != 7 {
		t.Errorf("a negative row sum gives %v", err)
	}
	var value *chol.ValueError
	if err := f.Refactorize(ctx, with(off, math.NaN())); !errors.As(err, &value) {
		t.Errorf("NaN gives %v", err)
	}
	var shape *chol.ShapeError
	if err := f.Refactorize(ctx, p.values[1:]); !errors.As(err, &shape) {
		t.Errorf("a short slice gives %v", err)
	}
	singular := append([]float64(nil), p.values...)
	for i := range p.n() {
		singular[p.pattern.Ptr()[i+1]-1] -= p.ridge[i]
	}
	var npd *chol.NotPositiveDefiniteError
	if err := f.RefactorizeGraph(ctx, make([]float64, p.n()), singular); !errors.As(err, &npd) {
		t.Errorf("a matrix without ridge gives %v", err)
	}
	var option *OptionError
	if _, err := Analyze(ctx, p.pattern, Options{Cmax: -1}); !errors.As(err, &option) {
		t.Errorf("Cmax -1 gives %v", err)
	}
	var memory *chol.MemoryError
	if _, err := Analyze(ctx, p.pattern, Options{MaxBytes: 10}); !errors.As(err, &memory) {
		t.Errorf("10 bytes give %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if err := f.Refactorize(canceled, p.values); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled context gives %v", err)
	}
	var bad *chol.PatternError
	hollow, err := sparse.NewPattern(2, 2, []int{0, 0, 1}, []int32{0})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Analyze(ctx, hollow, Options{}); !errors.As(err, &bad) {
		t.Errorf("a pattern without diagonal gives %v", err)
	}
}

func TestEmpty(t *testing.T) {
	p, err := sparse.NewPattern(0, 0, []int{0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Analyze(context.Background(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := s.NewFactor()
	if err := f.Refactorize(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if ld, err := f.LogDet(context.Background()); ld.Value != 0 || err != nil {
		t.Fatalf("log-determinant %v, %v", ld, err)
	}
	if _, err := f.SolveTo(context.Background(), nil, nil, 0, false); err != nil {
		t.Fatal(err)
	}
}

func ExampleAnalyze() {
	g := sparse.Grid2D(30, 30)
	family, _ := sparse.NewFamily(g.N(), sparse.Identity(g.N()), sparse.Laplacian(g))
	values := make([]float64, family.Pattern().NNZ())
	family.AssembleTo(values, []float64{0.1, 1})

	ctx := context.Background()
	s, err := Analyze(ctx, family.Pattern(), Options{Cmax: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := s.NewFactor()
	if err := f.Refactorize(ctx, values); err != nil {
		fmt.Println(err)
		return
	}
	b, x := make([]float64, g.N()), make([]float64, g.N())
	b[0] = 1
	stats, err := f.SolveTo(ctx, x, b, 1e-8, false)
	fmt.Printf("x[0] = %.4f, converged: %t\n", x[0], err == nil && stats.Residual <= 1e-8)
	// Output:
	// x[0] = 1.0407, converged: true
}
