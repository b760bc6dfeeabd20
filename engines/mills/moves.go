package mills

import (
	"math/bits"
	"slices"

	"selfplaylab/engines"
)

// Moves appends the legal moves: first moves that close
// a mill, then quiet ones, each by direction and point.
func (p *position) Moves(buf []engines.Move) []engines.Move {
	if p.number(engines.First) < 3 || p.number(engines.Second) < 3 {
		return buf
	}
	if p.laws&unusual != 0 {
		return p.unusualMoves(buf)
	}
	us := p.men[p.turn&1]
	free := p.free()
	spokes := p.laws.spokes()
	c := closersOf(us, spokes)
	if p.placing() {
		closing := free & c.any()
		if closing != 0 {
			buf = appendTaking(buf, closing, &fromHandTo, p.targets())
		}
		return appendQuiet(buf, free&^closing, &fromHandTo)
	}
	s := stepsOf(us, free, spokes)
	closing := s.closing(c)
	if closing != (steps{}) {
		targets := p.targets()
		buf = appendTaking(buf, closing.clockwise, &clockwiseTo, targets)
		buf = appendTaking(buf, closing.anticlockwise, &anticlockwiseTo, targets)
		buf = appendTaking(buf, closing.outwards, &outwardsTo, targets)
		buf = appendTaking(buf, closing.inwards, &inwardsTo, targets)
		s = s.without(closing)
	}
	buf = appendQuiet(buf, s.clockwise, &clockwiseTo)
	buf = appendQuiet(buf, s.anticlockwise, &anticlockwiseTo)
	buf = appendQuiet(buf, s.outwards, &outwardsTo)
	return appendQuiet(buf, s.inwards, &inwardsTo)
}

// movesTo holds the moves without capture to every point, in one direction.
type movesTo [32]engines.Move

// Moves by direction. They are filled in when the program starts and never changed.
var (
	fromHandTo      = makeMovesTo(func(int) int { return fromHand })
	clockwiseTo     = makeMovesTo(func(to int) int { return to&^7 | (to-1)&7 })
	anticlockwiseTo = makeMovesTo(func(to int) int { return to&^7 | (to+1)&7 })
	outwardsTo      = makeMovesTo(func(to int) int { return to + 8 })
	inwardsTo       = makeMovesTo(func(to int) int { return to - 8 })
)

// makeMovesTo returns the moves to every point from the point that from returns.
func makeMovesTo(from func(to int) int) (m movesTo) {
	for to := range points {
		if f := from(to); f >= 0 && f <= fromHand {
			m[to] = turnOf(f, to)
		}
	}
	return m
}

// appendQuiet appends the moves to a set of points.
func appendQuiet(buf []engines.Move, to uint32, moves *movesTo) []engines.Move {
	for ; to != 0; to &= to - 1 {
		buf = append(buf, moves[bits.TrailingZeros32(to)&31])
	}
	return buf
}

// appendTaking appends a move for every arrival and every target.
// A mill without a target is a quiet move.
func appendTaking(buf []engines.Move, to uint32, moves *movesTo, targets uint32) []engines.Move {
	if targets == 0 {
		return appendQuiet(buf, to, moves)
	}
	for ; to != 0; to &= to - 1 {
		m := moves[bits.TrailingZeros32(to)&31]
		for t := targets; t != 0; t &= t - 1 {
			buf = append(buf, m|engines.Move(bits.TrailingZeros32(t)+1)<<takenShift)
		}
	}
	return buf
}

// targets returns the men that the side to move may take first.
func (p *position) targets() uint32 {
	return p.laws.targets(p.men[p.turn&1^1])
}

// targets returns the men of a set that may be taken first.
func (l laws) targets(men uint32) uint32 {
	if l&looseFirst != 0 {
		if loose := men &^ inLines(men, l.spokes()); loose != 0 {
			return loose
		}
	}
	return men
}

// unusualMoves is Moves under any rules, man by man and point by point.
func (p *position) unusualMoves(buf []engines.Move) []engines.Move {
	us := p.men[p.turn&1]
	free := p.free()
	spokes := p.laws.spokes()
	if p.placing() {
		c := closersOf(us, spokes)
		for to := free; to != 0; to &= to - 1 {
			buf = p.appendTurn(buf, fromHandTo[bits.TrailingZeros32(to)], c)
		}
		return buf
	}
	first := len(buf)
	for men := us; men != 0; men &= men - 1 {
		man := men & -men
		c, to := closersOf(us&^man, spokes), adjacent(man, spokes)&free
		if p.flies() {
			to = free
		}
		for ; to != 0; to &= to - 1 {
			buf = p.appendTurn(buf, turnOf(bits.TrailingZeros32(man), bits.TrailingZeros32(to)), c)
		}
	}
	if step := p.banned(); step != noStepToUndo {
		kept := slices.DeleteFunc(buf[first:], func(m engines.Move) bool { return m&stepMask == step })
		buf = buf[:first+len(kept)]
	}
	return buf
}

// appendTurn appends m with every choice of captures. c are the closers of the men that stay.
func (p *position) appendTurn(buf []engines.Move, m engines.Move, c closers) []engines.Move {
	them := p.men[p.turn&1^1]
	due := min(c.number(1<<arrival(m)), count(them))
	if due > 1 && p.laws&perMill == 0 {
		due = 1
	}
	if due == 0 || p.laws&mayDecline != 0 {
		buf = append(buf, m)
	}
	if due > 0 {
		buf = p.laws.appendCaptures(buf, m, them, 0, due, -1)
	}
	return buf
}

// appendCaptures appends m with every set of due more men taken in addition to taken.
// Each set appears once, in rising order, if the rules allow the set in any order.
func (l laws) appendCaptures(buf []engines.Move, m engines.Move, men, taken uint32, due, above int) []engines.Move {
	if due == 0 {
		if l.takeable(men, taken) {
			buf = append(buf, m)
		}
		return buf
	}
	for rest := men >> (above + 1) << (above + 1); rest != 0; rest &= rest - 1 {
		point := bits.TrailingZeros32(rest)
		buf = l.appendCaptures(buf, take(m, point), men, taken|1<<point, due-1, point)
	}
	return buf
}

// takeable reports whether the men of a set may be taken one after another in some order.
func (l laws) takeable(men, set uint32) bool {
	if set == 0 {
		return true
	}
	for next := l.targets(men) & set; next != 0; next &= next - 1 {
		man := next & -next
		if l.takeable(men&^man, set&^man) {
			return true
		}
	}
	return false
}

// Legal reports whether Moves lists m.
func (p *position) Legal(m engines.Move) bool {
	var buf [256]engines.Move // more than the paper's rules need
	return slices.Contains(p.Moves(buf[:0]), m)
}
