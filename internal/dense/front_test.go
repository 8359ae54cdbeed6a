package dense

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestRows: the bits of a triangular solve do not depend on how its rows are
// split.
func TestRows(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(21, 1))
		ws := NewWorkspace()
		for _, s := range [][2]int{{30, 5}, {70, 40}, {100, 24}, {200, 70}, {300, 210}, {500, 30}} {
			n, k := s[0], s[1]
			for _, gap := range []int{0, 256 - n%256} { // plain and packed paths
				l := triangular(k, 1, rnd)
				b := newGuarded(n, k, gap, false).random(rnd)
				bb, bs, bn := b.clone(), b.clone(), b.clone()
				TrsmRight(ws, n, k, l.a, l.ld, b.a, b.ld)
				TrsmRightN(ws, n, k, l.a, l.ld, bb.a, bb.ld)
				for i := 0; i < n; {
					e := min(n, i+24*(1+rnd.IntN(4)))
					TrsmRight(ws, e-i, k, l.a, l.ld, bs.a[i:], bs.ld)
					TrsmRightN(ws, e-i, k, l.a, l.ld, bn.a[i:], bn.ld)
					i = e
				}
				b.same(t, bs, "TrsmRight by rows")
				bb.same(t, bn, "TrsmRightN by rows")
			}
		}
	})
}

// TestAllocations: nothing allocates with a warm workspace.
func TestAllocations(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(24, 1))
		ws := NewWorkspace()
		for _, s := range [][2]int{{1, 3}, {5, 12}, {40, 60}, {150, 260}} {
			w, r := s[0], s[1]
			nr := w + r
			a0, a := spd(nr, w, 0, rnd), spd(nr, w, 0, rnd)
			u, z := newGuarded(r, r, 0, true).random(rnd), newGuarded(nr, nr, 0, true).random(rnd)
			n := testing.AllocsPerRun(3, func() {
				copy(a.a, a0.a)
				FrontFactor(ws, nr, w, a.a, a.ld, u.a, u.ld)
				FrontInverse(ws, nr, w, a.a, a.ld, z.a, z.ld)
			})
			if n != 0 {
				t.Errorf("w=%d r=%d: %v allocations", w, r, n)
			}
		}
	})
}

// TestForward: an inverse in two parts has the same bits, and the first writes
// what ForwardLen says.
func TestForward(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(27, 1))
		ws := NewWorkspace()
		for _, s := range [][2]int{{1, 0}, {1, 3}, {1, 30}, {2, 0}, {3, 5}, {7, 8}, {8, 9}, {12, 40}, {13, 1}, {24, 200}, {25, 70},
			{60, 0}, {100, 33}, {119, 300}, {130, 20}, {250, 90}, {260, 600}} {
			w, r := s[0], s[1]
			nr := w + r
			l := triangular(nr, 0, rnd)
			z := newGuarded(nr, nr, 1, true).random(rnd)
			y := z.clone()
			FrontInverse(ws, nr, w, l.a, l.ld, z.a, z.ld)
			n := ForwardLen(nr, w)
			all := make([]float64, n+1)
			all[n] = 7
			FrontForward(ws, nr, w, l.a, l.ld, all[:n])
			if all[n] != 7 {
				t.Fatalf("w=%d r=%d: wrote too far", w, r)
			}
			FrontBackward(ws, nr, w, l.a, l.ld, all[:n], y.a, y.ld)
			z.same(t, y, "inverse in two parts")
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
