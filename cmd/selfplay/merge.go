package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

func mergeCommand(stdout io.Writer) *cobra.Command {
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "merge RUN RUN...", Short: "combine runs that differ only in their seeds",
		Args: wantRuns,
		RunE: func(_ *cobra.Command, dirs []string) error {
			if err := datasets.CheckFree(out); err != nil {
				return err
			}
			list, err := kinds.All().OpenAll(dirs)
			if err != nil {
				return err
			}
			merged, from, err := kinds.All().Merge(list)
			if err != nil {
				return err
			}
			heads := text.Each(list, func(r *runs.Recorded) *runs.Head { return r.Head })
			others, report := runs.OtherBuilds(heads...), ""
			if out != "" {
				if report, err = writeMerged(merged, from, others, out); err != nil {
					return fmt.Errorf("--out: %w", err)
				}
			}
			if asJSON {
				return cli.PrintJSON(stdout, func() (runs.Object, error) {
					o, err := merged.JSON()
					return append(o, runs.Entry{Name: "merged", Value: from}), err
				})
			}
			printSources(stdout, from)
			if others != "" {
				fmt.Fprintf(stdout, "warning: %s\n\n", text.Unmarked(others))
			}
			return merged.Text(stdout, runs.Ended{Report: report})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`DIR` to create, with the combined report")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// writeMerged writes the report of merged runs into a new folder.
func writeMerged(merged runs.Result, from []runs.Source, others, dir string) (string, error) {
	page, err := merged.Page()
	if err != nil {
		return "", err
	}
	page.Title = fmt.Sprintf("%s put together", text.Plural(len(from), "run"))
	if others != "" {
		page.Warnings = append(page.Warnings, others)
	}
	table := reports.Table{Columns: []reports.Column{{Name: "run"}, {Name: "seed", Right: true}, {Name: "games", Right: true},
		{Name: "revision"}}}
	for _, s := range from {
		table.Rows = append(table.Rows, []string{"`" + s.Dir + "`", strconv.FormatUint(s.Seed, 10), s.Count(), s.Revision})
	}
	page.Sections = append([]reports.Section{{Title: "Where the games come from", Blocks: []reports.Block{
		reports.Text("The runs have the same settings and different seeds, so their games are independent. The seed, command and revision " +
			"on this page are those of the first run."), table,
	}}}, page.Sections...)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return filepath.Join(dir, "report.html"), page.Write(dir, datasets.WriteFile)
}

func printSources(out io.Writer, from []runs.Source) {
	t := text.Table{{"run", "seed", "games", "revision"}}
	for _, s := range from {
		t = append(t, []string{s.Dir, strconv.FormatUint(s.Seed, 10), s.Count(), s.Revision})
	}
	t.Print(out, 1, 2)
	fmt.Fprintln(out)
}
