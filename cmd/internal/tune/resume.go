package tune

import (
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs/tuning"
)

func resumeCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	cmd := cli.ResumeCommand(tuning.Kind(), args, stdout, stderr)
	cmd.Short = "continue a run that was interrupted or killed"
	cmd.Long = `Resume continues the run in DIR. The result is the same as without the interruption.
tune --resume DIR does the same.

With --games a tuning by quad gets a larger budget, even if it has finished. It
continues as if it had started with that budget; the tuned values are verified and
rated again on new openings. The earlier verification stays in the record.`
	cmd.Example = "  tune resume runs/20261120-101500-quoridor-quad\n  tune resume runs/20261120-101500-quoridor-quad --games 200000"
	return cmd
}
