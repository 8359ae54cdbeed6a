package chol

import (
	"context"
	"fmt"

	"github.com/gcrfbc/gcrfbc/chol/ordering"
)

// order is an elimination order with its tree, postordered.
type order struct {
	kind          Ordering
	nodes         []int32    // the permutation as given: nodes[k] is the caller's row
	graph         *adjacency // renamed by nodes
	perm          []int32    // then postordered: perm[k] is a node of graph
	parent, count []int32
	flops         float64
}

// evaluate postorders a permutation and counts the columns of its factor.
func evaluate(g *adjacency, kind Ordering, nodes []int32) *order {
	h := g.permuted(nodes)
	perm := natural(g.n)
	parent := etree(h, perm, perm)
	post := postorder(childLists(parent))
	at := invert(post)
	o := &order{kind: kind, nodes: nodes, graph: h, perm: post, parent: make([]int32, g.n)}
	for k, j := range post {
		o.parent[k] = -1
		if p := parent[j]; p >= 0 {
			o.parent[k] = at[p]
		}
	}
	o.count = columnCounts(h, post, at, o.parent)
	_, o.flops = countedWork(o.count)
	return o
}

func natural(n int) []int32 {
	perm := make([]int32, n)
	for i := range perm {
		perm[i] = int32(i)
	}
	return perm
}

// checkPerm verifies a caller's permutation.
func checkPerm(perm []int32, n int) error {
	if len(perm) != n {
		return &ShapeError{What: "length of Options.Perm", Got: len(perm), Want: n}
	}
	seen := make([]bool, n)
	for _, v := range perm {
		if v < 0 || int(v) >= n || seen[v] {
			return &OptionError{Field: "Perm", Msg: "not a permutation of 0…n-1"}
		}
		seen[v] = true
	}
	return nil
}

// chooseOrder finds the elimination order that opts asks for.
func chooseOrder(ctx context.Context, g *adjacency, opts Options) (*order, error) {
	switch opts.Ordering {
	case Natural:
		return evaluate(g, Natural, natural(g.n)), nil
	case Given:
		if err := checkPerm(opts.Perm, g.n); err != nil {
			return nil, err
		}
		return evaluate(g, Given, opts.Perm), nil
	case RCM:
		return evaluate(g, RCM, ordering.RCM(g.n, g.ptr, g.idx)), ctx.Err()
	case NestedDissection:
		return dissect(ctx, g, opts, nil)
	case Auto, AMD:
	default:
		return nil, &OptionError{Field: "Ordering", Msg: fmt.Sprintf("unknown value %d", uint8(opts.Ordering))}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	best := evaluate(g, AMD, ordering.PeeledAMD(g.n, g.ptr, g.idx, ordering.AMDOptions{}))
	if opts.Ordering == AMD || ctx.Err() != nil {
		return best, ctx.Err()
	}
	times := opts.Refactorizations
	if times <= 0 {
		times = defaultRefactorizations
	}
	if !worthDissecting(g, best, times) {
		return best, nil
	}
	nd, err := dissect(ctx, g, opts, best.nodes)
	if err != nil {
		return nil, err
	}
	if nd.flops < best.flops {
		best = nd
	}
	return best, nil
}

// dissect orders by nested dissection; amd is the order of AMD, nil if unknown.
func dissect(ctx context.Context, g *adjacency, opts Options, amd []int32) (*order, error) {
	nodes, err := ordering.NestedDissection(ctx, g.n, g.ptr, g.idx, ordering.DissectOptions{Seed: opts.Seed, Workers: opts.Threads, AMD: amd})
	if err != nil {
		return nil, err
	}
	return evaluate(g, NestedDissection, nodes), ctx.Err()
}

// Times that decide whether to try nested dissection, in seconds: what it
// takes per edge, and a factorization with its selected inverse per counted
// operation. Where a few nodes have most of the edges it takes longer and
// seldom finds small separators.
const (
	dissectPerEdge       = 0.9e-6
	skewedDissectPerEdge = 2.5e-6
	workPerFlop          = 3.2 / 60e9
	// dissectGain is the share of the work that a better ordering may save:
	// half in three dimensions, a fourth in two.
	dissectGain       = 0.25
	skewedDissectGain = 0.1
	// dissectFill is the mean column length of L under AMD below which there
	// is nothing to gain.
	dissectFill = 20
)

// worthDissecting reports whether nested dissection may repay its time.
func worthDissecting(g *adjacency, amd *order, times int) bool {
	nnz, _ := countedWork(amd.count)
	if nnz < dissectFill*int64(g.n) {
		return false
	}
	gain, perEdge := dissectGain, dissectPerEdge
	if g.skewed() {
		gain, perEdge = skewedDissectGain, skewedDissectPerEdge
	}
	return amd.flops*workPerFlop*gain*float64(times) > perEdge*float64(len(g.idx)/2)
}

// skewed reports whether the largest degree is above ten times the mean, as in
// scale-free graphs.
func (g *adjacency) skewed() bool {
	most := 0
	for i := range g.n {
		most = max(most, g.ptr[i+1]-g.ptr[i])
	}
	return most*g.n > 10*len(g.idx)
}
