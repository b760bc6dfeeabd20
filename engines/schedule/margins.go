package schedule

import (
	"selfplaylab/datasets"
	"selfplaylab/params"
)

// MarginScore returns the score of a trial's games by their margins, in A's view; the margin
// points of a game are 1/2 + margin / (2 full), cut at 0 and 1. An even game counts 1/2, a win
// by full or more 1. A game without a margin, lost by a fault or adjudicated, counts its whole
// points. full must be above 0.
//
// Margin points have a mean in [0, 1] and a variance of their own. A logistic regression by
// quasi-likelihood needs no more (Papke and Wooldridge, J. Applied Econometrics 11, 1996), nor
// does SPSA. The cut keeps one game from counting more than a game. full is fixed before the
// first game, because otherwise later games would change the points of earlier ones.
func MarginScore(games []datasets.GameRow, full float64) *params.MarginScore {
	var pairs []float64
	for i := 0; i+1 < len(games); i += 2 {
		pairs = append(pairs, (marginPoints(&games[i], full)+marginPoints(&games[i+1], full))/2)
	}
	g := &params.MarginScore{Mean: 0.5}
	if len(pairs) == 0 {
		return g
	}
	n, sum, square := float64(len(pairs)), 0.0, 0.0
	for _, p := range pairs {
		sum += p
	}
	g.Mean = sum / n
	for _, p := range pairs {
		square += float64((p - g.Mean) * (p - g.Mean))
	}
	g.Variance = square / n
	return g
}

// marginPoints returns A's margin points of a game, in [0, 1].
func marginPoints(g *datasets.GameRow, full float64) float64 {
	if g.Margin == nil {
		return g.AScore
	}
	x := *g.Margin
	if g.Game == 1 { // A is the second side
		x = -x
	}
	return min(max(0.5+x/(2*full), 0), 1)
}

// CombineMargins returns a score of A against B from their scores against an opponent, as
// CombineScores does from counts: its mean is 1/2 plus half the difference of their means. Its
// variance assumes independent matches, which is slightly too large if both had the same
// openings. It returns nil if a or b is nil.
func CombineMargins(a, b *params.MarginScore) *params.MarginScore {
	if a == nil || b == nil {
		return nil
	}
	return &params.MarginScore{Mean: 0.5 + float64((a.Mean-b.Mean)/2), Variance: (a.Variance + b.Variance) / 4}
}
