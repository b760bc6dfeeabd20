package tournament

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

func (l *LadderResult) Page() (reports.Page, error) {
	if l.Config.Calibrate {
		v, err := l.Verdict()
		if err != nil {
			return reports.Page{}, err
		}
		return l.page(v)
	}
	v, err := l.Verdict()
	page := reports.Page{Title: v.Title(), Verdict: &v, Facts: l.Facts(), Warnings: l.Warnings()}
	page.Warnings = append(page.Warnings, l.Config.foreign(l.Head.Meta.GameVersion)...)
	if err != nil || l.Played() == 0 {
		return page, err
	}
	placed, err := l.Placed()
	if err != nil {
		return page, err
	}
	page.Warnings = append(page.Warnings, l.beyond(placed)...)
	page.Sections = append([]reports.Section{l.against()}, l.gameSections(l.margin()...)...)
	return page, nil
}

// placing returns the challenger's rating in words.
func (l *LadderResult) placing(placed rating.Rating) string {
	bound, elo := l.rated(placed)
	return fmt.Sprintf("rating on the ladder %s%s Elo (%s %%), where %s is 0, %s", bound, elo, text.Number(100*l.Config.Level, 0),
		l.Config.Ladder.Anchor, text.Plural(l.Played(), "game"))
}

// rated returns the challenger's rating with its interval, or a bound of it: "at most ", "at least ".
func (l *LadderResult) rated(placed rating.Rating) (bound, elo string) {
	switch in, open := l.interval(placed); {
	case open < 0:
		return "at most ", text.Signed(in.High, 1)
	case open > 0:
		return "at least ", text.Signed(in.Low, 1)
	default:
		return "", text.PlusMinus(placed.Elo, in.Half(), 1)
	}
}

// beyond warns of a player that won or lost nearly every game, whose rating is a bound more than a
// measurement, and of scores that no rating explains. It returns nil for others.
func (l *LadderResult) beyond(placed rating.Rating) []string {
	all, rungs := l.all(), l.Config.Ladder.Rungs
	switch one := all.N() > 0 && (all.Score() <= 0.02 || all.Score() >= 0.98); {
	case one && l.Config.Against != "":
		return []string{"so one-sided a result says little about the difference; try another rung"}
	case one:
		return []string{"the player is beyond the ladder, whose rungs go " + text.Ends(rungs[0].Elo, rungs[len(rungs)-1].Elo, 0) + " Elo"}
	case placed.FewPoints():
		return []string{tooNarrow("`" + l.player() + "`")}
	}
	r, err := l.ratings()
	if err != nil {
		return nil // Placed said so
	}
	return l.unlike(func(p schedule.Pairing) float64 {
		rung := slices.IndexFunc(rungs, func(r published.Rung) bool { return r.Name == l.opponent(p.B) })
		return r.PairScore(len(rungs), rung)
	})
}

// foreign returns a sentence for each difference between these games and the games that measured
// the ladder.
func (s *LadderConfig) foreign(version int) []string {
	var list []string
	if s.Calibrate {
		return nil
	}
	l := s.Ladder
	if l.GameVersion != version {
		list = append(list, fmt.Sprintf("the ladder was measured with version %d of %s, this is version %d: its ratings may be off",
			l.GameVersion, l.Game, version))
	}
	if s.InOrder() || s.OpeningPlies != l.OpeningPlies {
		list = append(list, fmt.Sprintf("the ladder was measured from openings of %s, and these games start in another way: its ratings may "+
			"be off", text.Plural(l.OpeningPlies, "random ply")))
	}
	if s.MaxPlies > 0 || s.Resign.Moves > 0 || s.Draw.Moves > 0 {
		list = append(list, fmt.Sprintf("these games may be adjudicated: the ratings hold if the ladder's were too; it was measured by %s",
			l.Command))
	}
	return list
}

// margin returns a sentence for games that are won by more or less.
func (l *LadderResult) margin() []string {
	unit := l.MarginUnit()
	if unit == "" {
		return nil
	}
	return []string{fmt.Sprintf("The margin of `%s`, the mean of a pair's two games: %s.", l.player(), l.Margin(0).Text(l.Config.Level, unit))}
}

// against shows the challenger among the rungs, and its games with each.
func (t *LadderResult) against() reports.Section {
	section := reports.Section{Title: "Against the rungs", Open: true, Blocks: []reports.Block{
		reports.Note("The rating is a joint fit of these games and of all those the ladder was measured by, so its interval holds what is " +
			"not known of the rungs too."),
		reports.Table{Columns: reports.Columns("opponent", ">wins/games", ">draws", ">rung's Elo"), Rows: t.rungs("")},
	}}
	if t.Config.Against != "" {
		section.Blocks = append(section.Blocks, reports.Code(Stat(t.Results(0, 1))))
	}
	return section
}

// rungs returns the rows of a table, an opponent each: its name followed by colon,
// wins of games, draws, the rung's Elo.
func (l *LadderResult) rungs(colon string) [][]string {
	var rows [][]string
	for _, p := range l.Schedule.Pairings {
		name, g := l.opponent(p.B), l.Results(p.A, p.B)
		elo := "?"
		if r, err := l.Config.Ladder.Rung(name); err == nil {
			elo = text.Signed(r.Elo, 0)
		}
		rows = append(rows, []string{name + colon, fmt.Sprintf("%d/%d", g.Wins, g.N()), fmt.Sprint(g.Draws), elo})
	}
	return rows
}

// Stat writes the ratios of games in the form of the course's arena: A is the
// challenger, B the rung.
func Stat(g rating.Games) string {
	n := max(g.N(), 1)
	ratio := func(k int) string {
		return strconv.FormatFloat(math.Round(1e4*float64(k)/float64(n))/1e4, 'f', -1, 64)
	}
	return fmt.Sprintf("Stat:\nratio of A wins : %s\nratio of B wins : %s\nratio of Tie : %s\nratio of (A wins + tie) : %s\n"+
		"ratio of (B wins + tie) : %s\n",
		ratio(g.Wins), ratio(g.Losses), ratio(g.Draws), ratio(g.Wins+g.Draws), ratio(g.Losses+g.Draws))
}

// readme returns the page of a measured ladder, to be published with it.
func (l *LadderResult) readme() (reports.Page, error) {
	page, err := l.page(reports.Verdict{})
	if err != nil {
		return page, err
	}
	page.Title, page.Verdict = "Ladder of "+l.Head.Title(), nil
	page.Lead = []string{
		fmt.Sprintf("%d opponents from weak to strong, rated together from %s games in which each met the next %d of the list. "+
			"`selfplay ladder --game %s --player PLAYER` plays against them; `ladder.toml` holds their parameters, ratings and results.",
			len(l.Config.Players), text.Count(l.Played()), l.Config.reach(), l.Head.Meta.Game),
	}
	// the recipe holds these facts
	page.Facts = slices.DeleteFunc(page.Facts,
		func(f reports.Fact) bool { return slices.Contains([]string{"command line", "command", "time"}, f.Key) })
	page.Sections = append([]reports.Section{{Title: "Measured by", Blocks: []reports.Block{reports.Code(l.recipe())}}}, page.Sections...)
	return page, nil
}
