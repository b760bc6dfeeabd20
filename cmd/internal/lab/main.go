// Lab is for people who change the toolkit: it compares the tuners on problems whose
// optimum is known. It is run from the source tree:
//
//	go run ./cmd/internal/lab --help
package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
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
