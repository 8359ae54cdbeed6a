package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// isTerminal reports whether a person sees what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// showProgress draws a line on w that follows a fit, until done is called. It
// returns nil and a function that does nothing unless w is a terminal.
func showProgress(w io.Writer) (follow func(learn.Progress), done func()) {
	if !isTerminal(w) {
		return nil, func() {}
	}
	var line atomic.Pointer[string]
	start := "fitting"
	line.Store(&start)
	p := mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(100*time.Millisecond))
	bar := p.New(0, mpb.SpinnerStyle(), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return *line.Load() })))
	follow = func(g learn.Progress) {
		s := fmt.Sprintf("start %d of %d, iteration %d, evaluation %d, objective %.6g, gradient %.1e, %.1f s",
			g.Start+1, g.Starts, g.Iteration, g.Evaluations, g.Objective, g.GradientNorm, g.Elapsed.Seconds())
		if g.Left > 0 {
			s += ", about " + duration(g.Left) + " left"
		}
		line.Store(&s)
		bar.Increment()
	}
	return follow, func() {
		bar.Abort(true)
		p.Wait()
	}
}

// duration rounds to what an estimate is worth.
func duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}
