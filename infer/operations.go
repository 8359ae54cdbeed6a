package infer

// Operations counts floating-point multiplications and additions.
type Operations struct{ Factor, Inverse, Solve float64 }

// Operations returns the counted operations of one factorization, one selected
// inverse and one solve of every instance's matrix; Factor is Work. A sweep over
// the sites takes one of each.
func (ev *Evaluator) Operations() Operations {
	var sum Operations
	for j := range ev.d.Instances {
		st := ev.shared
		if st == nil {
			st = ev.structures[j]
		}
		if st != nil && st.part != nil {
			f := st.part.Forecast()
			sum.Factor += f.FactorFlops
			sum.Inverse += f.InverseFlops
			sum.Solve += f.SolveFlops
			continue
		}
		if st != nil && st.sym != nil {
			f := st.sym.Forecast()
			sum.Factor += f.Flops
			sum.Inverse += f.InverseFlops
			sum.Solve += 4 * float64(f.NNZL)
			continue
		}
		n := float64(ev.d.Instances[j].N())
		sum.Factor += n * n * n / 3
		sum.Inverse += 2 * n * n * n / 3
		sum.Solve += 2 * n * n
	}
	return sum
}
