package ordering

import "math"

// eliminate turns the variable of least degree into an element and updates the
// degrees of its neighbours (Amestoy, Davis & Duff 1996, algorithm 2).
func (q *quotient[P]) eliminate() {
	nodes := q.nodes
	d := q.minimum
	for q.head[d] == none {
		d++
	}
	q.minimum = d
	p := q.head[d]
	v := &nodes[p]
	q.head[d] = v.next
	if v.next != none {
		nodes[v.next].prev = none
	}
	wp := v.weight
	v.weight = -wp
	q.done += int(wp)

	lo, hi, size := q.form(p)
	q.pivots = append(q.pivots, p)
	v.mark = 1
	q.outside(lo, hi)
	gone, size := q.update(p, lo, hi, size)
	q.done += int(gone)
	// Marks of this pivot are below tag + its widest element.
	q.widest = max(q.widest, size+gone)
	q.advance(q.widest)
	q.merge(lo, hi)
	to := q.settle(lo, hi, size)

	v.weight, v.prev = 0, wp+gone // rows that are late may still list p: it counts for nothing
	v.start, v.length, v.elems = P(lo), int32(to-lo), int32(len(q.pivots))
	v.degree = size
	if to == lo {
		v.mark = 0
	}
	if hi == q.free {
		q.free = to
	}
}

// advance moves the tag past all marks, starting again where it would overflow.
func (q *quotient[P]) advance(by int32) {
	if q.tag < math.MaxInt32-by-int32(q.n) {
		q.tag += by
		return
	}
	for i := range q.nodes {
		if v := &q.nodes[i]; v.mark != 0 {
			v.mark = 1
		}
	}
	q.tag = 2
}

// form gathers the variables adjacent to p, directly or through an element, into
// list[lo:hi], negates their weights, and absorbs the elements. size is the
// weight found. Without elements it works in place.
func (q *quotient[P]) form(p int32) (lo, hi int, size int32) {
	nodes := q.nodes
	v := &nodes[p]
	if v.elems == 0 {
		lo = int(v.start)
		hi, size = q.gather(lo, lo, int(v.length), 0)
		return lo, hi, size
	}
	need := int(v.length - v.elems)
	for _, e := range q.list[v.start:][:v.elems] {
		need += int(nodes[e].length)
	}
	q.reserve(min(need, q.total-q.done))
	s := int(v.start)
	lo = q.free
	hi = lo
	for _, e := range q.list[s:][:v.elems] {
		w := &nodes[e]
		hi, size = q.gather(hi, int(w.start), int(w.length), size)
		w.start, w.mark = P(^p), 0
	}
	hi, size = q.gather(hi, s+int(v.elems), int(v.length-v.elems), size)
	q.free = hi
	return lo, hi, size
}

// gather moves the live variables of list[from:from+n] that are not yet in the
// pivot's element to list[to:].
func (q *quotient[P]) gather(to, from, n int, size int32) (int, int32) {
	nodes, list := q.nodes, q.list
	for k := from; k < from+n; k++ {
		i := list[k]
		v := &nodes[i]
		w := v.weight
		if w <= 0 {
			continue
		}
		v.weight = -w
		size += w
		list[to] = i
		to++
		// Out of its bucket.
		if q.staged && q.set[i] != q.stage {
			continue
		}
		if v.next != none {
			nodes[v.next].prev = v.prev
		}
		if v.prev != none {
			nodes[v.prev].next = v.next
		} else {
			q.head[v.degree] = v.next
		}
	}
	return to, size
}

// outside sets mark[e] − tag to |Le \ Lp| for every element e that shares a
// variable with Lp.
func (q *quotient[P]) outside(lo, hi int) {
	nodes, list, tag := q.nodes, q.list, q.tag
	for _, i := range list[lo:hi] {
		v := &nodes[i]
		if v.elems == 0 {
			continue
		}
		w := v.weight // negative
		for _, e := range list[v.start:][:v.elems] {
			x := &nodes[e]
			m, first := x.mark, x.degree+tag
			if m == 0 {
				continue
			}
			if m < tag {
				m = first
			}
			x.mark = m + w
		}
	}
}

// update rewrites the lists of Lp's variables, with p in the place of all that
// it covers, bounds their degree outside Lp and hashes their lists. Variables
// with nothing outside are eliminated with p (mass elimination). It returns the
// weight of those and what is left of |Lp|.
func (q *quotient[P]) update(p int32, lo, hi int, size int32) (gone, left int32) {
	nodes, list, table := q.nodes, q.list, q.table
	for _, i := range list[lo:hi] {
		v := &nodes[i]
		row := list[v.start:][:v.length]
		elems, degree, hash := q.covers(p, row[:v.elems])
		kept := elems
		rest := row[v.elems:]
		if len(rest) >= longRow {
			done := false
			if rest, done = q.postpone(i, p, row, elems, hi-lo); done {
				continue
			}
		}
		if len(rest) > 0 {
			w, h := int64(0), uint32(0)
			kept, w, h = prune(row, kept, rest, nodes)
			degree += w
			hash += h
		}
		if kept == 0 && (!q.staged || q.set[i] == q.stage) {
			w := -v.weight
			v.start, v.weight, v.elems = P(^p), 0, 0
			gone += w
			continue
		}
		v.degree = int32(min(int64(v.degree), degree))
		// At least one entry went, p or an element that p absorbed, which
		// leaves room for p in front.
		row[kept] = row[elems]
		row[elems] = row[0]
		row[0] = p
		v.elems = int32(elems + 1)
		v.length = int32(kept + 1)
		if q.staged {
			hash += uint32(q.set[i])
		}
		hash *= 0x9E3779B1
		v.prev = int32(hash)
		b := &table[hash>>(q.shift&31)]
		v.next = *b
		*b = i
	}
	return gone, size - gone
}

// covers keeps the elements of row that reach outside Lp; those inside are
// absorbed by p. It returns how many are left, the sum of |Le \ Lp| and a hash.
// Like prune it is not inlined: in one function with the loop around them, these
// loops have too few registers.
//
//go:noinline
func (q *quotient[P]) covers(p int32, row []int32) (kept int, degree int64, hash uint32) {
	nodes, tag := q.nodes, q.tag
	for _, e := range row {
		x := &nodes[e]
		m := x.mark
		if m == 0 {
			continue
		}
		if m == tag && q.aggressive { // Le lies inside Lp
			x.start, x.mark = P(^p), 0
			continue
		}
		degree += int64(m - tag)
		hash += uint32(e)
		row[kept] = e
		kept++
	}
	return kept, degree, hash
}

// prune moves the variables of rest that are alive and outside the pivot's
// element to row[to:], which may overlap them in front. It returns the end, their
// weight and their hash.
//
//go:noinline
func prune[P offset](row []int32, to int, rest []int32, nodes []node[P]) (end int, degree int64, hash uint32) {
	for _, j := range rest {
		// Whether j stays is anyone's guess: keep is −1 or 0, no branch.
		w := nodes[j].weight
		keep := -w >> 31
		degree += int64(w & keep)
		hash += uint32(j & keep)
		row[to] = j
		to -= int(keep)
	}
	return to, degree, hash
}

// merge joins variables of Lp with equal lists into supervariables.
func (q *quotient[P]) merge(lo, hi int) {
	nodes, list := q.nodes, q.list
	for _, k := range list[lo:hi] {
		v := &nodes[k]
		if v.weight == 0 {
			continue
		}
		b := uint32(v.prev) >> q.shift
		i := q.table[b]
		if i == none {
			continue
		}
		q.table[b] = none
		for ; i != none && nodes[i].next != none; i = nodes[i].next {
			v := &nodes[i]
			marked := false
			last := v
			for j := v.next; j != none; {
				x := &nodes[j]
				if x.prev != v.prev || x.length != v.length || x.elems != v.elems || q.staged && q.set[i] != q.set[j] {
					last, j = x, x.next
					continue
				}
				if !marked {
					marked = true
					for _, e := range list[v.start:][1:v.length] {
						nodes[e].mark = q.tag
					}
				}
				equal := true
				for _, e := range list[x.start:][1:x.length] {
					if nodes[e].mark != q.tag {
						equal = false
						break
					}
				}
				if !equal {
					last, j = x, x.next
					continue
				}
				x.start = P(^i)
				v.weight += x.weight // both negative
				x.weight, x.elems = 0, 0
				j = x.next
				last.next = j
			}
			if marked {
				q.advance(1)
			}
		}
	}
}

// settle gives the variables left in Lp their degree bounds and puts them back
// into the buckets. It returns the new end of Lp.
func (q *quotient[P]) settle(lo, hi int, size int32) int {
	nodes, list := q.nodes, q.list
	left := int32(q.total - q.done)
	to := lo
	for _, i := range list[lo:hi] {
		v := &nodes[i]
		w := -v.weight
		if w <= 0 {
			continue
		}
		v.weight = w
		d := min(v.degree+size-w, left-w)
		v.degree = d
		list[to] = i
		to++
		if q.staged && q.set[i] != q.stage {
			continue
		}
		q.push(i, d)
	}
	return to
}
