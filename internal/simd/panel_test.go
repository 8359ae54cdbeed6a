package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// matrix is a guarded column-major matrix.
type matrix struct {
	rows, cols, ld int
	a              []float64
	intact         func(t *testing.T)
}

func newMatrix(rows, cols, gap int, rnd *rand.Rand) matrix {
	ld := rows + gap
	n := 0
	if rows > 0 && cols > 0 {
		n = (cols-1)*ld + rows
	}
	x, intact := guard(n, rnd)
	for i := range x {
		if i%max(ld, 1) >= rows {
			x[i] = canary
		}
	}
	return matrix{rows, cols, max(ld, 1), x, intact}
}

func (m matrix) p() *float64 {
	if len(m.a) == 0 {
		return new(float64)
	}
	return &m.a[0]
}

func (m matrix) copy() matrix {
	m.a = append([]float64(nil), m.a...)
	return m
}

// upper sets the strictly upper part, which no routine may use, to canaries.
func (m matrix) upper() matrix {
	for j := range m.cols {
		for i := range min(j, m.rows) {
			m.a[i+j*m.ld] = canary
		}
	}
	return m
}

// agree compares every element with want's, canaries by their bits.
func (m matrix) agree(t *testing.T, what string, want matrix, tol float64) {
	t.Helper()
	m.intact(t)
	for i, v := range want.a {
		if math.Float64bits(v) == math.Float64bits(canary) {
			if math.Float64bits(m.a[i]) != math.Float64bits(canary) {
				t.Fatalf("%s: stray write at (%d,%d)", what, i%m.ld, i/m.ld)
			}
			continue
		}
		near(t, what, m.a[i], v, tol)
	}
}

func TestGemmBlock(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(30, 1))
		mr, nr := MR(), NR()
		for m := range 62 {
			for n := range 20 {
				k := (m*7 + n*3) % 11
				mode := (m + n) % 4
				lower := mode&Lower != 0
				if lower && n > m {
					continue
				}
				a, b := newMatrix(m, k, rnd.IntN(3), rnd), newMatrix(n, k, rnd.IntN(3), rnd)
				bt := newMatrix(k, n, rnd.IntN(3), rnd)
				for i := range n {
					for p := range k {
						bt.a[p+i*bt.ld] = b.a[i+p*b.ld]
					}
				}
				c := newMatrix(m, n, rnd.IntN(3), rnd)
				if lower {
					c.upper()
				}
				want := c.copy()
				for j := range n {
					for i := range m {
						if lower && i < j {
							continue
						}
						s := 0.0
						for p := range k {
							s += a.a[i+p*a.ld] * b.a[j+p*b.ld]
						}
						if mode&Overwrite != 0 {
							want.a[i+j*c.ld] = 0
						}
						want.a[i+j*c.ld] += -0.5 * s
					}
				}
				first := c.copy()
				GemmBlock(m, n, k, -0.5, a.p(), a.ld, mr, b.p(), b.ld, 1, nr, c.p(), c.ld, mode)
				c.agree(t, "B transposed", want, 1e-14)
				copy(c.a, first.a)
				GemmBlock(m, n, k, -0.5, a.p(), a.ld, mr, bt.p(), 1, bt.ld, nr*bt.ld, c.p(), c.ld, mode)
				c.agree(t, "B plain", want, 1e-14)
				if m == 0 || n == 0 || k == 0 || lower && n > nr {
					continue
				}
				pa := make([]float64, (m+mr-1)/mr*mr*k)
				pb := make([]float64, (n+nr-1)/nr*nr*k)
				PackA(m, k, a.p(), a.ld, &pa[0])
				PackB(n, k, b.p(), b.ld, &pb[0])
				copy(c.a, first.a)
				GemmBlock(m, n, k, -0.5, &pa[0], mr, mr*k, &pb[0], nr, 1, nr*k, c.p(), c.ld, mode)
				c.agree(t, "packed", want, 1e-14)
			}
		}
	})
}

func TestTrsmPanel(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(31, 1))
		for m := 1; m < 62; m++ {
			for n := 1; n <= NR(); n++ {
				k := rnd.IntN(12)
				a, b, c := newMatrix(m, k, 1, rnd), newMatrix(n, k, 2, rnd), newMatrix(m, n, rnd.IntN(3), rnd)
				l := newMatrix(n, n, rnd.IntN(3), rnd).upper()
				for j := range n {
					l.a[j+j*l.ld] += 2
				}
				want, wantN, first := c.copy(), c.copy(), c.copy()
				trsmPanelGo(m, n, k, a.p(), a.ld, b.p(), b.ld, 1, want.p(), want.ld, l.p(), l.ld)
				trsmPanelNGo(m, n, k, a.p(), a.ld, b.p(), b.ld, 1, wantN.p(), wantN.ld, l.p(), l.ld)
				TrsmPanel(m, n, k, a.p(), a.ld, b.p(), b.ld, 1, c.p(), c.ld, l.p(), l.ld)
				c.agree(t, "TrsmPanel", want, 1e-13)
				copy(c.a, first.a)
				TrsmPanelN(m, n, k, a.p(), a.ld, b.p(), b.ld, 1, c.p(), c.ld, l.p(), l.ld)
				c.agree(t, "TrsmPanelN", wantN, 1e-13)
			}
		}
	})
}

func TestPotrfPanel(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(32, 1))
		for n := 1; n <= NR(); n++ {
			for below := range 60 {
				m, k := n+below, rnd.IntN(20)
				a := newMatrix(m, k+n, rnd.IntN(3), rnd)
				for j := range n {
					for i := range j {
						a.a[i+(k+j)*a.ld] = canary
					}
					a.a[j+(k+j)*a.ld] += float64(k+n) + 1
				}
				want, bad := a.copy(), a.copy()
				if i := potrfPanelGo(m, n, k, want.p(), want.ld); i != -1 {
					t.Fatalf("n=%d k=%d: pivot %d", n, k, i)
				}
				if i := PotrfPanel(m, n, k, a.p(), a.ld); i != -1 {
					t.Fatalf("n=%d k=%d: pivot %d", n, k, i)
				}
				a.agree(t, "PotrfPanel", want, 1e-13)
				at := rnd.IntN(n)
				for _, v := range []float64{-1e9, math.NaN(), math.Inf(1)} {
					copy(a.a, bad.a)
					a.a[at+(k+at)*a.ld] = v
					if i := PotrfPanel(m, n, k, a.p(), a.ld); i != at {
						t.Fatalf("n=%d: pivot %d, want %d", n, i, at)
					}
					a.intact(t)
				}
			}
		}
		// The limits of a pivot.
		for _, p := range []struct {
			d  float64
			ok bool
		}{{MinPivot, true}, {math.MaxFloat64, true}, {MinPivot / 2, false}, {0, false}, {math.Copysign(0, -1), false}} {
			if got := PotrfPanel(1, 1, 0, &p.d, 1) == -1; got != p.ok {
				t.Errorf("pivot %v accepted: %v", p.d, got)
			}
		}
	})
}

func TestInvertLower(t *testing.T) {
	levels(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(36, 1))
		nr := NR()
		for n := 1; n <= MR(); n++ {
			l := newMatrix(n, n, rnd.IntN(3), rnd)
			for j := range n {
				l.a[j+j*l.ld] = 1 + rnd.Float64()
			}
			l = l.upper()
			rows := (n + nr - 1) / nr * nr
			got := newMatrix(rows, n, rnd.IntN(3), rnd)
			want := got.copy()
			invertLowerGo(n, l.p(), l.ld, want.p(), want.ld)
			InvertLower(n, l.p(), l.ld, got.p(), got.ld)
			got.intact(t)
			for j := range n {
				for i := range got.ld {
					switch p := i + j*got.ld; {
					case i < n:
						near(t, "InvertLower", got.a[p], want.a[p], 1e-12)
					case i >= rows && p < len(got.a) && math.Float64bits(got.a[p]) != math.Float64bits(canary):
						t.Fatalf("InvertLower: stray write at (%d,%d)", i, j)
					}
				}
			}
		}
	})
}
