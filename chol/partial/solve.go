package partial

import (
	"context"
	"math"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/chol/partial/internal/kernel"
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
	exact.backward(w.x, width)
	for k, v := range s.perm {
		for q := range count {
			dst[q*n+int(v)] = w.x[k*width+q]
		}
	}
	return stats, err
}

// conjugateGradients solves K x = b on the core from x; w.r holds b. Lanes
// that have converged stand still. Of the variants of the method it is that of
// Chronopoulos & Gear (1989, eq. 2.3), which multiplies with K right after the
// preconditioner: backward substitution and product are then one pass over the
// core.
func (f *Factor) conjugateGradients(ctx context.Context, w *workspace, pre *columns, x []float64, width int, tol float64, warm bool) (SolveStats, error) {
	var stats SolveStats
	if f.s.CoreN() == 0 {
		return stats, nil
	}
	var limit, rr row // squared norms to reach and at present
	squares(w.r, width, &limit)
	for q := range limit {
		limit[q] *= tol * tol
	}
	if warm {
		copy(w.q, w.r)
		f.multiply(w.z, x, width, new(row))
		subtract(w.r, w.q, w.z)
	}
	squares(w.r, width, &rr)
	var gamma, alpha row // of the step before
	var frozen [lanes]bool
	incomplete := pre.Node == nil
	for it := 0; ; it++ {
		done := true
		for q := range width {
			frozen[q] = rr[q] <= limit[q]
			done = done && frozen[q]
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
		var rz, zkz, beta row
		if incomplete {
			f.backwardMultiply(pre, w.t, w.z, w.r, width, &rz, &zkz)
		} else {
			pre.backward(w.z, width)
			f.multiplyDot(w.t, w.z, w.r, width, &rz, &zkz)
		}
		for q := range width {
			step, d := 0.0, zkz[q]
			if it > 0 && alpha[q] > 0 {
				beta[q] = rz[q] / gamma[q]
				if c := d - beta[q]*rz[q]/alpha[q]; c > 0 {
					d = c
				} else { // lost to rounding: begin anew
					beta[q] = 0
				}
			}
			if d > 0 && !frozen[q] {
				step = rz[q] / d
			}
			alpha[q] = step
		}
		gamma = rz
		if it == 0 {
			clear(w.p)
			clear(w.q)
		}
		rr = step(&alpha, &beta, w.z, w.t, x, w.r, w.p, w.q, width)
	}
}

// subtract writes a − b.
func subtract(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
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

// step sets p = u + βp and s = w + βs, adds αp to x and −αs to r, and returns
// the squares of r.
func step(alpha, beta *row, u, w, x, r, p, s []float64, width int) row {
	var sum row
	if width != 1 {
		kernel.Update(alpha, beta, u, w, x, r, p, s, &sum)
		return sum
	}
	a, b, squares := alpha[0], beta[0], 0.0
	n := len(r)
	u, w, x, p, s = u[:n], w[:n], x[:n], p[:n], s[:n]
	for i := range r {
		pi, si := u[i]+b*p[i], w[i]+b*s[i]
		p[i], s[i] = pi, si
		x[i] += a * pi
		t := r[i] - a*si
		r[i] = t
		squares += t * t
	}
	sum[0] = squares
	return sum
}
