package sparse

// Family is a linear family of symmetric matrices P(θ) = Σ_k θ_k A_k on the
// union pattern of its terms, the diagonal always present. Every term is held
// as A = diag(r) + Lap(w), with r = A1 and w = −offdiagonal, so that
//
//	x'Az = Σ_i r_i x_i z_i + Σ_{edges ij} w_ij (x_i − x_j)(z_i − z_j)
//	tr(AZ) = Σ_i r_i Z_ii + Σ_{edges ij} w_ij (Z_ii + Z_jj − 2 Z_ij)
//
// are sums without cancellation between diagonal and off-diagonal parts.
//
// It is immutable, shared by goroutines, and its methods allocate nothing.
// Memory beyond the terms' own graphs: 4 bytes an edge of the union and 12 a
// node for Pattern; 8 a node and, only if the term's graph lacks edges of the
// union, 4 an own edge for each term. If all graphs have one pattern, Edges is
// that pattern.
type Family struct {
	n       int
	pattern *Pattern
	edges   *Pattern
	terms   []familyTerm
	lead    int // the first term that has the union's pattern, or -1
}

// familyTerm is diag(ridge or constant) + Lap(w). Edge k of its own pattern,
// in row i, is edge edges.ptr[i] + off[k] of the union; a nil off says that
// both patterns are the same. Offsets within a row always fit 32 bits.
type familyTerm struct {
	ridge    []float64
	constant float64 // the ridge of every node, when ridge is nil
	own      *Pattern
	w        []float64
	off      []int32
	deg      []float64 // diagonal of Lap(w)
}

// NewFamily joins terms on n nodes. It keeps their ridges and weights without
// copying. Cost: O(n + edges) time for one or two distinct graphs, times log₂
// of their number for more.
func NewFamily(n int, terms ...Term) (*Family, error) {
	if err := checkDims(n, n); err != nil {
		return nil, err
	}
	f := &Family{n: n, lead: -1, terms: make([]familyTerm, len(terms))}
	var own []*Pattern
	for k, t := range terms {
		ft, err := t.prepare(n, k)
		if err != nil {
			return nil, err
		}
		f.terms[k] = ft
		if ft.own != nil {
			own = append(own, ft.own)
		}
	}
	if len(own) > 0 {
		f.edges = unionTree(own)
	} else {
		f.edges = &Pattern{rows: n, cols: n, ptr: make([]int, n+1)}
	}
	f.pattern = f.edges.appendDiagonal()
	for k := range f.terms {
		t := &f.terms[k]
		if t.own == nil {
			continue
		}
		t.deg = make([]float64, n)
		degreesTo(t.deg, t.own, t.w)
		if !t.own.Equal(f.edges) {
			t.off = offsets(t.own, f.edges)
		} else if f.lead < 0 {
			f.lead = k
		}
	}
	return f, nil
}

// offsets maps every entry of sub to its place in the same row of p ⊇ sub.
func offsets(sub, p *Pattern) []int32 {
	off := make([]int32, len(sub.idx))
	for i := range sub.rows {
		row, at := p.Row(i), 0
		for k := sub.ptr[i]; k < sub.ptr[i+1]; k++ {
			for row[at] != sub.idx[k] {
				at++
			}
			off[k] = int32(at)
		}
	}
	return off
}

// N returns the number of nodes, the size of the matrices.
func (f *Family) N() int { return f.n }

// NumTerms returns the number of terms, the length of θ.
func (f *Family) NumTerms() int { return len(f.terms) }

// Pattern returns the lower triangle with the diagonal, which is last in its
// row; assembled values are aligned with it. Edge e, in row i, is entry e + i.
func (f *Family) Pattern() *Pattern { return f.pattern }

// Edges returns the strictly lower part, the union of the terms' edges; edge e
// is its entry e.
func (f *Family) Edges() *Pattern { return f.edges }

// blockRows is the number of rows for which all terms are handled before
// moving on: their values stay in the L2 cache, so memory is passed once.
const blockRows = 2048

// AssembleTo writes P(θ) into values, aligned with Pattern. Cost: one pass
// over the pattern and the terms' edges. It panics on wrong lengths.
func (f *Family) AssembleTo(values, theta []float64) {
	if len(values) != len(f.pattern.idx) || len(theta) != len(f.terms) {
		panic("sparse: wrong length of values or theta")
	}
	shift := 0.0 // all constant ridges at once
	for k := range f.terms {
		if t := &f.terms[k]; t.ridge == nil {
			shift += theta[k] * t.constant
		}
	}
	for lo := 0; lo < f.n; lo += blockRows {
		hi := min(lo+blockRows, f.n)
		if f.lead >= 0 {
			f.setEdges(&f.terms[f.lead], values, theta[f.lead], shift, lo, hi)
		} else {
			f.setDiagonal(values, shift, lo, hi)
		}
		for k := range f.terms {
			t := &f.terms[k]
			if t.ridge != nil {
				f.addRidge(t, values, theta[k], lo, hi)
			}
			switch {
			case t.own == nil || k == f.lead:
			case t.off == nil:
				f.addEdges(t, values, theta[k], lo, hi)
			default:
				f.addMapped(t, values, theta[k], lo, hi)
			}
		}
	}
}

func (f *Family) setDiagonal(values []float64, shift float64, lo, hi int) {
	clear(values[f.pattern.ptr[lo]:f.pattern.ptr[hi]])
	for _, end := range f.pattern.ptr[lo+1 : hi+1] {
		values[end-1] = shift
	}
}

func (f *Family) addRidge(t *familyTerm, values []float64, theta float64, lo, hi int) {
	ridge := t.ridge[lo:hi]
	for k, end := range f.pattern.ptr[lo+1 : hi+1] {
		values[end-1] += theta * ridge[k]
	}
}

// setEdges is addEdges on values not yet written: it saves clearing and
// reading them.
func (f *Family) setEdges(t *familyTerm, values []float64, theta, shift float64, lo, hi int) {
	start := f.edges.ptr[lo]
	for i := lo; i < hi; i++ {
		end := f.edges.ptr[i+1]
		w := t.w[start:end]
		out := values[start+i : end+i+1]
		out = out[:len(w)+1]
		for k, x := range w {
			out[k] = -theta * x
		}
		out[len(w)] = shift + theta*t.deg[i]
		start = end
	}
}

func (f *Family) addEdges(t *familyTerm, values []float64, theta float64, lo, hi int) {
	start := f.edges.ptr[lo]
	for i := lo; i < hi; i++ {
		end := f.edges.ptr[i+1]
		w := t.w[start:end]
		out := values[start+i : end+i+1]
		out = out[:len(w)+1]
		for k, x := range w {
			out[k] -= theta * x
		}
		out[len(w)] += theta * t.deg[i]
		start = end
	}
}

func (f *Family) addMapped(t *familyTerm, values []float64, theta float64, lo, hi int) {
	start := t.own.ptr[lo]
	for i := lo; i < hi; i++ {
		end := t.own.ptr[i+1]
		w, off := t.w[start:end], t.off[start:end]
		off = off[:len(w)]
		out := values[f.pattern.ptr[i]:f.pattern.ptr[i+1]]
		for k, x := range w {
			out[off[k]] -= theta * x
		}
		out[len(out)-1] += theta * t.deg[i]
		start = end
	}
}

// MulVecTo writes P x into dst for assembled values; see Symmetric.MulVecTo.
func (f *Family) MulVecTo(dst, x, values []float64) { mulSymmetric(f.pattern, values, dst, x) }
