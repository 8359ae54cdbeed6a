package learn

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// starDataset is a graph whose later nodes prefer the first ones as neighbours.
func starDataset(seed uint64, n, m int) *gcrfbc.Dataset {
	rng := rand.New(rand.NewPCG(seed, 1))
	seen := map[[2]int]bool{}
	var edges []sparse.Edge
	for i := 1; i < n; i++ {
		for range m {
			j := int(float64(i) * math.Pow(rng.Float64(), 2))
			if !seen[[2]int{i, j}] {
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
			in.Scores[2*i+k] = float64(2*in.Labels[i]-1)*0.3 + rng.NormFloat64()
		}
		if rng.IntN(2) == 0 {
			in.Labels[i] = gcrfbc.Missing
		}
	}
	return &gcrfbc.Dataset{K: 2, Graphs: []*sparse.Graph{g}, Instances: []gcrfbc.Instance{in}}
}

// TestUncertainPartial: standard errors with an approximate factor are those with
// the exact one and, in quadrature, what the gradient's noise moves the estimate
// by over seeds.
func TestUncertainPartial(t *testing.T) {
	d := starDataset(4, 1200, 4)
	m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.PaperMean, Params: gcrfbc.NewParams([]float64{0.08, 0.04}, []float64{0.02})}
	z, err := infer.Sample(t.Context(), m, d, infer.PredictOptions{}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range d.Instances[0].Labels { // from the model, of all nodes
		d.Instances[0].Labels[i] = 0
		if rng.Float64() < 1/(1+math.Exp(-z[0][i])) {
			d.Instances[0].Labels[i] = 1
		}
	}
	exact, err := Uncertain(t.Context(), d, m, Options{Solver: infer.SolverExact})
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Solver: infer.SolverPartial, Cmax: 4}
	u, err := Uncertain(t.Context(), d, m, opts)
	if err != nil {
		t.Fatal(err)
	}
	if exact.Stochastic != nil || len(u.Stochastic) != len(u.Names) || !strings.Contains(strings.Join(u.Notes, "\n"), "probes") {
		t.Fatalf("stochastic parts %v with the exact factor, %v with the other; notes %q", exact.Stochastic, u.Stochastic, u.Notes)
	}
	// Newton steps from the same point with other probes.
	n, some := len(u.Free), 0
	const seeds = 40
	var mean, square []float64
	for seed := range seeds {
		opts, err := opts.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		opts.Variant, opts.Approx, opts.Mean = m.Variant, m.Approx, m.Mean
		obj, err := newObjective(t.Context(), d, &opts)
		if err != nil {
			t.Fatal(err)
		}
		obj.ev, err = infer.NewEvaluator(t.Context(), d, infer.Options{Solver: opts.Solver, Cmax: opts.Cmax, Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		obj.sc.plain()
		x := obj.sc.variables(m.Params)
		grad := make([]float64, len(x))
		if _, err := obj.evaluate(t.Context(), x, grad); err != nil {
			t.Fatal(err)
		}
		if mean == nil {
			mean, square = make([]float64, n), make([]float64, n)
		}
		for a := range n {
			step := 0.0
			for b, j := range exact.Free {
				step -= exact.Covariance[a*n+b] * grad[j] * obj.norm
			}
			mean[a] += step / seeds
			square[a] += step * step / seeds
		}
	}
	for a, i := range u.Free {
		if math.IsNaN(u.SE[i]) || math.IsNaN(exact.SE[i]) {
			continue
		}
		some++
		spread := math.Sqrt(square[a] - mean[a]*mean[a])
		t.Logf("%-9s standard error %.4f (exact factor %.4f), of it stochastic %.4f; over seeds %.4f", u.Names[i], u.SE[i], exact.SE[i], u.Stochastic[i], spread)
		if u.Stochastic[i] < spread/1.6 || u.Stochastic[i] > 20*spread+1e-3 {
			t.Errorf("%s: the stochastic part is %g, the spread over seeds %g", u.Names[i], u.Stochastic[i], spread)
		}
		if v := math.Sqrt(u.SE[i]*u.SE[i] - u.Stochastic[i]*u.Stochastic[i]); math.Abs(v-exact.SE[i]) > 0.1*exact.SE[i] {
			t.Errorf("%s: the rest is %g, with the exact factor %g", u.Names[i], v, exact.SE[i])
		}
	}
	if some == 0 {
		t.Error("no component has a standard error")
	}
}

// TestFitSolver: a model remembers the factor that it was fitted with.
func TestFitSolver(t *testing.T) {
	r, err := Fit(t.Context(), starDataset(5, 300, 4), Options{Solver: infer.SolverPartial, Cmax: 5, MaxEvaluations: 6})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Model.Fit.Solver; !s.Partial() || s.Cmax != 5 || s.Core == 0 || !(s.Quality > 0) || !(s.ObjectiveSE > 0) {
		t.Errorf("solver %+v", s)
	}
}
