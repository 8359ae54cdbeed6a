package sparse

import (
	"math"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// parallelNNZ is the number of stored entries from which a matrix-vector
// product is worth goroutines: about 0.2 ms of work, against some 10 µs to
// start and join them.
const parallelNNZ = 1 << 17

// MulVecTo writes A x into dst (length rows); x has length cols. dst must not
// overlap x. Big matrices use all of GOMAXPROCS; every row is summed by one
// goroutine, so the result has the same bits for any number of them. It panics
// on wrong lengths.
func (a *CSR) MulVecTo(dst, x []float64) {
	if len(dst) != a.p.rows || len(x) != a.p.cols {
		panic("sparse: wrong vector length")
	}
	if a.p.NNZ() < parallelNNZ {
		mulRows(a.p, a.v, dst, x, 0, a.p.rows)
		return
	}
	runRows(a.p, mulRows, a.v, dst, x)
}

// MulVecTo writes A x into dst; both have length n and must not overlap. Big
// matrices use all of GOMAXPROCS, with the same bits for any number. From four
// on, the first product of a pattern indexes its upper triangle (8 bytes an
// entry, kept with the pattern). It panics on wrong lengths.
func (a *Symmetric) MulVecTo(dst, x []float64) { mulSymmetric(a.p, a.v, dst, x) }

func mulSymmetric(p *Pattern, values, dst, x []float64) {
	if len(dst) != p.rows || len(x) != p.rows || len(values) != len(p.idx) {
		panic("sparse: wrong vector length")
	}
	// Both paths add the same terms in the same order.
	if n := p.NNZ(); n < parallelNNZ || uint64(n) > math.MaxUint32 || runtime.GOMAXPROCS(0) < gatherWorkers {
		scatterRows(p, values, dst, x)
		return
	}
	runRows(p, gatherRows, values, dst, x)
}

// gatherWorkers is the number of workers from which gathering pays: it reads
// the upper triangle's values out of order, and on one core takes a bit more
// than twice the time of scattering, on grids and random graphs alike.
const gatherWorkers = 4

func mulRows(p *Pattern, values, dst, x []float64, lo, hi int) {
	start := p.ptr[lo]
	for i := lo; i < hi; i++ {
		end := p.ptr[i+1]
		dst[i] = dotRow(p.idx[start:end], values[start:end], x)
		start = end
	}
}

// dotRow keeps four sums on long rows, where the latency of one would show.
// Converting each product forbids fusing it with the sum, here and below, so
// that different loops agree to the bit.
func dotRow(idx []int32, v, x []float64) float64 {
	v = v[:len(idx)]
	var s0 float64
	if len(idx) >= 16 {
		var s1, s2, s3 float64
		k := 0
		for ; k+4 <= len(idx); k += 4 {
			c, w := idx[k:k+4:k+4], v[k:k+4:k+4]
			s0 += float64(w[0] * x[c[0]])
			s1 += float64(w[1] * x[c[1]])
			s2 += float64(w[2] * x[c[2]])
			s3 += float64(w[3] * x[c[3]])
		}
		s0 = (s0 + s1) + (s2 + s3)
		idx, v = idx[k:], v[k:]
	}
	for k, j := range idx {
		s0 += float64(v[k] * x[j])
	}
	return s0
}

// scatterRows multiplies by a lower triangle and its mirror image in one pass.
func scatterRows(p *Pattern, values, dst, x []float64) {
	start := 0
	for i := range p.rows {
		end := p.ptr[i+1]
		idx, v := p.idx[start:end], values[start:end]
		start = end
		s := dotRow(idx, v, x)
		if n := len(idx) - 1; n >= 0 && int(idx[n]) == i {
			idx = idx[:n]
		}
		v = v[:len(idx)]
		xi := x[i]
		for k, j := range idx {
			dst[j] += float64(v[k] * xi)
		}
		dst[i] = s
	}
}

// mirror lists, for every row of a lower triangle, the entries above the
// diagonal: their columns and the positions of their values.
type mirror struct {
	ptr []int
	idx []int32
	pos []uint32
}

func (p *Pattern) upper() *mirror {
	p.mirrorOnce.Do(func() {
		m := &mirror{ptr: make([]int, p.rows+1)}
		for i := range p.rows {
			for _, j := range p.Row(i) {
				if int(j) < i {
					m.ptr[j+1]++
				}
			}
		}
		for i := range p.rows {
			m.ptr[i+1] += m.ptr[i]
		}
		next := slices.Clone(m.ptr[:p.rows])
		m.idx = make([]int32, m.ptr[p.rows])
		m.pos = make([]uint32, m.ptr[p.rows])
		for i := range p.rows {
			for k := p.ptr[i]; k < p.ptr[i+1]; k++ {
				if j := p.idx[k]; int(j) < i {
					m.idx[next[j]], m.pos[next[j]] = int32(i), uint32(k)
					next[j]++
				}
			}
		}
		p.mirror = m
	})
	return p.mirror
}

func gatherRows(p *Pattern, values, dst, x []float64, lo, hi int) {
	m := p.upper()
	for i := lo; i < hi; i++ {
		start, end := p.ptr[i], p.ptr[i+1]
		s := dotRow(p.idx[start:end], values[start:end], x)
		start, end = m.ptr[i], m.ptr[i+1]
		idx, pos := m.idx[start:end], m.pos[start:end]
		pos = pos[:len(idx)]
		for k, j := range idx {
			s += float64(values[pos[k]] * x[j])
		}
		dst[i] = s
	}
}

// rowJob runs a row kernel over chunks of about equal work. Jobs are pooled
// with their bound method, so that a warm parallel product allocates nothing.
type rowJob struct {
	kernel         func(p *Pattern, values, dst, x []float64, lo, hi int)
	p              *Pattern
	values, dst, x []float64
	chunks         int
	next           atomic.Int64
	wg             sync.WaitGroup
	work           func()
}

var rowJobs = sync.Pool{New: func() any {
	j := new(rowJob)
	j.work = j.loop
	return j
}}

func runRows(p *Pattern, kernel func(p *Pattern, values, dst, x []float64, lo, hi int), values, dst, x []float64) {
	workers := min(runtime.GOMAXPROCS(0), p.NNZ()/(parallelNNZ/4))
	if workers <= 1 {
		kernel(p, values, dst, x, 0, p.rows)
		return
	}
	j := rowJobs.Get().(*rowJob)
	j.kernel, j.p, j.values, j.dst, j.x = kernel, p, values, dst, x
	j.chunks = 8 * workers
	j.next.Store(0)
	j.wg.Add(workers)
	for range workers - 1 {
		go j.work()
	}
	j.work()
	j.wg.Wait()
	j.kernel, j.p, j.values, j.dst, j.x = nil, nil, nil, nil, nil
	rowJobs.Put(j)
}

func (j *rowJob) loop() {
	defer j.wg.Done()
	for {
		c := int(j.next.Add(1)) - 1
		if c >= j.chunks {
			return
		}
		if lo, hi := j.bound(c), j.bound(c+1); lo < hi {
			j.kernel(j.p, j.values, j.dst, j.x, lo, hi)
		}
	}
}

// bound returns the first row of chunk c: entries plus rows split evenly.
func (j *rowJob) bound(c int) int {
	p := j.p
	total := p.rows + len(p.idx)
	target := total / j.chunks * c
	if c == j.chunks {
		return p.rows
	}
	return sort.Search(p.rows, func(i int) bool { return p.ptr[i]+i >= target })
}
