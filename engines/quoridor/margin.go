package quoridor

import "selfplaylab/engines"

// Margin is how many steps the loser still had to go, by its shortest path with
// the other pawn ignored: an engines.MarginScorer.
func (b *Board) Margin() float64 {
	switch b.Outcome() {
	case engines.FirstWins:
		return float64(b.stepsLeft(engines.Second))
	case engines.SecondWins:
		return -float64(b.stepsLeft(engines.First))
	}
	return 0
}

// stepsLeft is the length of a side's shortest path.
func (b *Board) stepsLeft(side engines.Side) int {
	var l layers
	l[0] = goal[side]
	return min(b.graph.flood(&l, 0, bit[b.pawn[side]]), farthest)
}
