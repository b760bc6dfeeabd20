package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/params/tuning"
	"selfplaylab/reports"
)

func reportCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "report RUN", Short: "write the report of a recorded run again",
		Long: `Report makes report.html, report.md and figures/ of a recorded match, tournament
or ladder, or of a tuning run, from its record alone. It plays nothing, and takes
runs that are not finished: the report then tells how far they got.`,
		Example: "  selfplay report runs/20261120-101500-quoridor-match",
		Args:    cli.OneRun,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := writeReport(args[0]); err != nil {
				return err
			}
			fmt.Fprintln(stdout, filepath.Join(args[0], "report.html"))
			return nil
		},
	}
}

// writeReport writes the report of a run of any kind into its directory.
func writeReport(dir string) error {
	page, err := pageOf(dir)
	if err == nil {
		err = page.Write(dir)
	}
	if err != nil {
		return fmt.Errorf("report of %s: %w", dir, err)
	}
	return nil
}

// pageOf makes the report of a run of any kind.
func pageOf(dir string) (reports.Page, error) {
	log, err := datasets.Read(dir)
	if err != nil {
		return reports.Page{}, err
	}
	switch kind := log.Meta.Kind; kind {
	case "match":
		return matchPage(log)
	case "tune":
		return tuning.Page(dir)
	case tournamentKind, ladderKind:
		return contestPage(log)
	default:
		return reports.Page{}, fmt.Errorf("%s: is a run of %q; report knows those of match, tournament, ladder and tune", dir, kind)
	}
}
