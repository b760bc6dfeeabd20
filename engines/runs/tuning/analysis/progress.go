package analysis

import (
	"slices"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
)

// maxProgress is how many points of the curve are drawn.
const maxProgress = 120

// Progress plots the strength of the recommendation during the tuning, by a fit to all of its
// games. The pairs of tuned against start and their estimate enter the fit: they tie the end of the
// curve to its beginning. Without a verification there is no curve, because it would follow the
// luck of the tuning's own games and promise far too much. It has no band, because the fit's
// intervals are too narrow on the exam. ok is false if too few games are recorded, or nothing is
// verified.
func (h *History) Progress(verified *rating.Estimate, pairs rating.Pairs) (plot reports.Plot, ok bool) {
	if len(h.Trials) < 2 || verified == nil || verified.Few {
		return plot, false
	}
	trials := h.Trials
	if h.Opponent == "" && h.MarginCap == 0 {
		trials = append(slices.Clone(trials), Trial{A: h.Best, B: h.Start, Pairs: pairs})
	}
	f, err := around(h, h.Best, trials, h.Start)
	if err != nil { // too few trials yet: then nothing is known
		return plot, false
	}
	fitted := "all of the tuning's games"
	if len(trials) > len(h.Trials) {
		fitted += " and the verification's"
	}
	fig := figure.Curve{
		Title:    "Strength of the recommendation",
		Subtitle: "against the start, by one quadratic fitted to " + fitted,
		XLabel:   "tuning games", YLabel: "Elo",
		Line: []figure.Point{{X: 0, Y: 0, Lo: 0, Hi: 0}},
	}
	n := len(h.Trials)
	stride := max(1, (n+maxProgress-1)/maxProgress)
	games, each := 0, 2
	if h.Opponent != "" {
		each = 4 // A and B each play the opponent
	}
	for i := range h.Trials {
		trial := &h.Trials[i]
		games += each * trial.Pairs.N()
		if (i+1)%stride != 0 && i != n-1 {
			continue
		}
		y := f.interval(f.model.Between(trial.Best, h.Start)).Elo
		fig.Line = append(fig.Line, figure.Point{X: float64(games), Y: y, Lo: y, Hi: y})
	}
	caption := "The curve shows when the gain came and whether it has levelled off, not how large it is. "
	if h.MarginCap > 0 {
		caption += "Elo refers to the margin score; only the verification measures how often games are won."
	} else {
		fig.Measured = []figure.Point{{X: float64(games), Y: verified.Elo, Lo: verified.EloRange.Low,
			Hi: verified.EloRange.High, N: verified.N}}
		caption += "The point at the end is the verification, which measures the gain; the curve before it is the fit."
	}
	return reports.Plot{Name: "rise", Figure: fig, Caption: caption}, true
}
