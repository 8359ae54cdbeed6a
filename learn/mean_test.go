package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/learn/optimize"
)

// forms are all ways to learn the mean.
var forms = []gcrfbc.Mean{
	gcrfbc.PaperMean, gcrfbc.CalibratedMean, "gain", "bias", "direct", "gain,bias", "gain,direct", "bias,direct",
	"gain=0,bias", "gain=0,direct", "gain=0,bias,direct", "gain=2", "gain=-1,bias,direct",
}

// unequalDataset has several instances of unequal size with graphs of their own,
// a shared graph weight scale far from one, missing labels, and scores with
// means and variances far from standard.
func unequalDataset(seed uint64) *gcrfbc.Dataset {
	d := gridDataset(seed, 4, 5)
	d.Instances[0].Graphs, d.Graphs = d.Graphs, nil
	for k, shape := range [][2]int{{3, 3}, {2, 7}} {
		o := gridDataset(seed+uint64(k)+1, shape[0], shape[1])
		o.Instances[0].Graphs = o.Graphs
		d.Instances = append(d.Instances, o.Instances[0])
	}
	for j := range d.Instances {
		r := d.Instances[j].Scores
		for i := range r {
			if i%2 == 1 {
				r[i] = 3 + 0.2*r[i]
			}
		}
	}
	return d
}

// TestObjectiveGradient: with every form of the mean and with priors, the
// gradient that the optimiser sees is that of the value it sees.
func TestObjectiveGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, d := range []*gcrfbc.Dataset{gridDataset(31, 4, 6), unequalDataset(32)} {
		for _, mean := range forms {
			for _, base := range []Options{{Variant: gcrfbc.NonBayesian}, {Approx: gcrfbc.JJ}, {Approx: gcrfbc.EP}, {Approx: gcrfbc.Laplace}} {
				opts := base
				opts.Mean, opts.SiteTol = mean, 1e-11
				opts, err := opts.withDefaults()
				if err != nil {
					t.Fatal(err)
				}
				obj, err := newObjective(t.Context(), d, &opts)
				if err != nil {
					t.Fatal(err)
				}
				p := obj.problem(&opts)
				x := obj.start(Start{1, 1})
				for i := range x {
					x[i] += 0.5 * rng.NormFloat64()
				}
				c, err := optimize.CheckGradient(t.Context(), p, x)
				if err != nil {
					t.Fatal(err)
				}
				if c.MaxError > 2e-6 {
					t.Errorf("mean %q, %s %s: %s is %.9g, by differences %.9g", mean, opts.Variant, opts.Approx,
						obj.sc.names()[c.Index], c.Grad[c.Index], c.Difference[c.Index])
				}
			}
		}
	}
}

// TestScaleRoundTrip: variables is the inverse of params for every form.
func TestScaleRoundTrip(t *testing.T) {
	d := unequalDataset(33)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, mean := range forms {
		parts, err := mean.Parts()
		if err != nil {
			t.Fatal(err)
		}
		sc := newScale(d, parts)
		x := make([]float64, sc.dim())
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		p := gcrfbc.NewParams(make([]float64, sc.K), make([]float64, sc.L))
		sc.params(&p, x)
		for i, v := range sc.variables(p) {
			if math.Abs(v-x[i]) > 1e-12 {
				t.Errorf("mean %q: %s is %v, back %v", mean, sc.names()[i], x[i], v)
			}
		}
		if !parts.Bias && p.Bias != 0 || !parts.Gain && p.Gain != parts.FixedGain || !parts.Direct && p.Direct[0] != 0 || len(sc.names()) != len(x) {
			t.Errorf("mean %q: %+v, names %q", mean, p, sc.names())
		}
	}
}

// TestMeanForms: a form that holds another is fitted at least as well; the parts
// that are not learned keep their values; the model remembers its form.
func TestMeanForms(t *testing.T) {
	d := gridDataset(1, 12, 12)
	fit := func(mean gcrfbc.Mean) *Result {
		r, err := Fit(t.Context(), d, Options{Mean: mean})
		if err != nil {
			t.Fatalf("%q: %v", mean, err)
		}
		if r.Model.Mean != mean || r.Model.Validate() != nil {
			t.Errorf("%q: model says %q, %v", mean, r.Model.Mean, r.Model.Validate())
		}
		return r
	}
	got := make(map[gcrfbc.Mean]float64)
	for _, mean := range forms {
		got[mean] = fit(mean).Objective
	}
	for _, pair := range [][2]gcrfbc.Mean{
		{"paper", "gain"}, {"paper", "bias"}, {"paper", "direct"}, {"gain", "gain,bias"}, {"bias", "bias,direct"}, {"gain,direct", "calibrated"},
		{"gain,bias", "calibrated"}, {"bias,direct", "calibrated"}, {"gain=0,bias", "gain=0,bias,direct"}, {"gain=0,bias,direct", "calibrated"}, {"gain=2", "gain"},
	} {
		if got[pair[0]] > got[pair[1]]+0.05 {
			t.Errorf("%q reaches %v, the larger %q %v", pair[0], got[pair[0]], pair[1], got[pair[1]])
		}
	}
	r := fit("gain=0,bias")
	if r.Model.Gain != 0 || r.Model.Direct[0] != 0 || r.Model.Direct[1] != 0 || r.Model.Bias == 0 || r.Model.Alpha[0] != r.Model.Alpha[1] {
		t.Errorf("gain=0,bias: %+v", r.Model.Params)
	}
}
