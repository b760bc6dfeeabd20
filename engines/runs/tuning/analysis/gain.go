package analysis

import (
	"fmt"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

const gainTitle = "Expected gain"

// GainSection shows what more games would gain.
func (s *Analysis) GainSection() reports.Section {
	e := s.ExpectedGain
	if e == nil {
		return reports.Section{Title: gainTitle, Blocks: []reports.Block{reports.Text(fmt.Sprintf(
			"Too few games to estimate it: a quadratic in %d parameters has %s numbers, and the games near the tuned values count as %s pairs.",
			s.Parameters, text.Count(s.coefficients()), text.Count(s.Games/2)))}}
	}
	table := reports.Table{Columns: reports.Columns(">more "+s.noun+"s", ">expected gain ("+s.Unit+", "+text.Level(s.Level)+")",
		">left after it ("+s.Unit+", "+text.Level(s.Level)+")")}
	fig := figure.Curve{Title: "Expected gain from more " + s.noun + "s", Subtitle: "under the model, of what is left to gain", LogX: true,
		XLabel: "more " + s.noun + "s (log scale)", YLabel: s.Unit, Level: text.Level(s.Level) + " interval"}
	for _, step := range e.Steps {
		fig.Line = append(fig.Line, step.Gain.point(float64(step.More)))
		table.Rows = append(table.Rows, []string{text.Count(step.More), step.Gain.ends(""), step.Left.ends("")})
	}
	return reports.Section{Title: gainTitle, Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("The tuned values are expected to be %s (%s), below the best values under the quadratic. "+
			"More %ss reduce this. What no quadratic can describe is not counted, and only the verification measures the gain.",
			e.Regret.ends(" "+s.Unit), text.Level(s.Level), s.noun)),
		reports.Plot{Name: "outlook", Figure: fig},
		table,
	}}
}
