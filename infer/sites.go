package infer

import (
	"fmt"

	"github.com/gcrfbc/gcrfbc"
)

// Sites is what an [Evaluator] keeps between evaluations: where the sites of
// every instance were left. An evaluation is a function of its parameters and
// of this alone, to the bit.
type Sites struct {
	A, B   []float64 // of all instances, one after another; empty if never used
	Warm   []bool    // one an instance
	Blocks []float64 // of the small instances, block after block
	Lanes  []bool
}

// SitesTo copies the sites to dst, reusing its memory.
func (ev *Evaluator) SitesTo(dst *Sites) {
	dst.A, dst.B, dst.Warm = dst.A[:0], dst.B[:0], dst.Warm[:0]
	for j := range ev.states {
		st := &ev.states[j]
		dst.A, dst.B = append(dst.A, st.a...), append(dst.B, st.b...)
		dst.Warm = append(dst.Warm, st.warm)
	}
	dst.Blocks, dst.Lanes = dst.Blocks[:0], dst.Lanes[:0]
	if ev.batch == nil {
		return
	}
	for k := range ev.batch.blocks {
		b := &ev.batch.blocks[k]
		dst.Blocks = append(append(dst.Blocks, b.a...), b.b...)
		dst.Lanes = append(dst.Lanes, b.warm[:]...)
	}
}

// SetSites makes the next evaluation start from sites that SitesTo copied, from
// an Evaluator of the same dataset and options. Sites of another shape are a
// *gcrfbc.DataError.
func (ev *Evaluator) SetSites(s *Sites) error {
	blocks, lanes := 0, 0
	if ev.batch != nil {
		for k := range ev.batch.blocks {
			b := &ev.batch.blocks[k]
			blocks += len(b.a) + len(b.b)
			lanes += len(b.warm)
		}
	}
	total := ev.start[len(ev.states)]
	if len(s.Warm) != len(ev.states) || len(s.A) != len(s.B) || len(s.A) != 0 && len(s.A) != total || len(s.Blocks) != blocks || len(s.Lanes) != lanes {
		return &gcrfbc.DataError{Instance: -1, Node: -1, Msg: fmt.Sprintf("sites of %d instances, %d and %d entries, do not fit %d instances with %d nodes",
			len(s.Warm), len(s.A), len(s.Blocks), len(ev.states), total)}
	}
	if len(s.A) > 0 {
		ev.state(0) // memory for all
	}
	for j := range ev.states {
		st := &ev.states[j]
		st.warm = s.Warm[j] && len(s.A) > 0
		if len(s.A) > 0 {
			copy(st.a, s.A[ev.start[j]:])
			copy(st.b, s.B[ev.start[j]:])
		}
	}
	if ev.batch == nil {
		return nil
	}
	a, w := s.Blocks, s.Lanes
	for k := range ev.batch.blocks {
		b := &ev.batch.blocks[k]
		a = a[copy(b.a, a):]
		a = a[copy(b.b, a):]
		w = w[copy(b.warm[:], w):]
	}
	return nil
}

// ResetSites makes the next evaluation start as the first one did.
func (ev *Evaluator) ResetSites() {
	for j := range ev.states {
		ev.states[j].warm = false
	}
	if ev.batch == nil {
		return
	}
	for k := range ev.batch.blocks {
		clear(ev.batch.blocks[k].warm[:])
	}
}
