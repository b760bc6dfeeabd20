// Lab is for people who change the toolkit: it compares the tuners on problems whose
// optimum is known. It is run from the source tree:
//
//	go run ./cmd/internal/lab --help
package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs"
)

func main() { cli.Main(lab) }

func lab(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	cmd := &cobra.Command{
		Use: "lab", Short: "compare tuners", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(tunersCommand(args, stdout, stderr))
	return cli.Execute(ctx, cmd, args, stdout, stderr)
}

// commandLine repeats a command from the source tree, without the flags named, which
// take a value and do not change the rows.
func commandLine(args []string, without ...string) string {
	words := []string{"go run ./cmd/internal/lab"}
	for i := 0; i < len(args); i++ {
		name, _, inline := strings.Cut(args[i], "=")
		switch dropped := slices.Contains(without, name); {
		case dropped && !inline:
			i++
		case !dropped:
			words = append(words, runs.Quote(args[i]))
		}
	}
	return strings.Join(words, " ")
}
