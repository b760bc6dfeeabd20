package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/run"
	"selfplaylab/reports"
	"selfplaylab/reports/record"
)

func runsCommand(stdout, stderr io.Writer) *cobra.Command {
	var asJSON bool
	var home string
	cmd := &cobra.Command{
		Use: "runs [DIR...]", Short: "list runs: what, when, how many games, how large, what came of it",
		Long: `Runs lists the runs in and below the folders (default: runs), the newest first:
what was asked, when, games, size on disk, and the result with its interval and
number of pairs, or how far the run has come. Every result is computed from the
record. A run that cannot be read is listed with its complaint.`,
		Example: "  selfplay runs\n  selfplay runs reports experiments/runs --json\n  selfplay runs --html runs/index.html",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			list, err := listRuns(dirs, stderr)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("html") {
				return writeHome(list, home, stdout)
			}
			if asJSON {
				return cli.PrintObject(stdout, run.Object{{Name: "runs", Value: list}}, true)
			}
			printRuns(stdout, list)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&home, "html", "", "write a page over the runs: `FILE|DIR`, a file ending in .html with links to the runs' own reports, or a folder that gets a page of every run too")
	cmd.MarkFlagsMutuallyExclusive("html", "json")
	return cmd
}

// writeHome writes the page over the runs and says where it is.
func writeHome(list []runs.Listed, to string, stdout io.Writer) error {
	if to == "" {
		return errors.New("--html: want a file ending in .html, or a folder to make")
	}
	file, err := runs.WriteHome(list, to)
	if err == nil {
		fmt.Fprintln(stdout, file)
	}
	return err
}

// listRuns reads the runs below the folders named, or below the usual one.
func listRuns(dirs []string, stderr io.Writer) ([]runs.Listed, error) {
	if len(dirs) > 0 {
		return runs.List(dirs...)
	}
	list, err := runs.List(cli.RunsFolder)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(stderr, "no runs: there is no folder %s here; name the folder, or make a run with selfplay match or tune\n", cli.RunsFolder)
		return []runs.Listed{}, nil
	}
	return list, err
}

// printRuns writes the list for people, in local time.
func printRuns(out io.Writer, list []runs.Listed) {
	if len(list) == 0 {
		return
	}
	table := cli.Table{{"run", "created", "what", "games", "size", "result"}}
	for _, l := range list {
		created, result := "-", l.Result
		if !l.Created.IsZero() {
			created = l.Created.Local().Format("2006-01-02 15:04")
		}
		if l.Fault != "" {
			first, _, _ := strings.Cut(strings.TrimPrefix(l.Fault, l.Run+": "), "\n")
			result = "fault: " + first
		}
		what := strings.TrimSuffix(strings.TrimSpace(l.Kind+" "+l.Game)+": "+l.What, ": ")
		table = append(table, []string{filepath.ToSlash(l.Run), created, what, record.Count(l.Games), size(l.Bytes), result})
	}
	table.Print(out, 3, 4)
}

// size writes a number of bytes as 12 kB or 3.4 MB.
func size(bytes int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	x, i := float64(bytes), 0
	for x >= 999.5 && i < len(units)-1 {
		x, i = x/1000, i+1
	}
	decimals := 0
	if i > 0 && x < 9.95 {
		decimals = 1
	}
	return reports.Number(x, decimals) + " " + units[i]
}
