package kernel

import "unsafe"

// Run says that positions Src, Src+1, … of a child, up to the next run's Src,
// correspond to positions Dst, Dst+1, … of its parent's front. A list of runs
// ends with one whose Src is the number of the child's rows.
type Run struct{ Src, Dst int32 }

// Entry moves an entry of the matrix: its position in the values and its
// offset in a panel.
type Entry struct{ Src, Dst int32 }

// Ahead is how many elements beyond the end of its arguments some of the
// kernels may read (and prefetch): such a slice must be a part of one that goes
// on as far.
const Ahead = 32

// AddRuns adds columns from ≤ j < to of the lower triangle of the r×r matrix
// c to a front: position (i,j) to (rel i, rel j), which lies in the panel for
// columns below w, else in upd, the square block after row and column w.
func AddRuns(from, to, r int, c []float64, ldc int, rel []int32, runs []Run, panel []float64, ldp, w int, upd []float64, ldu int) {
	if from >= to {
		return
	}
	last := int(rel[r-1])
	if to > r || len(c) < (to-1)*ldc+r || len(runs) < 2 || int(runs[len(runs)-1].Src) != r {
		panic("kernel: short child")
	}
	if d := min(int(rel[to-1]), w-1); int(rel[from]) < w && len(panel) < d*ldp+last+1 {
		panic("kernel: short panel")
	}
	if d := int(rel[to-1]) - w; d >= 0 && len(upd) < d*ldu+last-w+1 {
		panic("kernel: short update matrix")
	}
	var p, u *float64
	if len(panel) > 0 {
		p = &panel[0]
	}
	if len(upd) > 0 {
		u = &upd[0]
	}
	if !addRuns(from, to, r, &c[0], ldc, &rel[0], &runs[0], p, ldp, w, u, ldu) {
		addRunsGo(from, to, c, ldc, rel, runs, panel, ldp, w, upd, ldu)
	}
}

func addRunsGo(from, to int, c []float64, ldc int, rel []int32, runs []Run, panel []float64, ldp, w int, upd []float64, ldu int) {
	at := 0
	for j := from; j < to; j++ {
		d := int(rel[j])
		dst, shift := panel, 0
		if d < w {
			dst = panel[d*ldp:]
		} else {
			dst, shift = upd[(d-w)*ldu:], w
		}
		for int(runs[at+1].Src) <= j {
			at++
		}
		b := j
		for k := at; k+1 < len(runs); k++ {
			e := int(runs[k+1].Src)
			src := c[j*ldc+b : j*ldc+e]
			out := dst[d-shift:][:len(src)]
			for i, v := range src {
				out[i] += v
			}
			b, d = e, int(runs[k+1].Dst)
		}
	}
}

// CopyRuns is the inverse of AddRuns for one square front f: columns
// from ≤ j < to of the lower triangle of the r×r matrix c are taken from it.
func CopyRuns(from, to, r int, c []float64, ldc int, rel []int32, runs []Run, f []float64, ldf int) {
	if from >= to {
		return
	}
	if to > r || len(c) < (to-1)*ldc+r || len(runs) < 2 || int(runs[len(runs)-1].Src) != r {
		panic("kernel: short child")
	}
	if len(f) < int(rel[to-1])*ldf+int(rel[r-1])+1 {
		panic("kernel: short front")
	}
	if !copyRuns(from, to, r, &c[0], ldc, &rel[0], &runs[0], &f[0], ldf) {
		copyRunsGo(from, to, c, ldc, rel, runs, f, ldf)
	}
}

func copyRunsGo(from, to int, c []float64, ldc int, rel []int32, runs []Run, f []float64, ldf int) {
	at := 0
	for j := from; j < to; j++ {
		d := int(rel[j])
		src := f[d*ldf:]
		for int(runs[at+1].Src) <= j {
			at++
		}
		b := j
		for k := at; k+1 < len(runs); k++ {
			e := int(runs[k+1].Src)
			copy(c[j*ldc+b:j*ldc+e], src[d:])
			b, d = e, int(runs[k+1].Dst)
		}
	}
}

// Scatter sets panel[e.Dst] = values[e.Src] for every entry. The offsets must
// be valid for both.
func Scatter(list []Entry, values, panel []float64) {
	if len(list) == 0 {
		return
	}
	if cap(list) < len(list)+Ahead {
		panic("kernel: list without padding")
	}
	if !scatter(len(list), &list[0], &values[0], &panel[0]) {
		for _, e := range list {
			panel[e.Dst] = values[e.Src]
		}
	}
}

// Collect sets values[e.Src] = panel[e.Dst] for the entries list[from:to], the
// last first: what precedes them in the list, at least Ahead, is prefetched.
func Collect(list []Entry, from, to int, values, panel []float64) {
	if from >= to {
		return
	}
	if from < Ahead || to > len(list) {
		panic("kernel: list without padding")
	}
	if !collect(to-from, &list[to-1], &values[0], &panel[0]) {
		for _, e := range list[from:to] {
			values[e.Src] = panel[e.Dst]
		}
	}
}

// Prefetch asks for the first bytes of x, at most limit. Fronts are small and
// far apart in time: what the processor fetches ahead by itself ends with each.
func Prefetch[T float64 | int32](x []T, limit int) {
	if len(x) > 0 {
		prefetch(min(limit, len(x)*int(unsafe.Sizeof(x[0]))), (*byte)(unsafe.Pointer(&x[0])))
	}
}
