package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/learn"
)

// keep makes a fit write its state to --checkpoint, and with --resume go on from
// the state that is there.
func (l *learnFlags) keep(o *learn.Options, quiet bool, stderr io.Writer) error {
	if l.checkpoint == "" {
		return nil
	}
	if info, err := os.Stat(l.checkpoint); err == nil && info.IsDir() {
		return usagef("--checkpoint %s is a folder; give the name of a file", l.checkpoint)
	}
	if _, err := os.Stat(filepath.Dir(l.checkpoint)); err != nil {
		return usagef("--checkpoint %s: %v", l.checkpoint, err)
	}
	o.CheckpointInterval = l.every
	o.Checkpoint = func(s *learn.State) error { return dataio.WriteFile(l.checkpoint, s.Write) }
	if !l.resume {
		return nil
	}
	f, err := os.Open(l.checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		if !quiet {
			fmt.Fprintf(stderr, "note: there is no %s yet; the fit starts\n", l.checkpoint)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("--checkpoint: %w", err)
	}
	defer func() { _ = f.Close() }()
	if o.Resume, err = learn.ReadState(f); err != nil {
		return fmt.Errorf("%s: %w", l.checkpoint, err)
	}
	if !quiet {
		fmt.Fprintf(stderr, "resuming after %s\n", plural(o.Resume.Evaluations(), "evaluation"))
	}
	return nil
}
