package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
)

func tournamentCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	asked, play := tournament.New(), cli.NewPlay(tournament.Name, args, stdout, stderr)
	cmd := &cobra.Command{
		Use: "tournament --game GAME [--player PLAYER]...", Short: tournament.Kind().Short,
		Long: `Tournament plays every player against every other (with --gauntlet one against all,
with --neighbours each against the next in the list) in pairs of games, one opening
with colours swapped, and rates all of them together. It prints a cross table of
scores, Elo ratings with intervals relative to one player, the probability that each
is stronger than each other, the first player's score and how games ended.

A PLAYER is [NAME:]PRESET, [NAME:]FILE.toml or [NAME:]engine:FILE.toml, optionally
followed by ,name=value overrides and @BUDGET. Without --player the original presets
of the game play, except the bad one (see selfplay params). Names do not affect the
games.

Pairings are played in rounds of --round pairs. Stopping early still gives every
pairing the same number of games, only fewer; --resume continues. The rows and the
result are the same for any --workers.`,
		Example: `  selfplay tournament --game quoridor --pairs 1000
  selfplay tournament --game gobang --player fixed@depth=2 --player deep:fixed@depth=3 --player patterns@depth=2
  selfplay tournament --game mills --player paper --player strong --player mine:runs/X/tuned.toml,w=12 --gauntlet mine
  selfplay tournament --resume runs/20261120-101500-quoridor-tournament`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer play.Stay()
			r, err := play.Open(cmd, asked)
			if err != nil {
				return err
			}
			told := r.Result.(*tournament.Result)
			warnOfAnyClock(stderr, told.Spec.Players)
			ended, err := play.Run(cmd, r)
			if !ended.Result {
				return err
			}
			return errors.Join(printTournament(play, told, ended.Report), err)
		},
	}
	cli.Flags(cmd, asked)
	play.Register(cmd)
	return cmd
}

// byTheClock is said of games that a clock decided.
const byTheClock = "warning: a player is bound to a clock, so these games do not repeat exactly"

// warnOfAnyClock warns before games that do not repeat.
func warnOfAnyClock(stderr io.Writer, players []player.Config) {
	if !runs.Repeatable(players...) {
		fmt.Fprintln(stderr, runs.Unrepeatable(byTheClock, players...))
	}
}

// printTournament prints the result; report is the file of its report, "" for
// none.
func printTournament(play *cli.Play, t *tournament.Result, report string) error {
	if play.JSON {
		return cli.PrintJSON(play.Stdout, t.JSON)
	}
	s, err := t.Standing()
	if err != nil {
		return err
	}
	printStanding(play.Stdout, s)
	if report != "" {
		fmt.Fprintf(play.Stdout, "\nreport  %s\n", report)
	}
	return nil
}

func printStanding(out io.Writer, s *tournament.Standing) {
	level := reports.Number(100*s.Spec.Level, 0) + " %"
	ratings := cli.Table{{"rank", "player", "Elo (" + level + ")", "mean score", "games"}}
	unit := s.MarginUnit()
	if unit != "" {
		ratings[0] = append(ratings[0], "margin ("+unit+")")
	}
	for rank, i := range s.Order {
		row := []string{
			fmt.Sprint(rank + 1), s.Name(rank), s.Rating(i), gamestats.Percent(s.Mean(i)), gamestats.Count(s.Ratings.Players[i].Games),
		}
		if unit != "" {
			row = append(row, s.Margin(i).Short(s.Spec.Level))
		}
		ratings = append(ratings, row)
	}
	ratings.Print(out, 0, 2, 3, 4, 5)
	fmt.Fprintf(out, "\nElo is relative to %s. Mean score: every opponent counts once.\n", s.Spec.Anchor)
	fmt.Fprintln(out, "\nscore of the row against the column, %")
	printCross(out, s, s.Scores())
	fmt.Fprintln(out, "\nchance that the row is stronger than the column, %")
	printCross(out, s, s.Chances())
	first := s.Games.First.Estimate(s.Spec.Level)
	var ends []string
	for _, k := range s.Games.Kinds() {
		ends = append(ends, k+" "+gamestats.Count(s.Games.Ends[k]))
	}
	fmt.Fprintln(out)
	cli.Table{
		{"first player", fmt.Sprintf("%s, from %s to %s; worth %s", gamestats.Percent(first.Score), gamestats.Percent(first.ScoreRange.Low), gamestats.Percent(first.ScoreRange.High), s.Advantage())},
		{"draws between equals", gamestats.Percent(s.Ratings.DrawRate)},
		{"plies a game", reports.Number(s.Games.Mean(), 1)},
		{"games ended by", strings.Join(ends, ", ")},
	}.Print(out)
	for i, n := range s.Faults {
		if n > 0 {
			fmt.Fprintf(out, "warning: %s lost %d games by faults (illegal moves, time, crashes)\n", s.Spec.Players[i].Name, n)
		}
	}
	if !s.Repeatable() {
		fmt.Fprintln(out, byTheClock)
	}
}

func printCross(out io.Writer, s *tournament.Standing, rows [][]string) {
	head := []string{""}
	var right []int
	for rank := range s.Order {
		head = append(head, s.Name(rank))
		right = append(right, rank+1)
	}
	cli.Table(append([][]string{head}, rows...)).Print(out, right...)
}
