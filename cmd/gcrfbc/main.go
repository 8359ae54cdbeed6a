// Command gcrfbc fits Gaussian conditional random fields for binary
// classification, predicts with them and measures the predictions.
//
//	gcrfbc fit                                  on the embedded counties data
//	gcrfbc fit --nodes nodes.csv --graph edges.csv --label class --scores s1,s2 --out model.json
//	gcrfbc predict --model model.json --nodes nodes.csv --graph edges.csv --scores s1,s2 --out predictions.csv
//	gcrfbc evaluate --help
//
// docs/command.md describes every command, flag, file and exit code.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/gcrfbc/gcrfbc/cmd/internal/terminal"
	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	debug.SetGCPercent(20)       // large graphs: memory is dearer than collections
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes the command line args and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	return report(ctx, cmd, err, stderr)
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "gcrfbc",
		Short: "Gaussian conditional random fields for binary classification",
		Long: `gcrfbc improves yes/no predictions of things that are joined by a graph: places on
a map, papers that cite each other, pixels, labels of a picture.

You bring scores of some predictors (best as logits), one or more graphs, and the
labels that are known. gcrfbc learns how far to trust each predictor and how
strongly neighbours agree, and gives a probability for every node.

Without data of your own, all commands run on an embedded data set, the counties
of the United States.

Results go to standard output, notes and progress to standard error; --quiet leaves
the latter out, --json makes the former one JSON object.

Exit codes: 0 done; 1 a computation failed or a result could not be written; 2 wrong
usage, or data or a model that cannot be used; 130 interrupted (the message says
what was kept).`,
		Example: `  Try it
    gcrfbc fit                      learn from the counties and say what was learned
    gcrfbc evaluate                 measure that on counties held out
    gcrfbc predict --out p.csv      a probability for every county
    gcrfbc report --html p.html     the same as a page with a map

  One graph: a table of nodes (CSV) and a graph (Matrix Market, edges as CSV, SciPy)
    gcrfbc fit --nodes nodes.csv.gz --graph graph.mtx.gz --label class=3 \
        --scores lr_3,nb_3 --train split=train --out model.json
    gcrfbc evaluate --model model.json --nodes nodes.csv.gz --graph graph.mtx.gz \
        --observed split=train --on split=test

  Many small instances, or pictures: arrays of NumPy
    gcrfbc fit --npz train.npz --out model.json
    gcrfbc evaluate --npz test.npz --model model.json

  Of another program's output, for another program
    zcat nodes.csv.gz | gcrfbc evaluate --model model.json --nodes - --graph graph.mtx.gz --json

  Completion of commands, flags, files and columns in your shell
    source <(gcrfbc completion bash)      see gcrfbc completion --help for others`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(fitCommand(), predictCommand(), evaluateCommand(), reportCommand())
	for _, c := range root.Commands() {
		c.Args = noArguments
		addCompletion(c)
	}
	root.Args = noArguments
	terminal.WrapHelp(root)
	return root
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasParent() {
		return usagef("unknown command %q; the commands are fit, predict, evaluate, report and completion", args[0])
	}
	return usagef("unexpected argument %q; data are given by flags, such as --nodes %s", args[0], args[0])
}

// version tells which build this is.
func version() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := b.Main.Version
	for _, s := range b.Settings {
		if s.Key == "vcs.revision" && !strings.Contains(v, s.Value[:min(12, len(s.Value))]) {
			v += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return v + " " + b.GoVersion
}
