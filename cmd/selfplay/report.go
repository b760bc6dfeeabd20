package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs/kinds"
)

func reportCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "report RUN", Short: "write the report of a recorded run",
		Args: cli.OneRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := kinds.Report(cmd.Context(), args[0]); err != nil {
				return err
			}
			fmt.Fprintln(stdout, filepath.Join(args[0], "report.html"))
			return nil
		},
	}
}
