// Package tune is the command that finds better parameters for a game's player by self-play, and verifies
// them on fresh games before it calls them better.
package tune

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/web"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/tuning"
)

// Main runs the command with arguments and exits the process.
func Main(args []string) { cli.Main(args, tune) }

func tune(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return cli.Execute(ctx, tuneCommand(args, stdout, stderr), args, stdout, stderr)
}

// tuneCommand is the command and all below it.
func tuneCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	cmd := cli.RunCommand(tuning.Kind(), web.ServeRun(kinds.All()), args, stdout, stderr)
	cmd.Version = cli.Version
	cli.AddCommands(cmd, "Before and after", cli.ParamsCommand("tune", stdout, stderr), methodsCommand(stdout), resumeCommand(args, stdout, stderr),
		cli.ReportCommand(runs.Kinds{tuning.Kind()}, stdout))
	cli.AddCommands(cmd, "Games played elsewhere", askTellCommand(args, stdout, stderr),
		stepCommand("ask", "DIR N", "print the next questions of a run, at most N", stdout),
		stepCommand("tell", "DIR ID ANSWER", "take the answer to a question, such as wins=3 draws=1, points=2.5 or B", stdout),
		stepCommand("best", "DIR", "print the values recommended so far", stdout))
	cmd.AddCommand(cli.ManCommand(stdout))
	return cmd
}
