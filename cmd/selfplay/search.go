package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs/search"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
)

func searchCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	asked, play := search.New(), cli.NewPlay(search.Name, args, stdout, stderr)
	cmd := &cobra.Command{
		Use: "search --game GAME --player PLAYER...", Short: search.Kind().Short,
		Long: `Search lets each player choose a move in the same positions (openings of
--opening-plies random plies, or those of a file of --openings), one search at a time
and with cleared memory. It prints nodes and time per position, and how often a
player's score and move equal those of the first listed player with the same budget.
Use it to compare a pruning search with a full one.

A PLAYER is [NAME:]PRESET or [NAME:]FILE.toml, optionally followed by ,name=value
overrides and @BUDGET for its limits.

Every search is appended to search.csv in the run directory (unless --discard);
--resume continues a stopped run.`,
		Example: `  selfplay search --game gobang --player full:fixed,search=minimax@depth=2 --player fixed@depth=2 --positions 20
  selfplay search --game connectfour --player source@time=5s --positions 5
  selfplay search --game mills --player strong@depth=6 --player plain:strong,ordering=off@depth=6 --out runs/mills-search
  selfplay search --resume runs/mills-search`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer play.Stay()
			r, err := play.Open(cmd, asked)
			if err != nil {
				return err
			}
			ended, err := play.Run(cmd, r)
			if !ended.Result {
				return err
			}
			return errors.Join(printSearches(play, r.Result.(*search.Result), ended.Report), err)
		},
	}
	cli.Flags(cmd, asked)
	play.RegisterAlone(cmd)
	return cmd
}

// printSearches prints the result; report is the file of its report, "" for none.
func printSearches(play *cli.Play, t *search.Result, report string) error {
	if play.JSON {
		return cli.PrintJSON(play.Stdout, t.JSON)
	}
	table := cli.Table{{"player", "budget", "nodes a position", "ms a position", "nodes/s", "same score", "same move"}}
	for _, s := range t.Sums() {
		table = append(table, []string{
			s.Player, s.Limits, reports.Number(s.Mean(float64(s.Nodes)), 0), reports.Number(s.Mean(1000*s.Seconds), 2), reports.Number(float64(s.Nodes)/max(s.Seconds, 1e-6), 0),
			fmt.Sprintf("%d of %d", s.SameScore, s.Positions), fmt.Sprintf("%d of %d", s.SameMove, s.Positions),
		})
	}
	table.Print(play.Stdout, 2, 3, 4, 5, 6)
	from := "of " + gamestats.RandomOpenings(t.Spec.OpeningPlies)
	if t.Spec.InOrder() {
		from = "from " + t.Spec.Openings
	}
	fmt.Fprintf(play.Stdout, "\n%s %s. Same score and move: as the first player listed with the same budget.\n", gamestats.Plural(t.Spec.Positions, "position"), from)
	if t.Head.Dir != "" {
		fmt.Fprintf(play.Stdout, "searches  %s\n", t.File())
	}
	if report != "" {
		fmt.Fprintf(play.Stdout, "report    %s\n", report)
	}
	return nil
}
