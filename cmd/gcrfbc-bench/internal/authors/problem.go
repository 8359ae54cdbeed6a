package authors

import (
	"github.com/gcrfbc/gcrfbc"
)

// Problem holds the instances with dense graphs. All labels must be known.
type Problem struct {
	K, L      int
	instances []instance
	start     []int // first node of each instance; the last entry is the number of nodes
}

type instance struct {
	n      int
	scores [][]float64 // K vectors
	laps   []square    // Laplacians of the L graphs
	labels []float64
}

// New copies a dataset; graphs that instances share are copied for each, as the
// published program holds them.
func New(d *gcrfbc.Dataset) *Problem {
	p := &Problem{K: d.K, L: d.NumGraphs(), start: []int{0}}
	for j := range d.Instances {
		in := &d.Instances[j]
		n := in.N()
		it := instance{n: n, labels: make([]float64, n)}
		for k := range d.K {
			r := make([]float64, n)
			for i := range r {
				r[i] = in.Scores[i*d.K+k]
			}
			it.scores = append(it.scores, r)
		}
		for i, y := range in.Labels {
			it.labels[i] = float64(y)
		}
		for _, g := range d.GraphsOf(j) {
			lap := newSquare(n)
			ptr, idx, w := g.Pattern().Ptr(), g.Pattern().Idx(), g.Weights()
			for i := range n {
				for q := ptr[i]; q < ptr[i+1]; q++ {
					c := int(idx[q])
					lap.row(i)[c] -= w[q]
					lap.row(c)[i] -= w[q]
					lap.row(i)[i] += w[q]
					lap.row(c)[c] += w[q]
				}
			}
			it.laps = append(it.laps, lap)
		}
		p.instances = append(p.instances, it)
		p.start = append(p.start, p.start[j]+n)
	}
	return p
}

// Nodes returns the number of nodes, and of variational parameters ξ.
func (p *Problem) Nodes() int { return p.start[len(p.instances)] }

// precision returns P = 2[(Σα) I + Σβ Lap] and b = 2Rα.
func (it *instance) precision(alpha, beta []float64) (prec square, b []float64) {
	prec = newSquare(it.n)
	sum := 0.0
	for _, a := range alpha {
		sum += a
	}
	for l, lap := range it.laps {
		for q, v := range lap.a {
			prec.a[q] += 2 * beta[l] * v
		}
	}
	for i := range it.n {
		prec.row(i)[i] += 2 * sum
	}
	b = make([]float64, it.n)
	for k, r := range it.scores {
		for i, v := range r {
			b[i] += 2 * alpha[k] * v
		}
	}
	return prec, b
}

// derivatives returns dP and dμ for every α, then every β, both dense.
func (it *instance) derivatives(sigma square, mu []float64) (dP []square, dMu [][]float64) {
	for _, r := range it.scores {
		d := newSquare(it.n)
		for i := range it.n {
			d.row(i)[i] = 2
		}
		v := d.times(mu)
		for i := range v {
			v[i] = 2*r[i] - v[i]
		}
		dP, dMu = append(dP, d), append(dMu, sigma.times(v))
	}
	for _, lap := range it.laps {
		d := lap.clone()
		for q := range d.a {
			d.a[q] *= 2
		}
		v := d.times(mu)
		for i := range v {
			v[i] = -v[i]
		}
		dP, dMu = append(dP, d), append(dMu, sigma.times(v))
	}
	return dP, dMu
}
