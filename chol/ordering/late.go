package ordering

// Where a few nodes have most of the edges, their rows would be looked through
// again for every small element that comes beside them, nearly always in vain: up
// to three fourths of the time on web graphs. A long row is brought up to date
// when elements of half its length have come; until then its degree is bounded by
// what it was, and the row is not compared with others. The factor has the same
// size within 1 %.

const (
	longRow   = 64 // variables
	lateShare = 2
)

// lateness of a long row of variables.
type lateness struct {
	missed int32 // sizes of the elements that came since it was up to date
	since  int32 // the number of elements then
}

// postpone puts p in front of the row of variable i, which keeps its first elems
// elements, and leaves its variables as they are. If it is time to bring these up
// to date, done is false and rest has those left to look at.
func (q *quotient[P]) postpone(i, p int32, row []int32, elems, size int) (rest []int32, done bool) {
	if q.late == nil {
		q.late = make([]lateness, q.n)
	}
	v, late := &q.nodes[i], &q.late[i]
	old := int(v.elems)
	rest = row[old:]
	late.missed += int32(size)
	if int(late.missed)*lateShare >= len(rest) {
		return q.catchUp(row[:elems], rest, late), false
	}
	gap := old - elems
	if gap == 0 { // then p is one of the variables
		for k, j := range rest {
			if j == p {
				rest[k] = rest[0]
				gap = 1
				break
			}
		}
		if gap == 0 {
			return rest, false
		}
	}
	copy(row[gap:], row[:elems])
	row[gap-1] = p
	v.start += P(gap - 1)
	v.length -= int32(gap - 1)
	v.elems = int32(elems + 1)
	v.degree = max(v.degree+q.nodes[p].weight, 0) // without p, whose weight is negative now
	return nil, true
}

// catchUp returns the variables of rest without those covered by elements that
// came while the row was not looked through.
func (q *quotient[P]) catchUp(elems, rest []int32, late *lateness) []int32 {
	q.stamp-- // marks of elements are not negative
	for _, e := range elems {
		x := &q.nodes[e]
		if x.elems <= late.since {
			continue
		}
		for _, j := range q.list[x.start:][:x.length] {
			q.nodes[j].mark = q.stamp
		}
	}
	late.missed, late.since = 0, int32(len(q.pivots))
	kept := rest[:0]
	for _, j := range rest {
		if q.nodes[j].mark != q.stamp {
			kept = append(kept, j)
		}
	}
	return kept
}
