package authors

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// small returns three instances of different size with two predictors and two
// dense graphs each.
func small(t *testing.T) *gcrfbc.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 5))
	d := &gcrfbc.Dataset{K: 2}
	for _, n := range []int{4, 7, 5} {
		in := gcrfbc.Instance{Scores: make([]float64, 2*n), Labels: make([]int8, n)}
		for i := range in.Scores {
			in.Scores[i] = 2*rng.Float64() - 1
		}
		for i := range in.Labels {
			in.Labels[i] = int8(rng.IntN(2))
		}
		for range 2 {
			var edges []sparse.Edge
			for i := range n {
				for j := range i {
					edges = append(edges, sparse.Edge{I: i, J: j, W: rng.Float64()})
				}
			}
			g, err := sparse.NewGraph(n, edges)
			if err != nil {
				t.Fatal(err)
			}
			in.Graphs = append(in.Graphs, g)
		}
		d.Instances = append(d.Instances, in)
	}
	return d
}

// TestAgainstEngine: the bound at given ξ, the log-likelihood and all gradients
// are those of the engine, which computes them in another way.
func TestAgainstEngine(t *testing.T) {
	d := small(t)
	p := New(d)
	x := []float64{.7, .2, .4, 1.3}
	for i := range p.Nodes() {
		x = append(x, .3+.2*float64(i))
	}
	for _, variant := range []gcrfbc.Variant{gcrfbc.Bayesian, gcrfbc.NonBayesian} {
		ev, err := infer.NewEvaluator(t.Context(), d, infer.Options{Variant: variant, Approx: gcrfbc.JJ})
		if err != nil {
			t.Fatal(err)
		}
		params := gcrfbc.NewParams(x[:2], x[2:4])
		want := make([]float64, infer.GradientLen(2, 2))
		var value float64
		grad := make([]float64, len(x))
		var xi, gxi [][]float64
		if variant == gcrfbc.Bayesian {
			for j := range d.Instances {
				xi = append(xi, x[4+p.start[j]:4+p.start[j+1]])
				gxi = append(gxi, make([]float64, d.Instances[j].N()))
			}
			value, err = ev.EvaluateXi(t.Context(), params, xi, want, gxi)
		} else {
			grad = grad[:4]
			value, err = ev.Evaluate(t.Context(), params, want)
		}
		if err != nil {
			t.Fatal(err)
		}
		want = want[:4]
		for _, g := range gxi {
			want = append(want, g...)
		}
		if got := p.Evaluate(variant, x, grad); math.Abs(got-value) > 1e-11 {
			t.Errorf("%s: value %.15g, want %.15g", variant, got, value)
		}
		for i, g := range grad {
			if math.Abs(g-want[i]) > 1e-11 {
				t.Errorf("%s: gradient %d is %.15g, want %.15g", variant, i, g, want[i])
			}
		}
	}
}

// TestFit: the joint problem over θ and ξ does not exceed what profiling finds,
// and climbs from its start.
func TestFit(t *testing.T) {
	d := small(t)
	p := New(d)
	for _, variant := range []gcrfbc.Variant{gcrfbc.Bayesian, gcrfbc.NonBayesian} {
		short, err := p.Fit(t.Context(), variant, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		long, err := p.Fit(t.Context(), variant, 1, 400)
		if err != nil {
			t.Fatal(err)
		}
		if short.Evaluations > 3 || long.Evaluations > 400 {
			t.Errorf("%s: %d and %d evaluations, limits were 3 and 400", variant, short.Evaluations, long.Evaluations)
		}
		if !(long.Objective > short.Objective) || !(long.Objective < 0) {
			t.Errorf("%s: objective %g after 3 evaluations, %g after 400", variant, short.Objective, long.Objective)
		}
		for _, v := range append(long.Alpha, long.Beta...) {
			if v < Lower {
				t.Errorf("%s: %v %v below the bound", variant, long.Alpha, long.Beta)
			}
		}
	}
}

// TestNumPy: the NumPy program computes the same numbers, where it can run.
func TestNumPy(t *testing.T) {
	py, err := FindPython(t.Context(), "python3", "/usr/bin/python3")
	if err != nil {
		t.Skip(err)
	}
	d := small(t)
	d.Instances = d.Instances[:1]
	p := New(d)
	it := p.instances[0]
	x := []float64{.7, .2, .4, 1.3, .3, .9, 1.5, 2.2}
	r, s := make([][][]float64, 1), make([][][][]float64, 1)
	for i := range it.n {
		r[0] = append(r[0], []float64{it.scores[0][i], it.scores[1][i]})
	}
	for _, lap := range it.laps {
		var m [][]float64
		for i := range it.n {
			row := make([]float64, it.n)
			for j, v := range lap.row(i) {
				if i != j {
					row[j] = -v
				}
			}
			m = append(m, row)
		}
		s[0] = append(s[0], m)
	}
	in, err := json.Marshal(map[string]any{"R": r, "S": s, "Y": [][]float64{it.labels}, "alpha": x[:2], "beta": x[2:4], "xi": [][]float64{x[4:]}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := py.run(t.Context(), in, "check")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		B      float64   `json:"b"`
		NB     float64   `json:"nb"`
		GradB  []float64 `json:"grad_b"`
		GradNB []float64 `json:"grad_nb"`
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		variant gcrfbc.Variant
		value   float64
		grad    []float64
		x       []float64
	}{{gcrfbc.Bayesian, got.B, got.GradB, x}, {gcrfbc.NonBayesian, got.NB, got.GradNB, x[:4]}} {
		grad := make([]float64, len(c.x))
		if v := p.Evaluate(c.variant, c.x, grad); math.Abs(v-c.value) > 1e-11 {
			t.Errorf("%s: value %.15g, NumPy %.15g", c.variant, v, c.value)
		}
		if len(grad) != len(c.grad) {
			t.Fatalf("%s: %d components, NumPy %d", c.variant, len(grad), len(c.grad))
		}
		for i, g := range grad {
			if math.Abs(g-c.grad[i]) > 1e-10 {
				t.Errorf("%s: gradient %d is %.15g, NumPy %.15g", c.variant, i, g, c.grad[i])
			}
		}
	}
	if tm, err := py.Time(t.Context(), gcrfbc.Bayesian, 3, 4, 2, 2, 0); err != nil || !(tm.Seconds > 0) {
		t.Errorf("%+v: %v", tm, err)
	}
}
