package main

import (
	"context"
	"slices"

	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/chol/ordering"
)

// ordering returns what computes the ordering of opts and nothing else; nil for one
// that chol.Analyze has to choose, or that takes no time.
func (m *matrix) ordering(ctx context.Context, opts chol.Options) func() error {
	switch opts.Ordering {
	case chol.AMD:
		ptr, idx := m.adjacency()
		return func() error {
			ordering.PeeledAMD(m.n, ptr, idx, ordering.AMDOptions{})
			return nil
		}
	case chol.NestedDissection:
		ptr, idx := m.adjacency()
		return func() error {
			_, err := ordering.NestedDissection(ctx, m.n, ptr, idx, ordering.DissectOptions{Seed: opts.Seed, Workers: opts.Threads})
			return err
		}
	}
	return nil
}

// adjacency returns the neighbours of every node: those of i are
// idx[ptr[i]:ptr[i+1]].
func (m *matrix) adjacency() (ptr []int, idx []int32) {
	p := m.a.Pattern()
	edges := func(visit func(i, j int)) {
		for i := range m.n {
			for _, j := range p.Idx()[p.Ptr()[i] : p.Ptr()[i+1]-1] {
				visit(i, int(j))
			}
		}
	}
	ptr = make([]int, m.n+1)
	edges(func(i, j int) { ptr[i+1]++; ptr[j+1]++ })
	for i := range m.n {
		ptr[i+1] += ptr[i]
	}
	idx = make([]int32, ptr[m.n])
	next := slices.Clone(ptr)
	edges(func(i, j int) {
		idx[next[i]], idx[next[j]] = int32(j), int32(i)
		next[i]++
		next[j]++
	})
	return ptr, idx
}
