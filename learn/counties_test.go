package learn

import (
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/internal/counties"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// swing is the counties' data set with the labels of the training part.
func swing(t testing.TB) *gcrfbc.Dataset {
	t.Helper()
	table := counties.Nodes()
	in := gcrfbc.Instance{}
	var err error
	if in.Scores, err = table.Scores(counties.Scores); err != nil {
		t.Fatal(err)
	}
	if in.Labels, err = table.Labels(counties.Label); err != nil {
		t.Fatal(err)
	}
	train, err := table.Mask(counties.Train)
	if err != nil {
		t.Fatal(err)
	}
	for i, keep := range train {
		if !keep {
			in.Labels[i] = gcrfbc.Missing
		}
	}
	borders, _ := counties.Graph()
	return &gcrfbc.Dataset{K: 2, Graphs: []*sparse.Graph{borders}, Instances: []gcrfbc.Instance{in}}
}

// TestTMB compares with TMB 1.9.2 (K. Kristensen et al., J. Stat. Softw. 70 (2016)
// 5), which maximises Laplace's approximation too: the same field on the counties
// with mean R w + c. Its optimum has the same evidence here, and the fit from the
// default starts is at least as good, with standard errors.
func TestTMB(t *testing.T) {
	d := swing(t)
	const evidence = -721.9372
	half := 0.5 * math.Exp(-6.090491)
	p := gcrfbc.Params{Alpha: []float64{half, half}, Beta: []float64{math.Exp(-2.291324)}, Bias: 0.05984779, Direct: []float64{0.2082497, 1.09834}}
	ev, err := infer.NewEvaluator(t.Context(), d, infer.Options{Approx: gcrfbc.Laplace})
	if err != nil {
		t.Fatal(err)
	}
	v, err := ev.Evaluate(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(v-evidence) > 1e-3 {
		t.Errorf("evidence at TMB's optimum %.5f, TMB says %.4f", v, evidence)
	}
	o := Options{Approx: gcrfbc.Laplace, Mean: "gain=0,bias,direct", StandardErrors: AlwaysStandardErrors}
	r, err := Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Status.Converged() || r.Objective < evidence-1e-4 || r.Uncertainty == nil {
		t.Fatalf("%v, evidence %.5f, TMB's %.4f; %q", r.Status, r.Objective, evidence, r.Notes)
	}
	for i, se := range r.Uncertainty.SE {
		if !(se > 0) || math.IsInf(se, 0) {
			t.Errorf("standard error of %s is %v", r.Uncertainty.Names[i], se)
		}
	}
	t.Logf("laplace: %.5f, %d evaluations, %v; %q %.4f", r.Objective, r.Evaluations, r.Elapsed, r.Uncertainty.Names, r.Uncertainty.SE)
	o.Approx, o.GradTol, o.Starts, o.StandardErrors = gcrfbc.EP, 1e-4, []Start{{.01, .1}}, NoStandardErrors
	if r, err = Fit(t.Context(), d, o); err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Objective+714) > 1 {
		t.Errorf("ep: evidence %.4f, want about −714", r.Objective)
	}
	t.Logf("ep: %.5f, %d evaluations, %v", r.Objective, r.Evaluations, r.Elapsed)
}

// BenchmarkTMB is the fit of TestTMB: 8.7 s and, for its standard errors, 1.3 s in
// TMB.
func BenchmarkTMB(b *testing.B) {
	d := swing(b)
	o := Options{Approx: gcrfbc.Laplace, Mean: "gain=0,bias,direct", StandardErrors: AlwaysStandardErrors}
	for b.Loop() {
		r, err := Fit(b.Context(), d, o)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Evaluations), "evaluations")
	}
}
