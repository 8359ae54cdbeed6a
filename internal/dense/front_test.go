package dense

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

func TestFrontSolve(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(20, 1))
		ws := NewWorkspace()
		count := 200
		if underRace {
			count = 40
		}
		for range count {
			w, r, nrhs := rnd.IntN(50), rnd.IntN(60), rnd.IntN(40)
			nr := w + r
			full := triangular(nr, 0, rnd)
			l := newGuarded(nr, w, rnd.IntN(3), true).fill(full.at)
			x := newGuarded(nr, 1, 0, false).random(rnd)
			x0 := x.clone()
			FrontSolve(nr, w, l.a, l.ld, x.a)
			// L11 x1 = b1 and L21 x1 + x2 = b2
			x0.near(t, name("FrontSolve", nr, w, 1), 1e-13, func(i, _ int) float64 {
				s := 0.0
				for p := range min(w, i+1) {
					s += l.at(i, p) * x.at(p, 0)
				}
				if i >= w {
					s += x.at(i, 0)
				}
				return s
			})
			x.intact(t, "FrontSolve")
			x = x0.clone()
			FrontSolveT(nr, w, l.a, l.ld, x.a)
			x.intact(t, "FrontSolveT")
			x0.near(t, name("FrontSolveT", nr, w, 1), 1e-13, func(i, _ int) float64 {
				if i >= w {
					return x.at(i, 0)
				}
				s := 0.0
				for p := i; p < nr; p++ {
					s += l.at(p, i) * x.at(p, 0)
				}
				return s
			})
			// Many right-hand sides, side by side, agree with one by one.
			xs := newGuarded(nrhs, nr, rnd.IntN(3), false).random(rnd)
			xt := xs.clone()
			xs0 := xs.clone()
			FrontSolveMany(ws, nr, w, nrhs, l.a, l.ld, xs.a, xs.ld)
			FrontSolveManyT(ws, nr, w, nrhs, l.a, l.ld, xt.a, xt.ld)
			one, oneT := make([]float64, nr), make([]float64, nr)
			want, wantT := xs0.clone(), xs0.clone()
			for q := range nrhs {
				for i := range nr {
					one[i], oneT[i] = xs0.at(q, i), xs0.at(q, i)
				}
				FrontSolve(nr, w, l.a, l.ld, one)
				FrontSolveT(nr, w, l.a, l.ld, oneT)
				for i := range nr {
					want.a[q+i*want.ld], wantT.a[q+i*wantT.ld] = one[i], oneT[i]
				}
			}
			xs.near(t, name("FrontSolveMany", nr, w, nrhs), 1e-13, want.at)
			xt.near(t, name("FrontSolveManyT", nr, w, nrhs), 1e-13, wantT.at)
		}
	})
}

// TestRows: the bits of a product do not depend on how its rows are split.
func TestRows(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(21, 1))
		ws := NewWorkspace()
		for _, s := range [][2]int{{30, 5}, {70, 40}, {100, 24}, {200, 70}, {300, 210}, {500, 30}} {
			n, k := s[0], s[1]
			for _, gap := range []int{0, 256 - n%256} { // plain and packed paths
				a := newGuarded(n, k, gap, false).random(rnd)
				c := newGuarded(n, n, 1, true).random(rnd)
				z := newGuarded(n, n, gap, true).random(rnd)
				x := newGuarded(n, k, gap, false).random(rnd)
				l := triangular(k, 1, rnd)
				cs, xs, bs, bn := c.clone(), x.clone(), x.clone(), x.clone()
				Syrk(ws, n, k, a.a, a.ld, c.a, c.ld)
				y := x.clone()
				Symm(ws, n, k, -1, z.a, z.ld, a.a, a.ld, y.a, y.ld)
				b, bb := x.clone(), x.clone()
				TrsmRight(ws, n, k, l.a, l.ld, b.a, b.ld)
				TrsmRightN(ws, n, k, l.a, l.ld, bb.a, bb.ld)
				for i := 0; i < n; {
					e := min(n, i+Tile*(1+rnd.IntN(4)))
					SyrkRows(ws, i, e, n, k, a.a, a.ld, cs.a, cs.ld)
					SymmRows(ws, i, e, n, k, -1, z.a, z.ld, a.a, a.ld, xs.a, xs.ld)
					TrsmRight(ws, e-i, k, l.a, l.ld, bs.a[i:], bs.ld)
					TrsmRightN(ws, e-i, k, l.a, l.ld, bn.a[i:], bn.ld)
					i = e
				}
				c.same(t, cs, "SyrkRows")
				y.same(t, xs, "SymmRows")
				b.same(t, bs, "TrsmRight by rows")
				bb.same(t, bn, "TrsmRightN by rows")
			}
		}
	})
}

// crew is a Runner of goroutines.
type crew int

func (c crew) Run(blocks int, task Task) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range int(c) {
		wg.Go(func() {
			for {
				b := int(next.Add(1) - 1)
				if b >= blocks {
					return
				}
				task.Do(w, b)
			}
		})
	}
	wg.Wait()
}

func TestFrontParallel(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(22, 1))
		ws := []*Workspace{NewWorkspace(), NewWorkspace(), NewWorkspace()}
		sizes := [][2]int{{0, 3}, {1, 0}, {7, 9}, {96, 100}, {97, 0}, {130, 250}, {300, 200}, {60, 400}}
		if simd.Current() == simd.Go || underRace || testing.Short() {
			sizes = sizes[:6]
		}
		for _, s := range sizes {
			w, r := s[0], s[1]
			nr := w + r
			what := name("front", nr, w, r)
			a := spd(nr, w, 1, rnd)
			u := newGuarded(r, r, 1, true).random(rnd)
			as, us := a.clone(), u.clone()
			a0, u0 := a.clone(), u.clone()
			if info := FrontFactorParallel(Serial{}, ws, nr, w, as.a, as.ld, us.a, us.ld); info != -1 {
				t.Fatalf("%s: info %d", what, info)
			}
			if info := FrontFactorParallel(crew(3), ws, nr, w, a.a, a.ld, u.a, u.ld); info != -1 {
				t.Fatalf("%s: info %d", what, info)
			}
			a.same(t, as, what)
			u.same(t, us, what)
			a.intact(t, what)
			if info := FrontFactor(ws[0], nr, w, a0.a, a0.ld, u0.a, u0.ld); info != -1 {
				t.Fatalf("%s: info %d", what, info)
			}
			a.near(t, what, 1e-12, a0.at)
			u.near(t, what, 1e-12, u0.at)

			z := newGuarded(nr, nr, 1, true).random(rnd)
			zs, zf := z.clone(), z.clone()
			FrontInverseParallel(Serial{}, ws, nr, w, a.a, a.ld, zs.a, zs.ld)
			FrontInverseParallel(crew(3), ws, nr, w, a.a, a.ld, z.a, z.ld)
			FrontInverse(ws[0], nr, w, a.a, a.ld, zf.a, zf.ld)
			z.same(t, zs, what)
			z.near(t, what, 1e-12, zf.at)
			if w > 0 {
				at := rnd.IntN(w)
				bad := spd(nr, w, 0, rnd)
				bad.a[at+at*bad.ld] = -1
				if info := FrontFactorParallel(crew(2), ws, nr, w, bad.a, bad.ld, u.a, u.ld); info != at {
					t.Fatalf("%s: info %d, want %d", what, info, at)
				}
			}
		}
	})
}

func TestExtendAdd(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 1))
	for range 100 {
		w, r := rnd.IntN(20), rnd.IntN(30)
		nr := w + r
		var rel []int32
		for i := range nr {
			if rnd.IntN(3) > 0 {
				rel = append(rel, int32(i))
			}
		}
		m := len(rel)
		u := newGuarded(m, m, 1, true).random(rnd)
		full := newGuarded(nr, nr, 0, true).random(rnd)
		a := newGuarded(nr, w, 1, true).fill(full.at)
		pu := newGuarded(r, r, 2, true).fill(func(i, j int) float64 { return full.at(w+i, w+j) })
		want := full.clone()
		for j := range m {
			for i := j; i < m; i++ {
				want.a[int(rel[i])+int(rel[j])*want.ld] += u.at(i, j)
			}
		}
		ExtendAdd(rel, u.a, u.ld, w, a.a, a.ld, pu.a, pu.ld)
		a.near(t, "panel", 0, want.at)
		pu.near(t, "update", 0, func(i, j int) float64 { return want.at(w+i, w+j) })
		GatherInverse(rel, u.a, u.ld, full.a, full.ld)
		u.near(t, "gather", 0, func(i, j int) float64 { return full.at(int(rel[i]), int(rel[j])) })
	}
}

// TestAllocations: nothing allocates with a warm workspace.
func TestAllocations(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(24, 1))
		ws := []*Workspace{NewWorkspace()}
		for _, s := range [][2]int{{1, 3}, {5, 12}, {40, 60}, {150, 260}} {
			w, r := s[0], s[1]
			nr := w + r
			a0, a := spd(nr, w, 0, rnd), spd(nr, w, 0, rnd)
			u, z := newGuarded(r, r, 0, true).random(rnd), newGuarded(nr, nr, 0, true).random(rnd)
			x := newGuarded(9, nr, 0, false).random(rnd)
			// SolveLeft wants n×nrhs.
			y := newGuarded(nr, 9, 0, false).random(rnd)
			var runner Runner = Serial{}
			n := testing.AllocsPerRun(3, func() {
				copy(a.a, a0.a)
				FrontFactor(ws[0], nr, w, a.a, a.ld, u.a, u.ld)
				FrontInverse(ws[0], nr, w, a.a, a.ld, z.a, z.ld)
				FrontSolveMany(ws[0], nr, w, 9, a.a, a.ld, x.a, x.ld)
				FrontSolveManyT(ws[0], nr, w, 9, a.a, a.ld, x.a, x.ld)
				TrsmLeft(ws[0], w, 9, a.a, a.ld, y.a, y.ld)
				TrsmLeftT(ws[0], w, 9, a.a, a.ld, y.a, y.ld)
				copy(a.a, a0.a)
				FrontFactorParallel(runner, ws, nr, w, a.a, a.ld, u.a, u.ld)
				FrontInverseParallel(runner, ws, nr, w, a.a, a.ld, z.a, z.ld)
			})
			if n != 0 {
				t.Errorf("w=%d r=%d: %v allocations", w, r, n)
			}
		}
	})
}

// TestNilWorkspace: a nil workspace gives the same bits.
func TestNilWorkspace(t *testing.T) {
	rnd := rand.New(rand.NewPCG(25, 1))
	a := spd(150, 60, 0, rnd)
	u := newGuarded(90, 90, 0, true).random(rnd)
	b, v := a.clone(), u.clone()
	FrontFactor(nil, 150, 60, a.a, a.ld, u.a, u.ld)
	FrontFactor(NewWorkspace(), 150, 60, b.a, b.ld, v.a, v.ld)
	a.same(t, b, "FrontFactor")
	u.same(t, v, "FrontFactor")
	z := newGuarded(150, 150, 0, true).random(rnd)
	y := z.clone()
	ws := NewWorkspace()
	FrontInverse(nil, 150, 60, a.a, a.ld, z.a, z.ld)
	FrontInverse(ws, 150, 60, a.a, a.ld, y.a, y.ld)
	z.same(t, y, "FrontInverse")
	if ws.Bytes() == 0 || (*Workspace)(nil).Bytes() != 0 {
		t.Error("Bytes is wrong")
	}
}

func TestPreconditions(t *testing.T) {
	x := make([]float64, 6)
	for what, f := range map[string]func(){
		"short slice":       func() { Potrf(nil, 3, x, 3) },
		"leading dimension": func() { Syrk(nil, 3, 2, x, 2, make([]float64, 9), 3) },
		"negative":          func() { GemmNN(nil, -1, 1, 1, 1, x, 1, x, 1, x, 1) },
		"wide front":        func() { FrontFactor(nil, 1, 2, x, 2, nil, 1) },
		"wide inverse":      func() { FrontInverse(nil, 1, 2, x, 2, x, 2) },
		"short x":           func() { FrontSolve(3, 2, x, 3, x[:2]) },
		"rows":              func() { SyrkRows(nil, 1, 3, 3, 2, x, 3, make([]float64, 9), 3) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			f()
		}()
	}
}

func ExampleFrontFactor() {
	// A front of three rows, the first two of them pivots:
	//   4
	//   2 5
	//   2 3 ·
	a := []float64{4, 2, 2, 0, 5, 3}
	u := []float64{6} // what the children left at the third row
	info := FrontFactor(nil, 3, 2, a, 3, u, 1)
	fmt.Println(info, a[0], a[1], a[2], a[4], a[5], u[0])
	// Output: -1 2 1 1 2 1 4
}

func ExampleFrontInverse() {
	// The inverse of L Lᵀ, L = [2; 1 2], from its last column on: one front
	// whose row below the pivot has the inverse's element 1/4.
	l := []float64{2, 1}
	z := []float64{0, 0, 0, 0.25}
	FrontInverse(nil, 2, 1, l, 2, z, 2)
	fmt.Println(z[0], z[1], z[3])
	// Output: 0.3125 -0.125 0.25
}
