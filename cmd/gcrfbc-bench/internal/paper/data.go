package paper

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// Shape is the size of a generated dataset.
type Shape struct {
	M, N, K, L int
	Shared     bool   // all instances have the same graphs
	Sparse     string // a specification of package matgen for the edges; "" for all pairs
}

// Generate draws a dataset: predictors uniform on [−1, 1], edge weights uniform
// on [0, 1], and labels of the given parameters.
func Generate(ctx context.Context, s Shape, params gcrfbc.Params, labels string, seed uint64) (*gcrfbc.Dataset, error) {
	rng := rand.New(rand.NewPCG(seed, 0xbb67ae8584caa73b))
	pattern, err := s.pattern()
	if err != nil {
		return nil, err
	}
	d := &gcrfbc.Dataset{K: s.K, Instances: make([]gcrfbc.Instance, s.M)}
	draw := func() ([]*sparse.Graph, error) {
		graphs := make([]*sparse.Graph, s.L)
		for l := range graphs {
			w := make([]float64, pattern.NNZ())
			for q := range w {
				w[q] = rng.Float64()
			}
			g, err := sparse.NewGraphFromPattern(pattern, w)
			if err != nil {
				return nil, err
			}
			graphs[l] = g
		}
		return graphs, nil
	}
	if s.Shared || s.M == 1 {
		if d.Graphs, err = draw(); err != nil {
			return nil, err
		}
	}
	for j := range d.Instances {
		in := &d.Instances[j]
		in.Scores, in.Labels = make([]float64, s.N*s.K), make([]int8, s.N)
		for i := range in.Scores {
			in.Scores[i] = 2*rng.Float64() - 1
		}
		if d.Graphs == nil {
			if in.Graphs, err = draw(); err != nil {
				return nil, err
			}
		}
	}
	return d, label(ctx, d, params, labels, rng.Uint64())
}

// pattern returns the edges that every graph has, as a strictly lower triangle.
func (s Shape) pattern() (*sparse.Pattern, error) {
	ptr, idx := make([]int, 1, s.N+1), []int32(nil)
	if s.Sparse == "" {
		for i := range s.N {
			for j := range i {
				idx = append(idx, int32(j))
			}
			ptr = append(ptr, len(idx))
		}
		return sparse.NewPattern(s.N, s.N, ptr, idx)
	}
	n, lower, columns, _, err := matgen.Generate(s.Sparse)
	if err != nil {
		return nil, err
	}
	for i := range n {
		idx = append(idx, columns[lower[i]:lower[i+1]-1]...) // the diagonal is last
		ptr = append(ptr, len(idx))
	}
	return sparse.NewPattern(n, n, ptr, idx)
}

// label gives every node its label.
func label(ctx context.Context, d *gcrfbc.Dataset, params gcrfbc.Params, labels string, seed uint64) error {
	m := &gcrfbc.Model{Variant: gcrfbc.NonBayesian, Mean: gcrfbc.PaperMean, Params: params}
	if labels == Threshold {
		// ∫σ(z)N(z; μ, s²)dz > ½ where μ > 0.
		p, err := infer.Predict(ctx, m, d, infer.PredictOptions{})
		if err != nil {
			return err
		}
		for j := range d.Instances {
			for i, mean := range p.Instances[j].Mean {
				if mean > 0 {
					d.Instances[j].Labels[i] = 1
				}
			}
		}
		return nil
	}
	z, err := infer.Sample(ctx, m, d, infer.PredictOptions{}, 1, seed)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for j := range d.Instances {
		for i, v := range z[j] {
			if rng.Float64() < 1/(1+math.Exp(-v)) {
				d.Instances[j].Labels[i] = 1
			}
		}
	}
	return nil
}

// split returns the first m instances and the others.
func split(d *gcrfbc.Dataset, m int) (train, test *gcrfbc.Dataset) {
	a, b := *d, *d
	a.Instances, b.Instances = d.Instances[:m:m], d.Instances[m:]
	return &a, &b
}
