package gobang

import (
	"math/rand/v2"

	"selfplaylab/engines"
)

func (v variant) opening(r *rand.Rand, plies int) engines.Opening {
	s := newState(v)
	var o engines.Opening
	for range plies {
		list := s.Moves(nil)
		m := list[r.IntN(len(list))]
		s.Play(m)
		o.Moves = append(o.Moves, m)
	}
	return o
}
