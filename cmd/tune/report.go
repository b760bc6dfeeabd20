package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/tuning"
)

func reportCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "report DIR", Short: "write the report and plots of a run",
		Long: "Report writes report.html, report.md and their figures into DIR, from the rows\nrecorded there. It also works on unfinished runs.",
		Args: cli.OneRun,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			dir := filepath.Clean(dirs[0])
			r, err := kinds.All().Open(dir)
			if err != nil {
				return err
			}
			if kind := r.Head.Meta.Kind; kind != tuning.Name {
				return fmt.Errorf("%s: is a run of %q, not of %s", dir, kind, tuning.Name)
			}
			if err := kinds.All().Report(cmd.Context(), dir); err != nil {
				return err
			}
			fmt.Fprintln(stdout, filepath.Join(dir, "report.html"))
			return nil
		},
	}
}
