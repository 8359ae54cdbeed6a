package ordering

// none ends linked lists and marks the absence of a node.
const none = int32(-1)

type offset interface{ int32 | int64 }

// node is what the quotient graph knows of one node. A node starts as a
// variable, which stands for weight nodes that cannot be told apart (a
// supervariable). A variable that is eliminated becomes an element: the clique
// of the variables it was adjacent to then. A node absorbed by another is dead.
//
// All fields of a node share a cache line, since they are used together.
type node[P offset] struct {
	// start is where the node's list begins. The list of a variable holds elems
	// elements, then variables; that of an element holds variables. A dead node
	// has ^absorber here.
	start  P
	length int32
	// elems of an element is its number in the order of elimination, from 1; 0
	// for a variable that was absorbed, none for a dense row.
	elems int32
	// weight of a variable: positive, negative while the variable belongs to
	// the pivot's element, 0 when dead. Of an element: 0 too.
	weight int32
	// degree bounds a variable's external degree (weights of the neighbours);
	// for an element it is the weight of its variables.
	degree int32
	// mark of an element e: 0 when dead; with m ≥ tag, m−tag = |Le \ Lp| for
	// the pivot p. Of a variable: the tag of its last comparison, or negative,
	// the stamp of its last catchUp.
	mark int32
	// next and prev link a variable in its degree's bucket. While it belongs to
	// the pivot's element, they are the link in a hash bucket and the hash. prev of
	// an element is the number of nodes eliminated with it.
	next, prev int32
}

// quotient is the quotient graph of the elimination (Amestoy, Davis & Duff 1996,
// section 2) with its degree buckets.
type quotient[P offset] struct {
	n          int
	aggressive bool
	nodes      []node[P]
	list       []int32
	free       int // end of the used part of list

	head    []int32 // head[d] is the first variable of degree d
	minimum int32   // no bucket below this has a variable

	tag, widest int32 // widest: the largest element weight so far

	table []int32 // hash buckets
	shift uint32

	late  []lateness // of rows that are long, nil if there were none
	stamp int32      // of the last catch up

	pivots []int32 // elements in the order of elimination
	dense  []int32 // rows put last
	total  int     // nodes to eliminate: all but the dense rows
	done   int     // weight eliminated

	// Constraints: the nodes by stage, and the stage at work.
	set    []int32
	byset  []int32
	next   int // first node of byset not yet released
	stage  int32
	until  int // done when the stage is complete
	staged bool
}

// room is the length of the list: the graph never grows under elimination, and a
// new element takes at most n places beside it.
func room(n, nnz int) int { return nnz + nnz/5 + n + 1 }

func newQuotient[P offset](n int, ptr []int, idx []int32, set []int32, opts AMDOptions) *quotient[P] {
	nnz := ptr[n]
	q := &quotient[P]{
		n: n, aggressive: !opts.NoAggressive,
		nodes: make([]node[P], n), list: make([]int32, room(n, nnz)), free: nnz,
		head: make([]int32, n+1), tag: 2,
		pivots: make([]int32, 0, n/2+1),
		set:    set, staged: set != nil,
	}
	bits := uint32(4)
	for bits < 12 && 1<<bits < n {
		bits++
	}
	q.table, q.shift = make([]int32, 1<<bits), 32-bits
	for i := range q.table {
		q.table[i] = none
	}
	for i := range q.head {
		q.head[i] = none
	}
	copy(q.list, idx[:nnz])
	limit := denseLimit(n, opts.Dense)
	for i := range q.nodes {
		v := &q.nodes[i]
		v.start = P(ptr[i])
		v.length = int32(ptr[i+1] - ptr[i])
		v.degree = v.length
		v.weight, v.mark = 1, 1
		if v.degree > limit {
			v.weight, v.start, v.length, v.elems = 0, -1, 0, none
			q.dense = append(q.dense, int32(i))
		} else if !q.staged {
			q.push(int32(i), v.degree)
		}
	}
	q.total = n - len(q.dense)
	q.until = q.total
	if q.staged {
		q.sortByStage()
		q.until = 0
	}
	return q
}

// sortByStage lists the nodes by stage (counting sort).
func (q *quotient[P]) sortByStage() {
	stages := int32(0)
	for _, s := range q.set {
		stages = max(stages, s+1)
	}
	at := make([]int32, stages+1)
	for _, s := range q.set {
		at[s+1]++
	}
	for s := range stages {
		at[s+1] += at[s]
	}
	q.byset = make([]int32, q.n)
	for i, s := range q.set {
		q.byset[at[s]] = int32(i)
		at[s]++
	}
}

// nextStage releases the variables of the next stage for elimination; false
// means that all is done. Without constraints there is one stage.
func (q *quotient[P]) nextStage() bool {
	if !q.staged {
		return q.done < q.until
	}
	if q.next == q.n {
		return false
	}
	q.stage = q.set[q.byset[q.next]]
	q.minimum = int32(q.n)
	for q.next < q.n && q.set[q.byset[q.next]] == q.stage {
		i := q.byset[q.next]
		q.next++
		v := &q.nodes[i]
		if v.weight > 0 {
			q.push(i, v.degree)
		}
		if v.elems != none { // no dense row
			q.until++
		}
	}
	return true
}

// push puts variable i into the bucket of degree d.
func (q *quotient[P]) push(i, d int32) {
	v := &q.nodes[i]
	h := q.head[d]
	v.next, v.prev = h, none
	if h != none {
		q.nodes[h].prev = i
	}
	q.head[d] = i
	if d < q.minimum {
		q.minimum = d
	}
}

// reserve makes room for need more entries at the end of the list by closing
// its gaps.
func (q *quotient[P]) reserve(need int) {
	if q.free+need <= len(q.list) {
		return
	}
	// While the list is swept, the first entry of every live list names its
	// owner; start keeps the entry.
	for i := range q.nodes {
		if v := &q.nodes[i]; v.start >= 0 && v.length > 0 {
			s := v.start
			v.start = P(q.list[s])
			q.list[s] = ^int32(i)
		}
	}
	to := 0
	for k := 0; k < q.free; {
		i := q.list[k]
		if i >= 0 {
			k++
			continue
		}
		v := &q.nodes[^i]
		n := int(v.length)
		copy(q.list[to:to+n], q.list[k:k+n])
		q.list[to] = int32(v.start)
		v.start = P(to)
		to += n
		k += n
	}
	q.free = to
	if q.free+need > len(q.list) { // cannot happen for a valid graph
		q.list = append(q.list, make([]int32, q.free+need-len(q.list))...)
	}
}
