package search

import (
	"fmt"
	"io"
	"path/filepath"

	"selfplaylab/engines/runs"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// command is how people ask for the kind.
func command() *runs.Command {
	return &runs.Command{
		Use: "--game GAME --player PLAYER...",
		Long: `Search lets each player choose a move in the same positions (openings of
--opening-plies random plies, or those of a file of --openings), one search at a time
and with cleared memory. It prints nodes and time per position, and how often a
player's score and move equal those of the first listed player with the same budget.
Use it to compare a pruning search with a full one.

A PLAYER is [NAME:]PRESET or [NAME:]FILE.toml, optionally followed by ,name=value
overrides and @BUDGET for its limits.

Every search is recorded as a decision (see selfplay export --table moves), unless
--discard is given; --resume continues a stopped run.`,
		Example: `  selfplay search --game gobang --player full:fixed,search=minimax@depth=2 --player fixed@depth=2 --positions 20
  selfplay search --game connectfour --player source@time=5s --positions 5
  selfplay search --game mills --player strong@depth=6 --player plain:strong,ordering=off@depth=6 --out runs/mills-search
  selfplay search --resume runs/mills-search`,
		Sequential: true,
	}
}

// Text implements runs.Result.
func (t *Result) Text(out io.Writer, end runs.Ended) error {
	table := text.Table{{"player", "budget", "nodes a position", "ms a position", "nodes/s", "same score", "same move"}}
	for _, s := range t.sums() {
		table = append(table, []string{
			s.Player, s.Limits, text.Number(s.Mean(float64(s.Nodes)), 0), text.Number(s.Mean(1000*s.Seconds), 2),
			text.Number(float64(s.Nodes)/max(s.Seconds, 1e-6), 0),
			fmt.Sprintf("%d of %d", s.SameScore, s.Positions), fmt.Sprintf("%d of %d", s.SameMove, s.Positions),
		})
	}
	table.Print(out, 2, 3, 4, 5, 6)
	from := "of " + gamestats.RandomOpenings(t.Config.OpeningPlies)
	if t.Config.InOrder() {
		from = "from " + t.Config.Openings
	}
	fmt.Fprintf(out, "\n%s %s. Same score and move: as the first player listed with the same budget.\n",
		text.Plural(t.Config.Positions, "position"), from)
	if t.Head.Dir != "" {
		fmt.Fprintf(out, "searches  %s\n", filepath.Join(t.Head.Dir, "moves"))
	}
	if end.Report != "" {
		fmt.Fprintf(out, "report    %s\n", end.Report)
	}
	return nil
}
