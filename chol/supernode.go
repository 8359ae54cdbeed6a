package chol

// fundamental splits the columns of a postordered factor into fundamental
// supernodes: maximal runs of columns of one structure, each the only child
// of the next (Liu, Ng & Peyton 1993, SIAM J. Matrix Anal. Appl. 14:242). It
// returns their first columns (with n at the end) and their tree.
func fundamental(parent, count []int32) (start, sparent []int32) {
	n := len(parent)
	kids := make([]int32, n)
	for _, p := range parent {
		if p >= 0 {
			kids[p]++
		}
	}
	of := make([]int32, n)
	for j := range n {
		if j == 0 || int(parent[j-1]) != j || count[j] != count[j-1]-1 || kids[j] != 1 {
			start = append(start, int32(j))
		}
		of[j] = int32(len(start) - 1)
	}
	sparent = make([]int32, len(start))
	start = append(start, int32(n))
	for s := range sparent {
		sparent[s] = -1
		if p := parent[start[s+1]-1]; p >= 0 {
			sparent[s] = of[p]
		}
	}
	return start, sparent
}

// frontCost models the time of one front of w pivot columns over r further
// rows in nanoseconds: the fixed cost, moving the panel, forming, adding and
// updating the r×r block, and the triangular part. Only its comparisons
// matter: amalgamation, subtree tasks.
func frontCost(w, r int) float64 {
	fw, fr := float64(w), float64(r)
	return costNode + costPanel*fw*(fw+fr) + fr*fr*(costUpdate+costFlop*fw) +
		fw*fw*(costTrsm*fr+costPotrf*fw)
}

// Calibrated on an AVX-512 core (ns): per front, per panel entry, per entry
// of the update, per multiply-add, per multiply-add of triangular kernels.
const (
	costNode   = 250
	costPanel  = 0.25
	costUpdate = 0.3
	costFlop   = 0.012
	costTrsm   = 0.025
	costPotrf  = 0.025
)

// entries returns the stored entries of a trapezoid of w columns, the first
// of length w+r.
func entries(w, r int) int64 { return int64(w)*int64(r) + int64(w)*int64(w+1)/2 }

// maxZeros bounds the explicit zeros of an amalgamated panel as a share of
// its entries: generous where a panel is so narrow that the cost per front
// dominates, small where memory and flops do.
func maxZeros(w int) float64 {
	switch {
	case w <= 8:
		return 0.7
	case w <= 16:
		return 0.5
	case w <= 32:
		return 0.3
	case w <= 64:
		return 0.2
	}
	return 0.08
}

// front is a supernode while the tree is being shaped.
type front struct {
	w, r  int32
	into  int32 // the front that absorbed this one, or itself
	zeros int64 // explicit zeros in its panel
}

// amalgamate merges children into parents where the cost model gains and the
// added zeros stay bounded (Ashcraft & Grimes 1989, ACM TOMS 15:291, here for
// any child, not only the last one). A merged front has the rows of the
// parent.
func amalgamate(start, sparent, count []int32) []front {
	ns := len(sparent)
	fronts := make([]front, ns)
	for s := range fronts {
		w := start[s+1] - start[s]
		fronts[s] = front{w: w, r: count[start[s]] - w, into: int32(s)}
	}
	head, next := childLists(sparent)
	var kids []int32
	for s := range ns {
		kids = kids[:0]
		for c := head[s]; c >= 0; c = next[c] {
			kids = append(kids, c)
		}
		if len(kids) == 0 {
			continue
		}
		p := &fronts[s]
		// Fewest new zeros a column first; ties in tree order.
		sortByKey(kids, func(c int32) int64 { return -int64(fronts[c].r) })
		cost := frontCost(int(p.w), int(p.r))
		for _, c := range kids {
			k := &fronts[c]
			w, r := int(p.w+k.w), int(p.r)
			total := entries(w, r)
			zeros := p.zeros + k.zeros + total - entries(int(p.w), r) - entries(int(k.w), int(k.r))
			if float64(zeros) > maxZeros(w)*float64(total) {
				continue
			}
			merged := frontCost(w, r)
			if merged > cost+frontCost(int(k.w), int(k.r)) {
				continue
			}
			k.into = int32(s)
			p.w, p.zeros, cost = int32(w), zeros, merged
		}
	}
	for s := ns - 1; s >= 0; s-- { // absorbing fronts come later: resolve downwards
		if t := fronts[s].into; int(t) != s {
			fronts[s].into = fronts[t].into
		}
	}
	return fronts
}

// supertree is the final shape of the factor.
type supertree struct {
	start  []int32 // first column of every supernode, n at the end
	parent []int32
	r      []int32 // rows below the pivot block
	order  []int32 // order[k]: column of the input numbering that is now k-th
	zeros  int64   // explicit zeros stored, all panels
}

// stored returns the entries of all panels, padding aside.
func (t *supertree) stored() int64 {
	total := int64(0)
	for s, r := range t.r {
		w := int64(t.start[s+1] - t.start[s])
		total += w * (w + int64(r))
	}
	return total
}

// arrange numbers the amalgamated fronts in a postorder whose children are
// sorted to keep the stack of update matrices small (Liu 1986, ACM TOMS
// 12:249: by decreasing peak minus remainder), and their columns with them.
func arrange(start, sparent []int32, fronts []front) *supertree {
	ns, n := len(fronts), int(start[len(start)-1])
	// The tree of the remaining fronts, in the old numbering.
	parent := make([]int32, ns)
	members := make([]int32, ns+2) // then prefix sums
	kept := 0
	for s := range fronts {
		parent[s] = -2 // absorbed
		if int(fronts[s].into) == s {
			kept++
			parent[s] = -1
			if p := sparent[s]; p >= 0 {
				parent[s] = fronts[p].into
			}
		}
		members[fronts[s].into+2]++
	}
	for s := range ns {
		members[s+2] += members[s+1]
	}
	list := make([]int32, ns) // members of every front, in the old order
	for s := range fronts {
		f := fronts[s].into
		list[members[f+1]] = int32(s)
		members[f+1]++
	}

	head, next := make([]int32, ns+1), make([]int32, ns)
	for i := range head {
		head[i] = -1
	}
	for c := ns - 1; c >= 0; c-- {
		if parent[c] == -2 {
			continue
		}
		p := parent[c]
		if p < 0 {
			p = int32(ns)
		}
		next[c] = head[p]
		head[p] = int32(c)
	}
	peak := make([]int64, ns)
	size := func(s int32) int64 { return int64(fronts[s].r) * int64(fronts[s].r) }
	var kids []int32
	for s := range ns {
		if parent[s] == -2 {
			continue
		}
		kids = kids[:0]
		for c := head[s]; c >= 0; c = next[c] {
			kids = append(kids, c)
		}
		if len(kids) > 1 {
			sortByKey(kids, func(c int32) int64 { return size(c) - peak[c] })
			link := &head[s]
			for _, c := range kids {
				*link = c
				link = &next[c]
			}
			*link = -1
		}
		var held, most int64
		for _, c := range kids {
			most = max(most, held+peak[c])
			held += size(c)
		}
		peak[s] = max(most, held+size(int32(s)))
	}

	t := &supertree{
		start:  make([]int32, 0, kept+1),
		parent: make([]int32, kept),
		r:      make([]int32, kept),
		order:  make([]int32, 0, n),
	}
	number := make([]int32, ns)
	post := postorder(head, next)
	for k, s := range post {
		number[s] = int32(k)
		t.r[k] = fronts[s].r
		t.zeros += fronts[s].zeros
		t.start = append(t.start, int32(len(t.order)))
		for _, m := range list[members[s]:members[s+1]] {
			for j := start[m]; j < start[m+1]; j++ {
				t.order = append(t.order, j)
			}
		}
	}
	t.start = append(t.start, int32(n))
	for k, s := range post {
		t.parent[k] = -1
		if p := parent[s]; p >= 0 {
			t.parent[k] = number[p]
		}
	}
	return t
}
