package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/chol"
	"github.com/gcrfbc/gcrfbc/infer"
	"github.com/gcrfbc/gcrfbc/infer/score"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/learn"
	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitBadInput    = 2
	exitInterrupted = 130
)

// usageError is a mistake on the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// inputError is something wrong with the data that no other type names.
type inputError struct{ msg string }

func (e *inputError) Error() string { return e.msg }

func inputf(format string, args ...any) error { return &inputError{fmt.Sprintf(format, args...)} }

// outputError is a file that could not be written.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// interruptedError ends a command that has said what it kept.
type interruptedError struct{ msg string }

func (e *interruptedError) Error() string { return e.msg }

// report says what went wrong and returns the exit code.
func report(ctx context.Context, cmd *cobra.Command, err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	var interrupted *interruptedError
	if errors.As(err, &interrupted) {
		fmt.Fprintln(stderr, "gcrfbc:", err)
		return exitInterrupted
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		fmt.Fprintln(stderr, "gcrfbc: interrupted before there was a result; nothing was written")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "gcrfbc:", err)
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(stderr, "Try '%s --help'.\n", cmd.CommandPath())
	}
	var memory *chol.MemoryError
	if errors.As(err, &memory) {
		fmt.Fprintln(stderr, "A larger limit can be given with --memory, such as --memory 64GB; --memory 0 takes the limit away.")
	}
	if badInput(err) {
		return exitBadInput
	}
	return exitFailure
}

// badInput tells faults of flags, data and models from failures.
func badInput(err error) bool {
	var output *outputError
	if errors.As(err, &output) {
		return false
	}
	return is[*usageError](err) || is[*inputError](err) || is[*dataio.Error](err) ||
		is[*sparse.ParseError](err) || is[*sparse.EntryError](err) || is[*sparse.ShapeError](err) ||
		is[*gcrfbc.DataError](err) || is[*gcrfbc.LabelError](err) || is[*gcrfbc.ModelError](err) || is[*gcrfbc.ParamError](err) ||
		is[*learn.OptionError](err) || is[*learn.StateError](err) || is[*infer.OptionError](err) ||
		is[*score.EmptyError](err) || is[*score.OneClassError](err) ||
		is[*chol.MemoryError](err) || is[*chol.NotPositiveDefiniteError](err) || is[*infer.SingularError](err) || is[*chol.ValueError](err) || is[*fs.PathError](err)
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
