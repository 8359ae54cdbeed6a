package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// guarded is a vector of n rows of random numbers between rows of NaN.
func guarded(rng *rand.Rand, n int) (all, inner []float64) {
	all = make([]float64, (n+2)*Lanes)
	for i := range all {
		all[i] = math.NaN()
	}
	inner = all[Lanes : (n+1)*Lanes : (n+1)*Lanes]
	for i := range inner {
		inner[i] = rng.NormFloat64()
	}
	return all, inner
}

func checkGuards(t *testing.T, all []float64) {
	t.Helper()
	for q := range Lanes {
		if !math.IsNaN(all[q]) || !math.IsNaN(all[len(all)-1-q]) {
			t.Fatal("wrote outside the vector")
		}
	}
}

// example has columns of all lengths from 0 to 11.
func example(rng *rand.Rand, n int, named bool) *Columns {
	c := &Columns{Ptr: []int{0}}
	order := rng.Perm(n)
	for k := range n {
		i := k
		if named {
			i = order[k]
			c.Node = append(c.Node, int32(i))
		}
		if later := n - 1 - k; later > 0 {
			for _, j := range rng.Perm(later)[:min(later, k%12)] {
				r := k + 1 + j
				if named {
					r = order[r]
				}
				c.Rows = append(c.Rows, int32(r))
				c.U = append(c.U, rng.Float64())
			}
		}
		c.Pivot = append(c.Pivot, 1+rng.Float64())
		c.Ptr = append(c.Ptr, len(c.Rows))
	}
	return c
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if d := math.Abs(got[i] - want[i]); !(d <= 1e-11*(1+math.Abs(want[i]))) {
			t.Fatalf("%s: number %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

// TestLevels compares the assembly of every level with the definitions.
func TestLevels(t *testing.T) {
	for level := simd.AVX2; level <= simd.Best(); level++ {
		for _, n := range []int{1, 2, 3, 13, 60} {
			for _, named := range []bool{false, true} {
				testLevel(t, level, n, named)
			}
		}
	}
}

func testLevel(t *testing.T, level simd.Level, n int, named bool) {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	c := example(rng, n, named)
	run := func(f func(x, y, r, p, s []float64, sums *[2 * Lanes]float64)) (a, b []float64) {
		for pass, l := range []simd.Level{simd.Go, level} {
			rng := rand.New(rand.NewPCG(2, 3))
			var all, v [5][]float64
			for i := range v {
				all[i], v[i] = guarded(rng, n)
			}
			var sums [2 * Lanes]float64
			old := simd.SetLevel(l)
			f(v[0], v[1], v[2], v[3], v[4], &sums)
			simd.SetLevel(old)
			var out []float64
			for i := range v {
				checkGuards(t, all[i])
				out = append(out, v[i]...)
			}
			out = append(out, sums[:]...)
			if pass == 0 {
				a = out
			} else {
				b = out
			}
		}
		return a, b
	}
	compare := func(what string, f func(x, y, r, p, s []float64, sums *[2 * Lanes]float64)) {
		want, got := run(f)
		near(t, level.String()+" "+what, got, want)
	}
	compare("Forward", func(x, _, _, _, _ []float64, _ *[2 * Lanes]float64) { c.Forward(x) })
	compare("ForwardOne", func(x, _, _, _, _ []float64, _ *[2 * Lanes]float64) { c.ForwardOne(x[:n]) })
	compare("BackwardOne", func(x, _, _, _, _ []float64, _ *[2 * Lanes]float64) { c.BackwardOne(x[:n]) })
	compare("Backward", func(x, _, _, _, _ []float64, _ *[2 * Lanes]float64) { c.Backward(x) })
	if named {
		return
	}
	w, diag := make([]float64, len(c.U)), make([]float64, n)
	for i := range w {
		w[i] = rng.Float64()
	}
	for i := range diag {
		diag[i] = 5 + rng.Float64()
	}
	compare("BackwardMultiply", func(x, y, r, _, _ []float64, sums *[2 * Lanes]float64) {
		c.BackwardMultiply(w, diag, x, y, r, sums)
	})
	compare("Multiply", func(x, y, r, _, _ []float64, sums *[2 * Lanes]float64) {
		Multiply(c.Ptr, c.Rows, w, diag, x, y, r, sums)
	})
	compare("BackwardMultiplyOne", func(x, y, r, _, _ []float64, sums *[2 * Lanes]float64) {
		c.BackwardMultiplyOne(w, diag, x[:n], y[:n], r[:n], (*[2]float64)(sums[:]))
	})
	compare("MultiplyOne", func(x, y, r, _, _ []float64, sums *[2 * Lanes]float64) {
		MultiplyOne(c.Ptr, c.Rows, w, diag, x[:n], y[:n], r[:n], (*[2]float64)(sums[:]))
	})
	compare("Update", func(x, y, r, p, s []float64, sums *[2 * Lanes]float64) {
		var alpha, beta, sq [Lanes]float64
		for q := range alpha {
			alpha[q], beta[q] = 0.1*float64(q), 1/float64(q+1)
		}
		u, w := slices.Clone(y), slices.Clone(x)
		Update(&alpha, &beta, u, w, x, r, p, s, &sq)
		copy(sums[:], sq[:])
	})
}

// TestMeaning checks the definitions against dense arithmetic.
func TestMeaning(t *testing.T) {
	const n = 30
	rng := rand.New(rand.NewPCG(5, 6))
	c := example(rng, n, false)
	w, diag := make([]float64, len(c.U)), make([]float64, n)
	var l, k [n][n]float64
	for j := range n {
		l[j][j] = 1
		diag[j] = 5 + rng.Float64()
		k[j][j] = diag[j]
		for e := c.Ptr[j]; e < c.Ptr[j+1]; e++ {
			i := c.Rows[e]
			w[e] = rng.Float64()
			l[i][j] = -c.U[e]
			k[i][j], k[j][i] = -w[e], -w[e]
		}
	}
	_, b := guarded(rng, n)
	x := slices.Clone(b)
	c.Forward(x)
	for q := range Lanes {
		for i := range n {
			s := 0.0
			for j := range n {
				s += l[i][j] * x[j*Lanes+q]
			}
			near(t, "L L⁻¹b", []float64{s}, b[i*Lanes+q:])
		}
	}
	_, r := guarded(rng, n)
	before, y := slices.Clone(x), make([]float64, n*Lanes)
	var sums [2 * Lanes]float64
	c.BackwardMultiply(w, diag, x, y, r, &sums)
	for q := range Lanes {
		rx, xy := 0.0, 0.0
		for i := range n {
			back, prod := 0.0, 0.0
			for j := range n {
				back += l[j][i] * x[j*Lanes+q]
				prod += k[i][j] * x[j*Lanes+q]
			}
			near(t, "D L'x", []float64{back * c.Pivot[i]}, before[i*Lanes+q:])
			near(t, "K x", y[i*Lanes+q:i*Lanes+q+1], []float64{prod})
			rx += r[i*Lanes+q] * x[i*Lanes+q]
			xy += prod * x[i*Lanes+q]
		}
		near(t, "sums", []float64{sums[q], sums[Lanes+q]}, []float64{rx, xy})
	}
	c.Backward(before)
	near(t, "Backward", before, x)
	for q := range Lanes { // one vector at a time
		one, back := make([]float64, n), make([]float64, n)
		for i := range one {
			one[i], back[i] = b[i*Lanes+q], x[i*Lanes+q]
		}
		c.ForwardOne(one)
		again := slices.Clone(one)
		c.BackwardOne(again)
		near(t, "BackwardOne", again, back)
		prod, two := make([]float64, n), [2]float64{}
		c.BackwardMultiplyOne(w, diag, one, prod, one, &two)
		near(t, "BackwardMultiplyOne", one, back)
		MultiplyOne(c.Ptr, c.Rows, w, diag, back, again, back, &two)
		near(t, "MultiplyOne", again, prod)
		for i := range prod {
			near(t, "product", prod[i:i+1], y[i*Lanes+q:])
		}
	}
	z := make([]float64, n*Lanes)
	Multiply(c.Ptr, c.Rows, w, diag, x, z, x, &sums)
	near(t, "Multiply", z, y)
}
