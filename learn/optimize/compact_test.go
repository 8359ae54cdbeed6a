package optimize

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// denseBFGS is the matrix that compact stands for, by the recurrence
// B ← B − B s sᵀB/(sᵀB s) + y yᵀ/(yᵀs) from θ I, oldest pair first.
func denseBFGS(c *compact) [][]float64 {
	n := c.n
	b := make([][]float64, n)
	for i := range b {
		b[i] = make([]float64, n)
		b[i][i] = c.theta
	}
	order := make([]int, c.count)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return c.age[i] - c.age[j] })
	s, y, bs := make([]float64, n), make([]float64, n), make([]float64, n)
	for _, a := range order {
		for i := range n {
			y[i], s[i] = c.row(i)[a], c.row(i)[c.m+a]
		}
		for i := range n {
			bs[i] = dot(b[i], s)
		}
		sbs, sy := dot(s, bs), dot(s, y)
		for i := range n {
			for j := range n {
				b[i][j] += y[i]*y[j]/sy - bs[i]*bs[j]/sbs
			}
		}
	}
	return b
}

// randomCompact pushes k pairs of a strictly convex quadratic.
func randomCompact(t *testing.T, rng *rand.Rand, n, m, k int) *compact {
	t.Helper()
	c := newCompact(n, m)
	h := make([]float64, n)
	for i := range h {
		h[i] = math.Exp(2 * rng.NormFloat64())
	}
	x0, g0, zero := make([]float64, n), make([]float64, n), make([]float64, n)
	for range k {
		mean := 0.0
		for i := range x0 {
			x0[i] = rng.NormFloat64()
			mean += x0[i] / float64(n)
		}
		for i := range g0 {
			g0[i] = h[i]*x0[i] + mean
		}
		if !c.push(x0, zero, g0, zero) {
			t.Fatal("pair refused")
		}
	}
	if c.count != min(m, k) {
		t.Fatalf("%d pairs, want %d", c.count, min(m, k))
	}
	return c
}

func TestCompactEqualsRecurrence(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 7, 20} {
		for _, m := range []int{1, 2, 5} {
			for k := 1; k <= 8; k++ {
				c := randomCompact(t, rng, n, m, k)
				if n < c.count {
					continue // dependent pairs: M need not exist to rounding
				}
				want := denseBFGS(c)
				v, out := make([]float64, 2*m), make([]float64, 2*m)
				for j := range n {
					for l := range v {
						v[l] = c.row(j)[l]
					}
					c.mulM(v, out)
					for i := range n {
						got := -c.rowDot(i, out)
						if i == j {
							got += c.theta
						}
						if math.Abs(got-want[i][j]) > 1e-8*(1+math.Abs(want[i][j])+c.theta) {
							t.Fatalf("n=%d m=%d k=%d B[%d,%d] = %v, want %v", n, m, k, i, j, got, want[i][j])
						}
					}
				}
			}
		}
	}
}

// randomModel is an lbfgsb with random pairs, point, gradient and box.
func randomModel(t *testing.T, rng *rand.Rand, n, m, k int, bounded bool) *lbfgsb {
	p := Problem{Dim: n, Eval: func(context.Context, []float64, []float64) (float64, error) { return 0, nil }}
	x := make([]float64, n)
	if bounded {
		p.Lower, p.Upper = make([]float64, n), make([]float64, n)
	}
	for i := range x {
		x[i] = rng.NormFloat64()
		if bounded {
			p.Lower[i], p.Upper[i] = x[i]-rng.Float64(), x[i]+rng.Float64()
			switch rng.IntN(6) {
			case 0:
				p.Lower[i] = math.Inf(-1)
			case 1:
				p.Upper[i] = math.Inf(1)
			case 2:
				p.Lower[i] = x[i]
			case 3:
				p.Upper[i] = x[i]
			}
		}
	}
	r := newRun(context.Background(), p, x, Options{})
	for i := range r.g {
		r.g[i] = rng.NormFloat64()
	}
	return &lbfgsb{
		run: r, b: randomCompact(t, rng, n, m, k),
		z: make([]float64, n), d: make([]float64, n), brk: make([]float64, n),
		p: make([]float64, 2*m), c: make([]float64, 2*m), mv: make([]float64, 2*m),
		small: make([]float64, 3*m*m),
	}
}

// TestCauchyPoint walks the projected gradient path with the dense matrix.
func TestCauchyPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 300 {
		n, m := 1+rng.IntN(12), 1+rng.IntN(4)
		s := randomModel(t, rng, n, m, min(n, 1+rng.IntN(6)), true)
		b := denseBFGS(s.b)
		want := denseCauchy(s.run, b)
		if !s.cauchy() {
			t.Fatal("Cauchy search failed")
		}
		for i := range want {
			if math.Abs(s.z[i]-want[i]) > 1e-7*(1+math.Abs(want[i])) {
				t.Fatalf("trial %d: z[%d] = %v, want %v", trial, i, s.z[i], want[i])
			}
		}
		c := make([]float64, 2*m)
		for i := range want {
			want[i] -= s.x[i]
		}
		s.b.wtMul(want, c)
		for j := range c {
			if math.Abs(c[j]-s.c[j]) > 1e-6*(1+math.Abs(c[j])) {
				t.Fatalf("trial %d: c[%d] = %v, want %v", trial, j, s.c[j], c[j])
			}
		}
	}
}

func denseCauchy(r *run, b [][]float64) []float64 {
	n := r.n
	at := func(t float64) []float64 {
		z := make([]float64, n)
		for i := range z {
			z[i] = r.clip(i, r.x[i]-t*r.g[i])
		}
		return z
	}
	var ts []float64
	for i, g := range r.g {
		if g > 0 {
			ts = append(ts, (r.x[i]-r.lower[i])/g)
		} else if g < 0 {
			ts = append(ts, (r.x[i]-r.upper[i])/g)
		}
	}
	slices.Sort(ts)
	ts = append(ts, math.Inf(1))
	prev := 0.0
	for _, next := range ts {
		if next <= prev {
			continue
		}
		z := at(prev)
		d := make([]float64, n)
		for i, g := range r.g {
			brk := math.Inf(1)
			if g > 0 {
				brk = (r.x[i] - r.lower[i]) / g
			} else if g < 0 {
				brk = (r.x[i] - r.upper[i]) / g
			}
			if brk > prev {
				d[i] = -g
			}
		}
		f1, f2 := 0.0, 0.0
		for i := range n {
			f1 += r.g[i] * d[i]
			for j := range n {
				f1 += d[i] * b[i][j] * (z[j] - r.x[j])
				f2 += d[i] * b[i][j] * d[j]
			}
		}
		if f1 >= 0 || f2 == 0 {
			return z
		}
		if step := -f1 / f2; prev+step < next {
			return at(prev + step)
		}
		prev = next
	}
	return at(prev)
}

// TestSubspaceStep compares the step on free variables with a dense solve, by
// either way of summing.
func TestSubspaceStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	both := map[bool]int{}
	for trial := range 300 {
		n, m := 2+rng.IntN(12), 1+rng.IntN(4)
		bounded := trial%3 != 0
		s := randomModel(t, rng, n, m, min(n, 1+rng.IntN(6)), bounded)
		b := denseBFGS(s.b)
		if bounded {
			s.cauchy()
			for i := range s.lower { // no projection after the step
				if s.z[i] > s.lower[i] && s.z[i] < s.upper[i] {
					s.lower[i], s.upper[i] = math.Inf(-1), math.Inf(1)
				}
			}
		} else {
			copy(s.z, s.x)
		}
		for i := range s.z {
			if s.z[i] > s.lower[i] && s.z[i] < s.upper[i] {
				s.free = append(s.free, int32(i))
			} else {
				s.held = append(s.held, int32(i))
			}
		}
		k := len(s.free)
		if k == 0 {
			continue
		}
		both[k <= len(s.held)]++
		a, rhs := make([]float64, k*k), make([]float64, k)
		for p, i := range s.free {
			rhs[p] = -s.g[i]
			for j := range n {
				rhs[p] -= b[i][j] * (s.z[j] - s.x[j])
			}
			for q, j := range s.free {
				a[p*k+q] = b[i][j]
			}
		}
		if !cholesky(k, a, k) {
			t.Fatal("dense matrix not positive definite")
		}
		cholSolve(k, a, k, rhs)
		old := slices.Clone(s.z)
		s.bounded = false // no shortening
		if !s.subspace() {
			t.Fatal("subspace step failed")
		}
		scale := norm(rhs)
		for p, i := range s.free {
			if got := s.z[i] - old[i]; math.Abs(got-rhs[p]) > 1e-7*(scale+1e-3) {
				t.Fatalf("trial %d: step[%d] = %v, want %v", trial, i, got, rhs[p])
			}
		}
	}
	if both[true] < 20 || both[false] < 20 {
		t.Errorf("one way of summing was hardly used: %v", both)
	}
}
