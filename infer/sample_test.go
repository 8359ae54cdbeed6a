package infer

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gcrfbc/gcrfbc"
)

// moments returns the mean and covariance of draws, N each.
func moments(draws []float64, n int) (mean []float64, cov *mat.SymDense) {
	count := len(draws) / n
	mean, cov = make([]float64, n), mat.NewSymDense(n, nil)
	for r := range count {
		for i := range n {
			mean[i] += draws[r*n+i] / float64(count)
		}
	}
	for r := range count {
		for i := range n {
			for j := range i + 1 {
				cov.SetSym(i, j, cov.At(i, j)+(draws[r*n+i]-mean[i])*(draws[r*n+j]-mean[j])/float64(count))
			}
		}
	}
	return mean, cov
}

func TestSamplePrior(t *testing.T) {
	const count = 20000
	for _, n := range []int{5, denseMax + 7} { // dense and sparse path
		d := randomDataset(31, 2, n, 2, 1, true)
		p := randomParams(31, 2, 1)
		m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean, Params: p}
		draws, err := Sample(t.Context(), m, d, PredictOptions{}, count, 7)
		if err != nil {
			t.Fatal(err)
		}
		for j := range d.Instances {
			mu, sigma := densePrior(t, d, j, p)
			mean, cov := moments(draws[j], len(mu))
			for i := range mu {
				sd := math.Sqrt(sigma.At(i, i))
				if math.Abs(mean[i]-mu[i]) > 5*sd/math.Sqrt(count) {
					t.Errorf("n=%d instance %d node %d: mean %v, want %v", n, j, i, mean[i], mu[i])
				}
				for k := range i + 1 {
					limit := 6 * sd * math.Sqrt(sigma.At(k, k)) / math.Sqrt(count)
					if math.Abs(cov.At(i, k)-sigma.At(i, k)) > limit {
						t.Errorf("n=%d instance %d: covariance (%d, %d) is %v, want %v", n, j, i, k, cov.At(i, k), sigma.At(i, k))
					}
				}
			}
		}
	}
}

func TestSamplePosterior(t *testing.T) {
	const count = 20000
	d := randomDataset(32, 1, 12, 1, 1, true)
	m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean, Params: randomParams(32, 1, 1)}
	opts := PredictOptions{Observed: [][]int8{d.Instances[0].Labels}}
	want, err := Predict(t.Context(), m, d, opts)
	if err != nil {
		t.Fatal(err)
	}
	draws, err := Sample(t.Context(), m, d, opts, count, 8)
	if err != nil {
		t.Fatal(err)
	}
	n := d.Instances[0].N()
	mean, cov := moments(draws[0], n)
	for i := range n {
		v := want.Instances[0].Variance[i]
		if math.Abs(mean[i]-want.Instances[0].Mean[i]) > 5*math.Sqrt(v/count) || math.Abs(cov.At(i, i)-v) > 6*v/math.Sqrt(count) {
			t.Errorf("node %d: N(%v, %v), want N(%v, %v)", i, mean[i], cov.At(i, i), want.Instances[0].Mean[i], v)
		}
	}
	for _, threads := range []int{1, 2, 7} {
		opts.Threads = threads
		again, err := Sample(t.Context(), m, d, opts, 3, 8)
		if err != nil {
			t.Fatal(err)
		}
		for k, z := range again[0] {
			if z != draws[0][k] {
				t.Fatalf("%d threads: draw %d is %v, was %v", threads, k, z, draws[0][k])
			}
		}
	}
	if _, err := Sample(t.Context(), m, d, opts, -1, 0); !asError[*OptionError](err) {
		t.Errorf("negative count: %v", err)
	}
}

// TestLeaveOneOut compares cavities with predictions that really leave a label
// out.
func TestLeaveOneOut(t *testing.T) {
	d := randomDataset(33, 2, 14, 2, 1, true)
	m := &gcrfbc.Model{Variant: gcrfbc.Bayesian, Approx: gcrfbc.EP, Mean: gcrfbc.CalibratedMean, Params: randomParams(33, 2, 1)}
	observed := [][]int8{d.Instances[0].Labels, d.Instances[1].Labels}
	got, err := LeaveOneOut(t.Context(), m, d, PredictOptions{Observed: observed})
	if err != nil {
		t.Fatal(err)
	}
	full, err := Predict(t.Context(), m, d, PredictOptions{Observed: observed})
	if err != nil {
		t.Fatal(err)
	}
	for j := range observed {
		for i, y := range observed[j] {
			want := full.Instances[j].P1[i]
			if y != gcrfbc.Missing {
				without := [][]int8{append([]int8(nil), observed[0]...), append([]int8(nil), observed[1]...)}
				without[j][i] = gcrfbc.Missing
				p, err := Predict(t.Context(), m, d, PredictOptions{Observed: without})
				if err != nil {
					t.Fatal(err)
				}
				want = p.Instances[j].P1[i]
			}
			// Cavities keep the other sites as they are: close, not equal.
			if math.Abs(got.Instances[j].P1[i]-want) > 0.01 {
				t.Errorf("instance %d node %d (label %d): %v, want about %v", j, i, y, got.Instances[j].P1[i], want)
			}
		}
	}
}
