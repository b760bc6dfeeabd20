package tuning

import (
	"fmt"
	"slices"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// mostRise is how many places of the way are drawn.
const maxRise = 120

// rise is how strong the recommendation was while the tuning went on, by a fit to
// all of its games, with what the verification measured in the end. ok is false
// for a method that tries given points, and where too few games are recorded.
func (t *Result) progressPlot() (plot reports.Plot, ok bool) {
	if t.Spec.method.Info().Point != nil || len(t.history().Trials) < 2 {
		return plot, false
	}
	// The verification ties the end of the way to its beginning: the tuning's own
	// games alone promise too much, because the way follows their luck.
	trials := t.history().Trials
	e, _ := t.Verified()
	if e != nil && t.Spec.Against == nil && t.history().Full == 0 {
		trials = append(slices.Clone(trials), Trial{A: t.Recommend(), B: t.Spec.Start.Values, Pairs: t.tally()})
	}
	k, err := around(t.history(), t.Recommend(), trials, t.Spec.Start.Values)
	if err != nil { // too few trials yet: then nothing is known
		return plot, false
	}
	fitted := "all of the tuning's games"
	if len(trials) > len(t.history().Trials) {
		fitted += " and the verification's"
	}
	fig := figure.Curve{
		Title:    "Strength of the recommendation",
		Subtitle: fmt.Sprintf("against the start, by one quadratic fitted to %s; %s band", fitted, text.Level(t.Spec.Level)),
		XLabel:   "tuning games", YLabel: "Elo", Level: text.Level(t.Spec.Level) + " band",
		Line: []figure.Point{{X: 0, Y: 0, Lo: 0, Hi: 0}},
	}
	n := len(t.history().Trials)
	stride := max(1, (n+maxRise-1)/maxRise)
	games, each := 0, 2
	if t.Spec.Against != nil {
		each = 4 // X and Than each play the opponent
	}
	for i := range t.history().Trials {
		trial := &t.history().Trials[i]
		games += each * trial.Pairs.N()
		if (i+1)%stride != 0 && i != n-1 {
			continue
		}
		fig.Line = append(fig.Line, k.interval(k.model.Between(trial.Best, t.Spec.Start.Values)).point(float64(games)))
	}
	caption := "When the gain came, and whether it still comes. "
	switch {
	case t.history().Full > 0:
		caption += "Elo is that of graded points, of how much games are won by; how often they are won the verification tells."
	case e == nil || e.Few:
		caption += "The games were played for the tuning, whose way follows their luck: by how much it gained only a verification would tell."
	default:
		fig.Measured = []figure.Point{{X: float64(games), Y: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, N: e.N}}
		caption += "How large it is the verification tells, the point at the end; the way before it is the fit's."
	}
	return reports.Plot{Name: "rise", Figure: fig, Caption: caption}, true
}
