// Command gcrfbc-bench measures the engine: gcrfbc-bench solver times the sparse
// Cholesky solver on generated and on given matrices, gcrfbc-bench compare puts
// it beside other solvers, whose programs are in the folder peers.
//
//	gcrfbc-bench                                  help and a quick table
//	gcrfbc-bench solver --matrix grid2d:300,grid3d:40 --threads 1,2
//	gcrfbc-bench solver --matrix graph.mtx.gz --order amd --json
//	gcrfbc-bench compare --build --format markdown
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/gcrfbc/gcrfbc/internal/matgen"
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

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// usageError is a mistake on the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// run executes the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:   "gcrfbc-bench",
		Short: "Measure the engine: factorizations, selected inverses and solves",
		Long: `gcrfbc-bench measures the engine.

  gcrfbc-bench solver --matrix grid2d:300,grid3d:40 --threads 1,2

times the sparse Cholesky solver, phase by phase;

  gcrfbc-bench compare --build

measures other solvers beside it. Without a command, this help and a quick table
are printed.`,
		Args:              cobra.NoArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmd.Help(); err != nil {
				return err
			}
			fmt.Fprintf(stdout, "\nA quick look (gcrfbc-bench solver --matrix %s --quick):\n\n", quickMatrices)
			return solve(cmd.Context(), solverOptions{matrices: quickMatrices, order: "auto", threads: "1", quick: true}, stdout)
		},
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(args)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(solverCommand(stdout), compareCommand(stdout, stderr))
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "gcrfbc-bench: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "gcrfbc-bench:", err)
	var (
		usage *usageError
		spec  *matgen.SpecError
		parse *sparse.ParseError
		entry *sparse.EntryError
	)
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "Try '%s --help'.\n", cmd.CommandPath())
		return exitBadInput
	case errors.As(err, &spec), errors.As(err, &parse), errors.As(err, &entry), errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return exitBadInput
	}
	return exitFailure
}
