// Command gcrfbc-bench measures the engine and shows what it does.
//
//	gcrfbc-bench                       a part of everything in about a minute, with a report
//	gcrfbc-bench paper                 the published evaluation: Table 1, Figures 2 to 4
//	gcrfbc-bench solver                the sparse Cholesky solver, phase by phase
//	gcrfbc-bench compare --build       other solvers beside it (sources in the folder peers)
//	gcrfbc-bench report FILE           result files as a page
//
// docs/benchmarks.md says what each command shows and what its results mean.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/gcrfbc/gcrfbc"
	"github.com/gcrfbc/gcrfbc/cmd/gcrfbc-bench/internal/record"
	"github.com/gcrfbc/gcrfbc/cmd/internal/terminal"
	"github.com/gcrfbc/gcrfbc/internal/dataio"
	"github.com/gcrfbc/gcrfbc/internal/matgen"
	"github.com/gcrfbc/gcrfbc/sparse"
	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1   // a computation failed, or a result could not be written
	exitBadInput    = 2   // wrong usage, or input that cannot be used
	exitWorse       = 3   // diff --fail-if-worse found something worse
	exitInterrupted = 130 // by Ctrl-C or a request to end; what was finished is kept
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// usageError is a mistake on the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// inputError is something wrong with a file that no other type names.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// run executes the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := rootCommand(os.Stdin, stdout, stderr)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	return exitCode(ctx, cmd, err, stderr)
}

func rootCommand(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	o := tour{}
	root := &cobra.Command{
		Use:   "gcrfbc-bench",
		Short: "Measure the engine and show what it does",
		Long: `gcrfbc-bench measures the engine and shows what it does.

Without a command it takes a part of everything in about a minute: the embedded
counties, the solver on graphs of four families, the published evaluation at small
size. It prints a summary and leaves the results and a page with figures and maps in
a folder.

Exit codes: 0 done, 1 failure (results that could not be written included), 2 wrong
usage or input, 130 interrupted (what was finished is kept).`,
		Example: `  gcrfbc-bench
  gcrfbc-bench paper --quick
  gcrfbc-bench solver --matrix grid2d:300,grid3d:40 --threads 1,2
  gcrfbc-bench compare --build --format markdown
  gcrfbc-bench paper --out paper.jsonl && gcrfbc-bench report paper.jsonl --html paper.html`,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), stdout, stderr) },
	}
	root.Flags().StringVar(&o.dir, "dir", tourFolder, "folder for the results and the report")
	root.Flags().BoolVar(&o.quiet, "quiet", false, "print the names of the files only")
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(
		paperCommand(stdout, stderr),
		solverCommand(stdout, stderr),
		compareCommand(stdout, stderr),
		scaleCommand(stdout, stderr),
		calibrateCommand(stdout, stderr),
		machineCommand(stdout),
		diffCommand(stdout),
		reportCommand(stdin, stdout, stderr),
	)
	terminal.WrapHelp(root)
	return root
}

// exitCode says what went wrong and returns the exit code.
func exitCode(ctx context.Context, cmd *cobra.Command, err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	if stopped := (*interruptedError)(nil); errors.As(err, &stopped) {
		fmt.Fprintln(stderr, "gcrfbc-bench:", err)
		return exitInterrupted
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "gcrfbc-bench: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "gcrfbc-bench:", err)
	switch {
	case is[*usageError](err):
		fmt.Fprintf(stderr, "Try '%s --help'.\n", cmd.CommandPath())
		return exitBadInput
	case is[*record.WriteError](err):
		return exitFailure
	case is[*worseError](err):
		return exitWorse
	case is[*inputError](err), is[*record.Error](err), is[*matgen.SpecError](err), is[*sparse.ParseError](err), is[*sparse.EntryError](err),
		is[*dataio.Error](err), is[*gcrfbc.ModelError](err), errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return exitBadInput
	}
	return exitFailure
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
