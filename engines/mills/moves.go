package mills

import (
	"math/bits"
	"slices"

	"selfplaylab/engines"
)

// Moves appends the legal moves: those that close a mill first, then the quiet
// ones, each by direction and point.
func (p *position) Moves(buf []engines.Move) []engines.Move {
	if p.number(engines.First) < 3 || p.number(engines.Second) < 3 {
		return buf
	}
	if p.laws&unusual != 0 {
		return p.unusualMoves(buf)
	}
	us, free, spokes := p.men[p.turn&1], p.free(), p.laws.spokes()
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

// The moves without capture to every point, by direction.
type movesTo [32]engines.Move

var (
	fromHandTo      = makeMovesTo(func(int) int { return fromHand })
	clockwiseTo     = makeMovesTo(func(to int) int { return to&^7 | (to-1)&7 })
	anticlockwiseTo = makeMovesTo(func(to int) int { return to&^7 | (to+1)&7 })
	outwardsTo      = makeMovesTo(func(to int) int { return to + 8 })
	inwardsTo       = makeMovesTo(func(to int) int { return to - 8 })
)

func makeMovesTo(from func(to int) int) (m movesTo) {
	for to := range points {
		if f := from(to); f >= 0 && f <= fromHand {
			m[to] = turnOf(f, to)
		}
	}
	return m
}

func appendQuiet(buf []engines.Move, to uint32, moves *movesTo) []engines.Move {
	for ; to != 0; to &= to - 1 {
		buf = append(buf, moves[bits.TrailingZeros32(to)&31])
	}
	return buf
}

// appendTaking appends a move for every arrival and every target. A mill with
// nothing to take is a quiet move.
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

func (l laws) targets(men uint32) uint32 {
	if l&looseFirst != 0 {
		if loose := men &^ inLines(men, l.spokes()); loose != 0 {
			return loose
		}
	}
	return men
}

// unusualMoves is Moves under any rules, a man and a point at a time.
func (p *position) unusualMoves(buf []engines.Move) []engines.Move {
	us, free, spokes := p.men[p.turn&1], p.free(), p.laws.spokes()
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

// appendTurn appends m with every choice of captures it has, given what the men
// that stay where they are would close.
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

// appendCaptures appends m with every set of due more men taken after those
// taken already, each set once: in rising order, if the rules allow the set in
// any order.
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

// takeable reports whether the men of a set may be taken one after another in
// some order.
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

// banned returns the step that noReform forbids the side to move, or
// noStepToUndo: straight back where its last step came from, from a mill to a
// mill. A step back out of a mill that the opponent has broken is free (so
// Sanmill reads the rule, RestrictRepeatedMillsFormation).
func (p *position) banned() engines.Move {
	step := engines.Move(p.back[p.turn&1])
	if step == noStepToUndo {
		return noStepToUndo
	}
	us, spokes := p.men[p.turn&1], p.laws.spokes()
	from, to := departure(step), arrival(step)
	if us>>from&1 == 0 || p.free()>>to&1 == 0 || inLines(us, spokes)>>from&1 == 0 ||
		closersOf(us&^(1<<from), spokes).any()>>to&1 == 0 {
		return noStepToUndo
	}
	return step
}

// Legal reports whether Moves would list m.
func (p *position) Legal(m engines.Move) bool {
	var buf [256]engines.Move // more than the paper's rules ever need
	return slices.Contains(p.Moves(buf[:0]), m)
}
