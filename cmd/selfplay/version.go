package main

import (
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
)

func versionCommand(stdout io.Writer) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "print the version, the revision of the source and the format of run directories",
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := runs.ThisBuild()
			return cli.PrintObject(stdout, runs.Object{
				{Name: "version", Value: cli.Version}, {Name: "revision", Value: b.Revision}, {Name: "schema", Value: datasets.Schema},
				{Name: "go", Value: b.Go}, {Name: "processor", Value: b.CPU},
			}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
