package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// Index is the page of many experiments: their claims and answers, by source.
func Index(all []Result) (reports.Page, error) {
	page := reports.Page{Title: "What the sources say, and what we measured", Lead: []string{
		"Every claim of the sources, the experiment that answers it, what it measured (intervals are 95 %, n is the number of game pairs: " +
			"one opening, both colours) and whether the claim held.",
		"`selfplay reproduce NAME` runs an experiment again and compares; `selfplay reproduce --list` tells what each costs.",
	}}
	if slices.ContainsFunc(all, func(t Result) bool { return t.File != "" }) {
		page.Lead[1] = "`selfplay run NAME/" + FileName + "` runs an experiment again."
	}
	sections := map[string]*reports.Section{}
	var order []string
	for _, t := range all {
		answers, err := t.Answers()
		if err != nil {
			return page, err
		}
		source := cmp.Or(t.Experiment.Source, "All games")
		s := sections[source]
		if s == nil {
			s = &reports.Section{Title: source}
			sections[source] = s
			order = append(order, source)
		}
		s.Blocks = append(s.Blocks, reports.Link{Name: t.Experiment.Title, To: t.Name + "/README.md", Text: fmt.Sprintf(", `%s`: %s games, %s.", t.Name, text.Count(t.Outcome.Full.Games), Duration(t.Outcome.Full.Seconds))})
		table := reports.Table{Columns: []reports.Column{{Name: "claim"}, {Name: "measured"}, {Name: "verdict"}}}
		for _, a := range answers {
			table.Rows = append(table.Rows, []string{a.Says, a.Measured, a.Verdict})
		}
		if len(table.Rows) > 0 {
			s.Blocks = append(s.Blocks, table)
		}
	}
	slices.Sort(order)
	for _, source := range order {
		page.Sections = append(page.Sections, *sections[source])
	}
	return page, nil
}
