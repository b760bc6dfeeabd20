package quoridor

import (
	"math/rand/v2"

	"selfplaylab/engines"
)

// opening plays random plies from the initial position: a step or
// a wall with equal chance, each uniform among the legal ones.
// It draws again until the game goes on, both sides have
// a path, and the paths differ by at most maxEdge steps.
func opening(r *rand.Rand, standard bool, plies int) engines.Opening {
	var buf [140]engines.Move
	for {
		b := newBoard(standard)
		moves := make([]engines.Move, 0, plies+4)
		for len(moves) < plies && b.Outcome() == engines.Ongoing {
			all := b.Moves(buf[:0])
			walls := 0
			for walls < len(all) && kind(all[len(all)-1-walls]) != pawnMove {
				walls++
			}
			choice := all[:len(all)-walls]
			if walls > 0 && (len(choice) == 0 || r.IntN(2) == 0) {
				choice = all[len(all)-walls:]
			}
			m := choice[r.IntN(len(choice))]
			b.Play(m)
			moves = append(moves, m)
		}
		if fair(&b) {
			return engines.Opening{Moves: moves}
		}
	}
}

// maxEdge is the largest difference of the two paths after an opening, in steps.
// Beyond it one side mostly wins both games of a pair, so the pair says little about the players.
const maxEdge = 2

// fair reports whether an opening may be used.
func fair(b *Board) bool {
	var l layers
	var dist [2]int
	for side := range 2 {
		l[0] = goal[side]
		if dist[side] = b.flood(&l, 0, bit[b.pawn[side]]); dist[side] == unreachable {
			return false
		}
	}
	edge := dist[0] - dist[1]
	return b.Outcome() == engines.Ongoing && edge <= maxEdge && edge >= -maxEdge
}
