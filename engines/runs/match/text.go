package match

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// command is how people ask for the kind.
func command() *runs.Command {
	return &runs.Command{
		Use: "--game GAME --a PLAYER --b PLAYER",
		Long: `Match plays pairs of games, each pair one opening with colours swapped, and prints
score, Elo with its interval, first-player score, and lengths and ends of the games.
A PLAYER is a preset, FILE.toml or engine:FILE.toml, optionally followed by
,name=value overrides and @BUDGET. Parameters missing from a file keep their
defaults (see selfplay params). Every game is recorded in a run directory (unless
--discard); selfplay replay plays it again.

With --sprt the match stops as soon as a sequential test decides between two
hypotheses, "A is at most elo0 better" and "A is at least elo1 better". Pairs count
one by one in schedule order, so the match ends at the same pair, with the same
games, for any number of workers; later pairs are discarded. Do not stop a match by
hand because its result looks good: that makes any two players look unequal.

A file of --openings holds one opening a line, moves separated by spaces or
"POSITION | moves" (see selfplay show); # starts a comment. Each opening is played
once with each colour, in the order of the file.

Adjudication is off by default; adjudicated games are reported as "adjudicated". A
player forfeits a game by illegal (illegal move), time, clock, crash or stall (no
answer). The match stops with an error that names the game if one side forfeits too
often.

A time limit is a time per move (time=100ms, or time=100ms+20ms with a margin) or a
game clock in seconds, as in cutechess: tc=8+0.08 (8 s and 80 ms a move), tc=40/60 (a
minute for every 40 moves); also p1time=8000,p1inc=80 as in UGI. A player that
exceeds its limit by more than the margin (20 ms, or --timemargin) forfeits by time,
or by clock. Timed games do not repeat exactly; use depth, nodes or playouts where
you can.`,
		Example: `  selfplay match --game quoridor --a final --b v12.7 --pairs 500
  selfplay match --game quoridor --a runs/X/tuned.toml --b final,a_E=11 --pairs 2000
  selfplay match --game gobang --a fixed@depth=4 --b fixed@depth=2
  selfplay match --game quoridor --a final,a_E=20 --b final --sprt elo0=0,elo1=10
  selfplay match --game mills --a paper --b paper10 --openings book.txt --max-plies 300
  selfplay match --resume runs/20261120-101500-quoridor-match`,
		Before: func(r runs.Result) (b runs.Before) {
			b.Warnings = clockWarnings(r.(*Result).Config)
			return b
		},
	}
}

// clockWarnings warn where one side plays by the clock and the other does not.
func clockWarnings(s *Config) []string {
	if s.A.Limits.Repeatable() == s.B.Limits.Repeatable() {
		return nil
	}
	timed, counted := "A", "B"
	if s.A.Limits.Repeatable() {
		timed, counted = counted, timed
	}
	return []string{fmt.Sprintf("%s is limited by wall-clock time, %s is not: the result depends on this machine and its load, and does "+
		"not repeat", timed, counted)}
}

// Text implements runs.Result.
func (t *Result) Text(out io.Writer, end runs.Ended) error {
	t.table().Print(out)
	if test := t.Test(); test != nil {
		fmt.Fprintf(out, "\nSequential test of A against B: %s.\n", test.Verdict())
		if bounds := test.Bounds(); bounds != "" {
			fmt.Fprintf(out, "%s\n", bounds)
		}
		fmt.Fprintln(out, earlyStop)
	}
	for _, c := range t.Cautions() {
		fmt.Fprintf(out, "\n%s\n", c)
	}
	if dir := t.Head.Dir; dir != "" {
		fmt.Fprintf(out, "games            %s\n", filepath.Join(dir, "games"))
	}
	if end.Report != "" {
		fmt.Fprintf(out, "report           %s\n", end.Report)
	}
	return nil
}

// earlyStop is what a sequential test does to the estimate.
const earlyStop = "Stopping early biases the Elo estimate away from zero. The test's verdict is not affected."

// table is the result, a line for each number.
func (t *Result) table() text.Table {
	e, first := t.Estimate(), t.Games.First.Estimate(t.Config.Level)
	var ends []string
	for _, k := range t.Games.Kinds() {
		ends = append(ends, fmt.Sprintf("%s %s", k, text.Count(t.Games.Ends[k])))
	}
	table := text.Table{
		{"A", t.Config.A.Name},
		{"B", t.Config.B.Name},
		{"A's score", fmt.Sprintf("%s  (%d won, %d drawn, %d lost)", text.Percent(e.Score), t.Score.Wins, t.Score.Draws, t.Score.Losses)},
		{"A's Elo", e.String()},
		{"A's nElo", e.Normalized()},
		{"A better than B", rating.Chance(e.LOS) + " likely"},
		{"pairs for A", fmt.Sprintf("lost both %d, ½ %d, split %d, 1½ %d, won both %d (pentanomial)", t.Pairs[0], t.Pairs[1], t.Pairs[2], t.Pairs[3],
			t.Pairs[4])},
		{"first player", fmt.Sprintf("%s, from %s to %s", text.Percent(first.Score), text.Percent(first.ScoreRange.Low),
			text.Percent(first.ScoreRange.High))},
		{"plies a game", fmt.Sprintf("%s on average, 5 %% to 95 %%: %d to %d", text.Number(t.Games.Mean(), 1), t.Games.Quantile(0.05),
			t.Games.Quantile(0.95))},
		{"games ended by", strings.Join(ends, ", ")},
	}
	if t.Games.Margins.N() > 0 {
		table = append(table, []string{"A's margin", t.Games.Margins.Text(t.Config.Level, t.Unit())})
	}
	return table
}
