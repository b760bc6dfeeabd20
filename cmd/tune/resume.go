package main

import (
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs/tuning"
)

func resumeCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	play := cli.NewPlay(tuning.Name, args, stdout, stderr)
	cmd := &cobra.Command{
		Use: "resume DIR", Short: "go on with a run that was interrupted or killed",
		Long: "Resume goes on with the run in DIR and ends with what it would have ended with\nif it had never been stopped. The same as tune --resume DIR.",
		Args: cli.OneRun,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			play.Resume = dirs[0]
			r, err := play.Reopen(cmd)
			if err != nil {
				return err
			}
			return finish(cmd, play, r)
		},
	}
	play.RegisterWorkers(cmd)
	cmd.Flags().BoolVar(&play.JSON, "json", false, "print one JSON object")
	return cmd
}
