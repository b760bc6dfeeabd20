package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"selfplaylab/reports"
	"selfplaylab/reports/rating"
)

// writeTournamentReport writes report.html and report.md into the run directory.
func writeTournamentReport(c *contest, r *ratedStanding) error {
	title := fmt.Sprintf("Tournament of %s: %s", c.variant.Game.Title, filepath.Base(filepath.Clean(c.run.Dir)))
	if c.spec.Calibrate {
		title = fmt.Sprintf("Ladder of %s, measured", c.variant.Game.Title)
	}
	page := tournamentPage(title, c, r)
	if err := page.Write(c.run.Dir); err != nil {
		return fmt.Errorf("report of %s: %w", c.run.Dir, err)
	}
	return nil
}

func tournamentPage(title string, c *contest, r *ratedStanding) reports.Page {
	best, next := r.order[0], r.order[1]
	ahead, se := r.ratings.Difference(best, next)
	page := reports.Page{
		Title: title,
		Lead: []string{fmt.Sprintf("Strongest: `%s`, by %s Elo before `%s`, of %d players in %s games (%s).",
			r.spec.Players[best].Name, plusMinus(ahead, rating.Rating{SE: se}.Interval(r.spec.Level).Half()), r.spec.Players[next].Name,
			len(r.order), reports.Number(float64(r.games), 0), r.spec.Schedule)},
		Warnings: r.warnings(),
		Sections: []reports.Section{r.ratingSection(), r.crossSection(), r.superioritySection(), r.playSection()},
	}
	page.Facts = c.facts()
	return page
}

// facts say where the games of a recorded contest come from.
func (c *contest) facts() []reports.Fact {
	m, s := c.run.Meta, c.spec
	return []reports.Fact{
		{Key: "game", Value: fmt.Sprintf("%s, version %d, %s", m.Game, m.GameVersion, m.Rules)},
		{Key: "seed", Value: fmt.Sprint(m.Seed)},
		{Key: "pairs", Value: fmt.Sprintf("%d of each pairing, %d a round", s.Pairs, s.Round)},
		{Key: "openings", Value: fmt.Sprintf("%d random plies", s.OpeningPlies)},
		{Key: "limits", Value: cmp.Or(m.Limits, "none")},
		{Key: "command", Value: "`" + m.Command + "`"},
		{Key: "typed", Value: "`" + m.Typed + "`"},
		{Key: "revision", Value: m.Revision},
		{Key: "program", Value: m.Program + ", " + m.Go},
		{Key: "created", Value: m.Created.UTC().Format("2006-01-02 15:04:05 UTC")},
	}
}

func (r *standing) warnings() []string {
	var w []string
	for i, n := range r.faults {
		if n > 0 {
			w = append(w, fmt.Sprintf("`%s` lost %d games by faults (illegal moves, time or crashes); see how games ended.", r.spec.Players[i].Name, n))
		}
	}
	if !r.spec.repeatable() {
		w = append(w, "A player was bound to a wall clock: this run does not repeat exactly, and its results should not be mixed with repeatable ones.")
	}
	if r.first.Estimate(r.spec.Level).Few {
		w = append(w, "So few pairs were played that intervals are to be read with care.")
	}
	return w
}

func (r *ratedStanding) ratingSection() reports.Section {
	level := reports.Number(100*r.spec.Level, 0)
	bars := reports.Bars{Title: "Joint ratings", Subtitle: fmt.Sprintf("Bradley-Terry fit of all games, %s %% intervals", level),
		XLabel: "Elo", ZeroLabel: r.spec.Anchor}
	t := reports.Table{Columns: []reports.Column{
		{Name: "rank", Right: true}, {Name: "player"}, {Name: "parameters"}, {Name: "limits"},
		{Name: "Elo (" + level + " %)", Right: true}, {Name: "mean score", Right: true}, {Name: "games", Right: true},
	}}
	for rank, i := range r.order {
		p, rated := r.spec.Players[i], r.ratings.Players[i]
		in := rated.Interval(r.spec.Level)
		bars.Bars = append(bars.Bars, reports.Bar{Name: p.Name, Value: rated.Elo, Lo: in.Low, Hi: in.High, Strong: p.Name == r.spec.Hero})
		t.Rows = append(t.Rows, []string{fmt.Sprint(rank + 1), "`" + p.Name + "`", "`" + p.Player + "`", cmp.Or(p.Limits, "none"),
			r.rating(i), tournamentPercent(r.average(i)), reports.Number(float64(rated.Games), 0)})
	}
	return reports.Section{Title: "Ratings", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("All players are rated together, with the advantage of moving first and draws in the model; `%s` is at 0. The mean score counts every opponent once.", r.spec.Anchor)),
		reports.Plot{Name: "ratings", Caption: "Players whose intervals lie apart differ for sure; for those that overlap see the chances below.", Figure: bars}, t,
	}}
}

// heat is the figure of a matrix in percent, in the order of rank: colours by
// value, texts as in the table.
func (r *ratedStanding) heat(title, label string, value func(x, y int) float64, text func(x, y int) string) reports.Heat {
	half := 50.0
	h := reports.Heat{Title: title, Subtitle: "row against column", Label: label, Middle: &half}
	for _, x := range r.order {
		h.Rows = append(h.Rows, r.spec.Players[x].Name)
		h.Columns = append(h.Columns, r.spec.Players[x].Name)
		var values []float64
		var texts []string
		for _, y := range r.order {
			values = append(values, value(x, y))
			texts = append(texts, strings.TrimPrefix(text(x, y), "-"))
		}
		h.Values, h.Texts = append(h.Values, values), append(h.Texts, texts)
	}
	return h
}

func (r *ratedStanding) crossSection() reports.Section {
	heat := r.heat("Cross table of scores", "score of the row, %", func(x, y int) float64 {
		if score, met := r.score(x, y); met {
			return 100 * score
		}
		return math.NaN()
	}, r.scoreCell)
	return reports.Section{Title: "Cross table", Blocks: []reports.Block{
		reports.Plot{Name: "cross", Caption: "Wins and half the draws of the row against the column, in percent of the games.", Figure: heat},
		r.matrix(r.scoreCell),
	}}
}

func (r *ratedStanding) superioritySection() reports.Section {
	matrix := r.ratings.Superiority()
	heat := r.heat("Chance of superiority", "chance, %", func(x, y int) float64 {
		if x == y {
			return math.NaN()
		}
		return 100 * matrix[x][y]
	}, r.superiorityCell(matrix))
	return reports.Section{Title: "Who is stronger", Blocks: []reports.Block{
		reports.Plot{Name: "superiority", Caption: "The chance that the row is stronger than the column, by the joint fit.", Figure: heat},
		r.matrix(r.superiorityCell(matrix)),
	}}
}

func (r *ratedStanding) matrix(cell func(x, y int) string) reports.Table {
	t := reports.Table{Columns: []reports.Column{{Name: "%"}}, Rows: r.crossRows(cell)}
	for _, i := range r.order {
		t.Columns = append(t.Columns, reports.Column{Name: r.spec.Players[i].Name, Right: true})
	}
	return t
}

func (r *ratedStanding) playSection() reports.Section {
	return r.gamesSection(
		fmt.Sprintf("By the fit moving first is worth %s, and %s of the games between equals are drawn.", r.advantage(), tournamentPercent(r.ratings.DrawRate)),
	)
}

// gamesSection tells of all games together; facts are further lines.
func (s *standing) gamesSection(facts ...string) reports.Section {
	first := s.first.Estimate(s.spec.Level)
	ends := reports.Ends{Title: "How games ended", Rows: []reports.EndsRow{{Name: "all"}}}
	for _, k := range s.kinds() {
		ends.Kinds = append(ends.Kinds, k)
		ends.Rows[0].Counts = append(ends.Rows[0].Counts, s.ends[k])
	}
	return reports.Section{Title: "The games", Blocks: []reports.Block{
		append(reports.List{
			fmt.Sprintf("First player: %s of the points, from %s to %s.", tournamentPercent(first.Score), tournamentPercent(first.ScoreRange.Low), tournamentPercent(first.ScoreRange.High)),
			fmt.Sprintf("A game took %s plies on average.", reports.Number(float64(s.plies)/float64(max(s.games, 1)), 1)),
		}, facts...),
		reports.Plot{Name: "ends", Caption: "Games by the reason they ended for.", Figure: ends},
	}}
}
