package gobang

import (
	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// player chooses moves by alpha-beta, three plies deep if nothing is said.
type player = alphabeta.Player[State, board, *State, *board]

func newPlayer(rules variant) *player {
	return alphabeta.NewPlayer[State, board, *State, *board](engine(newBoard(rules)))
}

// engine searches on b, in place.
func engine(b *board) alphabeta.Engine[State, board] {
	return alphabeta.Engine[State, board]{
		Name: "gobang", Space: space, Limits: defaultLimits, Start: newState(b.rules), Node: b,
		Weigh: func(v params.Vector) alphabeta.Options {
			b.configure(v)
			// The larger board score right after the move breaks ties, else the
			// earlier cell, as in the source.
			return alphabeta.Options{Ties: alphabeta.TieEval}
		},
		Load:  (*board).load,
		Ready: (*board).ready,
		Hooks: alphabeta.Hooks[board]{Undo: (*board).undo, Rank: (*board).rank, Forced: (*board).forced},
	}
}

// ready makes room for a search and has it meant for the side to move.
func (b *board) ready(s *State) {
	if b.pool.full() {
		b.load(s)
	}
	b.me = s.Turn()
}

var defaultLimits = engines.Limits{Depth: 3}
