package search

import (
	_ "embed"
	"fmt"
	"io"
	"path/filepath"

	"selfplaylab/engines/runs"
	"selfplaylab/reports/text"
)

// help is the command's long help, with examples.
//
//go:embed help.txt
var help string

func (r *result) Text(out io.Writer, end runs.Ended) error {
	if err := runs.PrintVerdict(out, r, end); err != nil {
		return err
	}
	fmt.Fprintln(out)
	table := text.Table{{"player", "budget", "nodes a position", "ms a position", "nodes/s", "same score", "same move"}}
	for _, s := range r.sums() {
		table = append(table, []string{
			s.Player, s.Limits, text.Number(s.Mean(float64(s.Nodes)), 0), text.Number(s.Mean(1000*s.Seconds), 2),
			text.Number(float64(s.Nodes)/max(s.Seconds, 1e-6), 0),
			fmt.Sprintf("%d of %d", s.SameScore, s.Positions), fmt.Sprintf("%d of %d", s.SameMove, s.Positions),
		})
	}
	table.Print(out, 2, 3, 4, 5, 6)
	from := "of " + text.Plural(r.Config.OpeningPlies, "random ply")
	if r.Config.InOrder() {
		from = "from " + r.Config.Openings
	}
	fmt.Fprintf(out, "\n%s %s. Same score and move: as the first player listed with the same budget.\n",
		text.Plural(r.Config.Positions, "position"), from)
	if r.Head.Dir != "" {
		fmt.Fprintf(out, "searches  %s\n", filepath.Join(r.Head.Dir, "moves"))
	}
	if end.Report != "" {
		fmt.Fprintf(out, "report    %s\n", end.Report)
	}
	return nil
}
