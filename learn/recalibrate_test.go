package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/special"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// drawn returns n logits, and labels whose logits are truth of them.
func drawn(n int, seed uint64, truth func(float64) float64) (logits []float64, labels []int8) {
	rng := rand.New(rand.NewPCG(seed, 1))
	logits, labels = make([]float64, n), make([]int8, n)
	for i := range logits {
		logits[i] = 2 * rng.NormFloat64()
		if rng.Float64() < special.Logistic(truth(logits[i])) {
			labels[i] = 1
		}
	}
	return logits, labels
}

// TestRecalibrationFindsMap: errors of shapes that a line cannot follow are
// corrected, on labels drawn anew too, and calibrated predictions are left alone.
func TestRecalibrationFindsMap(t *testing.T) {
	for name, c := range map[string]struct {
		truth func(float64) float64
		want  bool
	}{
		"calibrated":    {func(x float64) float64 { return x }, false},
		"overconfident": {func(x float64) float64 { return 0.6 * x }, true},
		"shifted":       {func(x float64) float64 { return x - 0.5 }, true},
		"bent":          {func(x float64) float64 { return math.Min(x, 0.2*x) }, true},
		"steps":         {func(x float64) float64 { return x + math.Sin(3*x)/3.1 - 0.5*math.Abs(x) }, true},
	} {
		logits, labels := drawn(4000, 7, c.truth)
		r, gain := newRecalibration(logits, labels)
		if (r != nil) != c.want {
			t.Errorf("%s: map %+v", name, r)
		}
		if r == nil {
			continue
		}
		if err := r.Validate(); err != nil || !(gain > 0) {
			t.Errorf("%s: gain %v, %v", name, gain, err)
		}
		off, left, n := 0.0, 0.0, 0.0
		logits, _ = drawn(2000, 8, c.truth)
		for _, x := range logits {
			p := special.Logistic(c.truth(x))
			w := p * (1 - p)
			off += w * math.Pow(x-c.truth(x), 2)
			left += w * math.Pow(r.Logit(x)-c.truth(x), 2)
			n += w
		}
		if left > 0.25*off {
			t.Errorf("%s: mean squared error of the logit %.4f, without the map %.4f", name, left/n, off/n)
		}
		t.Logf("%s: %d knots, gain %.1f, squared error %.4f → %.4f", name, len(r.Knots), gain, off/n, left/n)
	}
}

// TestRecalibrationGradient: analytic against central differences.
func TestRecalibrationGradient(t *testing.T) {
	logits, labels := drawn(300, 3, func(x float64) float64 { return 0.7*x + 0.2 })
	c := &monotone{}
	for i, x := range logits {
		c.x, c.y = append(c.x, x), append(c.y, float64(labels[i]))
	}
	order(c.x, c.y)
	for pieces := 1; pieces <= 5; pieces++ {
		if !c.place(pieces) {
			t.Fatalf("%d pieces could not be placed", pieces)
		}
		dim := pieces + 1
		v, grad, unused := make([]float64, dim), make([]float64, dim), make([]float64, dim)
		for i := range v {
			v[i] = 0.3 + 0.2*float64(i)
		}
		if _, err := c.eval(context.Background(), v, grad); err != nil {
			t.Fatal(err)
		}
		for i := range v {
			const h = 1e-5
			old := v[i]
			v[i] = old + h
			up, _ := c.eval(context.Background(), v, unused)
			v[i] = old - h
			down, _ := c.eval(context.Background(), v, unused)
			v[i] = old
			if d := (up - down) / (2 * h); math.Abs(d-grad[i]) > 1e-8 {
				t.Errorf("%d pieces, component %d: gradient %.9f, difference %.9f", pieces, i, grad[i], d)
			}
		}
	}
}

// order sorts x and its labels.
func order(x, y []float64) {
	for i := range x {
		for j := i; j > 0 && x[j] < x[j-1]; j-- {
			x[j], x[j-1], y[j], y[j-1] = x[j-1], x[j], y[j-1], y[j]
		}
	}
}

// TestRecalibrationDegenerate: few, equal or one-sided logits are no reason to fail.
func TestRecalibrationDegenerate(t *testing.T) {
	for name, c := range map[string]struct {
		logits []float64
		labels []int8
	}{
		"two":       {[]float64{-1, 1}, []int8{0, 1}},
		"equal":     {[]float64{1, 1, 1, 1}, []int8{0, 1, 0, 0}},
		"one class": {[]float64{1, 2, 3, 4, 5, 6, 7, 8}, []int8{0, 0, 0, 0, 0, 0, 0, 0}},
		"extreme":   {[]float64{-800, -700, 0, 700, 800, 801, 802, 803}, []int8{1, 1, 0, 0, 0, 0, 0, 0}},
	} {
		r, _ := newRecalibration(c.logits, c.labels)
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFitRecalibrates: on a grid whose labels at the two ends of the scores are
// rarer than any field of the model can have them, the map improves predictions of
// the held-out labels, keeps their order, and is as asked for.
func TestFitRecalibrates(t *testing.T) {
	const side = 48
	rng := rand.New(rand.NewPCG(5, 6))
	in := gcrfbc.Instance{Scores: make([]float64, side*side), Labels: make([]int8, side*side)}
	held := make([]int8, side*side)
	for i := range in.Scores {
		x := 2 * rng.NormFloat64()
		in.Scores[i] = x
		y := int8(0)
		if rng.Float64() < special.Logistic(math.Min(3*x, 0.3*x)) {
			y = 1
		}
		in.Labels[i], held[i] = y, gcrfbc.Missing
		if i%2 == 1 {
			in.Labels[i], held[i] = gcrfbc.Missing, y
		}
	}
	d := &gcrfbc.Dataset{K: 1, Graphs: []*sparse.Graph{sparse.Grid2D(side, side)}, Instances: []gcrfbc.Instance{in}}
	o := Options{Starts: []Start{{1, 1}}, GradTol: 1e-4}
	r, err := Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Model.Recalibration == nil {
		t.Fatal("the model has no recalibration")
	}
	o.NoRecalibration = true
	plain, err := Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Model.Recalibration != nil || plain.Objective != r.Objective {
		t.Errorf("without recalibration: %+v, objective %v against %v", plain.Model.Recalibration, plain.Objective, r.Objective)
	}
	var s [2]score.Summary
	for k, uncalibrated := range []bool{true, false} {
		p, err := infer.Predict(t.Context(), r.Model, d, infer.PredictOptions{Observed: [][]int8{in.Labels}, Uncalibrated: uncalibrated})
		if err != nil {
			t.Fatal(err)
		}
		q := p.Instances[0]
		for i := range q.P1 {
			if math.Abs(q.P1[i]+q.P0[i]-1) > 1e-12 || !(0 <= q.Lower[i] && q.Lower[i] <= q.Upper[i] && q.Upper[i] <= 1) {
				t.Fatalf("node %d: %v + %v, interval from %v to %v", i, q.P1[i], q.P0[i], q.Lower[i], q.Upper[i])
			}
		}
		if s[k], err = score.Evaluate(held, q.P1, q.P0); err != nil {
			t.Fatal(err)
		}
	}
	if math.Abs(s[0].AUC-s[1].AUC) > 1e-9 {
		t.Errorf("AUC %v without, %v with the map; it must not change", s[0].AUC, s[1].AUC)
	}
	if s[1].LogLoss > s[0].LogLoss-0.002 {
		t.Errorf("held-out log loss %.4f without, %.4f with the map", s[0].LogLoss, s[1].LogLoss)
	}
	t.Logf("log loss %.4f → %.4f, ECE %.4f → %.4f; %+v", s[0].LogLoss, s[1].LogLoss, s[0].ECE, s[1].ECE, r.Model.Recalibration)
}
