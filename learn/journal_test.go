package learn

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gcrfbc/gcrfbc"
)

// interrupt fits until evaluation k and returns the state then, through its
// written form; nil if the fit ended before.
func interrupt(t *testing.T, d *gcrfbc.Dataset, o Options, k int) *State {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last bytes.Buffer
	o.CheckpointInterval = -1
	stopped := false
	o.Checkpoint = func(s *State) error {
		last.Reset()
		if err := s.Write(&last); err != nil {
			t.Fatal(err)
		}
		if s.Evaluations() >= k {
			stopped = true
			cancel()
		}
		return nil
	}
	if _, err := Fit(ctx, d, o); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !stopped {
		return nil
	}
	s, err := ReadState(&last)
	if err != nil {
		t.Fatal(err)
	}
	if s.Evaluations() != k {
		t.Fatalf("%d evaluations in the state, want %d", s.Evaluations(), k)
	}
	return s
}

// TestResumeSameBits: a fit that was interrupted at any evaluation, within line
// searches and between starts, and resumed, ends in the same bits.
func TestResumeSameBits(t *testing.T) {
	several := unequalDataset(51)
	for name, c := range map[string]struct {
		d *gcrfbc.Dataset
		o Options
	}{
		"ep":       {gridDataset(52, 8, 9), Options{StandardErrors: AlwaysStandardErrors}},
		"large":    {gridDataset(53, 15, 20), Options{MaxEvaluations: 30}},
		"nb":       {gridDataset(52, 6, 6), Options{Variant: gcrfbc.NonBayesian}},
		"several":  {several, Options{Approx: gcrfbc.JJ, SiteTol: 1e-3}},
		"laplace":  {several, Options{Approx: gcrfbc.Laplace, Mean: "bias", SiteTol: 1e-3}},
		"auto":     {several, Options{Variant: gcrfbc.NonBayesian, Mean: AutoMean, StandardErrors: AlwaysStandardErrors}},
		"plug-in":  {several, Options{heavyWork: 1}},
		"tnc":      {several, Options{Mean: gcrfbc.PaperMean, Optimizer: TNC}},
		"newton":   {gridDataset(52, 6, 6), Options{Variant: gcrfbc.NonBayesian, Optimizer: TNC}}, // with products
		"sqp":      {several, Options{Mean: gcrfbc.PaperMean, Optimizer: SQP}},
		"gradient": {several, Options{Mean: gcrfbc.PaperMean, Optimizer: Gradient}},
		"joint":    {gridDataset(54, 3, 4), Options{Joint: true, Mean: gcrfbc.PaperMean}},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := Fit(t.Context(), c.d, c.o)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range []int{1, 6, want.Evaluations / 2, want.Evaluations - 1} {
				s := interrupt(t, c.d, c.o, k)
				if s == nil {
					t.Fatalf("the fit ended before evaluation %d", k)
				}
				o := c.o
				o.Resume = s
				o.Threads = 1 + k%3
				got, err := Fit(t.Context(), c.d, o)
				if err != nil {
					t.Fatal(err)
				}
				sameFit(t, k, got, want)
				if k != 6 {
					continue
				}
				// The state was not changed: resume once more.
				if again, err := Fit(t.Context(), c.d, o); err != nil {
					t.Fatal(err)
				} else {
					sameFit(t, k, again, want)
				}
			}
		})
	}
}

func sameFit(t *testing.T, k int, got, want *Result) {
	t.Helper()
	same := cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
	g, w := *got, *want
	g.Elapsed, w.Elapsed = 0, 0
	gm, wm := *g.Model, *w.Model
	gf, wf := *gm.Fit, *wm.Fit
	gf.Seconds, wf.Seconds = 0, 0
	gm.Fit, wm.Fit = &gf, &wf
	g.Model, w.Model = &gm, &wm
	opts := cmp.Options{same, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".heavy" || p.Last().String() == ".left" }, cmp.Ignore())}
	if diff := cmp.Diff(w, g, opts); diff != "" {
		t.Errorf("interrupted after evaluation %d (-want +got):\n%s", k, diff)
	}
}

// TestResumeTwice: a resumed fit can be interrupted and resumed again.
func TestResumeTwice(t *testing.T) {
	d := unequalDataset(55)
	want, err := Fit(t.Context(), d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Resume: interrupt(t, d, Options{}, 7)}
	if s := interrupt(t, d, o, 20); s == nil {
		t.Fatal("the fit ended before evaluation 20")
	} else {
		o.Resume = s
	}
	got, err := Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	sameFit(t, 20, got, want)
}

// TestResumeErrors: other data, other options and files that are not what Write
// wrote are refused.
func TestResumeErrors(t *testing.T) {
	d := gridDataset(56, 5, 5)
	s := interrupt(t, d, Options{}, 6)
	if _, err := Fit(t.Context(), gridDataset(57, 5, 5), Options{Resume: s}); !asError[*StateError](err) {
		t.Errorf("other data: %v", err)
	}
	for name, o := range map[string]Options{"mean": {Mean: gcrfbc.PaperMean}, "optimizer": {Optimizer: SQP}, "prior": {Prior: &Prior{}}, "bounds": {Upper: 3}} {
		o.Resume = s
		if _, err := Fit(t.Context(), d, o); !asError[*StateError](err) {
			t.Errorf("other %s: %v", name, err)
		}
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"empty": nil, "cut": b.Bytes()[:b.Len()-3], "longer": append(bytes.Clone(b.Bytes()), 0), "text": []byte("alpha: 1\nbeta: 2\nand so on for a while"),
		"flipped": func() []byte { c := bytes.Clone(b.Bytes()); c[b.Len()/2] ^= 4; return c }(),
		"version": func() []byte { c := bytes.Clone(b.Bytes()); c[len(stateMagic)-1]++; return c }(),
	} {
		if _, err := ReadState(bytes.NewReader(bad)); !asError[*StateError](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A disk that is full costs checkpoints, not the fit.
	r, err := Fit(t.Context(), d, Options{Checkpoint: func(*State) error { return errors.New("no space left") }})
	if err != nil || !r.Status.Converged() || !strings.Contains(strings.Join(r.Notes, " "), "no space left") {
		t.Errorf("%v, %+v", err, r)
	}
}

func FuzzReadState(f *testing.F) {
	f.Add([]byte(stateMagic))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := ReadState(bytes.NewReader(b)); err == nil {
			s.Evaluations()
		} else if !asError[*StateError](err) {
			t.Errorf("%v", err)
		}
	})
}
