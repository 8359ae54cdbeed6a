package quadrature

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// reference is the table of testdata/reference.py, 60-digit trapezoid sums.
type reference struct {
	Columns []string
	Rows    [][9]float64
}

func readReference(t testing.TB) (ref reference) {
	raw, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &ref); err != nil {
		t.Fatal(err)
	}
	if len(ref.Rows) < 300 {
		t.Fatalf("%d reference rows", len(ref.Rows))
	}
	return ref
}

// relative is |got−want|/|want|, with subnormal numbers as accurate as they can
// be; any NaN is an infinite error.
func relative(got, want float64) float64 {
	e := math.Abs(got - want)
	if e <= 5e-324 {
		return 0
	}
	e /= math.Max(math.Abs(want), 0x1p-1022)
	if math.IsNaN(e) {
		return math.Inf(1)
	}
	return e
}

func TestReference(t *testing.T) {
	ref := readReference(t)
	methods := []string{"far", "small", "fine", "coarse", "large"}
	names := []string{"log_z", "p1", "p0", "d1", "d2", "variance", "mean"}
	tol := []float64{2e-13, 2e-13, 2e-13, 2e-13, 5e-13, 5e-13, 5e-14}
	worst := make([][7]float64, len(methods))
	for _, row := range ref.Rows {
		mu, v := row[0], row[1]
		m := 4
		switch a := -math.Abs(mu); {
		case a+2.5*v < farLog:
			m = 0
		case v < smallVariance:
			m = 1
		case v < fineVariance:
			m = 2
		case v < largeVariance:
			m = 3
		}
		g := Moments(mu, v, 1)
		p1, p0 := LogisticNormal(mu, v)
		scale := math.Max(math.Max(math.Abs(mu), v*row[5]), 1e-300)
		for k, e := range []float64{
			relative(g.LogZ, row[2]), relative(p1, row[3]), relative(p0, row[4]),
			relative(g.D1, row[5]), relative(g.D2, row[6]), relative(g.Variance, row[7]),
			math.Abs(g.Mean-row[8]) / scale,
		} {
			worst[m][k] = math.Max(worst[m][k], e)
			if !(e <= tol[k]) {
				t.Errorf("%s at mu=%v v=%v (%s): error %.1e", names[k], mu, v, methods[m], e)
			}
		}
	}
	for m, w := range worst {
		t.Logf("%-7s log_z %.1e  p1 %.1e  p0 %.1e  d1 %.1e  d2 %.1e  variance %.1e  mean %.1e",
			methods[m], w[0], w[1], w[2], w[3], w[4], w[5], w[6])
	}
}
