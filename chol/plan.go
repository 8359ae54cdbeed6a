package chol

import "github.com/gcrfbc/gcrfbc/chol/internal/kernel"

// plan says who computes which supernodes and where their temporary matrices
// lie. Subtrees are tasks that one worker runs from start to end in its own
// arena; the supernodes above them ("top") go one by one, each after all below
// it (factorization) or above it (inverse), with matrices in a shared arena.
// With one thread the whole tree is one task. The arithmetic is the same
// whatever the plan, and so are the bits.
type plan struct {
	threads int
	items   []item  // tasks first, by decreasing cost; then top nodes, children before parents
	tasks   int     // number of tasks
	roots   []int32 // items without a parent item

	update []int  // offset of every update matrix, in the worker's or the shared arena
	vector []int  // offset of every front's vector in a forward solve, likewise, for one right-hand side
	front  []int  // offset of every front of the inverse, likewise
	shared []bool // by supernode: its update matrix is in the shared arena
	top    []bool // by supernode: a top node (its inverse front is in the shared arena)

	// Entries of the arenas: for factorizations, the selected inverse, and the
	// vectors of one right-hand side.
	factor, inverse, solve arena

	below int  // entries of the panels of all tasks
	share bool // more than one worker has something to do

	upper []upper // columns of the last item, ascending (layout by columns)
}

// arena is the size of a worker's arena and of the shared one.
type arena struct{ worker, common int }

// bytes returns the memory of arenas of all workers.
func (p *plan) bytes(a arena) int64 { return 8 * (int64(a.worker)*int64(p.threads) + int64(a.common)) }

// item is a task, the supernodes [lo, hi), or a top node lo = hi-1.
type item struct {
	lo, hi int32
	parent int32 // item of the parent of its roots, or -1
	waits  int32 // number of items whose parent this is
	kids   []int32
	isTop  bool

	// Tasks of columns.
	pairs [2]int  // where their pairs begin and end
	cost  float64 // as while the tasks are chosen
}

// tuning holds the thresholds that tests vary.
type tuning struct {
	minTask float64 // smallest subtree worth handing to another core, in the nanoseconds of frontCost
	bigWork int     // w·ld² from which a front is computed in blocks
	minPart int     // rows from which passes of the analysis are split among threads
	layout  layoutKind
}

var defaultTuning = tuning{
	minTask: 100e3,
	bigWork: 48 << 20, // about 1 ms
	minPart: 1 << 14,
}

const (
	// tasksPerThread limits a task to this share of the work of a thread.
	tasksPerThread = 8
	// smallTops bounds, per thread, the top nodes cheaper than minTask.
	smallTops = 32
)

// divide shares the supernodes among threads.
func (st *structure) divide(threads int, tune tuning) *plan {
	nodes := st.nodes
	ns := len(nodes)
	p := &plan{threads: threads, update: make([]int, ns), vector: make([]int, ns), front: make([]int, ns),
		shared: make([]bool, ns), top: make([]bool, ns)}
	if threads > 1 {
		p.chooseTop(st, tune.minTask)
	}
	p.makeItems(st)
	copy(p.shared, p.top)
	for k := range p.tasks {
		it := &p.items[k]
		p.factor.worker = max(p.factor.worker, p.stackUp(nodes, it, p.update, updateSize))
		p.inverse.worker = max(p.inverse.worker, p.stackFronts(nodes, it))
		p.solve.worker = max(p.solve.worker, p.stackVectors(nodes, it))
	}
	p.factor.common = p.placeShared(nodes, p.update, updateSize)
	p.inverse.common = p.spreadFronts(nodes)
	p.share = threads > 1 && len(p.items) > 1
	for s := range nodes {
		p.share = p.share || threads > 1 && nodes[s].big
		if !p.top[s] {
			p.below += int(nodes[s].ld) * int(nodes[s].w)
		}
	}
	p.solve.common = p.placeShared(nodes, p.vector, vectorSize)
	return p
}

// chooseTop marks as top the supernodes whose subtree is too large for one
// task. The limit doubles until the top is cheap to schedule (a long chain of
// small supernodes is better left to one worker) and its inverse fronts, which
// live at the same time, stay below the size of the factor.
func (p *plan) chooseTop(st *structure, minTask float64) {
	nodes := st.nodes
	own, sub := make([]float64, len(nodes)), make([]float64, len(nodes))
	total := 0.0
	for s := range nodes {
		nd := &nodes[s]
		own[s] = frontCost(int(nd.w), int(nd.r))
		sub[s] += own[s]
		if nd.parent >= 0 {
			sub[nd.parent] += sub[s]
		} else {
			total += sub[s]
		}
	}
	if total < 2*minTask {
		return
	}
	for limit := max(total/float64(tasksPerThread*p.threads), minTask); limit < 2*total; limit *= 2 {
		small, size := 0, 0
		for s := range nodes {
			if sub[s] > limit {
				if own[s] < minTask {
					small++
				}
				size += frontSize(&nodes[s])
			}
		}
		if small <= smallTops*p.threads && size <= st.lsize+4<<20 {
			for s := range nodes {
				p.top[s] = sub[s] > limit
			}
			p.group(st, sub, limit)
			return
		}
	}
}

// group appends the tasks: the subtrees below the top, siblings together
// while their sum is below the limit.
func (p *plan) group(st *structure, sub []float64, limit float64) {
	nodes := st.nodes
	var cost []float64
	open := func(s int32) {
		p.items = append(p.items, item{lo: nodes[s].first, hi: s + 1, parent: nodes[s].parent})
		cost = append(cost, sub[s])
	}
	prev := int32(-1)
	for s := int32(0); int(s) < len(nodes); s++ {
		par := nodes[s].parent
		if p.top[s] || par >= 0 && !p.top[par] {
			continue
		}
		last := len(p.items) - 1
		if prev >= 0 && p.items[last].parent == par && p.items[last].hi == nodes[s].first &&
			cost[last]+sub[s] <= limit {
			p.items[last].hi = s + 1
			cost[last] += sub[s]
		} else {
			open(s)
		}
		prev = s
	}
	order := make([]int32, len(p.items))
	for i := range order {
		order[i] = int32(i)
	}
	sortByKey(order, func(i int32) int64 { return -int64(cost[i]) })
	sorted := make([]item, len(p.items))
	for k, i := range order {
		sorted[k] = p.items[i]
	}
	p.items = sorted
}

// makeItems completes the list of items and links them.
func (p *plan) makeItems(st *structure) {
	nodes := st.nodes
	if len(p.items) == 0 && len(nodes) > 0 {
		clear(p.top)
		p.items = append(p.items, item{lo: 0, hi: int32(len(nodes)), parent: -1})
	}
	p.tasks = len(p.items)
	itemOf := make(map[int32]int32)
	for s := range nodes {
		if p.top[s] {
			itemOf[int32(s)] = int32(len(p.items))
			p.items = append(p.items, item{lo: int32(s), hi: int32(s) + 1, parent: nodes[s].parent, isTop: true})
		}
	}
	for k := range p.items {
		it := &p.items[k]
		if it.parent < 0 {
			p.roots = append(p.roots, int32(k))
			continue
		}
		it.parent = itemOf[it.parent]
		up := &p.items[it.parent]
		up.waits++
		up.kids = append(up.kids, int32(k))
	}
}

// stackUp places temporaries of the given sizes that live from the forming of
// a supernode until its parent has been formed. The arena is used as two
// stacks growing towards each other, a supernode's temporary on the other side
// than its children's: these are then on top when it has been formed, and
// nothing moves. It returns the size needed. Those of the task's roots go to
// the shared arena.
func (p *plan) stackUp(nodes []node, it *item, at []int, size func(*node) int) int {
	var used [2]int
	peak := 0
	depth := sides(nodes, it)
	for s := it.lo; s < it.hi; s++ {
		nd := &nodes[s]
		side := depth[s-it.lo]
		if nd.parent >= it.hi {
			p.shared[s] = true
		} else {
			at[s] = place(&used, int(side), size(nd))
			peak = max(peak, used[0]+used[1])
		}
		for c := s - 1; c >= nd.first; c = nodes[c].first - 1 {
			used[1-side] -= pad(size(&nodes[c]))
		}
	}
	for s := it.lo; s < it.hi; s++ {
		if !p.shared[s] {
			at[s] = fromRight(at[s], peak)
		}
	}
	return peak
}

func vectorSize(nd *node) int { return kernel.Pad(int(nd.w + nd.r)) }
func frontSize(nd *node) int  { return int(nd.ld) * int(nd.w+nd.r) }

// stackVectors places the vectors of a forward solve: a front's lives from the
// time its first child adds to it until it has been added to its parent's.
// Again two stacks suffice.
func (p *plan) stackVectors(nodes []node, it *item) int {
	var used [2]int
	peak := 0
	depth := sides(nodes, it)
	put := func(s int32) {
		if !p.shared[s] {
			p.vector[s] = place(&used, int(depth[s-it.lo]), vectorSize(&nodes[s]))
			peak = max(peak, used[0]+used[1])
		}
	}
	for s := it.lo; s < it.hi; s++ {
		nd := &nodes[s]
		if nd.first == s {
			put(s)
		}
		if q := nd.parent; q >= 0 && q < it.hi && nodes[q].first == nd.first {
			put(q) // s is its first child
		}
		if !p.shared[s] {
			used[depth[s-it.lo]] -= pad(vectorSize(nd))
		}
	}
	for s := it.lo; s < it.hi; s++ {
		if !p.shared[s] {
			p.vector[s] = fromRight(p.vector[s], peak)
		}
	}
	return peak
}

// sides returns the parity of the depth of every supernode of a task.
func sides(nodes []node, it *item) []uint8 {
	d := make([]uint8, it.hi-it.lo)
	for s := it.hi - 1; s >= it.lo; s-- {
		if q := nodes[s].parent; q >= 0 && q < it.hi {
			d[s-it.lo] = 1 - d[q-it.lo]
		}
	}
	return d
}

// pad keeps large temporaries on cache lines and small ones close.
func pad(m int) int {
	if m < 64 {
		return m
	}
	return (m + 7) &^ 7
}

// place pushes size entries on a side; offsets from the right are returned
// as -1-end until the arena's size is known.
func place(used *[2]int, side, size int) int {
	at := used[side]
	used[side] += pad(size)
	if side == 1 {
		return -1 - used[1]
	}
	return at
}

func fromRight(at, size int) int {
	if at < 0 {
		return size + at + 1
	}
	return at
}

// stackFronts places the inverse's fronts of a task. Parents come before
// children, the last child first; a front is released as soon as its last
// visited child has gathered from it, so again two stacks suffice.
func (p *plan) stackFronts(nodes []node, it *item) int {
	var used [2]int
	peak := 0
	side := sides(nodes, it)
	size := func(s int32) int { return frontSize(&nodes[s]) }
	for s := it.hi - 1; s >= it.lo; s-- {
		nd := &nodes[s]
		a := int(side[s-it.lo])
		p.front[s] = place(&used, a, size(s))
		peak = max(peak, used[0]+used[1])
		if q := nd.parent; q >= 0 && q < it.hi && nodes[q].first == nd.first {
			used[1-a] -= pad(size(q)) // s is the last child visited
		}
		if nd.first == s {
			used[a] -= pad(size(s))
		}
	}
	for s := it.lo; s < it.hi; s++ {
		p.front[s] = fromRight(p.front[s], peak)
	}
	return peak
}

// placeShared places what outlives a task, at[s] for every shared supernode,
// and returns the size. Temporaries at even and odd depth have two separate
// areas: by the time a supernode is formed those of its grandchildren are dead,
// so it may use their space whatever the order of other subtrees.
func (p *plan) placeShared(nodes []node, at []int, size func(*node) int) int {
	need := make(map[int32]int) // space of a subtree in the area of its root
	kids := make(map[int32][]int32)
	for s := int32(0); int(s) < len(nodes); s++ {
		nd := &nodes[s]
		if !p.shared[s] {
			continue
		}
		below := 0
		for _, c := range kids[s] {
			for _, g := range kids[c] {
				below += need[g]
			}
		}
		need[s] = max(pad(size(nd)), below)
		if nd.parent >= 0 {
			kids[nd.parent] = append(kids[nd.parent], s)
		}
	}
	total := 0
	var assign func(s int32, base int)
	assign = func(s int32, base int) {
		at[s] = base
		for _, c := range kids[s] {
			for _, g := range kids[c] {
				assign(g, base)
				base += need[g]
			}
		}
	}
	start := func(s int32) {
		assign(s, total)
		total += need[s]
	}
	for s := range int32(len(nodes)) {
		if p.top[s] && nodes[s].parent < 0 {
			start(s)
			for _, c := range kids[s] {
				start(c)
			}
		}
	}
	return total
}

// spreadFronts gives every top front of the inverse its own place.
func (p *plan) spreadFronts(nodes []node) int {
	total := 0
	for s := range nodes {
		if p.top[s] {
			p.front[s] = total
			total += pad(frontSize(&nodes[s]))
		}
	}
	return total
}
