package quadrature

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// TestGolden compares with marginals (mean, variance, p1, p0) and expectation
// propagation fixed points (cavity mean, cavity variance, label, τ, ν) of whole
// models, computed with 40 digits.
func TestGolden(t *testing.T) {
	raw, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g struct{ Marginals, Sites [][]float64 }
	if err := json.Unmarshal(raw, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.Marginals) < 100 || len(g.Sites) < 60 {
		t.Fatalf("%d marginals, %d sites", len(g.Marginals), len(g.Sites))
	}
	var worst, tauWorst, nuWorst float64
	for _, r := range g.Marginals {
		p1, p0 := LogisticNormal(r[0], r[1])
		e := math.Max(relative(p1, r[2]), relative(p0, r[3]))
		worst = math.Max(worst, e)
		if !(e <= 1e-13) {
			t.Errorf("mu=%v v=%v: %v, %v, want %v, %v", r[0], r[1], p1, p0, r[2], r[3])
		}
		if q := Fast(r[0], r[1]); !(math.Abs(q-r[2]) <= fastError) {
			t.Errorf("Fast(%v, %v) = %v, want %v", r[0], r[1], q, r[2])
		}
		if r[1] <= 1e6 {
			a, b := PaperRule(r[0], r[1])
			if !(math.Abs(a-r[2])+math.Abs(b-r[3]) <= 1e-13) {
				t.Errorf("PaperRule(%v, %v) = %v, %v, want %v, %v", r[0], r[1], a, b, r[2], r[3])
			}
		}
	}
	for _, r := range g.Sites {
		tau, nu := Moments(r[0], r[1], int(2*r[2]-1)).Site(r[0], r[1])
		// ν may cancel: its terms are of the size of D1 and of mean·τ.
		et, en := relative(tau, r[3]), math.Abs(nu-r[4])/math.Max(math.Abs(r[4]), math.Max(1e-3, math.Abs(r[0])*r[3]))
		tauWorst, nuWorst = math.Max(tauWorst, et), math.Max(nuWorst, en)
		if !(et <= 1e-11 && en <= 1e-11) {
			t.Errorf("site of %v: %v, %v", r, tau, nu)
		}
	}
	t.Logf("p %.1e  tau %.1e  nu %.1e", worst, tauWorst, nuWorst)
}
