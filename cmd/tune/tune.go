package main

import (
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
	cmd.AddCommand(cli.ParamsCommand("tune", stdout), methodsCommand(stdout), resumeCommand(args, stdout, stderr),
		reportCommand(stdout))
	return cmd
}
