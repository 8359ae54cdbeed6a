package matgen

import "math"

func grid2D(n int) *edges {
	e := &edges{}
	for r := range n {
		for c := range n {
			v := r*n + c
			if c+1 < n {
				e.add(v, v+1)
			}
			if r+1 < n {
				e.add(v, v+n)
			}
		}
	}
	return e
}

func grid3D(n int) *edges {
	e := &edges{}
	for a := range n {
		for b := range n {
			for c := range n {
				v := (a*n+b)*n + c
				if c+1 < n {
					e.add(v, v+1)
				}
				if b+1 < n {
					e.add(v, v+n)
				}
				if a+1 < n {
					e.add(v, v+n*n)
				}
			}
		}
	}
	return e
}

// randomGeometric joins points closer than √(degree/(πn)). Points are sorted
// into square cells no smaller than that distance, so only neighbouring cells
// are compared. Conversions keep the compiler from fusing multiply and add,
// which would round differently from one processor to the next.
func randomGeometric(n, degree int) *edges {
	e := &edges{}
	rnd := random(seed)
	radius := math.Sqrt(float64(degree) / float64(math.Pi*float64(n)))
	r2 := float64(radius * radius)
	cells := max(int(1/radius), 1)
	x, y := make([]float64, n), make([]float64, n)
	first, next := make([]int32, cells*cells), make([]int32, n)
	for c := range first {
		first[c] = -1
	}
	cell := func(k int) (cx, cy int) {
		return int(x[k] * float64(cells)), int(y[k] * float64(cells))
	}
	for k := range n {
		x[k] = rnd.uniform()
		y[k] = rnd.uniform()
		cx, cy := cell(k)
		next[k] = first[cx*cells+cy]
		first[cx*cells+cy] = int32(k)
	}
	for k := range n {
		cx, cy := cell(k)
		for a := max(cx-1, 0); a <= min(cx+1, cells-1); a++ {
			for b := max(cy-1, 0); b <= min(cy+1, cells-1); b++ {
				for l := first[a*cells+b]; l > int32(k); l = next[l] { // cells list their points descending
					dx, dy := x[k]-x[l], y[k]-y[l]
					if float64(dx*dx)+float64(dy*dy) < r2 {
						e.add(k, int(l))
					}
				}
			}
		}
	}
	return e
}

// preferentialAttachment draws targets from the list of all edge ends so far, in
// which a vertex stands once for each of its edges.
func preferentialAttachment(n, m int) *edges {
	e := &edges{}
	rnd := random(seed)
	ends := make([]int32, 0, 2*n*m)
	for a := 0; a <= m; a++ {
		for b := a + 1; b <= m; b++ {
			e.add(a, b)
			ends = append(ends, int32(a), int32(b))
		}
	}
	targets := make([]int32, 0, m)
	for v := m + 1; v < n; v++ {
		targets = targets[:0]
	draw:
		for len(targets) < m {
			c := ends[rnd.next()%uint64(len(ends))]
			for _, t := range targets {
				if t == c {
					continue draw
				}
			}
			targets = append(targets, c)
		}
		for _, t := range targets {
			e.add(v, int(t))
			ends = append(ends, int32(v), t)
		}
	}
	return e
}
