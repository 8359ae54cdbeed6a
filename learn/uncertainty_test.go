package learn

import (
	"math"
	"strings"
	"testing"

	"github.com/gcrfbc/gcrfbc"
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
