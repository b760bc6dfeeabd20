package main

import (
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs/tuning"
)

func resumeCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	play := cli.NewPlay(tuning.Name, args, stdout, stderr)
	play.Keep = []string{"games"}
	games := 0
	cmd := &cobra.Command{
		Use: "resume DIR", Short: "continue a run that was interrupted or killed",
		Long: `Resume continues the run in DIR. The result is the same as without the interruption.
tune --resume DIR does the same.

With --games a tuning by quad gets a larger budget, even if it has finished. It
continues as if it had started with that budget; the tuned values are verified and
rated again on new openings. The earlier verification stays in the record.`,
		Example: "  tune resume runs/20261120-101500-quoridor-quad\n  tune resume runs/20261120-101500-quoridor-quad --games 200000",
		Args:    cli.OneRun,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			play.Resume = dirs[0]
			if cmd.Flags().Changed("games") {
				play.Extend = tuning.Extend(games)
			}
			r, err := play.Reopen(cmd)
			if err != nil {
				return err
			}
			return finish(cmd, play, r)
		},
	}
	play.RegisterWorkers(cmd)
	cmd.Flags().IntVar(&games, "games", 0, "a larger budget: total games of the tuning, including those already recorded")
	cmd.Flags().BoolVar(&play.JSON, "json", false, "print one JSON object")
	return cmd
}
