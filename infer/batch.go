package infer

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/internal/batch"
	"github.com/gcrfbc/gcrfbc/internal/fixedpoint"
	"github.com/gcrfbc/gcrfbc/sparse"
)

// laneBatch is the small instances of a dataset, eight of one size side by side
// in the lanes of vectors (package batch). It takes the place of the fields and
// posteriors below for them, one evaluation after another; instances that do
// not fit in, and lanes that do not converge, go the ordinary way.
type laneBatch struct {
	blocks []laneBlock
	rest   []int32 // instances that are not in blocks
	where  []int32 // of every instance: block·Lanes + lane, −1 in rest

	n      int         // largest order of a block
	common [][]float64 // weights of the shared graphs, the same in every lane
	prior  lanePrior   // of the shared graphs, if there are no others
	sums   []laneSum
}

// laneBlock is up to eight instances of order n. What a and b hold between
// evaluations is as of siteState.
type laneBlock struct {
	n        int
	count    int
	instance [batch.Lanes]int32
	scores   []float64   // K vectors, one after another
	mask     []float64   // 1 where there is a label
	sign     []float64   // +1 and −1 for labels 1 and 0, 0 without
	own      [][]float64 // weights of each own graph
	labelled [batch.Lanes]bool
	warm     [batch.Lanes]bool
	a, b     []float64
}

// laneSum is the partial sum of consecutive blocks, then instances of the rest.
type laneSum struct {
	from, to int // items: blocks, then the rest
	sum      []float64
}

// maxLaneSums bounds how many partial sums are kept; the split does not depend
// on the number of threads.
const maxLaneSums = 512

// newLaneBatch arranges the instances, or returns nil where all are large. Even
// a single small instance is better off in a block of its own.
func newLaneBatch(d *gcrfbc.Dataset, opts *Options) *laneBatch {
	if opts.scalar {
		return nil
	}
	bySize := map[int][]int32{}
	for j := range d.Instances {
		n := d.Instances[j].N()
		bySize[n] = append(bySize[n], int32(j))
	}
	var sizes []int
	for n := range bySize {
		if n <= denseMax {
			sizes = append(sizes, n)
		}
	}
	if len(sizes) == 0 {
		return nil
	}
	sort.Ints(sizes)
	lb := &laneBatch{where: make([]int32, len(d.Instances)), n: sizes[len(sizes)-1]}
	for j := range lb.where {
		lb.where[j] = -1
	}
	for _, n := range sizes {
		js := bySize[n]
		for len(js) > 0 {
			c := min(len(js), batch.Lanes)
			lb.add(d, n, js[:c])
			js = js[c:]
		}
	}
	for j, w := range lb.where {
		if w < 0 {
			lb.rest = append(lb.rest, int32(j))
		}
	}
	for _, g := range d.Graphs { // then all instances have one size
		w := make([]float64, batch.Triangle(lb.n)*batch.Lanes)
		for q := range batch.Lanes {
			setWeights(w, lb.n, q, g)
		}
		lb.common = append(lb.common, w)
	}
	items := len(lb.blocks) + len(lb.rest)
	lb.sums = make([]laneSum, min(items, maxLaneSums))
	for s := range lb.sums {
		lb.sums[s] = laneSum{
			from: s * items / len(lb.sums), to: (s + 1) * items / len(lb.sums),
			sum: make([]float64, 1+GradientLen(d.K, d.NumGraphs())),
		}
	}
	return lb
}

// add makes a block of the given instances.
func (lb *laneBatch) add(d *gcrfbc.Dataset, n int, js []int32) {
	const V = batch.Lanes
	L := len(d.Instances[js[0]].Graphs)
	triangle := batch.Triangle(n) * V
	memory := make([]float64, (d.K+4)*n*V+L*triangle)
	take := func(k int) []float64 {
		v := memory[:k:k]
		memory = memory[k:]
		return v
	}
	b := laneBlock{n: n, count: len(js), scores: take(d.K * n * V), mask: take(n * V), sign: take(n * V), a: take(n * V), b: take(n * V)}
	for range L {
		b.own = append(b.own, take(triangle))
	}
	for q, j := range js {
		in := &d.Instances[j]
		b.instance[q] = j
		lb.where[j] = int32(len(lb.blocks)*V + q)
		for i, r := range in.Scores {
			b.scores[(i%d.K*n+i/d.K)*V+q] = r
		}
		for i, y := range in.Labels {
			if y != gcrfbc.Missing {
				b.labelled[q] = true
				b.mask[i*V+q], b.sign[i*V+q] = 1, float64(2*y-1)
			}
		}
		for l, g := range in.Graphs {
			setWeights(b.own[l], n, q, g)
		}
	}
	lb.blocks = append(lb.blocks, b)
}

// setWeights puts a graph's weights into lane q of a triangle.
func setWeights(w []float64, n, q int, g *sparse.Graph) {
	ptr, idx, weights := g.Pattern().Ptr(), g.Pattern().Idx(), g.Weights()
	for i := range n {
		for e := ptr[i]; e < ptr[i+1]; e++ {
			j := int(idx[e])
			w[(j*n-j*(j+1)/2+i-j-1)*batch.Lanes+q] = weights[e]
		}
	}
}

// lanePrior is the field of eight instances before any label: the weights of P,
// its factor, all of Σ and the variances of differences.
type lanePrior struct {
	excess  float64   // 2Σα, of every row of P
	weights []float64 // Σ 2β_l w_l
	inv     []float64 // of the pivots
	diag, z []float64 // Σ
	res     []float64 // Σ_ii + Σ_jj − 2Σ_ij, with the gradient only
	ok      [batch.Lanes]bool
	sound   bool // all lanes are ok
}

func (pr *lanePrior) resize(n int) {
	k, t := n*batch.Lanes, batch.Triangle(n)*batch.Lanes
	pr.weights, pr.z, pr.res = grow(pr.weights, t), grow(pr.z, t), grow(pr.res, t)
	pr.inv, pr.diag = grow(pr.inv, k), grow(pr.diag, k)
}

// laneWork is a worker's workspace for blocks.
type laneWork struct {
	own lanePrior // of the block at hand, if it has graphs of its own

	rbar, h, off, mu   []float64
	tau, nu, r, fac    []float64
	e, m, s, d, inv, x []float64
	g, ell, root, y    []float64
	back               []float64 // the last plain image of the sites
	t, keep, was       []float64 // of ep, where it starts again
	w, z, hess, q      []float64 // triangles
	prod               []float64

	c, gauss, change, least [batch.Lanes]float64
	active, newton          [batch.Lanes]float64 // −1 where set
	value, before           [batch.Lanes]float64
	sweeps                  [batch.Lanes]int
	status                  [batch.Lanes]laneStatus
	fast                    [batch.Lanes]bool // the sites come from an accelerated step

	lane [batch.Lanes]struct { // ep's acceleration, a lane at a time
		acc   *fixedpoint.Accelerator
		x, gx []float64
	}
}

// laneStatus is how a lane's sweeps ended.
type laneStatus uint8

const (
	laneRuns laneStatus = iota
	laneConverged
	laneStalled // at the sweep limit
	laneFailed  // to be done the ordinary way
)

func (lw *laneWork) resize(n int) {
	k, t := n*batch.Lanes, batch.Triangle(n)*batch.Lanes
	for _, v := range []*[]float64{
		&lw.rbar, &lw.h, &lw.off, &lw.mu, &lw.tau, &lw.nu, &lw.r, &lw.fac, &lw.e, &lw.m, &lw.s, &lw.d,
		&lw.inv, &lw.x, &lw.g, &lw.ell, &lw.root, &lw.y, &lw.back, &lw.t, &lw.keep, &lw.was,
	} {
		*v = grow(*v, k)
	}
	for _, v := range []*[]float64{&lw.w, &lw.z, &lw.hess, &lw.q} {
		*v = grow(*v, t)
	}
	lw.prod = grow(lw.prod, batch.Chunks(n)*batch.Lanes)
}

// structureOf returns instance j's structure, which is built when first asked
// for if j is in a block. Only one goroutine at a time may ask for one j.
func (ev *Evaluator) structureOf(ctx context.Context, j int) (*structure, error) {
	if ev.shared != nil {
		return ev.shared, nil
	}
	if ev.structures[j] == nil {
		set := structureSet{} // small: dense, without a symbolic analysis
		st, err := set.build(ctx, ev.d.Instances[j].N(), ev.d.GraphsOf(j))
		if err != nil {
			return nil, fmt.Errorf("instance %d: %w", j, err)
		}
		ev.structures[j] = st
	}
	return ev.structures[j], nil
}

// sitesTo writes √a of the instances in blocks.
func (lb *laneBatch) sitesTo(xi [][]float64) {
	for k := range lb.blocks {
		b := &lb.blocks[k]
		for q, j := range b.instance[:b.count] {
			if !b.warm[q] {
				continue // its sites are with the instance
			}
			for i := range xi[j] {
				xi[j][i] = math.Sqrt(b.a[i*batch.Lanes+q])
			}
		}
	}
}
