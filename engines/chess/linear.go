package chess

import (
	"math"
	"slices"
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
// They come first in the space, the added ones last. Only players with paramExchange or with
// added weights have these.
func (s setup) linear(v params.Vector, _ engines.Limits) *engines.LinearTerms {
	w, names := newWeights(v), gameSpace().Names()
	l := &engines.LinearTerms{Quiet: true, Names: names[:gameSpace().Index(paramDraw)]}
	if w.exchange || w.more {
		l.Names = slices.Concat(l.Names, names[firstAdded():])
	}
	l.Row = func(position string, row []float32) (rest float32, quiet bool, err error) {
		p := s.start
		if err := engines.SetUp[Position](&p, position, nil); err != nil {
			return 0, false, err
		}
		clear(row)
		p.linear(row)
		n := newNode(&p, w)
		return 0, !forced(&n) && p.open() && n.quiet(), nil
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
// weight, shared between middle game and endgame by the phase. The added terms are left out if
// the row has no room for them.
func (p *Position) linear(row []float32) {
	us := p.turn & 1
	var own, other counts
	p.countBoth(us, &own, &other, true)
	middle := float32(p.phase()) / fullPhase
	add := func(at int, n int32) {
		row[at] += float32(float32(n) * middle)
		row[at+1] += float32(float32(n) * (1 - middle))
	}
	for i := range terms {
		add(2*len(values)+2*i, own[i]-other[i])
	}
	for i, at := terms, gameSpace().Index(paramDraw); at < len(row); i, at = i+1, at+2 {
		add(at, own[i]-other[i])
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

// quiet reports whether no capture gains anything. For a player without weights.exchange no
// capture may be worth a look, which leaves few positions of the middle game.
func (n *node) quiet() bool {
	if n.weights.exchange {
		value := n.Eval()
		return settle(n, value, value+1) <= value
	}
	var buf [maxMoves]engines.Move
	return len(tactics(n, buf[:0], 0)) == 0
}

// settle returns the value of a position by captures alone, or a bound on it outside the window,
// as the quiescence search does.
func settle(n *node, alpha, beta int32) int32 {
	best, need := int32(math.MinInt32), int32(math.MinInt32)
	if !forced(n) {
		best = n.Eval()
		need = alpha - best
	}
	var buf [maxMoves]engines.Move
	moves := tactics(n, buf[:0], need)
	if len(moves) == 0 {
		return n.Eval()
	}
	for _, m := range moves {
		if best >= beta {
			break
		}
		child := *n
		child.Play(m)
		best = max(best, -settle(&child, -beta, -max(alpha, best)))
	}
	return best
}
