package analysis

import (
	"fmt"
	"math"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Predicts reports whether the games determine the expected gain: there are at least as
// many pairs as numbers to fit. With fewer the priors decide, which allow a thousand Elo.
func (f *Fit) Predicts() bool { return f.model.Games >= float64(2*f.coefficients()) }

const gainTitle = "Expected gain"

// ExpectedGain shows what more games would gain.
func (f *Fit) ExpectedGain() reports.Section {
	if !f.Predicts() {
		return reports.Section{Title: gainTitle, Blocks: []reports.Block{reports.Text(fmt.Sprintf(
			"Too few games to estimate it: a quadratic in %d parameters has %s numbers, and the games near the tuned values count as %s pairs.",
			len(f.model.Params), text.Count(f.coefficients()), text.Count(int(f.model.Games/2))))}}
	}
	lacking := f.elo * f.model.Lacking().Value
	deviation := f.elo * f.model.Lacking().SE
	table := reports.Table{Columns: []reports.Column{{Name: "more games", Right: true},
		{Name: "expected gain (Elo, ± a standard deviation)", Right: true}, {Name: "left after it (Elo)", Right: true}}}
	fig := figure.Curve{Title: "Expected gain from more games", Subtitle: "under the model, of what is left to gain", XLabel: "more games",
		YLabel: "Elo", Level: "band of a standard deviation"}
	for _, times := range []float64{0, .25, .5, 1, 2, 4, 9} {
		games := int(math.Round(times * float64(f.games())))
		gains := f.model.Gains(games)
		gain, spread := f.elo*gains.Value, f.elo*gains.SE
		fig.Line = append(fig.Line, figure.Point{X: float64(games), Y: gain, Lo: max(gain-spread, 0), Hi: gain + spread})
		if times >= 1 {
			table.Rows = append(table.Rows, []string{text.Count(games), fmt.Sprintf("%+.1f ± %.1f", gain, spread),
				fmt.Sprintf("%.1f", lacking-gain)})
		}
	}
	return reports.Section{Title: gainTitle, Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("The tuned values are expected to be %.1f Elo below the best values under the quadratic (standard deviation "+
			"%.1f). More games reduce this. What no quadratic can describe is not counted, and only the verification measures the gain.",
			lacking, deviation)),
		reports.Plot{Name: "outlook", Figure: fig},
		table,
	}}
}
