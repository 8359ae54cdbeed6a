package infer

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer/quadrature"
	"github.com/gcrfbc/gcrfbc/internal/special"
)

// densePrior returns μ and Σ of an instance by dense linear algebra.
func densePrior(t *testing.T, d *gcrfbc.Dataset, j int, p gcrfbc.Params) (mu []float64, sigma *mat.Dense) {
	t.Helper()
	n, K := d.Instances[j].N(), d.K
	P := mat.NewDense(n, n, nil)
	for i := range n {
		P.Set(i, i, 2*p.SumAlpha())
	}
	for l, g := range d.GraphsOf(j) {
		for _, e := range g.Edges() {
			w := 2 * p.Beta[l] * e.W
			P.Set(e.I, e.I, P.At(e.I, e.I)+w)
			P.Set(e.J, e.J, P.At(e.J, e.J)+w)
			P.Set(e.I, e.J, P.At(e.I, e.J)-w)
			P.Set(e.J, e.I, P.At(e.J, e.I)-w)
		}
	}
	sigma = new(mat.Dense)
	if err := sigma.Inverse(P); err != nil {
		t.Fatal(err)
	}
	mu = make([]float64, n)
	for i := range n {
		mu[i] = p.Bias
		for k := range K {
			mu[i] += p.Direct[k] * d.Instances[j].Scores[i*K+k]
			for h := range n {
				mu[i] += p.Gain * sigma.At(i, h) * 2 * d.Instances[j].Scores[h*K+k] * p.Alpha[k]
			}
		}
	}
	return mu, sigma
}

func TestPredictPrior(t *testing.T) {
	for _, own := range []bool{false, true} {
		for _, n := range []int{6, 90} {
			d := randomDataset(11, 3, n, 2, 2, own)
			p := randomParams(11, 2, 2)
			b := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean, Params: p}
			nb := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.CalibratedMean, Params: p}
			pb, err := Predict(t.Context(), b, d, PredictOptions{})
			if err != nil {
				t.Fatal(err)
			}
			pn, err := Predict(t.Context(), nb, d, PredictOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for j := range d.Instances {
				mu, sigma := densePrior(t, d, j, p)
				for i := range mu {
					p1, p0 := quadrature.LogisticNormal(mu[i], sigma.At(i, i))
					got := pb.Instances[j]
					if !near(got.P1[i], p1) || !near(got.P0[i], p0) || !near(got.Mean[i], mu[i]) || !near(got.Variance[i], sigma.At(i, i)) {
						t.Fatalf("own=%t n=%d instance %d node %d: %v %v %v %v, want %v %v %v %v", own, n, j, i,
							got.P1[i], got.P0[i], got.Mean[i], got.Variance[i], p1, p0, mu[i], sigma.At(i, i))
					}
					if want := special.Logistic(mu[i]); !near(pn.Instances[j].P1[i], want) || pn.Instances[j].Variance[i] != 0 {
						t.Fatalf("nb: instance %d node %d: %v, want %v", j, i, pn.Instances[j].P1[i], want)
					}
				}
			}
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-10*(1+math.Abs(b)) }

// TestPredictPosteriorOneLabel: with one labelled node expectation propagation
// is exact, and every other node's posterior follows from its covariance with
// that node.
func TestPredictPosteriorOneLabel(t *testing.T) {
	d := randomDataset(12, 1, 8, 1, 1, true)
	p := randomParams(12, 1, 1)
	n := d.Instances[0].N()
	observed := make([]int8, n)
	for i := range observed {
		observed[i] = gcrfbc.Missing
	}
	const at = 3
	observed[at] = 1
	m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean, Params: p}
	got, err := Predict(t.Context(), m, d, PredictOptions{Observed: [][]int8{observed}})
	if err != nil {
		t.Fatal(err)
	}
	mu, sigma := densePrior(t, d, 0, p)
	tilted := quadrature.Moments(mu[at], sigma.At(at, at), 1)
	for i := range n {
		gain := sigma.At(i, at) / sigma.At(at, at)
		mean := mu[i] + gain*(tilted.Mean-mu[at])
		variance := sigma.At(i, i) - gain*gain*(sigma.At(at, at)-tilted.Variance)
		if math.Abs(got.Instances[0].Mean[i]-mean) > 1e-8 || math.Abs(got.Instances[0].Variance[i]-variance) > 1e-8 {
			t.Errorf("node %d: N(%v, %v), want N(%v, %v)", i, got.Instances[0].Mean[i], got.Instances[0].Variance[i], mean, variance)
		}
	}
}

func TestEvidenceChainRule(t *testing.T) {
	d := randomDataset(13, 2, 7, 2, 1, true)
	p := randomParams(13, 2, 1)
	for _, m := range []*gcrfbc.Model{
		{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean, Params: p},
		{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.CalibratedMean, Params: p},
	} {
		whole, err := Evidence(t.Context(), m, d, PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// Split the labels into two parts: p(all) = p(part) p(rest | part).
		part, rest := make([][]int8, 2), make([][]int8, 2)
		for j := range d.Instances {
			part[j] = append([]int8(nil), d.Instances[j].Labels...)
			rest[j] = append([]int8(nil), d.Instances[j].Labels...)
			for i := range part[j] {
				if i%2 == 0 {
					part[j][i] = gcrfbc.Missing
				} else {
					rest[j][i] = gcrfbc.Missing
				}
			}
		}
		a, err := Evidence(t.Context(), m, d.WithLabels(part), PredictOptions{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Evidence(t.Context(), m, d.WithLabels(rest), PredictOptions{Observed: part})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(a+b-whole) > 1e-9 {
			t.Errorf("%s: %v + %v is not %v", m.Variant, a, b, whole)
		}
	}
}

func TestPredictErrors(t *testing.T) {
	d := randomDataset(14, 2, 5, 2, 1, true)
	m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean, Params: randomParams(14, 2, 1)}
	two := make([]int8, d.Instances[0].N())
	two[1] = 2
	for name, observed := range map[string][][]int8{"instances": {{1}}, "length": {{1, gcrfbc.Missing}, nil}, "label": {two, nil}} {
		if _, err := Predict(t.Context(), m, d, PredictOptions{Observed: observed}); !asError[*gcrfbc.DataError](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, p := range map[string]gcrfbc.Params{"K": randomParams(1, 3, 1), "L": randomParams(1, 2, 2)} {
		other := *m
		other.Params = p
		if _, err := Predict(t.Context(), &other, d, PredictOptions{}); !asError[*gcrfbc.ModelError](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Predict(ctx, m, d, PredictOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	nb := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.CalibratedMean, Params: m.Params}
	got, err := Predict(t.Context(), nb, d, PredictOptions{Observed: [][]int8{d.Instances[0].Labels, nil}})
	if err != nil || !strings.Contains(strings.Join(got.Notes, " "), "do not change") {
		t.Errorf("nb with observed labels: %v, %v", err, got)
	}
}
