package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// levels runs f at every level of this machine and build.
func levels(t *testing.T, f func(t *testing.T)) {
	for l := Go; l <= best; l++ {
		t.Run("level="+l.String(), func(t *testing.T) {
			defer SetLevel(SetLevel(l))
			f(t)
		})
	}
}

// canary is a NaN of a recognizable payload.
var canary = math.Float64frombits(0x7ff8_dead_beef_0001)

const margin = 16

// guard returns a slice of n random numbers in [-1,1) between canaries, and a
// check that they stand.
func guard(n int, rnd *rand.Rand) (x []float64, intact func(t *testing.T)) {
	all := make([]float64, n+2*margin)
	for i := range all {
		all[i] = canary
	}
	x = all[margin : margin+n : margin+n]
	for i := range x {
		x[i] = 2*rnd.Float64() - 1
	}
	return x, func(t *testing.T) {
		t.Helper()
		for i, v := range all {
			if (i < margin || i >= margin+n) && math.Float64bits(v) != math.Float64bits(canary) {
				t.Fatalf("stray write at offset %d of %d elements", i-margin, n)
			}
		}
	}
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Fatalf("%s: %v, want %v within %v", what, got, want, tol)
	}
}

func TestSetLevel(t *testing.T) {
	defer SetLevel(Current())
	for l := Go; l <= AVX512; l++ {
		SetLevel(l)
		if Current() != min(l, Best()) {
			t.Errorf("SetLevel(%v) gives %v, best %v", l, Current(), Best())
		}
		if MR()%NR() != 0 || NR() > MaxNR {
			t.Errorf("tile %d×%d at %v", MR(), NR(), l)
		}
	}
}

func TestDotAxpy(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(1, 1))
		for n := range 150 {
			x, _ := guard(n, rnd)
			y, intact := guard(n, rnd)
			want := 0.0
			for i := range x {
				want += x[i] * y[i]
			}
			near(t, "dot", Dot(x, y), want, 1e-15*float64(n+1))
			y0 := append([]float64(nil), y...)
			Axpy(0.7, x, y)
			intact(t)
			for i := range y {
				near(t, "axpy", y[i], y0[i]+0.7*x[i], 1e-15)
			}
			Axpy(-1, y, y)
			for i := range y {
				near(t, "axpy in place", y[i], 0, 0)
			}
		}
	})
}

func TestPanics(t *testing.T) {
	for _, f := range []func(){
		func() { Dot(make([]float64, 2), make([]float64, 1)) },
		func() { Exp(nil, make([]float64, 1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		}()
	}
}

// TestPack compares with the definitions, whose tile is forced to the level's.
func TestPack(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(4, 1))
		mr, nr := MR(), NR()
		for m := 1; m < 60; m++ {
			k, gap := 1+rnd.IntN(20), rnd.IntN(3)
			ld := m + gap
			a, _ := guard((k-1)*ld+m, rnd)
			for _, w := range []int{mr, nr} {
				dst, intact := guard((m+w-1)/w*w*k, rnd)
				if w == mr {
					PackA(m, k, &a[0], ld, &dst[0])
				} else {
					PackB(m, k, &a[0], ld, &dst[0])
				}
				intact(t)
				for i := range m {
					for p := range k {
						near(t, "pack", dst[i/w*w*k+p*w+i%w], a[i+p*ld], 0)
					}
				}
			}
			testPackRows(t, rnd, nr, m)
		}
	})
}

func testPackRows(t *testing.T, rnd *rand.Rand, nr, m int) {
	// Rows i..i+c of the symmetric matrix z of order m, and of its transpose
	// part alone.
	ld := m + rnd.IntN(3)
	z, _ := guard((m-1)*ld+m, rnd)
	for j := range m {
		for i := range min(j, m) {
			if i < j {
				z[i+j*ld] = canary
			}
		}
	}
	i := rnd.IntN((m+nr-1)/nr) * nr
	c := min(nr, m-i)
	ldd := nr + rnd.IntN(2)*nr
	dst, intact := guard((m-1)*ldd+nr, rnd)
	var s1, s2 *float64
	if i > 0 {
		s1 = &z[i]
	}
	if i+c < m {
		s2 = &z[i+c+i*ld]
	}
	PackRows(c, i, s1, 1, &z[i+i*ld], m-i-c, s2, ld, &dst[0], ldd)
	intact(t)
	for p := range m {
		for q := range c {
			near(t, "pack symmetric", dst[q+p*ldd], z[max(i+q, p)+min(i+q, p)*ld], 0)
		}
	}
}

// ulps is the distance of two finite numbers of one sign in units in the last
// place.
func ulps(a, b float64) float64 {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return 0
	}
	if math.IsNaN(a) || math.IsNaN(b) || math.Signbit(a) != math.Signbit(b) {
		return math.Inf(1)
	}
	return math.Abs(float64(int64(math.Float64bits(a)) - int64(math.Float64bits(b))))
}

func TestElementary(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 709.78, 709.79, 710, 711, 1e10, -708, -709, -740, -745, -745.2, -746, -750, -1e10, 1e-300, -1e-300, 5e-324, math.MaxFloat64, -math.MaxFloat64, 36.7, -36.8, 0.34657359, -0.34657359}
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(5, 1))
		if y := []float64{709.78}; level > Go {
			Exp(y, y)
			near(t, "exp near overflow", y[0], 1.7928227943945155e308, 1e294)
		}
		check := func(x []float64) {
			for _, f := range []struct {
				name string
				run  func(dst, x []float64)
				def  func(dst, x []float64)
				tol  float64
			}{{"exp", Exp, expGo, 2}, {"logistic", Logistic, logisticGo, 4}, {"log1pExp", Log1pExp, log1pExpGo, 5}} {
				got, intact := guard(len(x), rnd)
				want := make([]float64, len(x))
				f.run(got, x)
				intact(t)
				f.def(want, x)
				for i := range x {
					if x[i] > 709.4 && x[i] < 709.7827 {
						continue // math.Exp on amd64 may overflow early
					}
					if !(ulps(got[i], want[i]) <= f.tol) {
						t.Fatalf("%s(%v) = %v, want %v: %v ulp", f.name, x[i], got[i], want[i], ulps(got[i], want[i]))
					}
				}
				y := append([]float64(nil), x...)
				f.run(y, y)
				for i := range y {
					if ulps(y[i], got[i]) != 0 {
						t.Fatalf("%s in place differs at %d", f.name, i)
					}
				}
			}
		}
		check(special)
		for n := range 40 {
			x, _ := guard(n, rnd)
			check(x)
		}
		x := make([]float64, 20000)
		for _, scale := range []float64{1e-8, 0.3, 1, 40, 745} {
			for i := range x {
				x[i] = scale * (2*rnd.Float64() - 1)
			}
			check(x)
		}
	})
}
