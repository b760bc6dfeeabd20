// Lab is for developers of the toolkit: it compares tuners on problems with a known optimum.
// Run it from the source tree:
//
//	go run ./cmd/internal/lab --help
package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
)

func main() { cli.Main(os.Args[1:], lab) }

// lab runs the command with its arguments.
func lab(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	cmd := &cobra.Command{
		Use: "lab", Short: "compare tuners", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(tunersCommand(args, stdout, stderr))
	return cli.Execute(ctx, cmd, args, stdout, stderr)
}
