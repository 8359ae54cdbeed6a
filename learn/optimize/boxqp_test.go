package optimize

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// TestBoxQP compares the model's minimiser with the best of all 3ⁿ choices of
// free, lower and upper variables.
func TestBoxQP(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for trial := range 200 {
		n := 1 + rng.IntN(6)
		lo, hi, x := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			lo[i], hi[i] = -rng.Float64(), rng.Float64()
			if rng.IntN(5) == 0 {
				hi[i] = 0
			}
			if rng.IntN(7) == 0 {
				lo[i] = hi[i]
				x[i] = lo[i]
			}
		}
		r := newRun(context.Background(), Problem{Dim: n, Lower: lo, Upper: hi}, x, Options{})
		v := func() []float64 { return make([]float64, n) }
		s := &sqp{run: r, b: make([]float64, n*n), chol: make([]float64, n*n), d: v(), lo: v(), hi: v(), res: v(), p: v(), trial: v(), bp: v(), free: make([]int32, 0, n)}
		c := make([]float64, n*n)
		for i := range c {
			c[i] = rng.NormFloat64()
		}
		for i := range n {
			r.g[i] = 2 * rng.NormFloat64()
			for j := range n {
				s.b[i*n+j] = dot(c[i*n:(i+1)*n], c[j*n:(j+1)*n])
			}
			s.b[i*n+i] += 0.01
		}
		value := func(d []float64) float64 {
			bd := v()
			s.mul(d, bd)
			return dot(r.g, d) + 0.5*dot(d, bd)
		}
		s.model()
		got := value(s.d)
		for i, d := range s.d {
			if d < lo[i]-r.x[i] || d > hi[i]-r.x[i] {
				t.Fatalf("trial %d: d[%d] = %v leaves the box", trial, i, d)
			}
		}
		best := math.Inf(1)
		for code := range int(math.Pow(3, float64(n))) {
			d, free := v(), []int{}
			for i, k := 0, code; i < n; i, k = i+1, k/3 {
				switch k % 3 {
				case 0:
					d[i] = lo[i] - r.x[i]
				case 1:
					d[i] = hi[i] - r.x[i]
				default:
					free = append(free, i)
				}
			}
			k := len(free)
			a, rhs := make([]float64, k*k), make([]float64, k)
			for p, i := range free {
				rhs[p] = -r.g[i] - dot(s.b[i*n:(i+1)*n], d)
				for q, j := range free {
					a[p*k+q] = s.b[i*n+j]
				}
			}
			if !cholesky(k, a, k) {
				continue
			}
			cholSolve(k, a, k, rhs)
			inside := true
			for p, i := range free {
				d[i] = rhs[p]
				inside = inside && d[i] >= lo[i]-r.x[i] && d[i] <= hi[i]-r.x[i]
			}
			if inside {
				best = min(best, value(d))
			}
		}
		if math.Abs(got-best) > 1e-9*(1+math.Abs(best)) {
			t.Fatalf("trial %d: model value %v, want %v", trial, got, best)
		}
	}
}

// TestBoxQPIndefinite: a matrix that is not positive definite is replaced, and
// the step still descends within the box.
func TestBoxQPIndefinite(t *testing.T) {
	r := newRun(context.Background(), Problem{Dim: 2, Lower: []float64{-1, -1}, Upper: []float64{1, 1}}, []float64{0, 0}, Options{})
	v := func() []float64 { return make([]float64, 2) }
	for _, b := range [][]float64{{-1, 0, 0, -1}, {1, 2, 2, 1}, {0, 0, 0, 0}, {math.NaN(), 0, 0, 1}} {
		s := &sqp{run: r, b: append([]float64(nil), b...), chol: make([]float64, 4), d: v(), lo: v(), hi: v(), res: v(), p: v(), trial: v(), bp: v()}
		r.g[0], r.g[1] = 0.5, -3
		s.model()
		if slope := dot(r.g, s.d); !(slope < 0) || math.Abs(s.d[0]) > 1 || math.Abs(s.d[1]) > 1 {
			t.Errorf("B = %v: step %v, slope %v", b, s.d, slope)
		}
	}
}
