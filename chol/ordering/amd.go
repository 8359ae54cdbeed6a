package ordering

import "math"

// AMDOptions control AMD. The zero value is a good choice.
type AMDOptions struct {
	// Dense is the multiple of √n beyond which a row counts as dense and is put
	// last (at least 16 entries); 0 means 10, negative never.
	Dense float64
	// NoAggressive turns aggressive element absorption off.
	NoAggressive bool
}

// AMD returns an approximate minimum degree ordering (P. Amestoy, T. Davis and
// I. Duff, SIAM J. Matrix Anal. Appl. 17 (1996) 886–905) of the symmetric
// pattern with adjacency idx[ptr[i]:ptr[i+1]] of node i (both directions, no
// diagonal): perm[k] is the node to eliminate k-th.
//
// The elimination graph is kept as a quotient graph: an eliminated pivot becomes
// an element whose variables are its neighbours then; a variable's adjacency is
// a list of elements followed by one of variables. Degrees are the paper's upper
// bounds. Time is near O(nnz(A)·small) in practice, memory O(n + nnz(A)).
func AMD(n int, ptr []int, idx []int32, opts AMDOptions) []int32 {
	q := newQuotient(n, ptr, idx, opts)
	for q.done < q.n-q.dense {
		q.eliminate()
	}
	return q.order()
}

const none = int32(-1)

// quotient is the quotient graph. A node is a variable (weight > 0; negative
// while it belongs to the pivot at hand), an element (stage ≥ 0), or dead,
// absorbed into parent.
type quotient struct {
	n          int
	aggressive bool

	start  []int   // list of node i: list[start[i]:start[i]+length[i]]
	length []int32 // entries of the list
	nelem  []int32 // of those, leading entries that are elements
	list   []int32
	free   int     // end of the used part of list
	weight []int32 // nodes that a supervariable stands for
	degree []int32 // bound on external degree; for an element its weight |Le|
	parent []int32 // whom a dead node was absorbed by
	stage  []int32 // when an element was a pivot, −1 otherwise
	pivots []int32
	densed []int32 // rows put last
	dense  int
	done   int // weight eliminated

	// Degree buckets, doubly linked.
	head, next, prev []int32
	minimum          int32

	// mark[e] − tag is |Le \ Lp| for elements met while the pivot is p.
	mark []int64
	tag  int64

	hashHead []int32
	hash     []int32
	touched  []int32 // hash buckets in use
}

func newQuotient(n int, ptr []int, idx []int32, opts AMDOptions) *quotient {
	nnz := 0
	if n > 0 {
		nnz = ptr[n]
	}
	q := &quotient{
		n: n, aggressive: !opts.NoAggressive,
		start: make([]int, n), length: make([]int32, n), nelem: make([]int32, n),
		list: make([]int32, nnz+nnz/5+n+1), free: nnz, weight: make([]int32, n), degree: make([]int32, n),
		parent: make([]int32, n), stage: make([]int32, n),
		head: make([]int32, n+1), next: make([]int32, n), prev: make([]int32, n), minimum: 0,
		mark: make([]int64, n), tag: 1,
		hashHead: make([]int32, n+1), hash: make([]int32, n),
	}
	copy(q.list, idx[:nnz])
	for i := range q.head {
		q.head[i], q.hashHead[i] = none, none
	}
	limit := n
	if opts.Dense >= 0 {
		d := opts.Dense
		if d == 0 {
			d = 10
		}
		limit = min(n, max(16, int(d*math.Sqrt(float64(n)))))
	}
	for i := range n {
		q.start[i] = ptr[i]
		q.length[i] = int32(ptr[i+1] - ptr[i])
		q.degree[i] = q.length[i]
		q.weight[i], q.parent[i], q.stage[i], q.mark[i] = 1, none, none, 0
	}
	for i := n - 1; i >= 0; i-- {
		switch d := int(q.degree[i]); {
		case d > limit:
			q.weight[i] = 0
			q.densed = append(q.densed, int32(i))
			q.dense++
		default:
			q.push(int32(i), int32(d))
		}
	}
	return q
}
