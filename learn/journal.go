package learn

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"slices"
	"time"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/infer"
)

// journal records every evaluation of a fit. A fit is a function of its data
// and options, so replaying what was recorded brings a resumed fit, whatever the
// method and wherever it stood, line searches included, to the point where the
// last one was interrupted; with the sites restored it continues to the same
// bits.
type journal struct {
	state    State
	next     int // entry of the next evaluation
	replay   int // entries that were read from a checkpoint
	save     func(*State) error
	interval time.Duration
	saved    time.Time
	behind   bool  // something was recorded since
	err      error // of the last attempt to save
}

// entry is one evaluation.
type entry struct {
	X, Grad        []float64
	F              float64
	Infeasible     bool
	Sites          infer.SiteReport
	Factorizations int
}

// defaultInterval is the time between checkpoints.
const defaultInterval = time.Minute

// newJournal prepares for recording, and for replaying opts.Resume.
func newJournal(d *gcrfbc.Dataset, opts *Options) (*journal, error) {
	j := &journal{save: opts.Checkpoint, interval: opts.CheckpointInterval, saved: time.Now()}
	if j.interval == 0 {
		j.interval = defaultInterval
	}
	j.state.fingerprint = fingerprint(d, opts)
	if s := opts.Resume; s != nil {
		if s.fingerprint != j.state.fingerprint {
			return nil, &StateError{Msg: "belongs to a fit of other data or with other options; give those of the interrupted fit, or start again without it"}
		}
		j.state.entries = slices.Clip(s.entries) // s is not touched
		j.replay = len(s.entries)
		j.state.sites = infer.Sites{
			A: slices.Clone(s.sites.A), B: slices.Clone(s.sites.B), Warm: slices.Clone(s.sites.Warm),
			Blocks: slices.Clone(s.sites.Blocks), Lanes: slices.Clone(s.sites.Lanes),
		}
	}
	return j, nil
}

// flush saves what was not saved yet.
func (j *journal) flush() {
	if j.save != nil && j.behind {
		j.err = j.save(&j.state)
		j.saved, j.behind = time.Now(), false
	}
}

// again returns the recorded evaluation of o at x, or nil if there is none any
// more. With the last one o's sites are restored; other objectives have either
// done with evaluating then or not begun.
func (j *journal) again(x []float64, o *objective) (*entry, error) {
	if j == nil || j.next >= j.replay {
		return nil, nil
	}
	e := &j.state.entries[j.next]
	same := len(e.X) == len(x)
	for i := 0; same && i < len(x); i++ {
		same = math.Float64bits(x[i]) == math.Float64bits(e.X[i])
	}
	if !same {
		return nil, &StateError{Msg: fmt.Sprintf("differs from this fit at evaluation %d; was it written by another version of the program, or on another kind of processor?", j.next+1)}
	}
	if j.next++; j.next == j.replay {
		if err := o.ev.SetSites(&j.state.sites); err != nil {
			return nil, &StateError{Msg: err.Error()}
		}
	}
	return e, nil
}

// add records an evaluation of o.
func (j *journal) add(x, grad []float64, f float64, infeasible bool, o *objective, factorizations int) {
	if j == nil {
		return
	}
	j.next++
	j.state.entries = append(j.state.entries, entry{
		X: append([]float64(nil), x...), Grad: append([]float64(nil), grad...), F: f, Infeasible: infeasible,
		Sites: o.sites, Factorizations: factorizations,
	})
	o.ev.SitesTo(&j.state.sites)
	if j.behind = true; time.Since(j.saved) >= j.interval {
		j.flush()
	}
}

// fingerprint returns a hash of what the evaluations depend on.
func fingerprint(d *gcrfbc.Dataset, o *Options) (sum [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintln(h, o.Variant, o.Approx, o.Mean, o.Optimizer, o.Joint, o.Starts, o.Lower, o.Upper, o.GradTol, o.SiteTol, o.MaxSweeps, o.heavyWork)
	if o.Prior != nil {
		fmt.Fprintln(h, *o.Prior)
	}
	fmt.Fprintln(h, d.K, len(d.Graphs), len(d.Instances))
	b := make([]byte, 0, 1<<16)
	for _, g := range d.Graphs {
		b = hashGraph(h, b, g.Pattern().Ptr(), g.Pattern().Idx(), g.Weights())
	}
	for j := range d.Instances {
		in := &d.Instances[j]
		fmt.Fprintln(h, in.N(), len(in.Graphs))
		b = hashFloats(h, b, in.Scores)
		b = b[:0]
		for _, y := range in.Labels {
			b = append(b, byte(y))
		}
		h.Write(b)
		for _, g := range in.Graphs {
			b = hashGraph(h, b, g.Pattern().Ptr(), g.Pattern().Idx(), g.Weights())
		}
	}
	h.Sum(sum[:0])
	return sum
}

func hashGraph(h hash.Hash, b []byte, ptr []int, idx []int32, weights []float64) []byte {
	b = b[:0]
	for _, v := range ptr {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for _, v := range idx {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	h.Write(b)
	return hashFloats(h, b, weights)
}

func hashFloats(h hash.Hash, b []byte, v []float64) []byte {
	b = b[:0]
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	h.Write(b)
	return b
}
