package dataio

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/gcrfbc/gcrfbc/sparse/picture"
)

// InstanceOptions control ReadInstances.
type InstanceOptions struct {
	// Colours are the graphs made, for pictures with colours, beside the plain
	// grid; nil for none.
	Colours []picture.Colour
}

// Instances are the instances of an .npz file.
type Instances struct {
	Dataset   *gcrfbc.Dataset
	Shape     []int // (M, N), or (M, H, W) for pictures
	HasLabels bool
	Coloured  bool      // there is a graph weighted by the pictures' colours
	Scale     []float64 // what the scores were divided by; nil if nothing
}

// gridGraph is the name of the graph of links to neighbouring pixels.
const gridGraph = "grid"

// PictureOptions returns the options with which the pictures of a model were read
// when it was fitted, and false if it was not fitted to pictures.
func PictureOptions(m *gcrfbc.Model) (opts InstanceOptions, ok bool) {
	return InstanceOptions{Colours: picture.Of(m)}, len(m.Graphs) > 0 && m.Graphs[0].Name == gridGraph
}

// ReadInstances reads an .npz file with arrays
//
//	R      (M, N, K) scores, or (M, H, W, K) for pictures, whose pixels form a grid
//	Y      (M, N) or (M, H, W): 0, 1, −1 (or NaN) for missing; optional
//	S      (L, N, N) graphs shared by all instances; optional
//	Si     (M, N, N) or (M, L, N, N) graphs of each instance; optional
//	scale  (K) that R is divided by; optional
//	rgb    (M, H, W, 3) colours of pictures, 0 … 255; optional
//
// of any real type, little endian, in C order. Other arrays are ignored.
func ReadInstances(path string, opts InstanceOptions) (*Instances, error) {
	if err := picture.Validate(opts.Colours); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a, err := openArchive(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = a.zip.Close() }()
	r := &instanceReader{archive: a}
	if err := r.scores(); err != nil {
		return nil, err
	}
	if err := r.labels(); err != nil {
		return nil, err
	}
	if len(r.shape) == 3 {
		err = r.grids(opts.Colours)
	} else {
		err = r.graphs()
	}
	if err != nil {
		return nil, err
	}
	return &Instances{Dataset: r.d, Shape: r.shape, HasLabels: r.hasLabels, Coloured: r.coloured, Scale: r.scale}, nil
}

type instanceReader struct {
	*archive
	d         *gcrfbc.Dataset
	shape     []int // (M, N) or (M, H, W)
	n         int   // nodes an instance
	hasLabels bool
	coloured  bool
	scale     []float64
}

func (r *instanceReader) scores() error {
	R, err := r.read("R")
	if err != nil {
		return err
	}
	if R == nil {
		return &Error{File: r.name, Msg: fmt.Sprintf("has no array R of scores; its arrays are %s", list(r.names()))}
	}
	if len(R.shape) != 3 && len(R.shape) != 4 {
		hint := ""
		if len(R.shape) == 2 {
			hint = "; for one instance write R[None] and Y[None]"
		}
		return r.fault("R", "has shape %v; want (M, N, K): instances, nodes, predictors, or (M, H, W, K) for pictures%s", R.shape, hint)
	}
	last := len(R.shape) - 1
	K := R.shape[last]
	r.shape = R.shape[:last]
	if len(R.values) == 0 {
		return r.fault("R", "has shape %v: it is empty", R.shape)
	}
	scale, err := r.read("scale")
	if err != nil {
		return err
	}
	if scale != nil {
		if len(scale.shape) != 1 || scale.shape[0] != K {
			return r.fault("scale", "has shape %v; want (%d,), one number a predictor", scale.shape, K)
		}
		for k, s := range scale.values {
			if !(s > 0) || math.IsInf(s, 0) {
				return r.fault("scale", "scale[%d] is %v; want positive finite numbers", k, s)
			}
		}
		r.scale = scale.values
	}
	for i, v := range R.values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return r.fault("R", "R%s is %v; scores must be finite numbers, best logits", index(i, R.shape), v)
		}
		if scale != nil {
			s := scale.values[i%K]
			if R.values[i] = v / s; math.IsInf(R.values[i], 0) {
				return r.fault("scale", "R%s is %v, which overflows when divided by scale[%d], %v", index(i, R.shape), v, i%K, s)
			}
		}
	}
	M := r.shape[0]
	r.n = len(R.values) / M / K
	r.d = &gcrfbc.Dataset{K: K, Instances: make([]gcrfbc.Instance, M)}
	for j := range r.d.Instances {
		r.d.Instances[j].Scores = R.values[j*r.n*K : (j+1)*r.n*K]
		r.d.Instances[j].Labels = make([]int8, r.n)
		for i := range r.n {
			r.d.Instances[j].Labels[i] = gcrfbc.Missing
		}
	}
	return nil
}

// index writes a position as NumPy would: [j, i, k].
func index(i int, shape []int) string {
	parts := make([]string, len(shape))
	for a := len(shape) - 1; a >= 0; a-- {
		parts[a] = fmt.Sprint(i % shape[a])
		i /= shape[a]
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (r *instanceReader) labels() error {
	Y, err := r.read("Y")
	if err != nil || Y == nil {
		return err
	}
	if !sameShape(Y.shape, r.shape) {
		return r.fault("Y", "has shape %v; R asks for %v", Y.shape, r.shape)
	}
	r.hasLabels = true
	for i, v := range Y.values {
		y := &r.d.Instances[i/r.n].Labels[i%r.n]
		switch {
		case v == 0 || v == 1:
			*y = int8(v)
		case v == -1 || math.IsNaN(v):
		default:
			return r.fault("Y", "Y%s is %v; labels are 0, 1, or −1 for missing", index(i, Y.shape), v)
		}
	}
	return nil
}

func sameShape(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// graphs reads S and Si.
func (r *instanceReader) graphs() error {
	M, n := r.shape[0], r.n
	S, err := r.read("S")
	if err != nil {
		return err
	}
	if S != nil {
		if len(S.shape) == 2 && S.shape[0] == n && S.shape[1] == n {
			return r.fault("S", "has shape %v; want (L, N, N): for one graph write S[None]", S.shape)
		}
		if len(S.shape) != 3 || S.shape[1] != n || S.shape[2] != n {
			return r.fault("S", "has shape %v; want (L, %d, %d)", S.shape, n, n)
		}
		for l := range S.shape[0] {
			g, err := r.family("S", S, l, 1, 1)
			if err != nil {
				return err
			}
			r.d.Graphs = append(r.d.Graphs, g[0])
			r.d.GraphInfo = append(r.d.GraphInfo, gcrfbc.GraphInfo{Name: fmt.Sprintf("S[%d]", l)})
		}
	}
	Si, err := r.read("Si")
	if err != nil || Si == nil {
		return err
	}
	L := 1
	switch {
	case len(Si.shape) == 3 && sameShape(Si.shape, []int{M, n, n}):
	case len(Si.shape) == 4 && sameShape(Si.shape, []int{M, Si.shape[1], n, n}):
		L = Si.shape[1]
	default:
		return r.fault("Si", "has shape %v; want (%d, %d, %d) or (%d, L, %d, %d)", Si.shape, M, n, n, M, n, n)
	}
	for l := range L {
		gs, err := r.family("Si", Si, l, M, L)
		if err != nil {
			return err
		}
		for j, g := range gs {
			r.d.Instances[j].Graphs = append(r.d.Instances[j].Graphs, g)
		}
		r.d.GraphInfo = append(r.d.GraphInfo, gcrfbc.GraphInfo{Name: fmt.Sprintf("Si[%d]", l)})
	}
	return nil
}

// symmetryTol is how much, relatively, S_ij and S_ji may differ: rounding of
// whatever computed them. Their mean is taken.
const symmetryTol = 1e-9

// family makes graphs of count square matrices of an array, from matrix first
// in steps of stride, on the union of their edges, so that they share one
// pattern.
func (r *instanceReader) family(name string, a *array, first, count, stride int) ([]*sparse.Graph, error) {
	n := r.n
	at := func(k int) []float64 { return a.values[(first+k*stride)*n*n : (first+k*stride+1)*n*n] }
	where := func(k, i, j int) string { return index(((first+k*stride)*n+i)*n+j, a.shape) }
	used := make([]bool, n*n)
	for k := range count {
		m := at(k)
		for i := range n {
			if m[i*n+i] != 0 {
				return nil, r.fault(name, "%s%s is %v: a node is no neighbour of itself; set the diagonal to 0", name, where(k, i, i), m[i*n+i])
			}
			for j := range i {
				w, v := m[i*n+j], m[j*n+i]
				if !(w >= 0) || math.IsInf(w, 0) {
					return nil, r.fault(name, "%s%s is %v; weights must be finite and not negative", name, where(k, i, j), w)
				}
				if math.Abs(w-v) > symmetryTol*(w+math.Abs(v)) || math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, r.fault(name, "%s%s is %v but %s%s is %v; graphs are symmetric: write (S + S.swapaxes(-1, -2))/2", name, where(k, i, j), w, name, where(k, j, i), v)
				}
				m[i*n+j] = w + (v-w)/2
				used[i*n+j] = used[i*n+j] || w != 0 || v != 0
			}
		}
	}
	ptr := make([]int, n+1)
	var idx []int32
	for i := range n {
		for j := range i {
			if used[i*n+j] {
				idx = append(idx, int32(j))
			}
		}
		ptr[i+1] = len(idx)
	}
	p, err := sparse.NewPattern(n, n, ptr, idx)
	if err != nil {
		return nil, r.fault(name, "%v", err)
	}
	out := make([]*sparse.Graph, count)
	for k := range out {
		m := at(k)
		weights := make([]float64, 0, len(idx))
		for i := range n {
			for _, j := range p.Row(i) {
				weights = append(weights, m[i*n+int(j)])
			}
		}
		if out[k], err = sparse.NewGraphFromPattern(p, weights); err != nil {
			return nil, r.fault(name, "%v", err)
		}
	}
	return out, nil
}

// grids makes the graphs of pictures: the grid of their pixels and, with
// colours, the same links weighted by them.
func (r *instanceReader) grids(colours []picture.Colour) error {
	M, H, W := r.shape[0], r.shape[1], r.shape[2]
	if H > math.MaxInt32/W {
		return r.fault("R", "has pictures of %d×%d pixels; at most %d fit", H, W, math.MaxInt32)
	}
	for _, name := range []string{"S", "Si"} {
		if x, err := r.read(name); err != nil || x != nil {
			if err == nil {
				err = r.fault(name, "does not go with pictures, whose pixels form the graph; leave it out or flatten R to (M, N, K)")
			}
			return err
		}
	}
	grid := sparse.Grid2D(H, W)
	r.d.Graphs = []*sparse.Graph{grid}
	r.d.GraphInfo = []gcrfbc.GraphInfo{{Name: gridGraph}}
	if len(colours) == 0 {
		return nil
	}
	rgb, err := r.read("rgb")
	if err != nil || rgb == nil {
		return err
	}
	if !sameShape(rgb.shape, []int{M, H, W, 3}) {
		return r.fault("rgb", "has shape %v; R asks for (%d, %d, %d, 3)", rgb.shape, M, H, W)
	}
	for m := range M {
		gs, err := picture.Graphs(grid, H, W, rgb.values[m*r.n*3:(m+1)*r.n*3], colours)
		if e := (*picture.Error)(nil); errors.As(err, &e) && e.Pixel >= 0 {
			return r.fault("rgb", "picture %d, pixel (%d, %d) %s", m, e.Pixel/W, e.Pixel%W, e.Msg)
		}
		if err != nil {
			return r.fault("rgb", "picture %d: %v", m, err)
		}
		r.d.Instances[m].Graphs = gs
	}
	r.d.GraphInfo = append(r.d.GraphInfo, picture.Info(colours)...)
	r.coloured = true
	return nil
}
