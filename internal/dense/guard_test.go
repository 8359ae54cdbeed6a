package dense

import (
	"math"
	"math/rand/v2"
	"testing"
)

// canary is a NaN of a recognizable payload: a stray write is seen by its
// bits, a stray read by the NaN it spreads.
var canary = math.Float64frombits(0x7ff8_dead_beef_0001)

const margin = 16

// guarded is a matrix in a slice whose every unused element is a canary.
type guarded struct {
	rows, cols, ld int
	lower          bool
	all            []float64
	a              []float64 // the argument: from element (0,0), exact length
}

func newGuarded(rows, cols, gap int, lower bool) *guarded {
	ld := rows + gap
	n := 0
	if rows > 0 && cols > 0 {
		n = (cols-1)*ld + rows
	}
	g := &guarded{rows: rows, cols: cols, ld: max(ld, 1), lower: lower, all: make([]float64, n+2*margin)}
	for i := range g.all {
		g.all[i] = canary
	}
	g.a = g.all[margin : margin+n : margin+n]
	return g
}

// used reports whether element i,j belongs to the matrix.
func (g *guarded) used(i, j int) bool {
	return i >= 0 && i < g.rows && j >= 0 && j < g.cols && (!g.lower || i >= j)
}

func (g *guarded) fill(f func(i, j int) float64) *guarded {
	for j := range g.cols {
		for i := range g.rows {
			if g.used(i, j) {
				g.a[i+j*g.ld] = f(i, j)
			}
		}
	}
	return g
}

func (g *guarded) random(rnd *rand.Rand) *guarded {
	return g.fill(func(i, j int) float64 { return 2*rnd.Float64() - 1 })
}

func (g *guarded) at(i, j int) float64 { return g.a[i+j*g.ld] }

// sym is at of the symmetric matrix.
func (g *guarded) sym(i, j int) float64 {
	if i < j {
		i, j = j, i
	}
	return g.at(i, j)
}

// tri is at of the lower triangular matrix.
func (g *guarded) tri(i, j int) float64 {
	if i < j {
		return 0
	}
	return g.at(i, j)
}

func (g *guarded) clone() *guarded {
	h := *g
	h.all = append([]float64(nil), g.all...)
	h.a = h.all[margin : margin+len(g.a) : margin+len(g.a)]
	return &h
}

// intact fails unless every canary still stands.
func (g *guarded) intact(t *testing.T, what string) {
	t.Helper()
	for p, v := range g.all {
		q := p - margin
		if q >= 0 && q < len(g.a) && g.used(q%g.ld, q/g.ld) {
			continue
		}
		if math.Float64bits(v) != math.Float64bits(canary) {
			t.Fatalf("%s: stray write at offset %d (row %d, column %d) of a %d×%d matrix", what, q, q%g.ld, q/g.ld, g.rows, g.cols)
		}
	}
}

// same fails unless g is bitwise h.
func (g *guarded) same(t *testing.T, h *guarded, what string) {
	t.Helper()
	for p := range g.all {
		if math.Float64bits(g.all[p]) != math.Float64bits(h.all[p]) {
			q := p - margin
			t.Fatalf("%s: bits differ at offset %d (row %d, column %d): %v, %v", what, q, q%g.ld, q/g.ld, g.all[p], h.all[p])
		}
	}
}

// near fails unless |g(i,j) − want(i,j)| ≤ tol everywhere in use.
func (g *guarded) near(t *testing.T, what string, tol float64, want func(i, j int) float64) {
	t.Helper()
	g.intact(t, what)
	for j := range g.cols {
		for i := range g.rows {
			if !g.used(i, j) {
				continue
			}
			if w := want(i, j); !(math.Abs(g.at(i, j)-w) <= tol) {
				t.Fatalf("%s: element (%d,%d) of %d×%d is %v, want %v", what, i, j, g.rows, g.cols, g.at(i, j), w)
			}
		}
	}
}

// triangular is a random well-conditioned n×n lower triangular matrix.
func triangular(n, gap int, rnd *rand.Rand) *guarded {
	return newGuarded(n, n, gap, true).fill(func(i, j int) float64 {
		if i == j {
			return 1 + rnd.Float64()
		}
		return (2*rnd.Float64() - 1) / math.Sqrt(float64(n))
	})
}

// spd is a random symmetric positive definite matrix, lower triangle, with
// cols of its columns stored.
func spd(n, cols, gap int, rnd *rand.Rand) *guarded {
	return newGuarded(n, cols, gap, true).fill(func(i, j int) float64 {
		if i == j {
			return float64(n)/2 + 2
		}
		return 2*rnd.Float64() - 1
	})
}
