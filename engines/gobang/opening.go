package gobang

import (
	"math/rand/v2"

	"selfplaylab/engines"
)

// Openings are random stones near the centre. A draw is taken if nobody has a
// four, or can win at once, and the players' own judgement, a search of a few
// plies by the default preset, finds about equal chances; else another is drawn.
const (
	openingDraws = 200 // then the best of them is taken
)

var openingSpread = 5
var openingBound = 1 << 30
var openingDepth = 2
var openingPreset = "fixed"

func (v variant) opening(r *rand.Rand, plies int) engines.Opening {
	var o engines.Opening
	s := newState(v)
	for range openingDraws {
		s, o = v.draw(r, plies)
		b := newBoard(v)
		b.load(&s)
		if s.outcome == 0 && !b.has(0, threat) && !b.has(1, threat) {
			return o
		}
	}
	return o
}

func (v variant) draw(r *rand.Rand, plies int) (State, engines.Opening) {
	s := newState(v)
	var o engines.Opening
	lo := (v.size - openingSpread) / 2
	for len(o.Moves) < plies {
		m := at(lo+r.IntN(openingSpread), lo+r.IntN(openingSpread)).move()
		if !s.Legal(m) {
			continue
		}
		s.Play(m)
		o.Moves = append(o.Moves, m)
	}
	return s, o
}
