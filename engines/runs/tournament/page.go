package tournament

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

func (r *Result) Page() (reports.Page, error) {
	v, err := r.Verdict()
	if err != nil {
		return reports.Page{}, err
	}
	return r.page(v)
}

// page returns the report under a head.
func (r *Result) page(v reports.Verdict) (reports.Page, error) {
	page := reports.Page{Title: v.Title(), Verdict: &v, Facts: r.Facts(), Warnings: r.Warnings()}
	if r.games == 0 {
		return page, nil
	}
	s, err := r.Standing()
	if err != nil {
		return page, err
	}
	page.Warnings = append(page.Warnings, s.oneSided()...)
	page.Sections = append([]reports.Section{s.ratings(), s.cross(), s.superiority()}, r.gameSections(
		fmt.Sprintf("By the fit moving first is worth %s, and %s of the games between equals are drawn.", s.Advantage(),
			text.Percent(s.Ratings.DrawRate)))...)
	if times, ok := s.cpuRows(); ok { // a section of its own, since it does not repeat
		page.Sections = append(page.Sections, reports.Section{Title: "CPU time", Blocks: []reports.Block{reports.Note(runs.CPUNote), reports.Table{
			Columns: reports.Columns("player", ">CPU per decision", ">decisions"), Rows: times,
		}}})
	}
	return page, nil
}

// Facts returns the provenance of the games.
func (r *Result) Facts() []reports.Fact {
	how := []reports.Fact{{Key: "pairs", Value: fmt.Sprintf("%d of each pairing, %d at a time", r.Config.Pairs, r.Config.Round)}}
	return gamestats.Facts(r.Head.Meta, r.Head.Sessions,
		append(append(how, runs.ProgramFacts(r.Config.Players...)...), r.Config.Facts()...)...)
}

// Warnings returns the cautions of a report, after the one about an unfinished run.
func (r *Result) Warnings() []string {
	var w []string
	if !r.finished() {
		w = append(w, r.Head.NotFinished(r.Head.Meta.Kind, fmt.Sprintf("%s of %s games", text.Count(r.games), text.Count(r.Schedule.Games()))))
	}
	return append(w, r.Cautions()...)
}

func (s *standing) ratings() reports.Section {
	level := text.Number(100*s.Config.Level, 0)
	t := reports.Table{Columns: reports.Columns(">rank", "player", "parameters", "limits", ">Elo ("+level+" %)", ">mean score",
		">games")}
	unit := s.MarginUnit()
	if unit != "" {
		t.Columns = append(t.Columns, reports.Column{Name: "margin, " + unit + " a game", Right: true})
	}
	for rank, i := range s.Order {
		p, rated := s.Config.Players[i], s.Ratings.Players[i]
		t.Rows = append(t.Rows, []string{fmt.Sprint(s.Place(rank)), "`" + p.Name + "`", "`" + p.Player + "`", cmp.Or(p.Limits.String(), "none"),
			s.Rating(i), s.MeanScore(i), text.Number(float64(rated.Games), 0)})
		if unit != "" {
			t.Rows[rank] = append(t.Rows[rank], s.Margin(i).Short(s.Config.Level))
		}
	}
	// A page leaves out the chart where its head shows it.
	return reports.Section{Title: "Ratings", Blocks: []reports.Block{reports.Plot{Name: "ratings", Figure: s.bars(true)}, t, reports.Note(fmt.Sprintf("All players are rated together "+
		"(Bradley-Terry), with the advantage of moving first and draws in the model; `%s` is at 0. The mean score counts every opponent once. "+
		"%s Two at a time are compared below.", s.Config.Anchor, rating.Apart(s.Config.Level)))}}
}

// heat returns the figure of a matrix in percent, in the order of rank: colours by
// value, texts as in the table.
func (s *standing) heat(title, label string, value func(x, y int) float64, text func(x, y int) string) figure.Heat {
	h := figure.Heat{Title: title, Subtitle: "row against column", Label: label, Middle: new(50.0)}
	for _, x := range s.Order {
		h.Rows = append(h.Rows, s.Config.Players[x].Name)
		h.Columns = append(h.Columns, s.Config.Players[x].Name)
		var values []float64
		var texts []string
		for _, y := range s.Order {
			values = append(values, value(x, y))
			texts = append(texts, strings.TrimPrefix(text(x, y), "-"))
		}
		h.Values, h.Texts = append(h.Values, values), append(h.Texts, texts)
	}
	return h
}

func (s *standing) cross() reports.Section {
	heat := s.heat("Cross table of scores", "score of the row, %", func(x, y int) float64 {
		if p := s.Pairs(x, y); p.N() > 0 {
			return 100 * p.Score()
		}
		return math.NaN()
	}, s.scoreCell)
	return s.either("Cross table", reports.Plot{Name: "cross",
		Caption: "Wins and half the draws of the row against the column, in percent of " + s.eachPlayed() + ".", Figure: heat}, s.Scores())
}

func (s *standing) superiority() reports.Section {
	matrix := s.Ratings.Superiority()
	heat := s.heat("Chance of superiority", "chance, %", func(x, y int) float64 {
		if x == y {
			return math.NaN()
		}
		return 100 * matrix[x][y]
	}, s.chanceCell(matrix))
	return s.either("Who is stronger", reports.Plot{Name: "superiority",
		Caption: "The chance that the row is stronger than the column, by the joint fit.", Figure: heat}, s.Chances())
}

// maxInCells is how many players a heat map can have with numbers in its cells.
const maxInCells = 14

// either shows a matrix once: as a heat map, where the numbers find room in its
// cells and there are enough of them for a picture, as a table with few players or too many for a
// picture, and as both otherwise.
func (s *standing) either(title string, heat reports.Plot, rows [][]string) reports.Section {
	section := reports.Section{Title: title}
	if n := len(s.Order); n < 3 || n > figure.MaxCells {
		section.Blocks = append(section.Blocks, reports.Text(heat.Caption), s.matrix(rows))
	} else if section.Blocks = append(section.Blocks, heat); n > maxInCells {
		section.Blocks = append(section.Blocks, s.matrix(rows))
	}
	return section
}

func (s *standing) matrix(rows [][]string) reports.Table {
	names := text.Each(s.Order, func(i int) string { return ">" + s.Config.Players[i].Name })
	return reports.Table{Columns: reports.Columns(append([]string{"%"}, names...)...), Rows: rows}
}

// cpuRows are rows of player, processor time per decision and decisions; ok is false
// where nothing was measured.
func (s *standing) cpuRows() (rows [][]string, ok bool) {
	players, _ := s.cpuTimes()
	for _, i := range s.Order {
		cpu := players[i]
		ok = ok || cpu.Decisions > 0
		rows = append(rows, []string{s.Config.Players[i].Name, runs.PerDecision(cpu), text.Count(cpu.Decisions)})
	}
	return rows, ok
}

// gameSections returns the sections about games; more are sentences about them.
func (r *Result) gameSections(more ...string) []reports.Section {
	openings := r.Openings.SectionOf(r.Config.Level, text.Each(r.Schedule.Pairings, r.Schedule.Phase), r.DuplicatePairs)
	return runs.GameSections(r.Head, openings, &r.Openings, "the first of the two players", r.Games.Section(r.Config.Level, more...), &r.Lost)
}
