package analysis

import (
	"fmt"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

const gainTitle = "Expected gain"

// GainSection shows the gain from more games.
func (a *Analysis) GainSection() reports.Section {
	e := a.ExpectedGain
	if e == nil {
		return reports.Section{Title: gainTitle, Blocks: []reports.Block{reports.Text(fmt.Sprintf(
			"Too few games to estimate it: a quadratic in %d parameters has %s numbers, and the games near the tuned values count as %s pairs.",
			a.Parameters, text.Count(a.coefficients()), text.Count(a.Games/2)))}}
	}
	table := reports.Table{Columns: reports.Columns(">more games", ">expected gain (Elo, "+text.Level(a.Level)+")",
		">left after it (Elo, "+text.Level(a.Level)+")")}
	fig := figure.Curve{Title: "Expected gain from more games", Subtitle: "under the model, of what is left to gain", LogX: true,
		XLabel: "more games (log scale)", YLabel: "Elo", Level: text.Level(a.Level) + " interval"}
	for _, step := range e.Steps {
		fig.Line = append(fig.Line, step.Gain.point(float64(step.More)))
		table.Rows = append(table.Rows, []string{text.Count(step.More), step.Gain.ends(""), step.Left.ends("")})
	}
	return reports.Section{Title: gainTitle, Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("The tuned values are expected to be %s (%s), below the best values under the quadratic. "+
			"More games reduce this. What no quadratic can describe is not counted, and only the verification measures the gain.",
			e.Regret.ends(" Elo"), text.Level(a.Level))),
		reports.Plot{Name: "outlook", Figure: fig},
		table,
	}}
}
