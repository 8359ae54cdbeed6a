package chol

import "github.com/gcrfbc/gcrfbc/internal/dense"

// NewFactorForInverse allocates a factor whose factorizations do part of the
// selected inverse as well, the forward part that depends on L alone: L11⁻¹ and
// L21 L11⁻¹ of every front, taken while it is in the cache. Results have the same
// bits as those of NewFactor. It takes Forecast().ForwardBytes more, about as much
// as the factor, which Options.MaxBytes does not count. Fronts computed in blocks and simplicial factors, which have no
// forward part apart, are as ever.
//
// An inverse is up to a twentieth shorter, and a factorization hardly longer in
// three dimensions and by up to a half where fronts are small: for inverses that
// must follow soon on a factorization which can wait. gcrfbc-bench solver --forward
// measures both.
func (s *Symbolic) NewFactorForInverse() *Factor {
	f := s.NewFactor()
	if st, ok := s.layout.(*structure); ok {
		f.forwardAt = st.forwardAt()
		f.forward = make([]float64, f.forwardAt[len(st.nodes)])
	}
	return f
}

// forwardAt returns where the forward part of every front begins, and the end.
func (st *structure) forwardAt() []int {
	st.forwardOnce.Do(func() {
		at := make([]int, len(st.nodes)+1)
		for s := range st.nodes {
			nd := &st.nodes[s]
			at[s+1] = at[s] + nd.forwardLen()
		}
		st.forward = at
	})
	return st.forward
}

func (nd *node) forwardLen() int {
	if nd.big {
		return 0
	}
	return dense.ForwardLen(int(nd.w+nd.r), int(nd.w))
}

// forwardOf returns the forward part of s, which is empty if it is not kept.
func (f *Factor) forwardOf(s int32) []float64 {
	if f.forward == nil {
		return nil
	}
	return f.forward[f.forwardAt[s]:f.forwardAt[s+1]]
}
