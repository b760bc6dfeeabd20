package connectfour

import (
	"context"
	"math"
	"math/rand/v2"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// An opening is accepted if a search of probeGames random games by
// the default player rates the side to move within maxEdge of even.
// Without this rule the side that moves first scores 62 to 66 % among default players.
// A search takes half a millisecond.
const (
	probeGames = 1000
	maxEdge    = 0.1
)

// openingTries bounds the lines probed for one opening, and
// lineTries the lines drawn for a calm one of a given length.
// On boards of random size one line in two is even, and nearly all are calm.
const (
	openingTries = 40
	lineTries    = 100
)

// opening draws a board and plays random plies on it, uniform among the
// columns that are not full, to a position that is calm and about even.
// If no line of openingTries leads to such a position, the most even line is returned.
// On a board too small for the number of plies it plays fewer.
func opening(law rules, r *rand.Rand, plies int) engines.Opening {
	board := law.draw(r.IntN)
	o := engines.Opening{Position: board.String()}
	if plies <= 0 {
		return o
	}
	search := newProbe()
	best := math.Inf(1)
	for range openingTries {
		line, p := calmLine(board, r, plies)
		if len(line) == 0 {
			return o
		}
		search.Begin(&p)
		found := search.Run(context.Background(), 0, engines.Limits{Playouts: probeGames})
		if edge := math.Abs(found.WinRate - 0.5); edge < best {
			best, o.Moves = edge, line
		}
		if best <= maxEdge {
			return o
		}
	}
	return o
}

// newProbe returns the default player's search.
func newProbe() *mcts.Search[position, *position] {
	search := mcts.New[position](2 * probeGames)
	set, err := settings(space().Default())
	if err == nil {
		err = search.Configure(set.Options)
	}
	if err != nil {
		panic("connectfour: the defaults are refused: " + err.Error())
	}
	return search
}

// calmLine plays plies random moves to a calm position, or fewer if there is none.
func calmLine(board position, r *rand.Rand, plies int) ([]engines.Move, position) {
	for ; plies > 0; plies-- {
		for range lineTries {
			if line, p := drawLine(board, r, plies); p.calm() {
				return line, p
			}
		}
	}
	return nil, board
}

// drawLine plays up to plies random moves and returns them with the position after them.
func drawLine(p position, r *rand.Rand, plies int) ([]engines.Move, position) {
	var line, moves []engines.Move
	for range plies {
		if moves = p.Moves(moves[:0]); len(moves) == 0 {
			break
		}
		m := moves[r.IntN(len(moves))]
		p.Play(m)
		line = append(line, m)
	}
	return line, p
}

// calm reports whether the game goes on and neither side could complete four now.
func (p *position) calm() bool {
	var o outlook
	p.look(&o)
	return p.outcome == engines.Ongoing && o.wins == [2]uint64{}
}
