package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/web"
	"selfplaylab/engines/runs/tuning"
)

// tuneCommand is the command and all below it.
func tuneCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	cmd := cli.RunCommand(tuning.Kind(), web.ServeRun, args, stdout, stderr)
	cmd.Version = cli.Version
	cmd.AddCommand(cli.ParamsCommand("tune", stdout), methodsCommand(stdout), movedCommand(), resumeCommand(args, stdout, stderr),
		reportCommand(stdout))
	return cmd
}

// movedCommand names the new place of "tune bench".
func movedCommand() *cobra.Command {
	return &cobra.Command{
		Use: "bench", Hidden: true, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("the comparison of tuners has moved; in the source tree, run: go run ./cmd/internal/lab tuners --help")
		},
	}
}
