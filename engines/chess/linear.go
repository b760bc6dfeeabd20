package chess

import (
	"sync"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// placeIndex returns the index of each place in the
// space, by kind and square from the first side's view.
// The index is that of the weight for the middle game; the next one is for the endgame.
var placeIndex = sync.OnceValue(func() (index [6][64]int) {
	at := 2*len(values) + 2*terms
	eachPlace(func(kind, sq, phase int) {
		if phase == 0 {
			index[kind][sq], index[kind][sq^7] = at, at
		}
		at++
	})
	return index
})

// linear implements engines.Variant.Linear: all weights of the evaluation are linear.
// They come first in the space.
func (s setup) linear(params.Vector, engines.Limits) *engines.LinearTerms {
	l := &engines.LinearTerms{Quiet: true, Names: gameSpace().Names()[:gameSpace().Index(paramDraw)]}
	var buf []engines.Move
	l.Row = func(position string, row []float32) (rest float32, quiet bool, err error) {
		p := s.start
		if err := engines.SetUp[Position](&p, position, nil); err != nil {
			return 0, false, err
		}
		clear(row)
		p.linear(row)
		moves, stand := tactics(&node{Position: p}, buf[:0])
		buf = moves
		return 0, stand && len(moves) == 0 && p.open(), nil
	}
	return l
}

// decided is the difference in material, in pawns, from which a game counts as decided.
const decided = 6

// open reports whether the game is open by its material.
// The result of a decided game shows whether the search finds the mate within fifty moves:
// weights fitted to such games learn that a queen against a bare king is often a draw.
func (p *Position) open() bool {
	difference := int32(0)
	for kind := range king {
		set := p.kinds[kind]
		difference += kindWorth[kind] * (count64(set&p.sides[0]) - count64(set&p.sides[1]))
	}
	return max(difference, -difference) < decided
}

// linear fills the row of a position: the count of each
// weight, shared between middle game and endgame by the phase.
func (p *Position) linear(row []float32) {
	us := p.turn & 1
	var own, other counts
	p.count(us, &own)
	p.count(us^1, &other)
	own[termTempo] = 1
	middle := float32(p.phase()) / fullPhase
	add := func(at int, n int32) {
		row[at] += float32(float32(n) * middle)
		row[at+1] += float32(float32(n) * (1 - middle))
	}
	for i := range own {
		add(2*len(values)+2*i, own[i]-other[i])
	}
	for side, sign := range [2]int32{1, -1} {
		side := us ^ engines.Side(side)
		for kind := range p.kinds {
			for set := p.kinds[kind] & p.sides[side]; set != 0; set &= set - 1 {
				if kind < len(values) {
					add(2*kind, sign)
				}
				add(placeIndex()[kind][first(set)^56*int(side)], sign)
			}
		}
	}
}
