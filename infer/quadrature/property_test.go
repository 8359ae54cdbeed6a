package quadrature

import (
	"errors"
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/special"
	"pgregory.net/rapid"
)

// fastError is the documented error of Fast.
const fastError = 7e-10

// arguments draws means and variances over all methods and their borders.
func arguments(t *rapid.T) (mu, v float64) {
	v = math.Exp(rapid.Float64Range(math.Log(1e-6), math.Log(1e8)).Draw(t, "logv"))
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		v = rapid.SampledFrom([]float64{smallVariance, fineVariance, largeVariance}).Draw(t, "border")
		v += v * rapid.Float64Range(-1e-12, 1e-12).Draw(t, "off")
	case 1:
		v = rapid.Float64Range(0, 3).Draw(t, "v")
	}
	mu = rapid.Float64Range(-700, 700).Draw(t, "mu")
	if rapid.Bool().Draw(t, "near") {
		mu = rapid.Float64Range(-3.5, 3.5).Draw(t, "a") * math.Min(v, 200)
	}
	return mu, v
}

func TestIdentities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mu, v := arguments(t)
		p1, p0 := LogisticNormal(mu, v)
		if !(p1 >= 0 && p0 >= 0 && math.Abs(p1+p0-1) <= 2e-16) {
			t.Fatalf("p1=%v p0=%v", p1, p0)
		}
		if a, b := LogisticNormal(-mu, v); a != p0 || b != p1 {
			t.Fatalf("not symmetric: %v %v and %v %v", p1, p0, a, b)
		}
		g, m := Moments(mu, v, 1), Moments(-mu, v, -1)
		if g.LogZ != m.LogZ || g.D1 != -m.D1 || g.D2 != m.D2 || g.Mean != -m.Mean || g.Variance != m.Variance {
			t.Fatalf("not symmetric: %+v and %+v", g, m)
		}
		if !(g.LogZ <= 0 && g.D1 >= 0 && g.D1 <= 1 && g.D2 <= 0 && g.D2 >= -0.25-1e-14) {
			t.Fatalf("out of range: %+v", g)
		}
		if !(g.Variance <= v) || (v > 0) != (g.Variance > 0) {
			t.Fatalf("variance %v of %v", g.Variance, v)
		}
		if e := math.Abs(math.Exp(g.LogZ) - p1); e > 1e-15+2e-13*p1 {
			t.Fatalf("log Z %v, p1 %v", g.LogZ, p1)
		}
		// The other label: p1 D1(+) = p0 D1(−) = ∫σ'N.
		h := Moments(mu, v, -1)
		if e := math.Abs(p1*g.D1 + p0*h.D1); e > 4e-13*p1*g.D1 && e > 1e-300 {
			t.Fatalf("∫σ'N is %v and %v", p1*g.D1, -p0*h.D1)
		}
		// L(μ) = e^{μ+v/2} L(−μ−v).
		r := Moments(-mu-v, v, 1)
		want := mu + v/2 + r.LogZ
		if math.Abs(g.LogZ-want) > 1e-12*(math.Abs(mu)+v/2+math.Abs(r.LogZ)) {
			t.Fatalf("reflection: log Z %v, want %v", g.LogZ, want)
		}
		if math.Abs(g.D1+r.D1-1) > 1e-12 {
			t.Fatalf("reflection: D1 %v and %v", g.D1, r.D1)
		}
		tau, nu := g.Site(mu, v)
		if !(tau >= 0) {
			t.Fatalf("tau %v", tau)
		}
		if e := math.Abs((mu+v*nu)/(1+v*tau) - g.Mean); e > 1e-11*math.Max(math.Abs(mu), math.Abs(g.Mean)) {
			t.Fatalf("site mean off by %v", e)
		}
		if math.Abs(Fast(mu, v)-p1) > fastError {
			t.Fatalf("Fast %v, want %v", Fast(mu, v), p1)
		}
	})
}

// TestJoints compares neighbours across the borders of the methods, where two
// of them meet.
func TestJoints(t *testing.T) {
	for _, v := range []float64{smallVariance, fineVariance, largeVariance} {
		below := math.Nextafter(v, 0)
		for a := -1.0; a <= 320; a += 0.37 {
			mu := -a
			x, y := Moments(mu, below, 1), Moments(mu, v, 1)
			for k, e := range []float64{relative(x.LogZ, y.LogZ), relative(x.D1, y.D1),
				relative(x.D2, y.D2), relative(x.Variance, y.Variance)} {
				if !(e <= 5e-13) {
					t.Errorf("value %d at mu=%v v=%v jumps by %.1e", k, mu, v, e)
				}
			}
		}
	}
}

func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mu, v := arguments(t)
		next := mu + 1e-10*math.Abs(mu) + 1e-9*math.Sqrt(v) + 1e-9
		a, b := Moments(mu, v, 1), Moments(next, v, 1)
		p, _ := LogisticNormal(mu, v)
		q, _ := LogisticNormal(next, v)
		if a.LogZ > b.LogZ || p > q || Fast(mu, v) > Fast(next, v)+1e-15 {
			t.Fatalf("falls: %v to %v", a.LogZ, b.LogZ)
		}
	})
}

func TestDerivatives(t *testing.T) {
	for _, v := range []float64{0, 1e-3, 0.1, 0.3, 1, 3, 20, 99, 101, 1e3, 1e5} {
		s := math.Sqrt(v)
		for _, mu := range []float64{-600, -90, -v, -0.6 * v, -0.3 * v, -12, -2, 0, 1, 8, 25} {
			if math.Abs(mu) > 700 {
				continue
			}
			for _, sign := range []int{1, -1} {
				h := 2e-3 * min(max(1, s), 2)
				f := func(k float64) Tilted { return Moments(mu+k*h, v, sign) }
				l1, r1, l2, r2 := f(-1), f(1), f(-2), f(2)
				g := f(0)
				d1 := (8*(r1.LogZ-l1.LogZ) - (r2.LogZ - l2.LogZ)) / (12 * h)
				d2 := (8*(r1.D1-l1.D1) - (r2.D1 - l2.D1)) / (12 * h)
				noise := 1e-13 * math.Abs(g.LogZ) / h
				if math.Abs(d1-g.D1) > 1e-9*math.Abs(g.D1)+noise {
					t.Errorf("D1 at %v, %v, %d: %v, difference %v", mu, v, sign, g.D1, d1)
				}
				noise = 1e-13 * math.Abs(g.D1) / h
				if math.Abs(d2-g.D2) > 1e-9*math.Abs(g.D2)+noise {
					t.Errorf("D2 at %v, %v, %d: %v, difference %v", mu, v, sign, g.D2, d2)
				}
			}
		}
	}
}

func TestLimits(t *testing.T) {
	for _, mu := range []float64{-700, -40, -36, -3, 0, 1e-8, 2, 50, 700} {
		p1, p0 := LogisticNormal(mu, 0)
		if relative(p1, special.Logistic(mu)) > 1e-15 || relative(p0, special.Logistic(-mu)) > 1e-15 {
			t.Errorf("mu=%v without variance: %v, %v", mu, p1, p0)
		}
		g := Moments(mu, 0, -1)
		tau, nu := g.Site(mu, 0)
		s, c := special.Logistic(mu), special.Logistic(-mu)
		if relative(tau, s*c) > 1e-14 || math.Abs(nu-(-s+mu*s*c)) > 1e-14*math.Max(1, math.Abs(mu)) || g.Variance != 0 {
			t.Errorf("mu=%v without variance: site %v, %v, %+v", mu, tau, nu, g)
		}
		// A wide Gaussian sees a step.
		p1, _ = LogisticNormal(mu, 1e20)
		if math.Abs(p1-0.5*math.Erfc(-mu/1e10/math.Sqrt2)) > 1e-15 {
			t.Errorf("mu=%v, wide: %v", mu, p1)
		}
	}
	for _, c := range [][2]float64{{-1e300, 1}, {1e300, 1e-300}, {-1e10, 1e300}, {-1e6, 1e5}, {3, 5e-324}, {0, 1.7e308}, {-1.7e308, 1.7e308}, {-1e200, 1e210}} {
		g := Moments(c[0], c[1], 1)
		p1, p0 := LogisticNormal(c[0], c[1])
		if math.IsNaN(g.LogZ+g.D1+g.D2+p1+p0) || !(g.Variance > 0) || g.LogZ > 0 {
			t.Errorf("%v: %+v %v %v", c, g, p1, p0)
		}
	}
}

func TestInvalid(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range [][2]float64{{0, -1}, {0, nan}, {nan, 1}, {inf, 1}, {-inf, 1}, {0, inf}, {0, -5e-324}} {
		p1, p0 := LogisticNormal(c[0], c[1])
		q1, q0 := PaperRule(c[0], c[1])
		g := Moments(c[0], c[1], 1)
		lo, hi := Interval(c[0], c[1], 0.9)
		for k, x := range []float64{p1, p0, q1, q0, g.LogZ, g.D1, g.D2, g.Mean, g.Variance, lo, hi, Fast(c[0], c[1]), Quantile(c[0], c[1], 0.5)} {
			if !math.IsNaN(x) {
				t.Errorf("value %d at %v is %v", k, c, x)
			}
		}
		mu, v := []float64{1, c[0]}, []float64{1, c[1]}
		p := []float64{7, 7}
		for _, err := range []error{LogisticNormalTo(p, nil, mu, v), FastTo(p, mu, v)} {
			var arg *ArgumentError
			if !errors.As(err, &arg) || arg.Index != 1 || p[0] != 7 {
				t.Errorf("%v: error %v, p %v", c, err, p)
			}
		}
	}
	if p1, _ := PaperRule(0, 2*paperLimit); !math.IsNaN(p1) {
		t.Errorf("PaperRule at its limit: %v", p1)
	}
	three, two := make([]float64, 3), make([]float64, 2)
	for _, err := range []error{
		LogisticNormalTo(two, three, three, three), LogisticNormalTo(three, two, three, three),
		LogisticNormalTo(nil, nil, three, two), FastTo(two, three, three), FastTo(three, three, two),
	} {
		var length *LengthError
		if !errors.As(err, &length) || length.Got != 2 || length.Want != 3 {
			t.Errorf("error %v", err)
		}
	}
}

func TestSlices(t *testing.T) {
	mu := []float64{-50, -3, 0, 0.2, 9, 80}
	v := []float64{0, 0.1, 1.5, 30, 200, 1e6}
	p1, p0 := make([]float64, 6), make([]float64, 6)
	if err := LogisticNormalTo(p1, p0, mu, v); err != nil {
		t.Fatal(err)
	}
	f := append([]float64(nil), mu...)
	if err := FastTo(f, f, v); err != nil {
		t.Fatal(err)
	}
	for i := range mu {
		a, b := LogisticNormal(mu[i], v[i])
		if p1[i] != a || p0[i] != b || f[i] != Fast(mu[i], v[i]) {
			t.Errorf("element %d: %v %v %v", i, p1[i], p0[i], f[i])
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		_ = LogisticNormalTo(p1, p0, mu, v)
		_ = FastTo(f, mu, v)
		sink += Moments(mu[3], v[3], 1).D2
		a, _ := PaperRule(mu[2], v[2])
		sink += a
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestMixture measures the approximation of σ by normal distribution functions
// at variance 0, where its error is largest.
func TestMixture(t *testing.T) {
	var sum, worst, at float64
	for _, m := range mixture {
		sum += m.weight
	}
	if math.Abs(sum-1) > 1e-15 {
		t.Errorf("weights sum to 1%+.1e", sum-1)
	}
	var cell float64
	for x := 0.0; x < 60; x += 1.0 / 1024 {
		if e := math.Abs(Fast(x, 0) - special.Logistic(x)); e > worst {
			worst, at = e, x
		}
		cell = math.Max(cell, math.Abs(upperNormal(x)-0.5*math.Erfc(x/math.Sqrt2)))
	}
	t.Logf("largest error %.3e at %v; of the normal table %.1e", worst, at, cell)
	if worst > fastError || cell > 5e-11 {
		t.Error("larger than documented")
	}
}

func TestPaperRule(t *testing.T) {
	var worst float64
	for _, row := range readReference(t).Rows {
		if row[1] > 1e6 {
			continue
		}
		p1, p0 := PaperRule(row[0], row[1])
		e := math.Max(math.Abs(p1-row[3]), math.Abs(p0-row[4]))
		worst = math.Max(worst, e)
		if !(e <= 1e-13) {
			t.Errorf("mu=%v v=%v: error %.1e", row[0], row[1], e)
		}
	}
	t.Logf("largest error %.1e", worst)
}

func TestQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mu := rapid.Float64Range(-20, 20).Draw(t, "mu")
		v := rapid.Float64Range(1e-3, 50).Draw(t, "v")
		level := rapid.Float64Range(0, 0.999).Draw(t, "level")
		lo, hi := Interval(mu, v, level)
		// Back to z: the mass of N(mu, v) between the logits is the level.
		cdf := func(p float64) float64 {
			return 0.5 * math.Erfc(-(math.Log(p)-math.Log1p(-p)-mu)/math.Sqrt(2*v))
		}
		if hi < 1-1e-6 && math.Abs(cdf(hi)-cdf(lo)-level) > 1e-7 {
			t.Fatalf("[%v, %v] holds %v, want %v", lo, hi, cdf(hi)-cdf(lo), level)
		}
		if q := Quantile(mu, v, (1-level)/2); relative(q, lo) > 1e-14 {
			t.Fatalf("quantile %v, bound %v", q, lo)
		}
		if !(lo <= special.Logistic(mu)*(1+1e-14) && hi >= special.Logistic(mu)*(1-1e-14)) {
			t.Fatal("median outside")
		}
	})
	if q := Quantile(3, 4, 0); q != 0 {
		t.Error(q)
	}
	if q := Quantile(3, 4, 1); q != 1 {
		t.Error(q)
	}
	for _, q := range []float64{-0.1, 1.1, math.NaN()} {
		if !math.IsNaN(Quantile(0, 1, q)) {
			t.Errorf("quantile of %v", q)
		}
	}
	for _, level := range []float64{-0.1, 1, math.NaN()} {
		if lo, _ := Interval(0, 1, level); !math.IsNaN(lo) {
			t.Errorf("interval of level %v", level)
		}
	}
}
