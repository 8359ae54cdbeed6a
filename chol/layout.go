package chol

// layout is how factors of one analysis are held and computed: by supernodes
// (structure) or by single columns (columns).
type layout interface {
	// divide shares the work among threads.
	divide(threads int, tune tuning) *plan

	// measure completes the forecast.
	measure(f *Forecast, p *plan)

	// size is the length of a factor's values.
	size() int

	// inverseSize is the length of an inverse on the pattern of L, find the
	// place of an entry in it, by the numbers of elimination, row ≥ col.
	inverseSize() int
	find(row, col int32) (at int, ok bool)

	// place returns the number of elimination of a caller's row.
	place(row int32) int32

	// factorJob and inverseJob prepare jobs in the storage of c.
	factorJob(c *crew, f *Factor, values []float64) job
	inverseJob(c *crew, want wanted) job

	// solveBlock solves nb right-hand sides.
	solveBlock(c *crew, f *Factor, dst, rhs []float64, nb int, mode solveMode)
}

// wanted is which entries of the inverse of a factor to write: those on the
// pattern of A, the diagonal in the caller's order, or all on the pattern of L.
type wanted struct {
	f        *Factor
	entries  []float64
	diag     []float64
	onFactor []float64
}

// layoutKind names the layouts.
type layoutKind uint8

const (
	layoutAuto layoutKind = iota
	layoutSupernodal
	layoutSimplicial
)

// simplicialCost models the time of column k of r rows below the diagonal in the
// factorization by columns, in the nanoseconds of frontCost.
func simplicialCost(r int) float64 {
	return costColumn + costBelow*float64(r) + costPair*float64(r)*float64(r-1)/2
}

// Calibrated on the processor of frontCost (ns): per column, per entry below the
// diagonal, whose branches are often predicted wrongly, per pair of these, which is
// one multiply-add through an index.
const (
	costColumn = 2
	costBelow  = 10
	costPair   = 1.1

	// leastFrontCost is the time per column that fronts take at least, most
	// what columns may take for any comparison to be worth while.
	leastFrontCost = 30
	mostColumnCost = 200
)

// simplicial decides whether a factor whose columns have count entries is
// computed by columns, and otherwise returns the fronts. Where the columns are
// short, most of a front's time is its fixed cost and explicit zeros; where they
// are long, fronts do many operations at the speed of one indexed one.
func (t *tuning) simplicial(o *order) (yes bool, start, sparent []int32, fronts []front) {
	n := float64(len(o.count))
	cost, nnz, pairs := 0.0, int64(0), int64(0)
	for _, c := range o.count {
		r := int64(c) - 1
		cost += simplicialCost(int(r))
		nnz += r
		pairs += r * (r - 1) / 2
	}
	fits := nnz < maxColumnIndex && pairs < maxColumnIndex
	switch {
	case !fits || t.layout == layoutSupernodal:
		cost = -1
	case t.layout == layoutSimplicial || cost <= leastFrontCost*n:
		return true, nil, nil, nil
	}
	start, sparent = fundamental(o.parent, o.count)
	fronts = amalgamate(start, sparent, o.count)
	if cost < 0 || cost > mostColumnCost*n {
		return false, start, sparent, fronts
	}
	other := 0.0
	for s := range fronts {
		if f := &fronts[s]; int(f.into) == s {
			other += frontCost(int(f.w), int(f.r))
		}
	}
	return cost < other, start, sparent, fronts
}
