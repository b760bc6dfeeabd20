package tournament

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// standing is a result with its joint ratings, for pages and tables.
type standing struct {
	*Result
	Ratings *rating.Ratings
	Order   []int // players from the strongest to the weakest
}

// Standing fits the joint ratings of all games so far.
func (t *Result) Standing() (*standing, error) {
	r, err := published.Fit(t.results, t.Config.Anchor)
	if err != nil {
		return nil, err
	}
	return &standing{Result: t, Ratings: r, Order: r.Ranking()}, nil
}

// Name returns the name of the player at a rank, from 0.
func (s *standing) Name(rank int) string { return s.Config.Players[s.Order[rank]].Name }

// Place returns the place of a rank, from 1: players with the same rating share it.
func (s *standing) Place(rank int) int {
	for ; rank > 0; rank-- {
		if ahead, _ := s.Ratings.Difference(s.Order[rank-1], s.Order[rank]); ahead > 1e-6 {
			break
		}
	}
	return rank + 1
}

// Lead is by how much Elo the first is before the second, and half the interval
// of it.
func (s *standing) Lead() (ahead, half float64) { return s.before(1) }

// before is by how much the first is before the player of another rank.
func (s *standing) before(rank int) (ahead, half float64) {
	ahead, se := s.Ratings.Difference(s.Order[0], s.Order[rank])
	return ahead, rating.Rating{SE: se}.Interval(s.Config.Level).Half()
}

// strongest reports whether the first is shown to be stronger than each of the others: in a gauntlet
// two opponents, who did not meet, are compared less surely than either with the player between them.
func (s *standing) strongest() bool {
	for rank := range s.Order[1:] {
		if ahead, half := s.before(rank + 1); ahead <= half {
			return false
		}
	}
	return true
}

// oneSided warns of ratings of players that won or lost every game, which rest on the fit's
// prior, and of ratings with too narrow intervals.
func (s *standing) oneSided() (list []string) {
	var all, nearly []string
	for _, p := range s.Ratings.Players {
		switch name := "`" + p.Name + "`"; {
		case p.Games == 0:
		case p.Score == 0 || p.Score == 1:
			all = append(all, name)
		case p.FewPoints():
			nearly = append(nearly, name)
		}
	}
	if all != nil {
		list = append(list, fmt.Sprintf("Players that won or lost every game: %s. The games show that they are stronger or weaker than the "+
			"others, but not by how much: their Elo, with its interval, is what the fit assumes.", strings.Join(all, ", ")))
	}
	if nearly != nil {
		list = append(list, tooNarrow(nearly...))
	}
	return append(append(list, s.warnWorstFit()...), s.unlike(func(p schedule.Pairing) float64 { return s.Ratings.PairScore(p.A, p.B) })...)
}

// warnWorstFit names the two players whose score fits their ratings least. With many draws the Elo
// scale holds near equality only.
func (s *standing) warnWorstFit() (list []string) {
	worst := 0.0
	for i, a := range s.Config.Players {
		for j, b := range s.Config.Players {
			score, elo := s.Ratings.Expected(i, j)
			ahead, se := s.Ratings.Difference(i, j)
			off, half := math.Abs(elo-ahead), rating.Rating{SE: se}.Interval(s.Config.Level).Half()
			if s.Results(i, j).N() == 0 || ahead < 0 || off <= max(worst, half) {
				continue
			}
			worst, list = off, []string{fmt.Sprintf("With %s of the games between equals drawn, the Elo of players far apart is not that of their "+
				"score: `%s` is rated %s Elo above `%s`, and would score %s against it if neither moved first, which is %s Elo.",
				text.Percent(s.Ratings.DrawRate), a.Name, text.Signed(ahead, 1), b.Name, text.Percent(score), rating.EloText(elo))}
		}
	}
	return list
}

// unlike names the two players whose score against each other deviates most from their ratings.
// No rating explains such results, and more games do not change that. Expected is the score of
// a pairing by the ratings.
func (r *Result) unlike(expected func(schedule.Pairing) float64) (list []string) {
	worst, level := 0.0, 1-float64((1-r.Config.Level)/float64(len(r.Schedule.Pairings)))
	for _, p := range r.Schedule.Pairings {
		e, want := r.Pairs(p.A, p.B).Estimate(level), expected(p)
		off := math.Abs(e.Score-want) / e.SE
		if e.N == 0 || e.ScoreRange.Low <= want && want <= e.ScoreRange.High || off <= worst {
			continue
		}
		worst, list = off, []string{fmt.Sprintf("The scores do not fit ratings on one scale: `%s` scored %s against `%s`, but by "+
			"their Elo it would score %s. The intervals of Elo do not allow for that; the table of scores has each pairing's.",
			r.Schedule.Players[p.A].Name, text.Percent(e.Score), r.Schedule.Players[p.B].Name, text.Percent(want))}
	}
	return list
}

// tooNarrow returns a warning of ratings with few games won, or lost.
func tooNarrow(players ...string) string {
	return fmt.Sprintf("Players that won or lost hardly any game: %s. The intervals of their Elo are too narrow. More games or opponents "+
		"closer in strength help.", strings.Join(players, ", "))
}

// Advantage describes the advantage of moving first.
func (s *standing) Advantage() string {
	half := rating.Rating{SE: s.Ratings.AdvantageSE}.Interval(s.Config.Level).Half()
	return text.PlusMinus(s.Ratings.Advantage, half, 1) + " Elo"
}

// Rating returns a player's Elo with its interval; "0" is the anchor's.
func (s *standing) Rating(i int) string {
	p := s.Ratings.Players[i]
	if p.Name == s.Config.Anchor {
		return "0"
	}
	return text.PlusMinus(p.Elo, p.Interval(s.Config.Level).Half(), 1)
}

// MeanScore returns a player's mean score, "-" before its first game.
func (s *standing) MeanScore(i int) string {
	if s.Ratings.Players[i].Games == 0 {
		return "-"
	}
	return text.Percent(s.Mean(i))
}

// eachPlayed describes the number of games in each pairing.
func (s *standing) eachPlayed() string {
	least, most := 0, 0
	for _, row := range s.tallies {
		for _, pairs := range row {
			if n := 2 * pairs.N(); n > 0 {
				least, most = min(cmp.Or(least, n), n), max(most, n)
			}
		}
	}
	if least < most {
		return fmt.Sprintf("%s to %s", text.Count(least), text.Plural(most, "game"))
	}
	return text.Plural(most, "game")
}

// Scores returns the rows of the cross table, in the order of rank: the name, then the score
// against each player in percent, "-" against players not met.
func (s *standing) Scores() [][]string { return s.rows(s.scoreCell) }

// Chances returns the rows of a table of all against all, as Scores: the chance in
// percent that the row is stronger than the column.
func (s *standing) Chances() [][]string { return s.rows(s.chanceCell(s.Ratings.Superiority())) }

// rows returns the cells of a table of all against all, in the order of rank.
func (s *standing) rows(cell func(x, y int) string) [][]string {
	var rows [][]string
	for _, x := range s.Order {
		row := []string{s.Config.Players[x].Name}
		for _, y := range s.Order {
			row = append(row, cell(x, y))
		}
		rows = append(rows, row)
	}
	return rows
}

func (s *standing) scoreCell(x, y int) string {
	if p := s.Pairs(x, y); p.N() > 0 {
		return text.Number(100*p.Score(), 1)
	}
	return "-"
}

func (s *standing) chanceCell(matrix [][]float64) func(x, y int) string {
	return func(x, y int) string {
		if x == y {
			return "-"
		}
		return strings.TrimSuffix(rating.Chance(matrix[x][y]), " %")
	}
}

// byTheClock describes games that a clock decides.
const byTheClock = "A player is bound to a wall clock: these games do not repeat exactly, and should not be mixed with repeatable ones."

// unrepeatable explains why the run does not repeat.
func (r *Result) unrepeatable() string {
	return cmp.Or(runs.Unrepeatable(byTheClock, r.Config.Players...), byTheClock)
}

// Cautions returns warnings about the result.
func (r *Result) Cautions() []string {
	var w []string
	for i, n := range r.Faults {
		if n > 0 {
			w = append(w, fmt.Sprintf("`%s` lost %s by faults (%s).", r.Config.Players[i].Name, text.Plural(n, "game"), r.Reasons[i]))
		}
	}
	if !r.Repeatable() {
		w = append(w, r.unrepeatable())
	}
	for of, p := range r.Schedule.Pairings {
		a, b := "`"+r.Config.Players[p.A].Name+"`", "`"+r.Config.Players[p.B].Name+"`"
		if alike := runs.Alike(a, b, r.compared[of], r.differing[of], r.Pairs(p.A, p.B)); alike != "" {
			w = append(w, alike)
		}
	}
	if repeats := r.Openings.Caution(); repeats != "" {
		w = append(w, repeats)
	}
	if r.Games.First.N() < rating.MinSample {
		w = append(w, "So few pairs were played that intervals are to be read with care.")
	}
	return append(w, r.Games.Cut()...)
}
