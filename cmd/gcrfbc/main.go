// Command gcrfbc fits Gaussian conditional random fields for binary
// classification, predicts with them and measures the predictions.
//
//	gcrfbc fit                                  on the embedded counties data
//	gcrfbc fit --nodes nodes.csv --graph edges.csv --label class --scores s1,s2 --out model.json
//	gcrfbc predict --model model.json --nodes nodes.csv --graph edges.csv --scores s1,s2 --out predictions.csv
//	gcrfbc evaluate --help
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
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
of the United States.`,
		Example: `  gcrfbc fit                      learn from the counties and say what was learned
  gcrfbc evaluate                 measure that on counties held out
  gcrfbc predict --out p.csv      a probability for every county

  gcrfbc fit --nodes nodes.csv.gz --graph graph.mtx.gz --label class=3 \
      --scores lr_3,nb_3 --train split=train --out model.json
  gcrfbc evaluate --model model.json --nodes nodes.csv.gz --graph graph.mtx.gz \
      --observed split=train --on split=test

  gcrfbc fit --npz train.npz --out model.json       many small instances, or pictures
  gcrfbc evaluate --npz test.npz --model model.json`,
		Args:              cobra.NoArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(fitCommand(), predictCommand(), evaluateCommand())
	for _, c := range root.Commands() {
		c.Args = noArguments
	}
	root.Args = noArguments
	return root
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasParent() {
		return usagef("unknown command %q; the commands are fit, predict and evaluate", args[0])
	}
	return usagef("unexpected argument %q; data are given by flags, such as --nodes %s", args[0], args[0])
}
