package quoridor

import "selfplaylab/engines"

// Margin implements engines.MarginScorer: the steps left to the loser, by its
// shortest path without regard to the other pawn, positive if the first side wins.
func (b *Board) Margin() float64 {
	switch b.Outcome() {
	case engines.FirstWins:
		return float64(b.stepsLeft(engines.Second))
	case engines.SecondWins:
		return -float64(b.stepsLeft(engines.First))
	}
	return 0
}

// stepsLeft returns the length of a side's shortest path, at most farthest.
func (b *Board) stepsLeft(side engines.Side) int {
	var l layers
	l[0] = goal[side]
	return min(b.graph.flood(&l, 0, bit[b.pawn[side]]), farthest)
}
