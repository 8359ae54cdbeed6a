package partial

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/internal/pool"
)

// SolveStats says how a solve went.
type SolveStats struct {
	Iterations int     // the largest number over the right-hand sides
	Residual   float64 // the largest ‖Ax−b‖/‖b‖, of the core's system
}

const (
	maxIterations    = 2000
	manyIterations   = 40 // beyond, AutoPreconditioner takes the approximate factor
	defaultTolerance = 1e-10
)

// SolveTo solves A x = b for one right-hand side to a relative residual of tol;
// 0 means 1e-10. With warm, dst is the start. dst may be rhs if it is not.
func (f *Factor) SolveTo(ctx context.Context, dst, rhs []float64, tol float64, warm bool) (SolveStats, error) {
	return f.SolveManyTo(ctx, dst, rhs, 1, tol, warm)
}

// SolveManyTo solves for k right-hand sides, vector r at [r·n, (r+1)·n): exact
// elimination, conjugate gradients on the core (Hestenes & Stiefel 1952), eight
// right-hand sides side by side, exact substitution. tol and warm are as for
// SolveTo. A *ConvergenceError leaves the last iterate in dst.
func (f *Factor) SolveManyTo(ctx context.Context, dst, rhs []float64, k int, tol float64, warm bool) (SolveStats, error) {
	n := f.s.n
	if !f.valid {
		return SolveStats{}, chol.ErrNotFactorized
	}
	if len(dst) != k*n {
		return SolveStats{}, &chol.ShapeError{What: "length of dst", Got: len(dst), Want: k * n}
	}
	if len(rhs) != k*n {
		return SolveStats{}, &chol.ShapeError{What: "length of rhs", Got: len(rhs), Want: k * n}
	}
	if tol == 0 {
		tol = defaultTolerance
	}
	pre := f.preconditioner()
	width, blocks := lanes, (k+lanes-1)/lanes
	if k <= 2 {
		width, blocks = 1, k
	}
	stats := make([]SolveStats, blocks)
	err := pool.Run(ctx, pool.Threads(f.s.opts.Threads), blocks, func(_, b int) error {
		w := f.take(width)
		defer f.give(w)
		from := b * width
		count := min(width, k-from)
		var err error
		stats[b], err = f.solveBlock(ctx, w, &pre, dst[from*n:(from+count)*n], rhs[from*n:(from+count)*n], count, width, tol, warm)
		return err
	})
	var worst SolveStats
	for _, s := range stats {
		worst.Iterations = max(worst.Iterations, s.Iterations)
		worst.Residual = max(worst.Residual, s.Residual)
	}
	if f.s.opts.Preconditioner == AutoPreconditioner && worst.Iterations > manyIterations {
		f.mu.Lock()
		f.preferApprox = true // from the next solve or factorization on
		f.mu.Unlock()
	}
	return worst, err
}

// preconditioner returns the factor that the next solve uses, making the
// approximate one if it is wanted and not there.
func (f *Factor) preconditioner() columns {
	f.mu.Lock()
	defer f.mu.Unlock()
	wanted := f.s.opts.Preconditioner == Approximate || f.preferApprox
	if !wanted || f.s.CoreN() == 0 {
		return f.incomplete()
	}
	if f.approx == nil {
		f.approx = f.approximate()
	}
	return f.approx.columns
}

// solveBlock solves for up to width right-hand sides.
func (f *Factor) solveBlock(ctx context.Context, w *workspace, pre *columns, dst, rhs []float64, count, width int, tol float64, warm bool) (SolveStats, error) {
	s := f.s
	n := s.n
	core := w.x[s.first*width:]
	start := w.z // conjugate gradients begin with r, then overwrite z
	for k, v := range s.perm {
		for q := range width {
			if q < count {
				w.x[k*width+q] = rhs[q*n+int(v)]
			} else {
				w.x[k*width+q] = 0
			}
		}
	}
	for c := range s.CoreN() {
		v := s.perm[s.first+c]
		for q := range width {
			start[c*width+q] = 0
			if warm && q < count {
				start[c*width+q] = dst[q*n+int(v)]
			}
		}
	}
	exact := f.exact()
	exact.forward(w.x, width)
	copy(w.r, core)
	copy(core, start)
	stats, err := f.conjugateGradients(ctx, w, pre, core, width, tol, warm)
	exact.backward(w.x, width, false)
	for k, v := range s.perm {
		for q := range count {
			dst[q*n+int(v)] = w.x[k*width+q]
		}
	}
	return stats, err
}

// conjugateGradients solves K x = b on the core from x; w.r holds b. Lanes
// that have converged stand still.
func (f *Factor) conjugateGradients(ctx context.Context, w *workspace, pre *columns, x []float64, width int, tol float64, warm bool) (SolveStats, error) {
	var stats SolveStats
	if f.s.CoreN() == 0 {
		return stats, nil
	}
	var limit, rr, rz row // squared norms to reach and at present; r'z
	squares(w.r, width, &limit)
	for q := range limit {
		limit[q] *= tol * tol
	}
	if warm {
		var sum row
		f.multiply(w.q, x, width, &sum)
		for i, v := range w.q {
			w.r[i] -= v
		}
	}
	squares(w.r, width, &rr)
	for it := 0; ; it++ {
		done := true
		for q := range width {
			done = done && rr[q] <= limit[q]
		}
		if done || it == maxIterations {
			for q := range width {
				if limit[q] > 0 {
					stats.Residual = math.Max(stats.Residual, tol*math.Sqrt(rr[q]/limit[q]))
				}
			}
			stats.Iterations = it
			if !done {
				return stats, &ConvergenceError{Iterations: it, Residual: stats.Residual, Want: tol}
			}
			return stats, nil
		}
		if err := ctx.Err(); err != nil {
			return stats, err
		}
		copy(w.z, w.r)
		pre.forward(w.z, width)
		pre.backward(w.z, width, false)
		var newRZ, pq, alpha, beta row
		dots(w.r, w.z, width, &newRZ)
		for q := range width {
			if it > 0 && rz[q] > 0 {
				beta[q] = newRZ[q] / rz[q]
			}
		}
		rz = newRZ
		direction(w.p, w.z, width, &beta, it == 0)
		f.multiply(w.q, w.p, width, &pq)
		for q := range width {
			if pq[q] > 0 && rr[q] > limit[q] {
				alpha[q] = rz[q] / pq[q]
			}
		}
		rr = step(x, w.r, w.p, w.q, width, &alpha)
	}
}

// squares writes the squared norms of the lanes.
func squares(x []float64, width int, sum *row) { dots(x, x, width, sum) }

// dots writes the products x'y of the lanes.
func dots(x, y []float64, width int, sum *row) {
	*sum = row{}
	if width == 1 {
		s := 0.0
		for i, v := range x {
			s += v * y[i]
		}
		sum[0] = s
		return
	}
	var s row
	for len(x) >= lanes && len(y) >= lanes {
		a, b := (*row)(x), (*row)(y)
		s[0] += a[0] * b[0]
		s[1] += a[1] * b[1]
		s[2] += a[2] * b[2]
		s[3] += a[3] * b[3]
		s[4] += a[4] * b[4]
		s[5] += a[5] * b[5]
		s[6] += a[6] * b[6]
		s[7] += a[7] * b[7]
		x, y = x[lanes:], y[lanes:]
	}
	*sum = s
}

// direction writes p = z + β p, or z at first.
func direction(p, z []float64, width int, beta *row, first bool) {
	if first {
		copy(p, z)
		return
	}
	if width == 1 {
		b := beta[0]
		for i, v := range z {
			p[i] = v + b*p[i]
		}
		return
	}
	for len(p) >= lanes && len(z) >= lanes {
		a, b := (*row)(p), (*row)(z)
		a[0] = b[0] + beta[0]*a[0]
		a[1] = b[1] + beta[1]*a[1]
		a[2] = b[2] + beta[2]*a[2]
		a[3] = b[3] + beta[3]*a[3]
		a[4] = b[4] + beta[4]*a[4]
		a[5] = b[5] + beta[5]*a[5]
		a[6] = b[6] + beta[6]*a[6]
		a[7] = b[7] + beta[7]*a[7]
		p, z = p[lanes:], z[lanes:]
	}
}

// step adds α p to x, subtracts α q from r and returns the squares of r.
func step(x, r, p, q []float64, width int, alpha *row) row {
	var sum row
	if width == 1 {
		a, s := alpha[0], 0.0
		for i, v := range p {
			x[i] += a * v
			t := r[i] - a*q[i]
			r[i] = t
			s += t * t
		}
		sum[0] = s
		return sum
	}
	for i := 0; i+lanes <= len(r); i += lanes {
		xi, ri, pi, qi := (*row)(x[i:]), (*row)(r[i:]), (*row)(p[i:]), (*row)(q[i:])
		for l := range alpha {
			xi[l] += alpha[l] * pi[l]
			t := ri[l] - alpha[l]*qi[l]
			ri[l] = t
			sum[l] += t * t
		}
	}
	return sum
}
