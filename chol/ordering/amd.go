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

// AMD returns an approximate minimum degree ordering of the graph in which node
// i is adjacent to idx[ptr[i]:ptr[i+1]] (both directions, no diagonal, no
// duplicates): perm[k] is the node to eliminate k-th.
//
// Time is near-linear in the edges on the graphs of practice, memory about
// 40 n + 4.8 len(idx) bytes, 8 n more where rows are long. The input is not modified; equal input gives equal
// output.
//
// P. R. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree
// ordering algorithm, SIAM J. Matrix Anal. Appl. 17 (1996) 886–905.
func AMD(n int, ptr []int, idx []int32, opts AMDOptions) []int32 {
	return minimumDegree(n, ptr, idx, nil, opts)
}

// minimumDegree orders with constraints: set[i] is the stage, counted from 0, of
// node i, and a stage is eliminated when all before it are. nil means one stage.
func minimumDegree(n int, ptr []int, idx []int32, set []int32, opts AMDOptions) []int32 {
	if n == 0 {
		return []int32{}
	}
	// Offsets of 32 bits halve the traffic; a larger list takes 64.
	if room(n, ptr[n]) <= math.MaxInt32 {
		return orderBy[int32](n, ptr, idx, set, opts)
	}
	return orderBy[int64](n, ptr, idx, set, opts)
}

func orderBy[P offset](n int, ptr []int, idx []int32, set []int32, opts AMDOptions) []int32 {
	q := newQuotient[P](n, ptr, idx, set, opts)
	for q.nextStage() {
		for q.done < q.until {
			q.eliminate()
		}
	}
	return q.order()
}

// denseLimit is the degree above which a row counts as dense.
func denseLimit(n int, factor float64) int32 {
	switch {
	case factor < 0:
		return int32(n)
	case factor == 0:
		factor = 10
	}
	return int32(min(float64(n), max(16, factor*math.Sqrt(float64(n)))))
}
