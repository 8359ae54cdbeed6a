package learn

import (
	"math"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
	"gonum.org/v1/gonum/mat"
)

// spectrum is how the variance of the standardised scores is distributed over the
// eigenvalues of the graphs' Laplacian: what smoothing leaves of it is a sum over
// few of them.
type spectrum struct {
	between  float64   // ρ: between connected components, at eigenvalue 0
	value    []float64 // the others' eigenvalues; the mean degree is 1
	variance []float64 // and their shares, which add up to 1
}

// lanczosSteps is the number of eigenvalues for each score.
const lanczosSteps = 12

// measureSpectrum approximates the spectral measure of the scores by Gauss
// quadrature: eigenvalues and squared first components of the tridiagonal matrix
// that Lanczos' recurrence makes (Golub and Meurant 1994). Several graphs count as
// their average, each with mean degree 1.
//
// Cost: lanczosSteps products with the Laplacian for each score; three vectors.
func (sc *scale) measureSpectrum(d *gcrfbc.Dataset) spectrum {
	n := d.NumNodes()
	label := make([][]int32, len(d.Instances)) // components; shared graphs share them
	for j := range d.Instances {
		in := &d.Instances[j]
		if j > 0 && len(in.Graphs) == 0 && len(d.Instances[0].Graphs) == 0 && len(label[0]) == in.N() {
			label[j] = label[0]
			continue
		}
		label[j] = components(in.N(), d.GraphsOf(j))
	}
	lap := newLaplacian(d, sc)
	s := spectrum{}
	within := 0.0
	x, before, next := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range sc.K {
		mean := sc.centreComponents(x, d, label, k)
		s.between += mean
		norm := dot(x, x)
		within += norm
		if !(norm > 1e-24*(mean+norm)) {
			continue
		}
		clear(before)
		diagonal, off := lanczos(x, before, next, lap)
		value, share := gauss(diagonal, off)
		for i, v := range value {
			s.value = append(s.value, math.Max(v, 0))
			s.variance = append(s.variance, share[i]*norm)
		}
	}
	for i := range s.variance {
		s.variance[i] /= within
	}
	if len(s.value) == 0 {
		s.value, s.variance = []float64{1}, []float64{1}
	}
	s.between = min(s.between/(float64(n)*float64(sc.K)), 1)
	return s
}

// centreComponents writes the standardised score k less its mean in every connected
// component to x and returns the sum of squares of those means.
func (sc *scale) centreComponents(x []float64, d *gcrfbc.Dataset, label [][]int32, k int) (between float64) {
	var sums []float64
	var count []int
	start := 0
	for j := range d.Instances {
		in := &d.Instances[j]
		sums, count = sums[:0], count[:0]
		part := x[start : start+in.N()]
		start += in.N()
		for i, c := range label[j] {
			for int(c) >= len(count) {
				count, sums = append(count, 0), append(sums, 0)
			}
			part[i] = (in.Scores[i*sc.K+k] - sc.average[k]) / sc.deviation[k]
			count[c]++
			sums[c] += part[i]
		}
		for c := range sums {
			between += sums[c] * sums[c] / float64(count[c])
			sums[c] /= float64(count[c])
		}
		for i, c := range label[j] {
			part[i] -= sums[c]
		}
	}
	return between
}

// laplacian is the average of the graphs' Laplacians, each with mean degree 1.
type laplacian struct {
	d    *gcrfbc.Dataset
	unit []float64 // factor of graph l
}

func newLaplacian(d *gcrfbc.Dataset, sc *scale) *laplacian {
	lap := &laplacian{d: d, unit: make([]float64, sc.L)}
	used := 0.0
	for l := range lap.unit {
		if !sc.empty[l] {
			used++
		}
	}
	for l := range lap.unit {
		if !sc.empty[l] {
			lap.unit[l] = 1 / (sc.weight[l] * sc.degree[l] * used)
		}
	}
	return lap
}

// mulTo writes the product with x to y.
func (lap *laplacian) mulTo(y, x []float64) {
	clear(y)
	start := 0
	for j := range lap.d.Instances {
		in := &lap.d.Instances[j]
		xs, ys := x[start:start+in.N()], y[start:start+in.N()]
		start += in.N()
		for l, g := range lap.d.Graphs {
			addLaplacian(ys, xs, g, lap.unit[l])
		}
		for l, g := range in.Graphs {
			addLaplacian(ys, xs, g, lap.unit[len(lap.d.Graphs)+l])
		}
	}
}

// addLaplacian adds factor times the product of g's Laplacian with x to y.
func addLaplacian(y, x []float64, g *sparse.Graph, factor float64) {
	if factor == 0 {
		return
	}
	ptr, idx, w := g.Pattern().Ptr(), g.Pattern().Idx(), g.Weights()
	for i, xi := range x {
		sum := 0.0
		for q := ptr[i]; q < ptr[i+1]; q++ {
			j := idx[q]
			d := factor * w[q] * (xi - x[j])
			sum += d
			y[j] -= d
		}
		y[i] += sum
	}
}

// lanczos returns the tridiagonal matrix of up to lanczosSteps steps from x, which it
// overwrites with before and next. So few steps need no reorthogonalisation.
func lanczos(x, before, next []float64, lap *laplacian) (diagonal, off []float64) {
	norm := math.Sqrt(dot(x, x))
	for i := range x {
		x[i] /= norm
	}
	last := 0.0
	for len(diagonal) < lanczosSteps {
		lap.mulTo(next, x)
		a := dot(next, x)
		for i := range next {
			next[i] -= a*x[i] + last*before[i]
		}
		diagonal = append(diagonal, a)
		b := math.Sqrt(dot(next, next))
		if !(b > 1e-10*math.Abs(diagonal[0])) || len(diagonal) == lanczosSteps {
			break
		}
		off = append(off, b)
		for i := range next {
			next[i] /= b
		}
		before, x, next = x, next, before
		last = b
	}
	return diagonal, off
}

// gauss returns nodes and weights of the quadrature with a tridiagonal matrix.
func gauss(diagonal, off []float64) (node, weight []float64) {
	n := len(diagonal)
	t := mat.NewSymDense(n, nil)
	for i, a := range diagonal {
		t.SetSym(i, i, a)
		if i > 0 {
			t.SetSym(i, i-1, off[i-1])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(t, true) {
		return []float64{diagonal[0]}, []float64{1}
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	weight = make([]float64, n)
	for i := range weight {
		weight[i] = v.At(0, i) * v.At(0, i)
	}
	return eigen.Values(nil), weight
}

func dot(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// left returns the root of the share u² of the scores' variance that smoothing with
// β/α = b leaves, and its derivative in b:
//
//	u² = ρ + (1−ρ) Σ_i v_i / (1 + b λ_i)²
func (s *spectrum) left(b float64) (u, slope float64) {
	for i, lambda := range s.value {
		r := 1 / (1 + b*lambda)
		u += s.variance[i] * r * r
		slope -= s.variance[i] * lambda * r * r * r
	}
	u = math.Sqrt(s.between + (1-s.between)*u)
	return u, (1 - s.between) * slope / u
}
