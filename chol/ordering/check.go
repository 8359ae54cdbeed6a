package ordering

import "fmt"

// GraphError says what is wrong with a graph.
type GraphError struct {
	Node      int // −1 when no single node is to blame
	Neighbour int // −1 likewise
	Msg       string
}

func (e *GraphError) Error() string {
	switch {
	case e.Node < 0:
		return "ordering: " + e.Msg
	case e.Neighbour < 0:
		return fmt.Sprintf("ordering: node %d: %s", e.Node, e.Msg)
	}
	return fmt.Sprintf("ordering: node %d, neighbour %d: %s", e.Node, e.Neighbour, e.Msg)
}

// Check verifies that ptr and idx are the adjacency of a graph of n nodes as the
// package's documentation describes it; its errors are *GraphError. Time and
// memory are O(n + edges).
func Check(n int, ptr []int, idx []int32) error {
	if n < 0 || n > maxNodes {
		return &GraphError{-1, -1, fmt.Sprintf("%d nodes; from 0 to 2³¹−2 are possible", n)}
	}
	if len(ptr) != n+1 || ptr[0] != 0 || ptr[n] != len(idx) {
		return &GraphError{-1, -1, fmt.Sprintf("ptr must have n+1 = %d entries, from 0 to len(idx) = %d", n+1, len(idx))}
	}
	for i := range n {
		if ptr[i+1] < ptr[i] {
			return &GraphError{i, -1, "ptr decreases"}
		}
	}
	count := make([]int, n+1)
	seen := make([]int32, n) // seen[j] = i+1: j stands in row i
	for i := range n {
		for _, j := range idx[ptr[i]:ptr[i+1]] {
			switch {
			case j < 0 || int(j) >= n:
				return &GraphError{i, int(j), fmt.Sprintf("outside 0…%d", n-1)}
			case int(j) == i:
				return &GraphError{i, int(j), "a loop; leave the diagonal out"}
			case seen[j] == int32(i)+1:
				return &GraphError{i, int(j), "listed twice"}
			}
			seen[j] = int32(i) + 1
			count[j+1]++
		}
	}
	for i := range n {
		count[i+1] += count[i]
	}
	// With no neighbour twice, every reverse entry must be found.
	reverse := make([]int32, len(idx))
	for i := range n {
		for _, j := range idx[ptr[i]:ptr[i+1]] {
			reverse[count[j]] = int32(i)
			count[j]++
		}
	}
	clear(seen)
	k := 0
	for i := range n {
		for _, j := range idx[ptr[i]:ptr[i+1]] {
			seen[j] = int32(i) + 1
		}
		for ; k < count[i]; k++ {
			if j := reverse[k]; seen[j] != int32(i)+1 {
				return &GraphError{int(j), i, "the edge is missing in the other direction"}
			}
		}
	}
	return nil
}

const maxNodes = 1<<31 - 2

// PermutationError says where a slice fails to be a permutation.
type PermutationError struct {
	Position int // −1 for a wrong length
	Msg      string
}

func (e *PermutationError) Error() string {
	if e.Position < 0 {
		return "ordering: permutation: " + e.Msg
	}
	return fmt.Sprintf("ordering: permutation, position %d: %s", e.Position, e.Msg)
}

// CheckPermutation verifies that perm holds each of 0…n−1 once; its errors are
// *PermutationError.
func CheckPermutation(n int, perm []int32) error {
	if len(perm) != n {
		return &PermutationError{-1, fmt.Sprintf("%d entries, want %d", len(perm), n)}
	}
	seen := make([]bool, n)
	for k, v := range perm {
		if v < 0 || int(v) >= n {
			return &PermutationError{k, fmt.Sprintf("%d is outside 0…%d", v, n-1)}
		}
		if seen[v] {
			return &PermutationError{k, fmt.Sprintf("%d comes twice", v)}
		}
		seen[v] = true
	}
	return nil
}
