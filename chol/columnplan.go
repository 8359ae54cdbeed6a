package chol

// upper is a column that the last item of a plan by columns has to do with: one
// of the top (from = 0), or one of a task with rows of the top, the first of
// which is from.
type upper struct {
	k, from int32
	pairs   int // where pairs from the row from on begin
	top     bool
}

// divide splits the columns into tasks, ranges of whole subtrees, and the columns
// above these, which one worker takes. What tasks have for the columns above them
// is left to that worker, in the order of the columns: all sums are the same as
// with one task.
func (s *columns) divide(threads int, tune tuning) *plan {
	p := &plan{threads: threads, inverse: arena{common: s.inverseSize()}}
	n := len(s.perm)
	if threads > 1 {
		s.chooseTasks(p, tune.minTask)
	}
	if len(p.items) == 0 {
		p.items = []item{{lo: 0, hi: int32(n), parent: -1, pairs: [2]int{0, len(s.pairs)}}}
		p.tasks = 1
		p.below = s.inverseSize()
		return p
	}
	p.tasks = len(p.items)
	p.share = true
	last := item{parent: -1, waits: int32(p.tasks), isTop: true}
	for k := range p.items {
		p.items[k].parent = int32(p.tasks)
		last.kids = append(last.kids, int32(k))
	}
	p.items = append(p.items, last)
	return p
}

// chooseTasks appends tasks if sharing them gains.
func (s *columns) chooseTasks(p *plan, minTask float64) {
	n := len(s.perm)
	sub := make([]float64, n)
	total := 0.0
	for k := range n {
		c := s.cost(k)
		total += c
		sub[k] += c
		if q := s.parent[k]; q >= 0 {
			sub[q] += sub[k]
		}
	}
	if total < 2*minTask {
		return
	}
	top := make([]bool, n)
	for limit := max(total/float64(tasksPerThread*p.threads), minTask); limit < total; limit *= 2 {
		for k := range top {
			top[k] = sub[k] > limit
		}
		s.group(p, sub, top, limit, total)
		alone, longest := 0.0, 0.0
		for _, u := range p.upper {
			c := s.cost(int(u.k))
			alone += c
		}
		for _, it := range p.items {
			longest = max(longest, it.cost)
		}
		if alone+max(longest, (total-alone)/float64(p.threads)) <= maxShared*total {
			return
		}
		p.items, p.upper, p.below = nil, nil, 0
	}
}

// maxShared is the share of one worker's time up to which several are used.
const maxShared = 0.8

// leastRun is the share of all work below which columns between those of the top
// are counted among them.
const leastRun = 1e-3

func (s *columns) cost(k int) float64 { return simplicialCost(int(s.ptr[k+1] - s.ptr[k])) }

// group makes tasks of the ranges of columns that are not in the top.
func (s *columns) group(p *plan, sub []float64, top []bool, limit, total float64) {
	n := int32(len(top))
	pairs, at := 0, int32(0)
	skip := func(to int32) {
		for ; at < to; at++ {
			pairs += pairCount(int(s.ptr[at+1] - s.ptr[at]))
		}
	}
	for lo := int32(0); lo < n; {
		if top[lo] {
			skip(lo)
			p.upper = append(p.upper, upper{k: lo, pairs: pairs, top: true})
			lo++
			continue
		}
		// Whole subtrees up to the limit.
		hi, cost := lo, 0.0
		for root := lo; root < n && !top[root]; root++ {
			if q := s.parent[root]; q >= 0 && !top[q] {
				continue
			}
			if cost > 0 && cost+sub[root] > limit {
				break
			}
			cost += sub[root]
			hi = root + 1
		}
		if cost < leastRun*total {
			for k := lo; k < hi; k++ {
				skip(k)
				p.upper = append(p.upper, upper{k: k, pairs: pairs, top: true})
			}
			lo = hi
			continue
		}
		skip(lo)
		it := item{lo: lo, hi: hi, cost: cost}
		it.pairs[0] = pairs
		for k := lo; k < hi; k++ {
			skip(k)
			c := s.rows[s.ptr[k]:s.ptr[k+1]]
			if m := len(c); m > 0 && c[m-1] >= hi {
				from := m - 1
				for from > 0 && c[from-1] >= hi {
					from--
				}
				p.upper = append(p.upper, upper{k: k, from: int32(from), pairs: pairs + from*(2*m-from-1)/2})
			}
		}
		skip(hi)
		it.pairs[1] = pairs
		p.below += int(hi-lo) + int(s.ptr[hi]-s.ptr[lo])
		p.items = append(p.items, it)
		lo = hi
	}
}
