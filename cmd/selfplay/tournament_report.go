package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/match"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// contestPage is the report of a recorded tournament or ladder, finished or not,
// from the record alone.
func contestPage(log *datasets.Log) (reports.Page, error) {
	c, err := readContest(log)
	if err != nil {
		return reports.Page{}, err
	}
	for t, err := range log.Trials(datasets.Filter{}) {
		if err != nil {
			return reports.Page{}, err
		}
		c.standing.trial(t)
	}
	if err := c.standing.count(log); err != nil {
		return reports.Page{}, err
	}
	if c.kind == ladderKind && !c.spec.Calibrate {
		ladder, err := c.ladder()
		if err != nil {
			return reports.Page{}, err
		}
		placed, err := ladder.Place(c.placings())
		if err != nil {
			return reports.Page{}, err
		}
		return c.ladderPage(ladder, placed)
	}
	table, err := c.standing.rate()
	if err != nil {
		return reports.Page{}, err
	}
	return c.page(table)
}

// page is the report of a rated tournament.
func (c *contest) page(r *ratedStanding) (reports.Page, error) {
	title := fmt.Sprintf("Tournament of %s: %s", c.variant.Game.Title, filepath.Base(filepath.Clean(c.folder)))
	if c.spec.Calibrate {
		title = fmt.Sprintf("Ladder of %s, measured", c.variant.Game.Title)
	}
	return tournamentPage(title, c, r)
}

// writeReport writes report.html and report.md into the run directory.
func (c *contest) writeReport(r *ratedStanding) error {
	page, err := c.page(r)
	if err != nil {
		return err
	}
	return c.writePage(page)
}

func (c *contest) writePage(page reports.Page) error {
	if err := page.Write(c.folder); err != nil {
		return fmt.Errorf("report of %s: %w", c.folder, err)
	}
	return nil
}

func tournamentPage(title string, c *contest, r *ratedStanding) (reports.Page, error) {
	page := reports.Page{Title: title, Warnings: c.warnings()}
	var err error
	if page.Facts, err = c.facts(); err != nil {
		return page, err
	}
	if r.played.N == 0 {
		page.Lead = []string{fmt.Sprintf("A tournament of %d players (%s); no game is recorded yet.", len(r.order), r.spec.Schedule)}
		return page, nil
	}
	best, next := r.order[0], r.order[1]
	ahead, se := r.ratings.Difference(best, next)
	half, claim := rating.Rating{SE: se}.Interval(r.spec.Level).Half(), "Strongest"
	if ahead <= half {
		claim = "Rated highest, but not shown to be the strongest"
	}
	page.Lead = []string{fmt.Sprintf("%s: `%s`, by %s Elo before `%s`, of %d players in %s games (%s).",
		claim, r.spec.Players[best].Name, plusMinus(ahead, half), r.spec.Players[next].Name,
		len(r.order), record.Count(r.played.N), r.spec.Schedule)}
	page.Sections = []reports.Section{r.ratingSection(), r.crossSection(), r.superioritySection(), r.openingSection(), r.playSection()}
	return page, nil
}

// facts say where the games of a recorded contest come from.
func (c *contest) facts() ([]reports.Fact, error) {
	sessions, err := match.Sessions(c.folder)
	if err != nil {
		return nil, err
	}
	return record.Facts(c.meta, sessions,
		reports.Fact{Key: "pairs", Value: fmt.Sprintf("%d of each pairing, %d a round", c.spec.Pairs, c.spec.Round)},
		reports.Fact{Key: "openings", Value: record.RandomOpenings(c.spec.OpeningPlies)}), nil
}

// warnings are what a reader of the report must know first.
func (c *contest) warnings() []string {
	var w []string
	if n, all := int64(c.standing.played.N), c.schedule.Games(); n < all {
		w = append(w, fmt.Sprintf("The %s is not finished: %s of %s games are recorded. `selfplay %s --resume %s` goes on with it.",
			c.kind, record.Count(n), record.Count(all), c.kind, c.folder))
	}
	return append(w, c.standing.warnings()...)
}

func (s *standing) warnings() []string {
	var w []string
	for i, n := range s.faults {
		if n > 0 {
			w = append(w, fmt.Sprintf("`%s` lost %d games by faults (illegal moves, time or crashes); see how games ended.", s.spec.Players[i].Name, n))
		}
	}
	if !s.spec.repeatable() {
		w = append(w, "A player was bound to a wall clock: this run does not repeat exactly, and its results should not be mixed with repeatable ones.")
	}
	if repeats := s.openings.Caution(); repeats != "" {
		w = append(w, repeats)
	}
	if s.played.First.Estimate(s.spec.Level).Few {
		w = append(w, "So few pairs were played that intervals are to be read with care.")
	}
	return w
}

func (r *ratedStanding) ratingSection() reports.Section {
	level := reports.Number(100*r.spec.Level, 0)
	bars := figure.Bars{Title: "Joint ratings", Subtitle: fmt.Sprintf("Bradley-Terry fit of all games, %s %% intervals", level),
		XLabel: "Elo", ZeroLabel: r.spec.Anchor}
	t := reports.Table{Columns: []reports.Column{
		{Name: "rank", Right: true}, {Name: "player"}, {Name: "parameters"}, {Name: "limits"},
		{Name: "Elo (" + level + " %)", Right: true}, {Name: "mean score", Right: true}, {Name: "games", Right: true},
	}}
	for rank, i := range r.order {
		p, rated := r.spec.Players[i], r.ratings.Players[i]
		in := rated.Interval(r.spec.Level)
		bars.Bars = append(bars.Bars, figure.Bar{Name: p.Name, Value: rated.Elo, Lo: in.Low, Hi: in.High, Strong: p.Name == r.spec.Hero})
		t.Rows = append(t.Rows, []string{fmt.Sprint(rank + 1), "`" + p.Name + "`", "`" + p.Player + "`", cmp.Or(p.Limits, "none"),
			r.rating(i), record.Percent(r.average(i)), reports.Number(float64(rated.Games), 0)})
	}
	return reports.Section{Title: "Ratings", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("All players are rated together, with the advantage of moving first and draws in the model; `%s` is at 0. The mean score counts every opponent once.", r.spec.Anchor)),
		reports.Plot{Name: "ratings", Caption: "Players whose intervals lie apart differ for sure; for those that overlap see the chances below.", Figure: bars}, t,
	}}
}

// heat is the figure of a matrix in percent, in the order of rank: colours by
// value, texts as in the table.
func (r *ratedStanding) heat(title, label string, value func(x, y int) float64, text func(x, y int) string) figure.Heat {
	half := 50.0
	h := figure.Heat{Title: title, Subtitle: "row against column", Label: label, Middle: &half}
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
	return r.played.Section(r.spec.Level,
		fmt.Sprintf("By the fit moving first is worth %s, and %s of the games between equals are drawn.", r.advantage(), record.Percent(r.ratings.DrawRate)))
}

// openingSection tells how results depend on the opening.
func (s *standing) openingSection() reports.Section {
	names := make([]string, len(s.schedule.Pairings))
	for i, p := range s.schedule.Pairings {
		names[i] = s.schedule.Phase(p)
	}
	return s.openings.SectionOf(s.spec.Level, names, s.twins)
}
