package connectfour

import (
	"math/bits"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// Playout plays to the end of the game at random and returns the outcome.
// It changes p: afterwards only the lines that it tests are valid.
// Without care, each column that is not full has equal chance.
// With care, a side completes a four or stops one where it can; with more care see prospect.play.
func (p *position) Playout(r *mcts.Rand, care mcts.RolloutPolicy) engines.Outcome {
	switch {
	case p.outcome != engines.Ongoing:
		return p.outcome
	case care == mcts.Careful:
		var o prospect
		p.foresee(&o)
		return o.start(r)
	case care == mcts.Decisive:
		var o outlook
		p.look(&o)
		return p.playDecisively(r, &o)
	}
	return p.playUniformly(r)
}

// Playouts plays a random game after each of the moves and stores the results in games.
// Data for games with care is computed once for all of them.
func (p *position) Playouts(moves []engines.Move, r *mcts.Rand, care mcts.RolloutPolicy, games []mcts.Game) {
	if care == mcts.Careful {
		p.carefulGames(moves, r, games)
	} else {
		p.decisiveGames(moves, r, games)
	}
}

// carefulGames is Playouts for games by prospect.play.
func (p *position) carefulGames(moves []engines.Move, r *mcts.Rand, games []mcts.Game) {
	var before, o prospect
	p.foresee(&before)
	for i, m := range moves {
		c := uint64(m-1) & 15
		switch {
		case before.wins[p.turn&1]>>c&1 == 1:
			games[i] = mcts.Game{Outcome: engines.Win(p.Turn()), Ended: true}
		case p.left == 1:
			games[i] = mcts.Game{Outcome: engines.Draw, Ended: true}
		default:
			o = before
			games[i] = mcts.Game{Outcome: o.play(c, r, 0, 0)}
		}
	}
}

// decisiveGames is Playouts for games by playDecisively.
func (p *position) decisiveGames(moves []engines.Move, r *mcts.Rand, games []mcts.Game) {
	var before, o outlook
	var q position
	p.look(&before)
	for i, m := range moves {
		row, c := p.after(m, &q)
		if q.outcome != engines.Ongoing {
			games[i] = mcts.Game{Outcome: q.outcome, Ended: true}
			continue
		}
		o = before
		o.advance(&q, uint64(p.turn&1), row, c)
		games[i] = mcts.Game{Outcome: q.playDecisively(r, &o)}
	}
}

// after sets q to the position after a move, and returns the row and column of its stone.
func (p *position) after(m engines.Move, q *position) (row, c uint64) {
	c = uint64(m-1) & 15
	row = uint64(bits.TrailingZeros16(p.free[c]))
	*q = *p
	q.Play(m)
	return row, c
}

// playUniformly takes nearly all the time of a search, so it is written
// for the machine: no division, no unpredictable branch but the last,
// and nothing counted that the end of the game does not need.
//
// A random number is read as a fraction.
// Its digits to the base of the number of columns are the
// columns tried: one multiplication gives a digit and the rest.
// A full column is passed over.
func (p *position) playUniformly(r *mcts.Rand) engines.Outcome {
	me, opponent := &p.side[p.turn&1], &p.side[p.turn&1^1]
	columns := uint64(p.cols)
	for {
		fraction := r.Uint64()
		for n := digits; n > 0; n-- {
			var c uint64
			c, fraction = bits.Mul64(fraction, columns)
			free := uint32(p.free[c&15])
			if free == 0 {
				if p.full() {
					return engines.Draw
				}
				continue
			}
			r := uint64(bits.TrailingZeros32(free))
			p.free[c&15] = uint16(free & (free - 1))
			// As lines.drop, but it tests the stone itself instead of its threats.
			at := &me.row[r&15]
			line := uint64(*at) | 1<<(c&63)
			*at = uint16(line)
			four := line
			at = &me.diag[(r+c)&15]
			line = uint64(*at) | 1<<(c&63)
			*at = uint16(line)
			four |= line << 16
			at = &me.anti[(r-c)&15]
			line = uint64(*at) | 1<<(c&63)
			*at = uint16(line)
			four |= line << 32
			at = &me.col[c&15]
			line = uint64(*at) | 1<<(r&63)
			*at = uint16(line)
			four |= line << 48
			four &= four >> 1
			if four&(four>>2) != 0 {
				if me == &p.side[0] {
					return engines.FirstWins
				}
				return engines.SecondWins
			}
			me, opponent = opponent, me
		}
	}
}
