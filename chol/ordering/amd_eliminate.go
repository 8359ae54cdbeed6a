package ordering

// push puts variable i into the bucket of degree d.
func (q *quotient) push(i, d int32) {
	h := q.head[d]
	q.next[i], q.prev[i] = h, none
	if h != none {
		q.prev[h] = i
	}
	q.head[d] = i
	if d < q.minimum {
		q.minimum = d
	}
}

// remove takes variable i out of its bucket.
func (q *quotient) remove(i int32) {
	a, b := q.prev[i], q.next[i]
	if b != none {
		q.prev[b] = a
	}
	if a != none {
		q.next[a] = b
	} else {
		q.head[q.degree[i]] = b
	}
}

// eliminate makes the variable of least degree an element and updates the
// degrees of its neighbours.
func (q *quotient) eliminate() {
	for q.head[q.minimum] == none {
		q.minimum++
	}
	p := q.head[q.minimum]
	q.remove(p)
	wp := q.weight[p]
	q.weight[p] = -wp
	q.done += int(wp)

	lo, hi, size := q.form(p)
	q.stage[p] = int32(len(q.pivots))
	q.pivots = append(q.pivots, p)
	q.mark[p] = 1
	q.scan(lo, hi)
	size = q.update(p, lo, hi, size)
	q.merge(lo, hi)

	// The element keeps the variables that are still there, now with their
	// final degrees.
	left := int32(q.n - q.dense - q.done)
	to := lo
	for k := lo; k < hi; k++ {
		i := q.list[k]
		w := -q.weight[i]
		if w <= 0 {
			continue
		}
		q.weight[i] = w
		d := min(q.degree[i]+size-w, left-w)
		q.degree[i] = d
		q.push(i, d)
		q.list[to] = i
		to++
	}
	q.weight[p] = wp
	q.start[p], q.length[p] = lo, int32(to-lo)
	q.degree[p] = size
	if to == lo {
		q.mark[p] = 0
	}
	if hi == q.free {
		q.free = to
	}
}

// form gathers the variables next to p, directly or through an element, into
// list[lo:hi], with their weights negated, and absorbs the elements. size is
// their total weight.
func (q *quotient) form(p int32) (lo, hi int, size int32) {
	add := func(i int32) {
		if w := q.weight[i]; w > 0 {
			q.remove(i)
			q.weight[i] = -w
			size += w
			q.list[hi] = i
			hi++
		}
	}
	if q.nelem[p] == 0 {
		lo = q.start[p]
		hi = lo
		for k, end := lo, lo+int(q.length[p]); k < end; k++ {
			add(q.list[k])
		}
		return lo, hi, size
	}
	need := int(q.length[p])
	s := q.start[p]
	for _, e := range q.list[s : s+int(q.nelem[p])] {
		need += int(q.length[e])
	}
	q.reserve(min(need, q.n))
	s = q.start[p]
	lo = q.free
	hi = lo
	for k := s; k < s+int(q.nelem[p]); k++ {
		e := q.list[k]
		t := q.start[e]
		for _, i := range q.list[t : t+int(q.length[e])] {
			add(i)
		}
		q.parent[e] = p
		q.mark[e] = 0
	}
	for k := s + int(q.nelem[p]); k < s+int(q.length[p]); k++ {
		add(q.list[k])
	}
	q.free = hi
	return lo, hi, size
}

// scan sets mark[e] − tag to |Le \ Lp| for every element e that shares a
// variable with Lp.
func (q *quotient) scan(lo, hi int) {
	for _, i := range q.list[lo:hi] {
		w := int64(q.weight[i]) // negative
		s := q.start[i]
		for _, e := range q.list[s : s+int(q.nelem[i])] {
			switch m := q.mark[e]; {
			case m >= q.tag:
				q.mark[e] = m + w
			case m != 0:
				q.mark[e] = int64(q.degree[e]) + q.tag + w
			}
		}
	}
}

// update rewrites the lists of the variables of Lp with p in the place of what
// it covers, bounds their degrees outside Lp, and hashes the lists. Variables
// with nothing outside are eliminated with p. It returns what is left of |Lp|.
func (q *quotient) update(p int32, lo, hi int, size int32) int32 {
	for _, i := range q.list[lo:hi] {
		s := q.start[i]
		end := s + int(q.length[i])
		mid := s + int(q.nelem[i])
		to := s
		degree := int64(0)
		hash := uint32(0)
		for k := s; k < mid; k++ {
			e := q.list[k]
			m := q.mark[e]
			if m == 0 {
				continue
			}
			if d := m - q.tag; d > 0 || !q.aggressive {
				degree += d
				hash += uint32(e)
				q.list[to] = e
				to++
			} else { // Le lies inside Lp
				q.parent[e] = p
				q.mark[e] = 0
			}
		}
		v := to
		for k := mid; k < end; k++ {
			j := q.list[k]
			if w := q.weight[j]; w > 0 {
				degree += int64(w)
				hash += uint32(j)
				q.list[to] = j
				to++
			}
		}
		if to == s {
			w := -q.weight[i]
			q.parent[i] = p
			q.weight[i] = 0
			size -= w
			q.done += int(w)
			continue
		}
		q.degree[i] = int32(min(int64(q.degree[i]), degree))
		// At least one entry is gone, so there is room for p in front.
		q.list[to] = q.list[v]
		q.list[v] = q.list[s]
		q.list[s] = p
		q.nelem[i] = int32(v - s + 1)
		q.length[i] = int32(to - s + 1)
		b := hash % uint32(q.n)
		if q.hashHead[b] == none {
			q.touched = append(q.touched, int32(b))
		}
		q.hash[i] = int32(b)
		q.next[i] = q.hashHead[b]
		q.hashHead[b] = i
	}
	q.tag += int64(q.n) + 1
	return size
}

// merge joins variables of Lp with equal lists into supervariables.
func (q *quotient) merge(lo, hi int) {
	for _, b := range q.touched {
		i := q.hashHead[b]
		q.hashHead[b] = none
		for ; i != none && q.next[i] != none; i = q.next[i] {
			s, n := q.start[i], int(q.length[i])
			for _, x := range q.list[s+1 : s+n] {
				q.mark[x] = q.tag
			}
			last := i
			for j := q.next[i]; j != none; j = q.next[j] {
				if q.same(i, j) {
					q.parent[j] = i
					q.weight[i] += q.weight[j] // both negative
					q.weight[j] = 0
					q.next[last] = q.next[j]
				} else {
					last = j
				}
			}
			q.tag++
		}
	}
	q.touched = q.touched[:0]
}

// same reports whether j's list is i's, whose entries carry the tag.
func (q *quotient) same(i, j int32) bool {
	if q.length[i] != q.length[j] || q.nelem[i] != q.nelem[j] {
		return false
	}
	s := q.start[j]
	for _, x := range q.list[s+1 : s+int(q.length[j])] {
		if q.mark[x] != q.tag {
			return false
		}
	}
	return true
}

// reserve makes room for need more entries at the end of list, by closing its
// gaps or, should that not do, by growing it.
func (q *quotient) reserve(need int) {
	if q.free+need <= len(q.list) {
		return
	}
	// The first entry of every live list names its owner while the list is
	// swept; hash keeps the entry.
	for i := range q.start {
		live := q.weight[i] != 0
		if q.stage[i] >= 0 {
			live = q.mark[i] != 0
		}
		if live && q.length[i] > 0 {
			q.hash[i] = q.list[q.start[i]]
			q.list[q.start[i]] = ^int32(i)
		}
	}
	to := 0
	for k := 0; k < q.free; {
		i := q.list[k]
		if i >= 0 {
			k++
			continue
		}
		i = ^i
		n := int(q.length[i])
		q.start[i] = to
		copy(q.list[to:to+n], q.list[k:k+n])
		q.list[to] = q.hash[i]
		to += n
		k += n
	}
	q.free = to
	if to+need > len(q.list) {
		grown := make([]int32, to+2*need)
		copy(grown, q.list[:to])
		q.list = grown
	}
}

// order lists the pivots in the order of elimination, each followed by the
// nodes absorbed into it, and the dense rows last.
func (q *quotient) order() []int32 {
	at := make([]int32, len(q.pivots)+1)
	owner := q.hash
	for i := range owner {
		r := int32(i)
		for q.stage[r] < 0 && q.parent[r] != none {
			r = q.parent[r]
		}
		owner[i] = q.stage[r] // −1 for dense rows
		for x := int32(i); q.stage[x] < 0 && q.parent[x] != none && q.parent[x] != r; {
			q.parent[x], x = r, q.parent[x]
		}
		if owner[i] >= 0 {
			at[owner[i]+1]++
		}
	}
	for k := range len(q.pivots) {
		at[k+1] += at[k]
	}
	perm := make([]int32, q.n)
	for k, p := range q.pivots {
		perm[at[k]] = p
		at[k]++
	}
	for i, k := range owner {
		if k >= 0 && q.pivots[k] != int32(i) {
			perm[at[k]] = int32(i)
			at[k]++
		}
	}
	copy(perm[q.n-q.dense:], q.densed)
	return perm
}
