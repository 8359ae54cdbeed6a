package score

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-15*math.Max(1, math.Abs(want)) }

// hand is small enough to be checked on paper; the element without label would
// be an error if it were not skipped.
var (
	handLabels = []int8{1, 0, -1, 1, 0, 1}
	handP1     = []float64{0.75, 0.25, math.NaN(), 0.5, 0.5, 0.125}
)

func TestByHand(t *testing.T) {
	// Pairs: .75 beats .25, .5; .5 beats .25, ties .5; .125 loses both: 3.5/6.
	// Predictions at 1/2: 1, 0, 1, 1, 0 against 1, 0, 1, 0, 1.
	logLikelihood := math.Log(0.75) + math.Log(0.75) + 2*math.Log(0.5) + math.Log(0.125)
	// Bins of 4: [0,.25) holds .125 (1); [.25,.5) .25 (0); [.5,.75) .5, .5 (1, 0);
	// [.75,1] .75 (1).
	classwise4 := (0.875 + 0.25 + 0 + 0.25) / 5
	ece15 := (0.5 + 0 + 0.875) / 5
	want := Summary{
		N: 5, Positives: 3, AUC: 3.5 / 6, Accuracy: 3.0 / 5, IoU: 2.0 / 4,
		LogLikelihood: logLikelihood, LogLoss: -logLikelihood / 5,
		Brier: (0.0625 + 0.0625 + 0.25 + 0.25 + 0.765625) / 5,
		// Confidences .75, .75 (both right), .5, .5 (one right), .875 (wrong) fall
		// into the bins 11, 11, 7, 7, 13 of 15.
		ECE:       ece15,
		ECEChance: math.Sqrt(2/math.Pi) / 5 * (math.Sqrt(0.375) + math.Sqrt(0.5) + math.Sqrt(0.109375)),
		// The same elements fall into the bins 1, 3, 7, 7, 11 of 15.
		ClasswiseECE:       classwise4,
		ClasswiseECEChance: math.Sqrt(2/math.Pi) / 5 * (2*math.Sqrt(0.1875) + math.Sqrt(0.5) + math.Sqrt(0.109375)),
	}
	got, err := Evaluate(handLabels, handP1, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for k := 2; k < g.NumField(); k++ {
		if !near(g.Field(k).Float(), w.Field(k).Float()) {
			t.Errorf("%s = %v, want %v", g.Type().Field(k).Name, g.Field(k).Float(), w.Field(k).Float())
		}
	}
	if got.N != 5 || got.Positives != 3 {
		t.Errorf("N %d, Positives %d", got.N, got.Positives)
	}
	if e, err := ClasswiseECE(handLabels, handP1, 4); err != nil || !near(e, classwise4) {
		t.Errorf("ClasswiseECE of 4 bins: %v %v, want %v", e, err, classwise4)
	}
	// Of 4 bins, the third has confidences .5, .5, the fourth .75, .75, .875: two
	// of three right.
	if e, err := ECE(handLabels, handP1, 4); err != nil || !near(e, math.Abs(2-2.375)/5) {
		t.Errorf("ECE of 4 bins: %v %v, want %v", e, err, 0.375/5)
	}
	bins, err := Reliability(handLabels, handP1, 4)
	if err != nil {
		t.Fatal(err)
	}
	wantBins := []Bin{{0, 0.25, 1, 0.125, 1}, {0.25, 0.5, 1, 0.25, 0}, {0.5, 0.75, 2, 0.5, 0.5}, {0.75, 1, 1, 0.75, 1}}
	if !reflect.DeepEqual(bins, wantBins) {
		t.Errorf("bins %v, want %v", bins, wantBins)
	}
	c, err := Confuse(handLabels, handP1, 0.5)
	if err != nil || c != (Confusion{TruePositive: 2, FalsePositive: 1, TrueNegative: 1, FalseNegative: 1}) {
		t.Errorf("%+v %v", c, err)
	}
	if !near(c.Precision(), 2.0/3) || !near(c.Recall(), 2.0/3) || !near(c.F1(), 2.0/3) {
		t.Errorf("precision %v, recall %v, F1 %v", c.Precision(), c.Recall(), c.F1())
	}
	roc, err := ROC(handLabels, handP1)
	wantROC := []ROCPoint{{math.Inf(1), 0, 0}, {0.75, 0, 1.0 / 3}, {0.5, 0.5, 2.0 / 3}, {0.25, 1, 2.0 / 3}, {0.125, 1, 1}}
	if err != nil || !reflect.DeepEqual(roc, wantROC) {
		t.Errorf("ROC %v %v, want %v", roc, err, wantROC)
	}
}

func TestTails(t *testing.T) {
	// Two labels with a wrong-class probability of 1e-30: p1 alone cannot say.
	labels := []int8{1, 0, 0}
	p1 := []float64{1, 1, 1e-30}
	p0 := []float64{1e-30, 1e-30, 1}
	got, err := LogLikelihood(labels, p1, p0)
	if want := -1e-30 + math.Log(1e-30) - 1e-30; err != nil || !near(got, want) {
		t.Errorf("log-likelihood %v %v, want %v", got, err, want)
	}
	if l, _ := LogLikelihood(labels[2:], p1[2:], p0[2:]); l != -1e-30 {
		t.Errorf("log-likelihood of a sure label %v", l)
	}
	if l, err := LogLoss(labels, p1, nil); !math.IsInf(l, 1) || err != nil {
		t.Errorf("log loss without p0: %v %v, want +Inf", l, err)
	}
	if l, err := LogLoss([]int8{1, 0, 1}, []float64{0, 0.5, 0.5}, nil); !math.IsInf(l, 1) || err != nil {
		t.Errorf("log loss with a probability of 0: %v %v, want +Inf", l, err)
	}
	if l, err := LogLoss([]int8{1, 0}, []float64{1, 0}, nil); l != 0 || math.Signbit(l) || err != nil {
		t.Errorf("log loss without error: %v %v", l, err)
	}
}

func TestErrors(t *testing.T) {
	y, p := []int8{0, -1, 1}, []float64{0.1, 0.2, 0.3}
	all := func(y []int8, p1, p0 []float64) (errs []error) {
		_, e := Evaluate(y, p1, p0)
		_, f := LogLoss(y, p1, p0)
		_, g := LogLikelihood(y, p1, p0)
		errs = append(errs, e, f, g)
		if p0 == nil {
			_, a := AUC(y, p1)
			_, b := ROC(y, p1)
			_, c := Accuracy(y, p1)
			_, d := Brier(y, p1)
			_, e := ECE(y, p1, 0)
			_, f := Reliability(y, p1, 3)
			_, g := Confuse(y, p1, 0.2)
			errs = append(errs, a, b, c, d, e, f, g)
		}
		return errs
	}
	for _, c := range []struct {
		y      []int8
		p1, p0 []float64
		want   error
	}{
		{y, p[:2], nil, &LengthError{"p1", 2, 3}},
		{y, p, p[:1], &LengthError{"p0", 1, 3}},
		{[]int8{0, 1, 2}, p, nil, &LabelError{2, 2}},
		{y, []float64{0.1, 7, 1.5}, nil, &ProbabilityError{2, 1.5, -0.5}},
		{y, []float64{-1e-300, 7, 0.5}, nil, &ProbabilityError{0, -1e-300, 1}},
		{y, p, []float64{0.9, 0, 0.8}, &ProbabilityError{2, 0.3, 0.8}},
		{[]int8{-1, -1, -1}, p, nil, &EmptyError{3}},
		{nil, nil, nil, &EmptyError{0}},
	} {
		for k, err := range all(c.y, c.p1, c.p0) {
			if !reflect.DeepEqual(err, c.want) {
				t.Errorf("function %d: error %v, want %v", k, err, c.want)
			}
		}
	}
	for _, err := range all(y, []float64{math.NaN(), 0, 0}, nil) {
		var e *ProbabilityError
		if !errors.As(err, &e) || e.Index != 0 {
			t.Errorf("NaN: error %v", err)
		}
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		var e *OptionError
		if _, err := Confuse(y, p, bad); !errors.As(err, &e) || e.Name != "threshold" {
			t.Errorf("threshold %v: error %v", bad, err)
		}
	}
	for _, bad := range []int{-1, math.MaxInt} {
		var e *OptionError
		if x, err := ECE(y, p, bad); !errors.As(err, &e) || e.Name != "bins" || !math.IsNaN(x) {
			t.Errorf("bins %d: error %v", bad, err)
		}
	}
}

func TestOneClass(t *testing.T) {
	for _, class := range []int8{0, 1} {
		y, p := []int8{class, -1, class}, []float64{0.2, 0.3, 0.9}
		want := &OneClassError{class, 2}
		if a, err := AUC(y, p); !math.IsNaN(a) || !reflect.DeepEqual(err, error(want)) {
			t.Errorf("AUC %v %v", a, err)
		}
		if _, err := ROC(y, p); !reflect.DeepEqual(err, error(want)) {
			t.Errorf("ROC error %v", err)
		}
		s, err := Evaluate(y, p, nil)
		if err != nil || !math.IsNaN(s.AUC) || !near(s.Accuracy, 0.5) || math.IsNaN(s.LogLoss) {
			t.Errorf("%+v %v", s, err)
		}
	}
}

// predictions draws labels and probabilities with many ties.
func predictions(t *rapid.T) (y []int8, p []float64) {
	y = append(rapid.SliceOfN(rapid.Int8Range(-1, 1), 0, 60).Draw(t, "y"), 0, 1)
	levels := rapid.SampledFrom([]int{1, 3, 30, 1 << 30}).Draw(t, "levels")
	for range y {
		p = append(p, float64(rapid.IntRange(0, levels).Draw(t, "p"))/float64(levels))
	}
	return y, p
}

func TestDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y, p := predictions(t)
		s, err := Evaluate(y, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		var pairs, wins, right, n, likelihood, square float64
		for i := range y {
			if y[i] < 0 {
				continue
			}
			n++
			q := p[i]
			if y[i] == 0 {
				q = 1 - q
			}
			likelihood += math.Log(q)
			square += (1 - q) * (1 - q)
			if (p[i] >= 0.5) == (y[i] == 1) {
				right++
			}
			for j := range y {
				if y[i] == 1 && y[j] == 0 {
					pairs++
					if p[i] > p[j] {
						wins++
					} else if p[i] == p[j] {
						wins += 0.5
					}
				}
			}
		}
		if s.AUC != wins/pairs {
			t.Fatalf("AUC %v, want %v", s.AUC, wins/pairs)
		}
		if s.Accuracy != right/n || !near(s.Brier, square/n) {
			t.Fatalf("accuracy %v, Brier %v, want %v, %v", s.Accuracy, s.Brier, right/n, square/n)
		}
		if s.LogLikelihood != likelihood && math.Abs(s.LogLikelihood-likelihood) > 1e-13*math.Abs(likelihood) {
			t.Fatalf("log-likelihood %v, want %v", s.LogLikelihood, likelihood)
		}
		if !(s.ECE >= 0 && s.ECE <= 1) {
			t.Fatalf("ECE %v", s.ECE)
		}
	})
}

func TestAUCProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y, p := predictions(t)
		a, err := AUC(y, p)
		if err != nil {
			t.Fatal(err)
		}
		// A strictly increasing map changes nothing; halving is one, exactly.
		half, mirrored := make([]float64, len(p)), make([]float64, len(p))
		flipped := make([]int8, len(y))
		for i, x := range p {
			half[i], mirrored[i] = x/2+0.25, 1-x
			flipped[i] = y[i]
			if y[i] >= 0 {
				flipped[i] = 1 - y[i]
			}
		}
		if b, _ := AUC(y, half); b != a {
			t.Fatalf("AUC %v, of increasing map %v", a, b)
		}
		if b, _ := AUC(flipped, p); math.Abs(a+b-1) > 2e-16 {
			t.Fatalf("AUC %v, of flipped labels %v", a, b)
		}
		if b, _ := AUC(flipped, mirrored); b != a {
			t.Fatalf("AUC %v, of mirrored problem %v", a, b)
		}
		// The curve is monotone, ends in (1, 1), and has this area.
		roc, err := ROC(y, p)
		if err != nil {
			t.Fatal(err)
		}
		var area float64
		for k := 1; k < len(roc); k++ {
			u, v := roc[k-1], roc[k]
			if v.Threshold >= u.Threshold || v.FalsePositiveRate < u.FalsePositiveRate || v.TruePositiveRate < u.TruePositiveRate {
				t.Fatalf("curve turns at %d: %v", k, roc)
			}
			area += (v.FalsePositiveRate - u.FalsePositiveRate) * (v.TruePositiveRate + u.TruePositiveRate) / 2
			c, err := Confuse(y, p, v.Threshold)
			if err != nil || !near(c.Recall(), v.TruePositiveRate) {
				t.Fatalf("point %v, confusion %+v", v, c)
			}
		}
		if last := roc[len(roc)-1]; last.FalsePositiveRate != 1 || last.TruePositiveRate != 1 {
			t.Fatalf("curve ends in %v", last)
		}
		if math.Abs(area-a) > 1e-14 {
			t.Fatalf("area %v, AUC %v", area, a)
		}
	})
}

func TestReliabilityProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y, p := predictions(t)
		bins := rapid.IntRange(1, 40).Draw(t, "bins")
		got, err := Reliability(y, p, bins)
		if err != nil || len(got) != bins {
			t.Fatal(len(got), err)
		}
		for k, b := range got {
			n := 0
			for i := range y {
				if y[i] >= 0 && p[i] >= b.Low && (p[i] < b.High || k == bins-1) {
					n++
				}
			}
			if n != b.Count {
				t.Fatalf("bin %d: %d elements, want %d", k, b.Count, n)
			}
			if n == 0 != math.IsNaN(b.Predicted) || n == 0 != math.IsNaN(b.Observed) {
				t.Fatalf("bin %d: %+v", k, b)
			}
			if n > 0 && !(b.Predicted >= b.Low-1e-15 && b.Predicted <= b.High+1e-15) {
				t.Fatalf("bin %d: %+v", k, b)
			}
		}
	})
}

func BenchmarkEvaluate(b *testing.B) {
	const n = 1 << 18
	y, p := make([]int8, n), make([]float64, n)
	state := uint64(1)
	for i := range y {
		state = state*6364136223846793005 + 1442695040888963407
		p[i] = float64(state>>11) * 0x1p-53
		y[i] = int8(state >> 40 & 1)
	}
	for b.Loop() {
		if _, err := Evaluate(y, p, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/label")
}

// TestECEChance: labels drawn from the predictions have these errors on average.
func TestECEChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	p, y := make([]float64, 800), make([]int8, 800)
	for i := range p {
		p[i] = rng.Float64()
	}
	type measure func(labels []int8, p1 []float64, bins int) (float64, error)
	for _, c := range []struct {
		name        string
		ece, chance measure
	}{{"ECE", ECE, ECEChance}, {"ClasswiseECE", ClasswiseECE, ClasswiseECEChance}} {
		sum, draws := 0.0, 400
		for range draws {
			for i := range y {
				y[i] = 0
				if rng.Float64() < p[i] {
					y[i] = 1
				}
			}
			e, err := c.ece(y, p, 0)
			if err != nil {
				t.Fatal(err)
			}
			sum += e / float64(draws)
		}
		want, err := c.chance(y, p, 0)
		if err != nil || math.Abs(sum/want-1) > 0.03 {
			t.Errorf("%s %v on average, by chance %v, %v", c.name, sum, want, err)
		}
		if _, err := c.chance(y, p, -1); err == nil {
			t.Error("no error for -1 bins")
		}
	}
}

// TestClasswiseFromReliability: the classwise error is what Reliability shows.
func TestClasswiseFromReliability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		y, p := make([]int8, n), make([]float64, n)
		for i := range p {
			y[i] = int8(rapid.IntRange(0, 1).Draw(t, "y"))
			p[i] = rapid.Float64Range(0, 1).Draw(t, "p")
		}
		bins := rapid.IntRange(1, 20).Draw(t, "bins")
		b, err := Reliability(y, p, bins)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for _, b := range b {
			if b.Count > 0 {
				want += float64(b.Count) * math.Abs(b.Observed-b.Predicted) / float64(n)
			}
		}
		if e, err := ClasswiseECE(y, p, bins); err != nil || math.Abs(e-want) > 1e-12 {
			t.Fatalf("ClasswiseECE %v, %v, want %v", e, err, want)
		}
		// Naming the classes the other way changes nothing but what is decided at ½.
		q, z := make([]float64, n), make([]int8, n)
		for i := range p {
			if p[i] == 0.5 {
				return
			}
			q[i], z[i] = 1-p[i], 1-y[i]
		}
		a, _ := ECE(y, p, bins)
		if b, _ := ECE(z, q, bins); math.Abs(a-b) > 1e-12 && !borders(p, bins) {
			t.Fatalf("ECE %v, with classes exchanged %v", a, b)
		}
	})
}

// borders says whether a prediction lies at a bin's border, where 1−p may fall on
// the other side.
func borders(p []float64, bins int) bool {
	for _, x := range p {
		for _, x := range []float64{x, 1 - x} {
			if k := x * float64(bins); math.Abs(k-math.Round(k)) < 1e-9 {
				return true
			}
		}
	}
	return false
}
