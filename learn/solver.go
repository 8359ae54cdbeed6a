package learn

import "github.com/gcrfbc/gcrfbc"

// solver says how the largest graph was factorized, and how well the last
// objective is known; nil where all graphs are small and dense.
func (o *objective) solver() *gcrfbc.FitSolver {
	r, ok := o.ev.Solver()
	if !ok {
		return nil
	}
	return &gcrfbc.FitSolver{
		Kind: string(r.Kind), Ordering: r.Ordering, Cmax: r.Cmax, Core: r.Core,
		Quality: r.Quality, ObjectiveSE: o.sites.ValueErr,
	}
}
