package ordering

import "math/bits"

// gainQueue holds nodes in buckets by gain (Fiduccia & Mattheyses 1982), the
// greatest first. Of those in one bucket the first comes first or the last: on
// regular grids one of the two alone leads into poor separators, on irregular
// meshes the other, so that passes alternate. Where nodes are heavy a bucket is
// about a sixteenth of their mean weight wide.
type gainQueue struct {
	ends  [][2]int32 // first and last node of every bucket
	items []gainItem
	top   int // no bucket above has nodes
	count int
	fifo  bool // nodes of one bucket in the order they came
	shift uint
}

type gainItem struct{ next, prev, bucket, gain int32 } // bucket is none outside

const (
	gainBuckets = 1024
	zeroGain    = 3 * gainBuckets / 4 // losses have the greater range
)

// reset empties the queue, for nodes of g.
func (q *gainQueue) reset(g *graph) {
	if q.ends == nil {
		q.ends = make([][2]int32, gainBuckets)
		for b := range q.ends {
			q.ends[b] = [2]int32{none, none}
		}
	}
	for ; q.count > 0; q.top-- {
		for v := q.ends[q.top][0]; v != none; v = q.items[v].next {
			q.items[v].bucket = none
			q.count--
		}
		q.ends[q.top] = [2]int32{none, none}
	}
	q.top = 0
	if old := len(q.items); old < g.n {
		items := grown(q.items[:0], g.n)
		copy(items, q.items)
		for v := old; v < g.n; v++ {
			items[v].bucket = none
		}
		q.items = items
	}
	q.shift = uint(bits.Len64(uint64(g.weight) / uint64(g.n) / 16))
}

func (q *gainQueue) push(v, gain int32) {
	b := int32(min(max(zeroGain+int(gain>>(q.shift&31)), 0), gainBuckets-1))
	e := &q.ends[b]
	if q.fifo {
		q.items[v] = gainItem{none, e[1], b, gain}
		if e[1] != none {
			q.items[e[1]].next = v
		} else {
			e[0] = v
		}
		e[1] = v
	} else {
		q.items[v] = gainItem{e[0], none, b, gain}
		if e[0] != none {
			q.items[e[0]].prev = v
		} else {
			e[1] = v
		}
		e[0] = v
	}
	q.top = max(q.top, int(b))
	q.count++
}

func (q *gainQueue) remove(v int32) {
	x := &q.items[v]
	e := &q.ends[x.bucket]
	if x.prev != none {
		q.items[x.prev].next = x.next
	} else {
		e[0] = x.next
	}
	if x.next != none {
		q.items[x.next].prev = x.prev
	} else {
		e[1] = x.prev
	}
	x.bucket = none
	q.count--
}

// raise adds to the gain of v, if it is in the queue.
func (q *gainQueue) raise(v, by int32) {
	if x := &q.items[v]; x.bucket != none {
		q.remove(v)
		q.push(v, x.gain+by)
	}
}

// pop takes the first node out; there must be one.
func (q *gainQueue) pop() (v, gain int32) {
	for q.ends[q.top][0] == none {
		q.top--
	}
	v = q.ends[q.top][0]
	q.remove(v)
	return v, q.items[v].gain
}
