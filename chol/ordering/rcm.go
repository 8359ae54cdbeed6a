package ordering

import (
	"cmp"
	"slices"
)

// RCM returns the reverse Cuthill–McKee ordering, which keeps the bandwidth
// small: nodes breadth first from an end of the graph, neighbours by increasing
// degree, all reversed. Components follow one another. Time is O(edges·log of
// the largest degree) times the few searches that find the ends.
//
// E. Cuthill, J. McKee, Reducing the bandwidth of sparse symmetric matrices,
// Proc. 24th ACM National Conference (1969) 157–172; A. George, J. W. H. Liu,
// Computer Solution of Large Sparse Positive Definite Systems (1981), chapter 4.
func RCM(n int, ptr []int, idx []int32) []int32 {
	s := search{ptr: ptr, idx: idx, seen: make([]int32, n), order: make([]int32, 0, n)}
	for v := range int32(n) {
		if s.seen[v] == placed {
			continue
		}
		base := len(s.order)
		s.levels(s.end(v), true)
		for _, u := range s.order[base:] {
			s.seen[u] = placed
		}
	}
	slices.Reverse(s.order)
	return s.order
}

const placed = int32(-1)

// search is a breadth-first search that appends to order.
type search struct {
	ptr   []int
	idx   []int32
	seen  []int32 // the search that met a node last, or placed
	round int32
	order []int32
}

func (s *search) degree(v int32) int { return s.ptr[v+1] - s.ptr[v] }

// levels appends root's component by distance, and by degree where sorted. It
// returns the number of levels and the start of the last.
func (s *search) levels(root int32, sorted bool) (depth, last int) {
	s.round++
	k := len(s.order)
	s.order = append(s.order, root)
	s.seen[root] = s.round
	for k < len(s.order) {
		depth++
		last = k
		for end := len(s.order); k < end; k++ {
			v := s.order[k]
			first := len(s.order)
			for _, u := range s.idx[s.ptr[v]:s.ptr[v+1]] {
				if s.seen[u] != s.round {
					s.seen[u] = s.round
					s.order = append(s.order, u)
				}
			}
			if sorted {
				slices.SortFunc(s.order[first:], func(a, b int32) int {
					return cmp.Or(cmp.Compare(s.degree(a), s.degree(b)), cmp.Compare(a, b))
				})
			}
		}
	}
	return depth, last
}

// end finds a pseudo-peripheral node of v's component: from a node of least
// degree in the last level again, as long as that gives more levels (George &
// Liu 1979).
func (s *search) end(v int32) int32 {
	base := len(s.order)
	most := 0
	for {
		depth, last := s.levels(v, false)
		far := slices.MinFunc(s.order[last:], func(a, b int32) int {
			return cmp.Or(cmp.Compare(s.degree(a), s.degree(b)), cmp.Compare(a, b))
		})
		s.order = s.order[:base]
		if depth <= most {
			return v
		}
		most = depth
		if depth == 1 {
			return v
		}
		v = far
	}
}
