package batch

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// levels runs f at every level of this processor.
func levels(t *testing.T, f func(t *testing.T)) {
	for l := simd.Go; l <= simd.Best(); l++ {
		t.Run("level="+l.String(), func(t *testing.T) {
			defer simd.SetLevel(simd.SetLevel(l))
			f(t)
		})
	}
}

// guarded returns a slice with NaN around it, and a check that they are there.
func guarded(t *testing.T, n int) []float64 {
	const pad = 16
	whole := make([]float64, n+2*pad)
	for i := range whole {
		whole[i] = math.NaN()
	}
	t.Cleanup(func() {
		for i := range pad {
			if !math.IsNaN(whole[i]) || !math.IsNaN(whole[n+pad+i]) {
				t.Error("memory around an argument was written to")
				return
			}
		}
	})
	return whole[pad : n+pad : n+pad]
}

// matrices are eight precisions side by side: weights, excesses.
type matrices struct{ w, r []float64 }

func randomMatrices(rng *rand.Rand, n int, scale float64) matrices {
	a := matrices{make([]float64, Triangle(n)*Lanes), make([]float64, n*Lanes)}
	for i := range a.w {
		if rng.IntN(3) > 0 {
			a.w[i] = rng.ExpFloat64()
		}
	}
	for i := range a.r {
		a.r[i] = scale * (0.1 + rng.ExpFloat64())
	}
	return a
}

// at returns the index of entry (i, j), i > j, of lane q in a triangle.
func at(n, i, j, q int) int { return (j*n-j*(j+1)/2+i-j-1)*Lanes + q }

// inverseOf returns the inverse of lane q in 500-bit arithmetic, and log|A|'s
// pivot product as the determinant.
func inverseOf(n int, a matrices, q int) (inv [][]float64, det float64) {
	const prec = 500
	f := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	m := make([][]*big.Float, n)
	for i := range m {
		m[i] = make([]*big.Float, 2*n)
		for j := range m[i] {
			m[i][j] = f(0)
		}
		m[i][n+i] = f(1)
	}
	for i := range n {
		m[i][i].Add(m[i][i], f(a.r[i*Lanes+q]))
		for j := range i {
			w := f(a.w[at(n, i, j, q)])
			m[i][i].Add(m[i][i], w)
			m[j][j].Add(m[j][j], w)
			m[i][j].Sub(m[i][j], w)
			m[j][i].Sub(m[j][i], w)
		}
	}
	d := f(1)
	t := f(0)
	for k := range n {
		p := new(big.Float).Copy(m[k][k])
		d.Mul(d, p)
		for j := range m[k] {
			m[k][j].Quo(m[k][j], p)
		}
		for i := range n {
			if i == k {
				continue
			}
			s := new(big.Float).Copy(m[i][k])
			for j := range m[i] {
				m[i][j].Sub(m[i][j], t.Mul(s, m[k][j]))
			}
		}
	}
	inv = make([][]float64, n)
	for i := range inv {
		inv[i] = make([]float64, n)
		for j := range inv[i] {
			inv[i][j], _ = m[i][n+j].Float64()
		}
	}
	det, _ = d.Float64()
	return inv, det
}

// factored runs Factor and Invert on a copy.
func factored(t *testing.T, n int, a matrices) (x, d, inv []float64) {
	x, d, inv = guarded(t, len(a.w)), guarded(t, n*Lanes), guarded(t, n*Lanes)
	r := guarded(t, n*Lanes)
	copy(x, a.w)
	copy(r, a.r)
	Factor(n, x, r, d, inv)
	Invert(n, x)
	return
}

// TestInverse: pivots and every entry of the inverse have all their digits,
// however close to singular the matrices are.
func TestInverse(t *testing.T) {
	for _, scale := range []float64{1e6, 1, 1e-6, 1e-13, 1e-60} {
		t.Run(fmt.Sprintf("scale=%g", scale), func(t *testing.T) {
			levels(t, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(1, 7))
				for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 14, 17} {
					a := randomMatrices(rng, n, scale)
					x, d, inv := factored(t, n, a)
					s, z, work, res := guarded(t, n*Lanes), guarded(t, len(a.w)), guarded(t, n*Lanes), guarded(t, len(a.w))
					Inverse(n, x, inv, s, z, work)
					Resistances(n, x, inv, res)
					for q := 0; q < Lanes; q += 3 {
						want, det := inverseOf(n, a, q)
						got := 1.0
						for i := range n {
							got *= d[i*Lanes+q]
						}
						if det != 0 && math.Abs(got/det-1) > 1e-14 {
							t.Errorf("n=%d: determinant %v, want %v", n, got, det)
						}
						for i := range n {
							if e := math.Abs(s[i*Lanes+q]/want[i][i] - 1); e > 1e-14 {
								t.Errorf("n=%d (%d,%d): relative error %g", n, i, i, e)
							}
							for j := range i {
								if g := z[at(n, i, j, q)]; math.Abs(g-want[i][j]) > 1e-14*want[i][j] {
									t.Errorf("n=%d (%d,%d): %v, want %v", n, i, j, g, want[i][j])
								}
							}
						}
					}
				}
			})
		})
	}
}

// TestResistances: the variance of a difference is exact to rounding relative to
// itself, where from the entries of the inverse nothing of it would be left.
func TestResistances(t *testing.T) {
	levels(t, func(t *testing.T) {
		const n = 3
		a := matrices{make([]float64, Triangle(n)*Lanes), make([]float64, n*Lanes)}
		for i := range a.w {
			a.w[i] = 1e6
		}
		for i := range a.r {
			a.r[i] = 1e-9
		}
		x, _, inv := factored(t, n, a)
		res := guarded(t, len(a.w))
		Resistances(n, x, inv, res)
		for i, r := range res {
			// A complete graph of three equal weights: 2/(3w + r).
			if want := 2 / (3e6 + 1e-9); math.Abs(r/want-1) > 1e-14 {
				t.Errorf("entry %d: %v, want %v", i, r, want)
			}
		}
	})
}

func randomVector(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n*Lanes)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// TestMoments compares with products by the inverse.
func TestMoments(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(2, 7))
		for n := 1; n <= 20; n++ {
			a := randomMatrices(rng, n, 1)
			x, _, inv := factored(t, n, a)
			s, z, work := make([]float64, n*Lanes), make([]float64, len(a.w)), make([]float64, n*Lanes)
			Inverse(n, x, inv, s, z, work)
			b, b0, s2 := guarded(t, n*Lanes), randomVector(rng, n), guarded(t, n*Lanes)
			copy(b, b0)
			Moments(n, x, inv, b, s2)
			h := guarded(t, n*Lanes)
			Spread(n, 2.5, z, b0, h)
			o := guarded(t, n*Lanes)
			Others(n, z, b0, o)
			for q := range Lanes {
				for i := range n {
					want, spread := s[i*Lanes+q]*b0[i*Lanes+q], 0.0
					for j := range n {
						if j != i {
							v := z[at(n, max(i, j), min(i, j), q)]
							want += v * b0[j*Lanes+q]
							spread += 2.5 * v * (b0[j*Lanes+q] - b0[i*Lanes+q])
						}
					}
					near(t, "others", o[i*Lanes+q], want-s[i*Lanes+q]*b0[i*Lanes+q], 1e-13)
					near(t, "solution", b[i*Lanes+q], want, 1e-13)
					near(t, "diagonal", s2[i*Lanes+q], s[i*Lanes+q], 1e-15)
					near(t, "spread", h[i*Lanes+q], spread, 1e-13)
				}
			}
		}
	})
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// TestLanesApart: a lane's results do not depend on what the others hold.
func TestLanesApart(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 7))
		const n = 6
		a := randomMatrices(rng, n, 1)
		x, d, _ := factored(t, n, a)
		for i := range a.w {
			if i%Lanes != 3 {
				a.w[i] = math.NaN()
			}
		}
		x2, d2, _ := factored(t, n, a)
		for i := 3; i < len(x); i += Lanes {
			if x[i] != x2[i] {
				t.Fatal("a neighbour changed the factor")
			}
		}
		for i := 3; i < len(d); i += Lanes {
			if d[i] != d2[i] {
				t.Fatal("a neighbour changed the pivots")
			}
		}
	})
}

// TestSolveLDL solves with random symmetric matrices, definite or not, and
// checks the product and the least pivot's sign.
func TestSolveLDL(t *testing.T) {
	levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(4, 7))
		for n := 1; n <= 17; n++ {
			h, diag, y := guarded(t, Triangle(n)*Lanes), guarded(t, n*Lanes), guarded(t, n*Lanes)
			least := guarded(t, Lanes)
			copy(h, randomVector(rng, (n*(n-1)/2)))
			copy(y, randomVector(rng, n))
			for i := range diag {
				diag[i] = float64(n) + 1
				if i == Lanes*(n/2)+1 {
					diag[i] *= -1 // lane 1 is not definite
				}
			}
			h0, d0, y0 := append([]float64(nil), h...), append([]float64(nil), diag...), append([]float64(nil), y...)
			SolveLDL(n, h, diag, y, least)
			for q := range Lanes {
				if (least[q] > 0) != (q != 1) {
					t.Errorf("n=%d lane %d: least pivot %v", n, q, least[q])
				}
				for i := range n {
					got := d0[i*Lanes+q] * y[i*Lanes+q]
					for j := range n {
						if j != i {
							got += h0[at(n, max(i, j), min(i, j), q)] * y[j*Lanes+q]
						}
					}
					near(t, "product", got, y0[i*Lanes+q], 1e-12)
				}
			}
		}
	})
}

// TestDefinitions compares the kernels of the sites with their definitions.
func TestDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for l := simd.AVX2; l <= simd.Best(); l++ {
		defer simd.SetLevel(simd.SetLevel(l))
		for n := 1; n <= 18; n++ {
			vec := func() []float64 { return randomVector(rng, n) }
			positive := func(scale float64) []float64 {
				v := vec()
				for i := range v {
					v[i] = math.Exp(scale * v[i])
				}
				return v
			}
			mask := vec()
			for i := range mask {
				mask[i] = 1
				if rng.IntN(4) == 0 {
					mask[i] = 0
				}
			}
			run := func(name string, out [][]float64, tol float64, f func()) {
				t.Helper()
				start := make([][]float64, len(out))
				for k := range out {
					start[k] = append([]float64(nil), out[k]...)
				}
				simd.SetLevel(simd.Go)
				f()
				want := make([][]float64, len(out))
				for k := range out {
					want[k] = append([]float64(nil), out[k]...)
					copy(out[k], start[k])
				}
				simd.SetLevel(l)
				f()
				for k := range out {
					for i, v := range want[k] {
						if !(math.Abs(out[k][i]-v) <= tol*(math.Abs(v)+1e-3)) {
							t.Fatalf("%s at %v, n=%d, output %d, element %d: %v, want %v", name, l, n, k, i, out[k][i], v)
						}
					}
				}
			}
			out := func(k, n int) [][]float64 {
				v := make([][]float64, k)
				for i := range v {
					v[i] = guarded(t, n*Lanes)
				}
				return v
			}
			tt, mu, nu, m, s, g := positive(8), vec(), vec(), vec(), positive(1), positive(1)
			o := append(out(4, n), out(1, 1)...)
			root := guarded(t, n*Lanes) // cancels at small ξ, and only steers
			sites := func() { SitesJJ(n, 0.3, tt, mask, mu, nu, o[0], o[1], o[2], o[3], root, o[4]) }
			run("SitesJJ", o, 4e-14, sites)
			run("SitesJJ", [][]float64{root}, 1e-5, sites)
			o = append(out(2, n), out(1, 1)...)
			run("ChangeJJ", o, 1e-12, func() { ChangeJJ(n, g, mask, m, s, o[0], o[1], o[2]) })
			fac, d, inv := positive(1), positive(1), positive(1)
			o = append(out(1, n), guarded(t, Lanes), guarded(t, Chunks(n)*Lanes))
			run("Gauss", o, 1e-13, func() { Gauss(n, mu, m, s, nu, fac, d, inv, o[0], o[1], o[2]) })
			z := randomVector(rng, Triangle(n))
			o = append(out(2, n), guarded(t, len(z)))
			run("NewtonJJ", o, 1e-13, func() { NewtonJJ(n, z, s, m, g, nu, fac, o[2], o[0], o[1]) })
			rp, rs := randomVector(rng, Triangle(n)), randomVector(rng, Triangle(n))
			o = [][]float64{append([]float64(nil), z...)}
			run("Edges", o, 1e-13, func() { Edges(n, mu, nu, rp, rs, o[0]) })
			active, newton := []float64{-1, -1, 0, 0, -1, -1, -1, 1}, []float64{-1, 0, 0, -1, 1, -1, -1, -1}
			y := vec()
			y[5] = math.NaN()
			o = [][]float64{append([]float64(nil), tt...)}
			y[5] = 3
			run("StepJJ", o, 1e-13, func() { StepJJ(n, y, mask, g, active, newton, o[0]) })
		}
	}
}

// TestNaN: a maximum or minimum passes a NaN on wherever it stands.
func TestNaN(t *testing.T) {
	levels(t, func(t *testing.T) {
		const n = 5
		for i := range n * Lanes {
			v := make([]float64, n*Lanes)
			one := make([]float64, n*Lanes)
			for k := range v {
				v[k], one[k] = 1, 1
			}
			v[i] = math.NaN()
			g, ell, change := make([]float64, n*Lanes), make([]float64, n*Lanes), make([]float64, Lanes)
			ChangeJJ(n, one, one, v, one, g, ell, change)
			h, least := make([]float64, Triangle(n)*Lanes), make([]float64, Lanes)
			SolveLDL(n, h, v, one, least)
			for q := range Lanes {
				if math.IsNaN(change[q]) != (q == i%Lanes) || math.IsNaN(least[q]) != (q == i%Lanes) {
					t.Fatalf("NaN at %d: change %v, least pivot %v", i, change, least)
				}
			}
		}
	})
}

func TestShortSlices(t *testing.T) {
	v := make([]float64, 3*Lanes)
	for name, f := range map[string]func(){
		"order":    func() { Factor(0, v, v, v, v) },
		"triangle": func() { Factor(4, v, v, v, v) },
		"vector":   func() { Moments(3, v, v[:2*Lanes], v, v) },
		"lanes":    func() { SolveLDL(3, v, v, v, v[:3]) },
		"products": func() { Gauss(3, v, v, v, v, v, v, v, v, v, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkSweep(b *testing.B) {
	for l := simd.Go; l <= simd.Best(); l++ {
		for _, n := range []int{4, 7, 10, 14, 32} {
			b.Run(fmt.Sprintf("level=%v/n=%d", l, n), func(b *testing.B) {
				defer simd.SetLevel(simd.SetLevel(l))
				rng := rand.New(rand.NewPCG(1, 1))
				a := randomMatrices(rng, n, 1)
				w, r := make([]float64, len(a.w)), make([]float64, len(a.r))
				d, inv, x, s := make([]float64, len(r)), make([]float64, len(r)), make([]float64, len(r)), make([]float64, len(r))
				for b.Loop() {
					copy(w, a.w)
					copy(r, a.r)
					Factor(n, w, r, d, inv)
					Invert(n, w)
					Moments(n, w, inv, x, s)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/Lanes, "ns/instance")
			})
		}
	}
}
