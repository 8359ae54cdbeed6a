package learn

import (
	"math"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// TestUncertainGain: with one node an instance, no graph and a tiny variance
// the model is a logistic regression, whose standard errors are known.
func TestUncertainLogisticRegression(t *testing.T) {
	d := gridDataset(21, 20, 20)
	d.Graphs = nil
	m := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.CalibratedMean, Params: gcrfbc.NewParams([]float64{1, 1e-9}, nil)}
	m.Gain = 0 // the mean is R w + c: only bias and direct weights matter
	m.Bias, m.Direct = 0.1, []float64{0.7, -0.2}
	u, err := Uncertain(t.Context(), d, m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var h [3][3]float64 // information of (bias, w1, w2)
	in := &d.Instances[0]
	for i, y := range in.Labels {
		if y == gcrfbc.Missing {
			continue
		}
		x := [3]float64{1, in.Scores[2*i], in.Scores[2*i+1]}
		p := 1 / (1 + math.Exp(-(0.1 + 0.7*x[1] - 0.2*x[2])))
		for a := range x {
			for b := range x {
				h[a][b] += p * (1 - p) * x[a] * x[b]
			}
		}
	}
	// Gain and direct[0] move the mean alike (gain·R1 + w1·R1), so neither is
	// identified; bias and direct[1] are.
	det := h[0][0]*(h[1][1]*h[2][2]-h[1][2]*h[2][1]) - h[0][1]*(h[1][0]*h[2][2]-h[1][2]*h[2][0]) + h[0][2]*(h[1][0]*h[2][1]-h[1][1]*h[2][0])
	want := map[string]float64{
		"bias":      math.Sqrt((h[1][1]*h[2][2] - h[1][2]*h[2][1]) / det),
		"direct[1]": math.Sqrt((h[0][0]*h[1][1] - h[0][1]*h[1][0]) / det),
	}
	for i, name := range u.Names {
		if w, ok := want[name]; ok && math.Abs(u.SE[i]-w) > 1e-4*w {
			t.Errorf("%s: standard error %v, want %v", name, u.SE[i], w)
		}
		if (name == "gain" || name == "direct[0]") && !math.IsNaN(u.SE[i]) {
			t.Errorf("%s has standard error %v but is not identified", name, u.SE[i])
		}
	}
	if !strings.Contains(strings.Join(u.Notes, "\n"), "gain") {
		t.Errorf("notes do not name the flat direction: %q", u.Notes)
	}
}

func TestUncertainAtFit(t *testing.T) {
	d := gridDataset(22, 16, 16)
	r, err := Fit(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Uncertain(t.Context(), d, r.Model, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range u.Eigenvalues {
		if l < -1e-2 {
			t.Errorf("not a maximum: eigenvalues %v", u.Eigenvalues)
		}
	}
	other := &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{}, Instances: []gcrfbc.Instance{{Scores: []float64{1, 2}, Labels: []int8{0, 1}}}}
	if _, err := Uncertain(t.Context(), other, r.Model, Options{}); !asError[*gcrfbc.ModelError](err) {
		t.Errorf("another shape: %v", err)
	}
}

// TestUncertainRatios: for nb the standard errors of α and β with Σα = 1 are
// those of a regression on the ratios alone, by differences of values.
func TestUncertainRatios(t *testing.T) {
	d := gridDataset(23, 14, 14)
	for i, y := range d.Instances[0].Labels { // both scores tell something
		if y != gcrfbc.Missing {
			d.Instances[0].Scores[2*i+1] += 1.5*float64(y) - 0.7
		}
	}
	r, err := Fit(t.Context(), d, Options{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean, StandardErrors: AlwaysStandardErrors})
	if err != nil {
		t.Fatal(err)
	}
	u := r.Uncertainty
	if u == nil || len(u.Free) != 3 {
		t.Fatalf("%+v", u)
	}
	ev, err := infer.NewEvaluator(t.Context(), d, infer.Options{Variant: gcrfbc.NonBayesian})
	if err != nil {
		t.Fatal(err)
	}
	// The objective in (log(α_2/α_1), log β) with Σα = 1.
	ratio, beta := math.Log(r.Model.Alpha[1]/r.Model.Alpha[0]), math.Log(r.Model.Beta[0])
	alphas := func(q float64) (a0, a1 float64) { return 1 / (1 + math.Exp(q)), 1 / (1 + math.Exp(-q)) }
	value := func(dq, db float64) float64 {
		a0, a1 := alphas(ratio + dq)
		v, err := ev.Evaluate(t.Context(), gcrfbc.NewParams([]float64{a0, a1}, []float64{math.Exp(beta + db)}), nil)
		if err != nil {
			t.Fatal(err)
		}
		return -v
	}
	const s = 0.02
	qq := (value(s, 0) - 2*value(0, 0) + value(-s, 0)) / (s * s)
	bb := (value(0, s) - 2*value(0, 0) + value(0, -s)) / (s * s)
	qb := (value(s, s) - value(s, -s) - value(-s, s) + value(-s, -s)) / (4 * s * s)
	det := qq*bb - qb*qb
	a0, a1 := alphas(ratio)
	seQ := math.Sqrt(bb / det)
	for i, want := range []float64{a1 * seQ, a0 * seQ, math.Sqrt(qq / det)} { // d log α_1 = −α_2 dq
		if math.Abs(u.SE[i]-want) > 2e-2*want {
			t.Errorf("%s: standard error %v, want %v (notes %q)", u.Names[i], u.SE[i], want, u.Notes)
		}
	}
}

// TestUncertainPrior: a prior adds its precision, and what it alone holds is said.
func TestUncertainPrior(t *testing.T) {
	d := gridDataset(24, 12, 12)
	base := Options{Mean: "gain=0,bias", StandardErrors: AlwaysStandardErrors}
	narrow := base
	narrow.Prior = &Prior{LogAlpha: Normal{SD: 1e-3}}
	r, err := Fit(t.Context(), d, narrow)
	if err != nil {
		t.Fatal(err)
	}
	if se := r.Uncertainty.SE[0]; math.Abs(se-1e-3) > 1e-5 {
		t.Errorf("standard error of %s is %v, the prior's is 1e-3", r.Uncertainty.Names[0], se)
	}
	// Without edges β matters nothing.
	d.Graphs = nil
	d.Instances[0].Labels[0] = 1
	p := base
	p.Prior, p.Variant, p.Mean = &Prior{LogAlpha: Normal{SD: 2}}, gcrfbc.NonBayesian, "gain=0,bias"
	if r, err = Fit(t.Context(), d, p); err != nil {
		t.Fatal(err)
	}
	if u := r.Uncertainty; len(u.SE) != 2 || u.SE[0] != 0 || !(u.SE[1] > 0) { // Σα = 1
		t.Errorf("%+v", u)
	}
}
