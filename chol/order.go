package chol

import (
	"context"
	"fmt"
)

// order is an elimination order with its tree, postordered.
type order struct {
	kind          Ordering
	perm          []int32
	parent, count []int32
	flops         float64
}

// evaluate postorders a permutation and counts the columns of its factor.
func evaluate(g *adjacency, kind Ordering, perm []int32) *order {
	iperm := invert(perm)
	parent := etree(g, perm, iperm)
	post := postorder(childLists(parent))
	o := &order{kind: kind, perm: make([]int32, g.n), parent: make([]int32, g.n)}
	at := invert(post)
	for k, j := range post {
		o.perm[k] = perm[j]
		o.parent[k] = -1
		if p := parent[j]; p >= 0 {
			o.parent[k] = at[p]
		}
	}
	for k, v := range o.perm {
		iperm[v] = int32(k)
	}
	o.count = columnCounts(g, o.perm, iperm, o.parent)
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

func chooseOrder(ctx context.Context, g *adjacency, opts Options) (*order, error) {
	if opts.Ordering > Given {
		return nil, &OptionError{Field: "Ordering", Msg: fmt.Sprintf("unknown value %d", uint8(opts.Ordering))}
	}
	switch opts.Ordering {
	case Natural:
		return evaluate(g, Natural, natural(g.n)), nil
	case Given:
		if err := checkPerm(opts.Perm, g.n); err != nil {
			return nil, err
		}
		return evaluate(g, Given, opts.Perm), nil
	}
	return evaluate(g, Natural, natural(g.n)), ctx.Err()
}
