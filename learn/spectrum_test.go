package learn

import (
	"math"
	"testing"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/sparse"
	"gonum.org/v1/gonum/mat"
)

// TestSpectrum: what the spectrum says that smoothing leaves of the scores' variance
// is what smoothing with a dense solve leaves, also with several components and
// instances.
func TestSpectrum(t *testing.T) {
	two := gridDataset(9, 5, 7)
	two.Instances = append(two.Instances, gridDataset(10, 5, 7).Instances...)
	apart := gridDataset(11, 4, 4)
	var edges []sparse.Edge // two rings of eight nodes, of unequal weights
	for i := range 8 {
		for _, first := range []int{0, 8} {
			edges = append(edges, sparse.Edge{I: first + i, J: first + (i+1)%8, W: 1 + float64(first)})
		}
	}
	rings, err := sparse.NewGraph(16, edges)
	if err != nil {
		t.Fatal(err)
	}
	apart.Graphs = []*sparse.Graph{rings}
	for name, d := range map[string]*gcrfbc.Dataset{"grid": gridDataset(8, 6, 9), "two": two, "apart": apart} {
		sc := newScale(d, gcrfbc.MeanParts{Gain: true, Bias: true})
		for _, b := range []float64{0, 1e-3, 0.1, 1, 10, 1e3, 1e6} {
			u, slope := sc.spectrum.left(b)
			want := denselyLeft(d, sc, b)
			tol := 1e-3 * want
			if b > 100 {
				tol = 0.2 * want // the lowest eigenvalues decide, which few steps find roughly
			}
			if math.Abs(u-want) > tol {
				t.Errorf("%s, β/α = %g: u %.6f, dense %.6f", name, b, u, want)
			}
			h := 1e-4 * (b + 1e-3)
			up, _ := sc.spectrum.left(b + h)
			if down, _ := sc.spectrum.left(math.Max(b-h, 0)); b > 0 && math.Abs((up-down)/(2*h)-slope) > 1e-4*math.Abs(slope)+1e-12 {
				t.Errorf("%s, β/α = %g: slope %g, difference %g", name, b, slope, (up-down)/(2*h))
			}
		}
	}
}

// denselyLeft returns the root mean square of the smoothed standardised scores for
// the first graph alone.
func denselyLeft(d *gcrfbc.Dataset, sc *scale, b float64) float64 {
	sum := 0.0
	for j := range d.Instances {
		in := &d.Instances[j]
		n := in.N()
		a := mat.NewDense(n, n, nil)
		g := d.Graphs[0]
		for i := range n {
			a.Set(i, i, a.At(i, i)+1)
			for q := g.Pattern().Ptr()[i]; q < g.Pattern().Ptr()[i+1]; q++ {
				k, w := int(g.Pattern().Idx()[q]), b*g.Weights()[q]/(sc.weight[0]*sc.degree[0])
				a.Set(i, i, a.At(i, i)+w)
				a.Set(k, k, a.At(k, k)+w)
				a.Set(i, k, a.At(i, k)-w)
				a.Set(k, i, a.At(k, i)-w)
			}
		}
		r := mat.NewDense(n, sc.K, nil)
		for i := range n {
			for k := range sc.K {
				r.Set(i, k, (in.Scores[i*sc.K+k]-sc.average[k])/sc.deviation[k])
			}
		}
		var f mat.Dense
		if err := f.Solve(a, r); err != nil {
			return math.NaN()
		}
		for i := range n {
			for k := range sc.K {
				sum += f.At(i, k) * f.At(i, k)
			}
		}
	}
	return math.Sqrt(sum / float64(d.NumNodes()*sc.K))
}

// TestSpectrumDegenerate: constant scores and empty graphs leave everything.
func TestSpectrumDegenerate(t *testing.T) {
	d := gridDataset(3, 3, 3)
	for i := range d.Instances[0].Scores {
		d.Instances[0].Scores[i] = 2
	}
	empty := gridDataset(4, 3, 3)
	g, err := sparse.NewGraph(9, nil)
	if err != nil {
		t.Fatal(err)
	}
	empty.Graphs = []*sparse.Graph{g}
	for name, d := range map[string]*gcrfbc.Dataset{"constant": d, "empty": empty} {
		sc := newScale(d, gcrfbc.MeanParts{Gain: true})
		for _, b := range []float64{0, 1, 1e6} {
			if u, slope := sc.spectrum.left(b); !(u > 0 && u <= 1+1e-12) || math.IsNaN(slope) {
				t.Errorf("%s, β/α = %g: u %v, slope %v", name, b, u, slope)
			}
		}
	}
}
