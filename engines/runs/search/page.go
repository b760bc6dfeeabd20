package search

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// searchesTitle is the title of the section with the table.
const searchesTitle = "The searches"

func (r *result) Page() (reports.Page, error) {
	v, err := r.Verdict()
	if err != nil {
		return reports.Page{}, err
	}
	page := reports.Page{Title: v.Title(), Verdict: &v, Facts: r.facts(), Warnings: r.warnings()}
	sums := r.sums()
	section := reports.Section{Title: searchesTitle, Open: true, Blocks: []reports.Block{reports.Text(r.lead()), gamestats.SearchTable(sums)}}
	if nodes, ok := chart("nodes", "Nodes a position", "nodes a position", sums, gamestats.Nodes); ok {
		section.Blocks = append(section.Blocks, nodes)
	}
	if seconds, ok := chart("time", "Time a position", "ms a position", sums,
		func(s gamestats.Search) float64 { return 1000 * s.Seconds }); ok {
		section.Blocks = append(section.Blocks, seconds)
	}
	page.Sections = []reports.Section{section}
	return page, nil
}

// Verdict implements runs.Result.
func (r *result) Verdict() (reports.Verdict, error) {
	v := r.Head.Verdict("searches", r.question(), r.finished())
	if v.Answer, v.Detail = compare(r.sums()); r.finished() {
		v.Meaning = figure.Better
	}
	v.Facts = []string{text.Plural(r.Config.Positions, "position"), fmt.Sprintf("%s of %s searches", text.Count(r.done),
		text.Count(r.Config.total()))}
	return v, nil
}

// compare compares the first player with the last one of the same budget, or gives the first
// player's nodes if there is no other.
func compare(sums []gamestats.Search) (answer, detail string) {
	for i, s := range slices.Backward(sums) {
		first := slices.IndexFunc(sums, func(f gamestats.Search) bool { return f.Limits == s.Limits && f.Positions > 0 })
		if first < 0 || first >= i || s.Positions == 0 || s.Nodes == 0 || sums[first].Nodes == 0 {
			continue
		}
		times, word := sums[first].Mean(float64(sums[first].Nodes))/s.Mean(float64(s.Nodes)), "fewer"
		if times < 1 {
			times, word = 1/times, "more"
		}
		many := text.Significant(times) + " times " + word + " nodes"
		if strings.HasPrefix(many, "1 ") {
			many = "As many nodes"
		}
		return many, fmt.Sprintf("`%s` against `%s` at %s, same move in %d of %d", s.Player, sums[first].Player, s.Limits, s.SameMove,
			s.Positions)
	}
	for _, s := range sums {
		if s.Positions > 0 {
			return text.Number(s.Mean(float64(s.Nodes)), 0) + " nodes a position", fmt.Sprintf("`%s` at %s", s.Player, s.Limits)
		}
	}
	return "No result yet", "nothing is searched"
}

func (r *result) lead() string {
	how := "after " + text.Plural(r.Config.OpeningPlies, "random ply")
	if r.Config.InOrder() {
		how = "after the openings of a file"
	}
	return fmt.Sprintf("%s, %s, searched by each player one at a time, with nothing kept from one search to the next. Same score and "+
		"move: as the first player listed with the same budget.",
		text.Plural(r.Config.Positions, "position"), how)
}

func (r *result) warnings() []string {
	var w []string
	if !r.finished() {
		w = append(w, r.Head.NotFinished("run", fmt.Sprintf("%s of %s searches", text.Count(r.done), text.Count(r.Config.total()))))
	}
	if !r.Config.repeatable() {
		w = append(w, runs.Unrepeatable("Searches were bound to a wall clock: what they found depends on this machine and does not repeat "+
			"exactly.", r.Config.Players...))
	}
	return w
}

func (r *result) facts() []reports.Fact {
	how := append([]reports.Fact{{Key: "searches",
		Value: fmt.Sprintf("%s made, %s asked for", text.Count(r.done), text.Count(r.Config.total()))}},
		runs.ProgramFacts(r.Config.Players...)...)
	return gamestats.Facts(r.Head.Meta, r.Head.Sessions, append(how, r.Config.Facts()[0])...)
}

// chart draws a value a position: by budget where players have several that are
// numbers, else a bar a player. ok is false where there is nothing to draw.
func chart(name, title, unit string, sums []gamestats.Search, value func(gamestats.Search) float64) (reports.Plot, bool) {
	sums = slices.DeleteFunc(slices.Clone(sums), func(s gamestats.Search) bool { return s.Positions == 0 || !(value(s) > 0) })
	if len(sums) == 0 {
		return reports.Plot{}, false
	}
	plot := reports.Plot{Name: name, Caption: "Means over the positions."}
	curves, err := gamestats.SearchCurves(sums, value)
	if err == nil && len(curves) <= maxCurves && slices.ContainsFunc(curves, func(s figure.Series) bool { return len(s.Points) > 1 }) {
		plot.Figure = figure.Lines{Title: title, XLabel: "budget", YLabel: unit, LogY: true,
			LogX:   !strings.HasPrefix(sums[0].Limits, "depth=") && wide(curves),
			Series: curves}
		return plot, true
	}
	bars := figure.Bars{Title: title, XLabel: unit}
	least, most := math.Inf(1), 0.0
	for _, s := range sums {
		y := s.Mean(value(s))
		least, most = min(least, y), max(most, y)
		bars.Bars = append(bars.Bars, figure.Bar{Name: s.Player + " " + s.Limits, Value: y, Lo: y, Hi: y, Text: text.Significant(y)})
	}
	if most > manyTimes*least { // the factor matters, not the difference
		bars.LogX, bars.Zero, bars.ZeroLabel = true, bars.Bars[0].Value, "the first"
	}
	plot.Figure = bars
	return plot, true
}

// manyTimes is from where on values are shown on a logarithmic axis.
const manyTimes = 10

// wide reports whether budgets reach over many times the least.
func wide(curves []figure.Series) bool {
	least, most := math.Inf(1), 0.0
	for _, c := range curves {
		for _, p := range c.Points {
			least, most = min(least, p.X), max(most, p.X)
		}
	}
	return least > 0 && most >= manyTimes*least
}

// maxCurves is the number of curves that readers can distinguish.
const maxCurves = 7

var _ runs.Result = (*result)(nil)
