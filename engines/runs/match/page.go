package match

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

func (r *Result) Page() (reports.Page, error) {
	test := r.Test()
	page := reports.Page{
		Title: r.title(test), Subtitle: r.Head.About(fmt.Sprintf("Match of %s, %s", r.Head.Title(), text.Plural(r.played.N(), "pair"))),
		Facts: r.facts(), Lead: r.lead(test), Warnings: r.warnings(),
	}
	if r.played.N() == 0 {
		page.Sections = []reports.Section{r.players()}
		return page, nil
	}
	page.Sections = append([]reports.Section{r.result(test), r.players()}, runs.GameSections(r.Head, r.Openings.Section(r.Config.Level, "A", "B"),
		&r.Openings, "A", r.Games.Section(r.Config.Level, r.margin()...), &r.Lost)...)
	return page, nil
}

// title is the result in a line.
func (r *Result) title(test *rating.Progress) string {
	a, b := r.Config.names()
	a, b = text.Unmarked(a), text.Unmarked(b)
	e := r.Pairs.Estimate(r.Config.Level)
	switch {
	case e.N == 0:
		return fmt.Sprintf("%s against %s, no game yet", a, b)
	case test != nil && test.State == rating.Continue:
		return fmt.Sprintf("%s %s against %s: the test is undecided", a, text.Percent(e.Score), b)
	case test != nil:
		passed := map[bool]string{true: "passed", false: "failed"}[test.State == rating.AcceptH1]
		return fmt.Sprintf("%s against %s: test %s, %s", a, b, passed, runs.ShortEstimate(e))
	}
	return fmt.Sprintf("%s %s against %s, %s", a, text.Percent(e.Score), b, runs.ShortEstimate(e))
}

// lead is the result in words.
func (r *Result) lead(test *rating.Progress) []string {
	a, b := r.Config.names()
	e := r.Pairs.Estimate(r.Config.Level)
	if e.N == 0 {
		return []string{fmt.Sprintf("%s plays %s; no game is recorded yet.", a, b)}
	}
	found := map[string]string{
		runs.Yes: a + " is better than " + b, runs.No: a + " is worse than " + b,
		runs.Undecided: r.open(e) + " which of " + a + " and " + b + " is better",
	}[runs.Answer(e, r.finished())]
	score := fmt.Sprintf("%s scored %s: %s won, %s drawn, %s lost.", a, text.Percent(e.Score),
		text.Plural(r.Score.Wins, "game"), text.Count(r.Score.Draws), text.Count(r.Score.Losses))
	if test != nil {
		return []string{
			fmt.Sprintf("Sequential test of %s against %s: %s.", a, b, runs.Marked(test.Verdict(), r.Config.players()...)),
			strings.TrimSpace(test.Bounds()+" "+score) + fmt.Sprintf(" As measured %s. %s", e, earlyStop),
		}
	}
	return []string{fmt.Sprintf("%s: %s.", found, runs.Marked(e.String(), r.Config.players()...)), score}
}

// open explains why there is no answer yet. Next to an interval without 0, "not shown" would be
// false.
func (r *Result) open(e rating.Estimate) string {
	switch {
	case e.N < rating.MinSample:
		return "Too few pairs were played to say"
	case !r.finished():
		return "The match has to be finished to say"
	}
	return "It is not shown"
}

func (r *Result) warnings() []string {
	var w []string
	if !r.finished() {
		w = append(w, r.Head.NotFinished("match", fmt.Sprintf("%s of %s pairs", text.Count(r.played.N()), text.Count(r.Config.Pairs))))
	}
	w = append(w, r.cautions()...)
	return append(w, r.Games.Cut()...)
}

func (r *Result) facts() []reports.Fact {
	how := []reports.Fact{{Key: "pairs", Value: fmt.Sprintf("%s played, %s asked for", text.Count(r.played.N()),
		text.Count(r.Config.Pairs))}}
	if r.Config.SPRT.Given {
		how[0].Value = fmt.Sprintf("%s played, at most %s", text.Count(r.played.N()), text.Count(r.Config.Pairs))
		how = append(how, reports.Fact{Key: "sequential test", Value: r.Config.SPRT.String()})
	}
	if s := r.Config.EqualCPU; s != "" {
		how = append(how, reports.Fact{Key: "equal CPU time", Value: "the budget of " + strings.ToUpper(s) + " was adjusted for it " +
			"before the match"})
	}
	how = append(how, runs.ProgramFacts(r.Config.players()...)...)
	return gamestats.Facts(r.Head.Meta, r.Head.Sessions, append(how, r.Config.Facts()...)...)
}

// result gives the score in numbers and its basis.
func (r *Result) result(test *rating.Progress) reports.Section {
	e := r.Pairs.Estimate(r.Config.Level)
	section := reports.Section{Title: "Result", Blocks: []reports.Block{
		reports.Text("A pair is one opening played with both colours, and the unit of all statistics. The pairs by A's points in them:"),
		gamestats.Pairs(r.Pairs, e),
	}}
	if running, ok := r.running(); ok {
		section.Blocks = append(section.Blocks, running)
	} else {
		section.Blocks = append(section.Blocks,
			reports.Text(fmt.Sprintf("There are too few pairs for a running Elo with a band: that begins with %d.", rating.MinSequence)))
	}
	if test != nil {
		section.Blocks = append(section.Blocks, r.walk(*test))
	}
	return section
}

// running is the Elo by pairs played, with the band that holds at any time.
func (r *Result) running() (reports.Plot, bool) {
	if r.played.N() < rating.MinSequence {
		return reports.Plot{}, false
	}
	band := rating.Sequence{Alpha: 1 - r.Config.Level}
	if !r.Config.SPRT.Given {
		band.Tightest = r.Config.Pairs
	}
	level := text.Level(r.Config.Level)
	fig := figure.Curve{
		Title: "A against B, pair by pair", Subtitle: "running Elo difference with its " + level + " confidence sequence",
		Level: level + " confidence sequence", Verdict: band.Estimate(r.Pairs).String(), Name: "Elo so far", XLabel: "game pairs",
	}
	for _, p := range r.steps(rating.MinSequence) {
		e := band.Estimate(p)
		fig.Line = append(fig.Line, figure.Point{X: float64(p.N()), Y: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, N: p.N()})
	}
	return reports.Plot{Name: "running", Figure: fig,
		Caption: "The whole band holds at once, whenever one looks; so it is wider than the interval of the result, which is for one look at " +
			"the end."}, true
}

// walk is the way of the sequential test between its bounds.
func (r *Result) walk(test rating.Progress) reports.Plot {
	llr := figure.Series{Name: "log-likelihood ratio"}
	unit := "Elo"
	if test.Test.Model == rating.Normalized {
		unit = "normalized Elo"
	}
	low := figure.Series{Name: fmt.Sprintf("accept ≤ %v %s", test.Test.Elo0, unit)}
	high := figure.Series{Name: fmt.Sprintf("accept ≥ %v %s", test.Test.Elo1, unit)}
	for _, p := range r.steps(1) {
		at := test.Test.Pairs(p)
		x := float64(p.N())
		llr.Points = append(llr.Points, figure.Point{X: x, Y: at.LLR})
		low.Points = append(low.Points, figure.Point{X: x, Y: at.Lower})
		high.Points = append(high.Points, figure.Point{X: x, Y: at.Upper})
	}
	return reports.Plot{Name: "test", Caption: "The test ends with the first pair at which the ratio reaches a bound.", Figure: figure.Lines{
		Title: "The sequential test", Subtitle: test.Test.String(), XLabel: "game pairs", YLabel: "log-likelihood ratio",
		Series: []figure.Series{llr, high, low},
	}}
}

// players are the values in which A and B differ, and their limits.
func (r *Result) players() reports.Section {
	names := r.Head.Meta.Parameters
	same, rows := r.Config.different(names, r.Head.Variant.Game)
	table := reports.Table{Columns: reports.Columns("", ">A", ">B"), Rows: append([][]string{
		{"player", "`" + r.Config.A.Player + "`", "`" + r.Config.B.Player + "`"},
		{"limits", runs.LimitsName(r.Config.A), runs.LimitsName(r.Config.B)},
	}, rows...)}
	if cpu := r.Head.CPUTime(phase); runs.CPUText(cpu) != "" {
		table.Rows = slices.Insert(table.Rows, 2, []string{"CPU per decision", runs.PerDecision(cpu[0]), runs.PerDecision(cpu[1])})
	}
	line := "All parameters have equal values."
	switch {
	case r.Config.A.Engine != nil || r.Config.B.Engine != nil:
		line = "An external engine has its own parameters: see above."
	case min(len(r.Config.A.Values), len(r.Config.B.Values)) == 0:
		line = "A player written in Go that states no values has no parameters to compare."
	case same == 0:
		line = "All parameters differ."
	case same == 1 && len(names) > 1:
		line = "1 other parameter has equal values in both players and is left out."
	case same < len(names):
		line = text.Count(same) + " other parameters have equal values in both players and are left out."
	}
	return reports.Section{Title: "The players", Blocks: []reports.Block{table, reports.Text(line)}}
}
