package chess

import "selfplaylab/engines"

// Reasons a game of chess ends on the board.
const (
	mate         engines.Reason = "mate"
	stalemate    engines.Reason = "stalemate"
	insufficient engines.Reason = "material" // neither side can mate
)

// Outcome returns the result on the board, Ongoing before the end.
func (p *Position) Outcome() engines.Outcome { return p.outcome(p.checkers()) }

// outcome returns Outcome, given the pieces that give check.
func (p *Position) outcome(checkers uint64) engines.Outcome {
	switch {
	case p.deadDrawn():
		return engines.Draw
	case p.canMove(checkers):
		return engines.Ongoing
	case checkers != 0:
		return engines.Win(p.turn.Other())
	}
	return engines.Draw
}

// Reason returns the reason of the game's end.
func (p *Position) Reason() engines.Reason {
	switch p.Outcome() {
	case engines.Ongoing:
		return engines.NoReason
	case engines.Draw:
		if p.deadDrawn() {
			return insufficient
		}
		return stalemate
	}
	return mate
}
