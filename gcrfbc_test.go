package gcrfbc

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gcrfbc/gcrfbc/sparse"
)

func path(t *testing.T, n int) *sparse.Graph {
	t.Helper()
	var edges []sparse.Edge
	for i := 1; i < n; i++ {
		edges = append(edges, sparse.Edge{I: i, J: i - 1, W: float64(i)})
	}
	g, err := sparse.NewGraph(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func smallDataset(t *testing.T) *Dataset {
	return &Dataset{
		K: 2, Graphs: []*sparse.Graph{path(t, 3)},
		Instances: []Instance{
			{Scores: []float64{1, 2, 3, 4, 5, 6}, Labels: []int8{0, 1, Missing}},
			{Scores: make([]float64, 6), Labels: []int8{1, 1, 0}},
		},
		ScoreNames: []string{"lr", "gb"}, GraphInfo: []GraphInfo{{Name: "borders"}},
	}
}

func TestDatasetValidate(t *testing.T) {
	if err := smallDataset(t).Validate(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		spoil func(d *Dataset)
		want  string
		at    [2]int
	}{
		"no predictors":  {func(d *Dataset) { d.K = 0 }, "no predictors", [2]int{-1, -1}},
		"no instances":   {func(d *Dataset) { d.Instances = nil }, "no instances", [2]int{-1, -1}},
		"no nodes":       {func(d *Dataset) { d.Instances[1] = Instance{} }, "no nodes", [2]int{1, -1}},
		"short scores":   {func(d *Dataset) { d.Instances[1].Scores = d.Instances[1].Scores[:5] }, "5 scores for 3 nodes", [2]int{1, -1}},
		"NaN score":      {func(d *Dataset) { d.Instances[0].Scores[3] = math.NaN() }, "score gb is NaN", [2]int{0, 1}},
		"infinite score": {func(d *Dataset) { d.Instances[1].Scores[4] = math.Inf(-1) }, "score lr is -Inf", [2]int{1, 2}},
		"label":          {func(d *Dataset) { d.Instances[1].Labels[2] = 2 }, "label is 2", [2]int{1, 2}},
		"graph size":     {func(d *Dataset) { d.Graphs[0] = path(t, 4) }, "graph borders has 4", [2]int{0, -1}},
		"graph count":    {func(d *Dataset) { d.Instances[1].Graphs = []*sparse.Graph{path(t, 3)} }, "has 2 graphs", [2]int{1, -1}},
		"score names":    {func(d *Dataset) { d.ScoreNames = []string{"a"} }, "1 score names", [2]int{-1, -1}},
		"graph names":    {func(d *Dataset) { d.GraphInfo = make([]GraphInfo, 3) }, "3 graph descriptions", [2]int{-1, -1}},
		"nil graph":      {func(d *Dataset) { d.Graphs[0] = nil }, "is nil", [2]int{0, -1}},
	} {
		d := smallDataset(t)
		c.spoil(d)
		err := d.Validate()
		var de *DataError
		if !errors.As(err, &de) || !strings.Contains(err.Error(), c.want) || de.Instance != c.at[0] || de.Node != c.at[1] {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidateLabels(t *testing.T) {
	d := smallDataset(t)
	if err := d.ValidateLabels(); err != nil {
		t.Fatal(err)
	}
	none := d.WithLabels([][]int8{{Missing, Missing, Missing}, {Missing, Missing, Missing}})
	if err := none.ValidateLabels(); err == nil || !strings.Contains(err.Error(), "none of the 6 nodes has a label") {
		t.Errorf("no labels: %v", err)
	}
	ones := d.WithLabels([][]int8{{1, Missing, 1}, {1, Missing, Missing}})
	if err := ones.ValidateLabels(); err == nil || !strings.Contains(err.Error(), "all 3 labels are 1") {
		t.Errorf("one class: %v", err)
	}
	if d.Instances[0].Labels[0] != 0 {
		t.Error("WithLabels changed its receiver")
	}
}

func TestPrecision(t *testing.T) {
	prec, err := NewPrecision(3, []*sparse.Graph{path(t, 3), path(t, 3)})
	if err != nil {
		t.Fatal(err)
	}
	p := NewParams([]float64{0.5, 1}, []float64{2, 3})
	coef := make([]float64, 3)
	prec.CoefficientsTo(coef, p)
	if diff := cmp.Diff([]float64{3, 4, 6}, coef); diff != "" {
		t.Error(diff)
	}
	values := make([]float64, prec.Pattern().NNZ())
	prec.AssembleTo(values, coef)
	// 3 I + 10 Lap of the path with weights 1, 2, by rows of the lower triangle.
	if diff := cmp.Diff([]float64{13, -10, 33, -20, 23}, values); diff != "" {
		t.Error(diff)
	}
}

func TestModelRoundTrip(t *testing.T) {
	m := &Model{
		Variant: Bayesian, Approx: EP, Mean: CalibratedMean,
		Params: Params{Alpha: []float64{1.0 / 3, 5e-324}, Beta: []float64{math.Pi * 1e150}, Gain: -0.1, Bias: 1e-17, Direct: []float64{0, math.Nextafter(1, 2)}},
		Scores: []string{"lr", "gb"}, Graphs: []GraphInfo{{Name: "g", Normalized: true}}, Label: "class=3",
		Fit: &FitSummary{Objective: -1.5, Status: "GradientConverged", AtBound: []string{"beta[0] upper"}},
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	got, err := ReadModel(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Error(diff)
	}
	for name, c := range map[string][2]string{
		"truncated":     {text[:len(text)/2], "cut off"},
		"empty":         {"", "cut off"},
		"other format":  {strings.Replace(text, "gcrfbc-model", "other", 1), "format"},
		"other version": {strings.Replace(text, `"version": 1`, `"version": 99`, 1), "version 99"},
		"variant":       {strings.Replace(text, `"variant": "b"`, `"variant": "c"`, 1), "variant"},
		"approx":        {strings.Replace(text, `"approx": "ep"`, `"approx": "vb"`, 1), "approximation"},
		"negative":      {strings.Replace(text, "0.3333333333333333", "-1", 1), "alpha[0]"},
		"another K":     {strings.Replace(text, `"direct": [`, `"direct": [1,`, 1), "direct"},
	} {
		if _, err := ReadModel(strings.NewReader(c[0])); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestModelMatches(t *testing.T) {
	d := smallDataset(t)
	m := &Model{Variant: NonBayesian, Mean: PaperMean, Params: NewParams([]float64{1, 1}, []float64{1}), Graphs: []GraphInfo{{Name: "borders"}}}
	if err := m.Matches(d); err != nil {
		t.Fatal(err)
	}
	d.GraphInfo[0].Normalized = true
	if err := m.Matches(d); err == nil || !strings.Contains(err.Error(), "degree-normalised") {
		t.Errorf("normalised: %v", err)
	}
	for _, p := range []Params{NewParams([]float64{1}, []float64{1}), NewParams([]float64{1, 1}, nil)} {
		m := &Model{Variant: NonBayesian, Mean: PaperMean, Params: p}
		if err := m.Matches(d); err == nil {
			t.Errorf("K=%d, L=%d accepted", m.K(), m.L())
		}
	}
}

func FuzzReadModel(f *testing.F) {
	f.Add([]byte(`{"format":"gcrfbc-model","version":1,"variant":"nb","mean":"paper","alpha":[1],"beta":[],"gain":1,"bias":0,"direct":[0]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ReadModel(bytes.NewReader(b))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := m.Write(&out); err != nil {
			t.Fatalf("read but cannot be written: %v", err)
		}
	})
}

func TestMeanParts(t *testing.T) {
	for in, want := range map[string]Mean{
		"paper": PaperMean, "calibrated": CalibratedMean, "direct,gain,bias": CalibratedMean, "gain=1": PaperMean,
		"bias": "bias", "direct, bias": "bias,direct", "gain=0,direct,bias": "gain=0,bias,direct", "gain=-2.5": "gain=-2.5", "bias,gain": "gain,bias",
	} {
		got, err := ParseMean(in)
		if err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
		again, err := ParseMean(string(got))
		if err != nil || again != got {
			t.Errorf("%q is read back as %q, %v", got, again, err)
		}
	}
	for _, bad := range []string{"", "flat", "gain,gain", "gain,gain=0", "bias=1", "gain=x", "gain=NaN", "gain=Inf", "paper,bias", "bias,"} {
		var want *ModelError
		if _, err := ParseMean(bad); !errors.As(err, &want) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	m := &Model{Variant: Bayesian, Approx: EP, Mean: "gain=0,bias,direct", Params: NewParams([]float64{1, 1}, nil)}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	if back, err := ReadModel(&b); err != nil || back.Mean != m.Mean {
		t.Errorf("%v, %v", back, err)
	}
}
