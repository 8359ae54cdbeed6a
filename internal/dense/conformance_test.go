package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// underRace: the race detector slows the defining sums by an order of
// magnitude; fewer sizes are tried.
var underRace bool

// The suite every Backend passes. Operands lie between canaries, results are
// compared with the defining sums.

// sizes draws count (m, n, k) triples that cross tile boundaries, all small
// ones first.
func sizes(seed uint64, count, limit int, f func(m, n, k int)) {
	for m := range 6 {
		for n := range 6 {
			f(m, n, (m+2*n)%5)
		}
	}
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range count {
		f(rnd.IntN(limit), rnd.IntN(limit), rnd.IntN(limit))
	}
}

func conformance(t *testing.T, be Backend) {
	count := 150
	big := [][3]int{{130, 130, 40}, {97, 101, 300}, {200, 9, 257}, {25, 260, 64}, {300, 33, 520}}
	if underRace || testing.Short() {
		count, big = 25, big[:1]
	}
	ws := NewWorkspace()
	each := func(seed uint64, limit int, f func(rnd *rand.Rand, m, n, k int)) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		sizes(seed, count, limit, func(m, n, k int) { f(rnd, m, n, k) })
		for _, s := range big {
			f(rnd, s[0], s[1], s[2])
		}
	}
	t.Run("GemmNT", func(t *testing.T) {
		each(1, 71, func(rnd *rand.Rand, m, n, k int) {
			a := newGuarded(m, k, rnd.IntN(3), false).random(rnd)
			b := newGuarded(n, k, rnd.IntN(3), false).random(rnd)
			c := newGuarded(m, n, rnd.IntN(3), false).random(rnd)
			c0 := c.clone()
			be.GemmNT(ws, m, n, k, 0.75, a.a, a.ld, b.a, b.ld, c.a, c.ld)
			c.near(t, name("GemmNT", m, n, k), tolerance(k), func(i, j int) float64 {
				s := 0.0
				for p := range k {
					s += a.at(i, p) * b.at(j, p)
				}
				return c0.at(i, j) + 0.75*s
			})
		})
	})
	t.Run("GemmNN", func(t *testing.T) {
		each(2, 71, func(rnd *rand.Rand, m, n, k int) {
			a := newGuarded(m, k, rnd.IntN(3), false).random(rnd)
			b := newGuarded(k, n, rnd.IntN(3), false).random(rnd)
			c := newGuarded(m, n, rnd.IntN(3), false).random(rnd)
			c0 := c.clone()
			be.GemmNN(ws, m, n, k, -1, a.a, a.ld, b.a, b.ld, c.a, c.ld)
			c.near(t, name("GemmNN", m, n, k), tolerance(k), func(i, j int) float64 {
				s := 0.0
				for p := range k {
					s += a.at(i, p) * b.at(p, j)
				}
				return c0.at(i, j) - s
			})
		})
	})
	t.Run("GemmTN", func(t *testing.T) {
		each(3, 71, func(rnd *rand.Rand, m, n, k int) {
			a := newGuarded(k, m, rnd.IntN(3), false).random(rnd)
			b := newGuarded(k, n, rnd.IntN(3), false).random(rnd)
			c := newGuarded(m, n, rnd.IntN(3), false).random(rnd)
			c0 := c.clone()
			be.GemmTN(ws, m, n, k, 2, a.a, a.ld, b.a, b.ld, c.a, c.ld)
			c.near(t, name("GemmTN", m, n, k), tolerance(k), func(i, j int) float64 {
				s := 0.0
				for p := range k {
					s += a.at(p, i) * b.at(p, j)
				}
				return c0.at(i, j) + 2*s
			})
		})
	})
	t.Run("Syrk", func(t *testing.T) {
		each(4, 71, func(rnd *rand.Rand, n, _, k int) {
			a := newGuarded(n, k, rnd.IntN(3), false).random(rnd)
			c := newGuarded(n, n, rnd.IntN(3), true).random(rnd)
			c0 := c.clone()
			be.Syrk(ws, n, k, a.a, a.ld, c.a, c.ld)
			c.near(t, name("Syrk", n, n, k), tolerance(k), func(i, j int) float64 {
				s := 0.0
				for p := range k {
					s += a.at(i, p) * a.at(j, p)
				}
				return c0.at(i, j) - s
			})
		})
	})
	t.Run("Symm", func(t *testing.T) {
		each(5, 71, func(rnd *rand.Rand, m, n, _ int) {
			z := newGuarded(m, m, rnd.IntN(3), true).random(rnd)
			y := newGuarded(m, n, rnd.IntN(3), false).random(rnd)
			c := newGuarded(m, n, rnd.IntN(3), false).random(rnd)
			c0, z0 := c.clone(), z.clone()
			be.Symm(ws, m, n, -1, z.a, z.ld, y.a, y.ld, c.a, c.ld)
			z.same(t, z0, "Symm argument")
			c.near(t, name("Symm", m, n, 0), tolerance(m), func(i, j int) float64 {
				s := 0.0
				for p := range m {
					s += z.sym(i, p) * y.at(p, j)
				}
				return c0.at(i, j) - s
			})
		})
	})
	t.Run("Trsm", func(t *testing.T) {
		each(6, 71, func(rnd *rand.Rand, m, n, _ int) { conformTrsm(t, be, ws, rnd, m, n) })
	})
	t.Run("Potrf", func(t *testing.T) {
		each(7, 71, func(rnd *rand.Rand, n, _, _ int) {
			a := spd(n, n, rnd.IntN(3), rnd)
			a0 := a.clone()
			if info := be.Potrf(ws, n, a.a, a.ld); info != -1 {
				t.Fatalf("Potrf n=%d: info %d", n, info)
			}
			a.intact(t, "Potrf")
			reproduces(t, name("Potrf", n, n, 0), a, a0, n)
		})
	})
	t.Run("Pivots", func(t *testing.T) { conformPivots(t, be, ws) })
	t.Run("Potri", func(t *testing.T) {
		each(8, 71, func(rnd *rand.Rand, n, _, _ int) {
			l := triangular(n, rnd.IntN(3), rnd)
			z := newGuarded(n, n, rnd.IntN(3), true)
			be.Potri(ws, n, l.a, l.ld, z.a, z.ld)
			want := inverse(l, n)
			z.near(t, name("Potri", n, n, 0), 1e-11, func(i, j int) float64 { return want[i+j*n] })
		})
	})
	t.Run("Front", func(t *testing.T) {
		each(9, 71, func(rnd *rand.Rand, w, r, _ int) { conformFront(t, be, ws, rnd, w, r) })
	})
}

func name(op string, m, n, k int) string { return fmt.Sprintf("%s m=%d n=%d k=%d", op, m, n, k) }

// tolerance bounds the error of a sum of k products of numbers in [-1,1]:
// k roundings of partial sums below k/3, far from all of one sign.
func tolerance(k int) float64 { return 4e-16 * float64(k+4) * (1 + float64(k)/64) }

func conformTrsm(t *testing.T, be Backend, ws *Workspace, rnd *rand.Rand, m, n int) {
	l := triangular(n, rnd.IntN(3), rnd)
	for _, op := range []struct {
		name string
		run  func(x *guarded)
		// back multiplies the solution x back.
		back func(x *guarded, i, j int) float64
	}{
		{"TrsmRight", func(x *guarded) { be.TrsmRight(ws, m, n, l.a, l.ld, x.a, x.ld) }, func(x *guarded, i, j int) (s float64) {
			for p := range n {
				s += x.at(i, p) * l.tri(j, p)
			}
			return s
		}},
		{"TrsmRightN", func(x *guarded) { be.TrsmRightN(ws, m, n, l.a, l.ld, x.a, x.ld) }, func(x *guarded, i, j int) (s float64) {
			for p := range n {
				s += x.at(i, p) * l.tri(p, j)
			}
			return s
		}},
	} {
		x := newGuarded(m, n, rnd.IntN(3), false).random(rnd)
		x0 := x.clone()
		op.run(x)
		x.intact(t, op.name)
		x0.near(t, name(op.name, m, n, 0), 8*tolerance(n), func(i, j int) float64 { return op.back(x, i, j) })
	}
}

// reproduces checks L Lᵀ = A on the lower triangle of the first cols columns.
func reproduces(t *testing.T, what string, l, a *guarded, cols int) {
	t.Helper()
	a.near(t, what, tolerance(cols)*float64(a.rows+2), func(i, j int) float64 {
		s := 0.0
		for p := 0; p <= j; p++ {
			s += l.at(i, p) * l.at(j, p)
		}
		return s
	})
}

// inverse is the dense (L Lᵀ)⁻¹, n×n column-major.
func inverse(l *guarded, n int) []float64 {
	x := make([]float64, n*n)
	for c := range n {
		col := x[c*n : c*n+n]
		col[c] = 1
		for i := c; i < n; i++ {
			for p := c; p < i; p++ {
				col[i] -= l.at(i, p) * col[p]
			}
			col[i] /= l.at(i, i)
		}
		for i := n - 1; i >= 0; i-- {
			for p := i + 1; p < n; p++ {
				col[i] -= l.at(p, i) * col[p]
			}
			col[i] /= l.at(i, i)
		}
	}
	return x
}

func conformPivots(t *testing.T, be Backend, ws *Workspace) {
	rnd := rand.New(rand.NewPCG(10, 2))
	for _, n := range []int{1, 2, 3, 7, 8, 9, 16, 23, 24, 25, 33, 48, 64, 70, 130, 200} {
		for range 6 {
			at := rnd.IntN(n)
			for _, bad := range []float64{-1, math.NaN(), -1e300, math.Inf(1), math.Inf(-1)} {
				a := spd(n, n, 1, rnd)
				a.a[at+at*a.ld] = bad
				if info := be.Potrf(ws, n, a.a, a.ld); info != at {
					t.Fatalf("Potrf n=%d with pivot %v at %d: info %d", n, bad, at, info)
				}
				a.intact(t, "Potrf failing")
				w := min(n, at+1+rnd.IntN(3))
				f := spd(n, w, 1, rnd)
				f.a[at+at*f.ld] = bad
				u := newGuarded(n-w, n-w, 0, true).random(rnd)
				u0 := u.clone()
				if info := be.FrontFactor(ws, n, w, f.a, f.ld, u.a, u.ld); info != at {
					t.Fatalf("FrontFactor n=%d w=%d with pivot %v at %d: info %d", n, w, bad, at, info)
				}
				f.intact(t, "FrontFactor failing")
				u.same(t, u0, "u of a failing FrontFactor")
			}
		}
		// An exactly singular matrix: rows at−1 and at equal.
		a := newGuarded(n, n, 0, true).fill(func(i, j int) float64 { return 1 })
		want := 1
		if n == 1 {
			want = -1
		}
		if info := be.Potrf(ws, n, a.a, a.ld); info != want {
			t.Fatalf("Potrf of ones, n=%d: info %d, want %d", n, info, want)
		}
	}
}

func conformFront(t *testing.T, be Backend, ws *Workspace, rnd *rand.Rand, w, r int) {
	nr := w + r
	a := spd(nr, w, rnd.IntN(3), rnd)
	u := newGuarded(r, r, rnd.IntN(3), true).random(rnd)
	a0, u0 := a.clone(), u.clone()
	what := name("FrontFactor", nr, w, r)
	if info := be.FrontFactor(ws, nr, w, a.a, a.ld, u.a, u.ld); info != -1 {
		t.Fatalf("%s: info %d", what, info)
	}
	a.intact(t, what)
	reproduces(t, what, a, a0, w)
	u.near(t, what+" update", tolerance(w)*float64(nr+2), func(i, j int) float64 {
		s := 0.0
		for p := range w {
			s += a.at(w+i, p) * a.at(w+j, p)
		}
		return u0.at(i, j) - s
	})

	// The whole factor [L11 0; L21 L22] with a random L22 gives the inverse.
	full := triangular(nr, 0, rnd)
	l := newGuarded(nr, w, rnd.IntN(3), true).fill(full.at)
	want := inverse(full, nr)
	z := newGuarded(nr, nr, rnd.IntN(3), true).fill(func(i, j int) float64 {
		if j >= w {
			return want[i+j*nr]
		}
		return canary
	})
	l0 := l.clone()
	be.FrontInverse(ws, nr, w, l.a, l.ld, z.a, z.ld)
	l.same(t, l0, "FrontInverse argument")
	z.near(t, name("FrontInverse", nr, w, r), 1e-11, func(i, j int) float64 { return want[i+j*nr] })
}
