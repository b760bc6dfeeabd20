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
		Use: "resume DIR", Short: "go on with a run that was interrupted or killed",
		Long: `Resume goes on with the run in DIR and ends with what it would have ended with
if it had never been stopped. The same as tune --resume DIR.

With --games a tuning by quad gets a larger budget, whether it has ended or not: it
goes on as if that had been asked from the start, and its tuned values are verified
and rated again on openings that they never saw. What was verified before stays in
the record.`,
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
	cmd.Flags().IntVar(&games, "games", 0, "a larger budget: games of the whole tuning, those recorded included")
	cmd.Flags().BoolVar(&play.JSON, "json", false, "print one JSON object")
	return cmd
}
