package chol

import (
	"math"

	"github.com/gcrfbc/gcrfbc/internal/simd"
)

// Between looks at the context there are at most columnStep columns and, but for a
// single longer one, entryStep entries; stepWork stands for these in the work that
// crew.cancelled counts.
const (
	columnStep = 1 << 10
	entryStep  = 1 << 12
	stepWork   = 1 << 20
)

// after returns where to look at the context again, not beyond hi.
func (s *columns) after(lo, hi int32) int32 {
	end := min(lo+columnStep, hi)
	for end > lo+1 && s.ptr[end]-s.ptr[lo] > entryStep {
		end = lo + (end-lo)/2
	}
	return end
}

// before is after from the other side.
func (s *columns) before(lo, hi int32) int32 {
	start := max(hi-columnStep, lo)
	for start < hi-1 && s.ptr[hi]-s.ptr[start] > entryStep {
		start = hi - (hi-start)/2
	}
	return start
}

// work is that of column k, as crew.cancelled counts.
func (s *columns) work(k int32) int {
	m := int(s.ptr[k+1] - s.ptr[k])
	return 512 + 32*m*m
}

// columnFactor factorizes columns, descendants first. Right-looking: a finished
// column subtracts its products from later ones.
type columnFactor struct {
	s      *columns
	l, d   []float64
	values []float64
}

func (s *columns) factorJob(c *crew, f *Factor, values []float64) job {
	j := &c.columnFactor
	*j = columnFactor{s: s, l: f.l, d: f.pivots, values: values}
	return j
}

func (j *columnFactor) run(w *worker, it *item) {
	c := w.crew
	if it.isTop {
		j.upper(w)
		return
	}
	for lo := it.lo; lo < it.hi; {
		if w.cancelled(stepWork) {
			return
		}
		hi := j.s.after(lo, it.hi)
		j.load(lo, hi)
		lo = hi
	}
	pairs := it.pairs[0]
	for lo := it.lo; lo < it.hi; {
		if int64(lo) > c.fail.Load() || w.cancelled(stepWork) {
			return
		}
		hi := j.s.after(lo, it.hi)
		var bad int32
		if bad, pairs = j.columns(lo, hi, it.hi, pairs); bad >= 0 {
			c.failed(int64(bad), int(bad), j.d[bad])
			return
		}
		lo = hi
	}
}

// load sets columns lo ≤ k < hi to those of the matrix. It is a loop by itself
// because many of its reads, all over the caller's values, must be on their way at
// a time.
func (j *columnFactor) load(lo, hi int32) {
	s, values := j.s, j.values
	d := j.d[lo:hi]
	for k, q := range s.diag[lo:hi] {
		d[k] = values[q]
	}
	b, e := s.ptr[lo], s.ptr[hi]
	l := j.l[b:e]
	for p, q := range s.src[b:e] {
		l[p] = entry(values, q)
	}
}

// columns factorizes columns lo ≤ k < hi, whose pairs begin at pairs, and
// subtracts their products from columns before stop. It returns the first column
// without a positive pivot, or -1, and the end of the pairs.
func (j *columnFactor) columns(lo, hi, stop int32, pairs int) (bad int32, end int) {
	s := j.s
	l, d, rows, ptr := j.l, j.d, s.rows, s.ptr
	b := ptr[lo]
	for k := lo; k < hi; k++ {
		e := ptr[k+1]
		v := d[k]
		if !(v >= simd.MinPivot && v <= math.MaxFloat64) {
			return k, pairs
		}
		switch e - b {
		case 0:
		case 1:
			x := l[b] * (1 / v)
			l[b] = x
			if r := rows[b]; r < stop {
				d[r] -= x * v * x
			}
		case 2: // as below, without its loops, whose ends are often predicted wrongly
			inv := 1 / v
			x0, x1 := l[b]*inv, l[b+1]*inv
			l[b], l[b+1] = x0, x1
			r0, r1 := rows[b], rows[b+1]
			if r0 < stop {
				t := x0 * v
				d[r0] -= t * x0
				l[s.pairs[pairs]] -= t * x1
			}
			if r1 < stop {
				d[r1] -= x1 * v * x1
			}
			pairs++
		default:
			inv := 1 / v
			x := l[b:e]
			for a := range x {
				x[a] *= inv
			}
			c := rows[b:e]
			to := len(c)
			for to > 0 && c[to-1] >= stop {
				to--
			}
			j.subtract(c, x, v, s.pairs[pairs:], to)
			pairs += pairCount(len(x))
		}
		b = e
	}
	return -1, pairs
}

// entry returns values[q], or 0 where q is -1, without a branch, which would
// often be predicted wrongly.
func entry(values []float64, q int32) float64 {
	none := q >> 31
	return math.Float64frombits(math.Float64bits(values[q&^none]) &^ uint64(int64(none)))
}

// subtract takes the products of a column with entries x at the rows c and pivot v
// from the columns of the rows c[:to].
func (j *columnFactor) subtract(c []int32, x []float64, v float64, pairs []int32, to int) {
	l, d := j.l, j.d
	x = x[:len(c)]
	for a, r := range c[:to] {
		t := x[a] * v
		d[r] -= t * x[a]
		rest := x[a+1:]
		p := pairs[:len(rest)]
		pairs = pairs[len(rest):]
		for b, u := range rest {
			l[p[b]] -= t * u
		}
	}
}

// upper finishes what tasks have left.
func (j *columnFactor) upper(w *worker) {
	s, c := j.s, w.crew
	list := c.sym.plan.upper
	for _, u := range list {
		if u.top {
			j.load(u.k, u.k+1)
		}
	}
	for _, u := range list {
		if w.cancelled(s.work(u.k)) || int64(u.k) >= c.fail.Load() {
			return
		}
		if !u.top {
			b, e := s.ptr[u.k]+u.from, s.ptr[u.k+1]
			j.subtract(s.rows[b:e], j.l[b:e], j.d[u.k], s.pairs[u.pairs:], int(e-b))
			continue
		}
		if bad, _ := j.columns(u.k, u.k+1, math.MaxInt32, u.pairs); bad >= 0 {
			c.failed(int64(bad), int(bad), j.d[bad])
			return
		}
	}
}
