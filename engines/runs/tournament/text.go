package tournament

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/reports/text"
)

// help is the command's long help, with examples.
//
//go:embed help.txt
var help string

func (r *Result) Text(out io.Writer, end runs.Ended) error {
	if err := runs.PrintVerdict(out, r, end); err != nil || r.games == 0 {
		return err
	}
	s, err := r.Standing()
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	s.players().Print(out, 0, 2, 3, 4, 5)
	fmt.Fprintf(out, "\nElo is relative to %s. Mean score: every opponent counts once.\n", s.Config.Anchor)
	fmt.Fprintln(out, "\nscore of the row against the column, % of "+s.eachPlayed())
	s.printCross(out, s.Scores())
	fmt.Fprintln(out, "\nchance that the row is stronger than the column, %")
	s.printCross(out, s.Chances())
	fmt.Fprintln(out)
	s.totals().Print(out)
	printCautions(out, append(r.Cautions(), s.oneSided()...))
	if end.Report != "" {
		fmt.Fprintf(out, "\nreport  %s\n", end.Report)
	}
	return nil
}

func printCautions(out io.Writer, cautions []string) {
	for _, c := range cautions {
		fmt.Fprintln(out, "warning: "+text.Unmarked(c))
	}
}

// players returns the table of players, the strongest first.
func (s *standing) players() text.Table {
	table := text.Table{{"rank", "player", "Elo (" + text.Number(100*s.Config.Level, 0) + " %)", "mean score", "games"}}
	unit := s.MarginUnit()
	if unit != "" {
		table[0] = append(table[0], "margin ("+unit+")")
	}
	for rank, i := range s.Order {
		row := []string{
			fmt.Sprint(s.Place(rank)), s.Name(rank), s.Rating(i), s.MeanScore(i), text.Count(s.Ratings.Players[i].Games),
		}
		if unit != "" {
			row = append(row, s.Margin(i).Short(s.Config.Level))
		}
		table = append(table, row)
	}
	return table
}

// totals returns the lines about all games together.
func (s *standing) totals() text.Table {
	first := s.Games.First.Estimate(s.Config.Level)
	ends := text.Each(s.Games.Kinds(), func(k string) string { return k + " " + text.Count(s.Games.Ends[k]) })
	table := text.Table{
		{"first player", fmt.Sprintf("%s, from %s to %s; worth %s", text.Percent(first.Score), text.Percent(first.ScoreRange.Low),
			text.Percent(first.ScoreRange.High), s.Advantage())},
		{"draws between equals", text.Percent(s.Ratings.DrawRate)},
		{"plies a game", text.Number(s.Games.Mean(), 1)},
		{"games ended by", strings.Join(ends, ", ")},
	}
	if times, ok := s.cpuRows(); ok {
		list := text.Each(times, func(row []string) string { return row[0] + " " + row[1] })
		table = append(table, []string{"CPU time", strings.Join(list, ", ") + " per decision"})
	}
	return table
}

func (s *standing) printCross(out io.Writer, rows [][]string) {
	head := []string{""}
	var right []int
	for rank := range s.Order {
		head = append(head, s.Name(rank))
		right = append(right, rank+1)
	}
	text.Table(append([][]string{head}, rows...)).Print(out, right...)
}
