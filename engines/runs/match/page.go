package match

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

func (r *Result) Page() (reports.Page, error) {
	v, err := r.Verdict()
	page := reports.Page{Title: v.Title(), Verdict: &v, Facts: r.facts(), Warnings: r.warnings()}
	if err != nil {
		return page, err
	}
	if r.played.N() == 0 {
		page.Sections = []reports.Section{r.players()}
		return page, nil
	}
	page.Sections = append([]reports.Section{r.result(), r.players()}, runs.GameSections(r.Head, r.Openings.Section(r.Config.Level, "A", "B"),
		&r.Openings, "A", r.Games.Section(r.Config.Level, r.margin()...), &r.Lost)...)
	return page, nil
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
func (r *Result) result() reports.Section {
	a, _ := r.Config.names()
	section := reports.Section{Title: "Result", Open: true, Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("%s scored %s: %s won, %s drawn, %s lost. The pairs by A's points in them:", a, text.Percent(r.Pairs.Score()),
			text.Plural(r.Score.Wins, "game"), text.Count(r.Score.Draws), text.Count(r.Score.Losses))),
		gamestats.Pairs(r.Pairs, r.Estimate()),
	}}
	if test := r.Test(); test != nil {
		section.Blocks = append(section.Blocks, reports.Text("The test: "+test.Verdict()+"."))
		if running, ok := r.running(); ok {
			section.Blocks = append(section.Blocks, running)
		}
	}
	return section
}

// players returns the values in which A and B differ, and their limits.
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
