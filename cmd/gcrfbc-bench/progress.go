package main

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// progress is a bar on a terminal, and nothing elsewhere.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar
	text      atomic.Pointer[string]
}

// isTerminal reports whether a person sees what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newProgress draws a bar for total steps on w until done is called, unless w is
// no terminal or quiet.
func newProgress(w io.Writer, total int, quiet bool) *progress {
	p := &progress{}
	start := ""
	p.text.Store(&start)
	if quiet || !isTerminal(w) {
		return p
	}
	p.container = mpb.New(mpb.WithOutput(w), mpb.WithWidth(32), mpb.WithRefreshRate(120*time.Millisecond))
	p.bar = p.container.New(int64(total), mpb.BarStyle(), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Percentage(decor.WC{W: 5})),
		mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_MMSS), decor.Any(func(decor.Statistics) string { return "  " + *p.text.Load() })))
	return p
}

// step says what is done next, and that one step more is done.
func (p *progress) step(what string) {
	if what != "" {
		p.text.Store(&what)
	}
	if p.bar != nil {
		p.bar.Increment()
	}
}

// say says what is done next.
func (p *progress) say(what string) { p.text.Store(&what) }

// done takes the bar away.
func (p *progress) done() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.container.Wait()
		p.bar = nil
	}
}
