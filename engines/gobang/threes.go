package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// maxThrees is the largest number of threes in a line
// of a search for a win by threats; fours do not count.
const maxThrees = 8

// byThrees searches for a win of the side to move by threes and fours. A three threatens an
// open four. Its answers are the cells that stop the four, and the fours of the other side; all
// of them are tried, and any other answer loses at once. It returns the largest number of plies
// until the win and the first move, or 0 if there is no such win or the budget, in positions,
// is too small to find it.
func (f *field) byThrees(budget int64) (plies int, move cell) {
	f.dim(budget)
	defer f.see()
	for depth := 1; depth <= maxThrees && !f.solver.exhausted; depth++ {
		if plies, move = f.attack(depth); plies > 0 {
			return plies, move
		}
	}
	return 0, 0
}

// attack returns the largest number of plies in which the side to move wins by
// threats with at most depth threes, and its move; 0 if no such win is known.
func (f *field) attack(depth int) (plies int, move cell) {
	s, me, foe := &f.solver, f.turn, f.turn.Other()
	s.visited++
	if n := f.settled(); n != 0 {
		return max(n, 0), f.strongest(me)
	}
	slot := &s.threes[f.key>>(64-solvedBits)]
	if s.knows(slot, f.key) && (slot.plies > 0 || int(slot.depth) >= depth) {
		return int(slot.plies), cell(slot.move)
	}
	if s.visited >= s.budget {
		s.exhausted = true
		return 0, 0
	}
	if f.counts[foe][wins] > 0 {
		move = f.first(foe, wins)
		plies = f.threaten(move, depth)
	} else {
		plies, move = f.tryThreats(depth)
	}
	if plies > 0 || !s.exhausted {
		*slot = solved{key: f.key, plies: int16(plies), move: int16(move), search: s.search, depth: int8(depth)}
	}
	return plies, move
}

// strongest returns a cell of the highest class that a side has.
func (f *field) strongest(side engines.Side) cell {
	for class := wins; class > quiet; class-- {
		if f.counts[side][class] > 0 {
			return f.first(side, class)
		}
	}
	return 0
}

// tryThreats tries the fours of the side to move, then its threes.
func (f *field) tryThreats(depth int) (plies int, move cell) {
	for _, class := range [...]int{fourThree, four, threes, three} {
		cells := f.sets[f.turn][class]
		left := depth
		if class == threes || class == three {
			left--
		}
		if left < 0 {
			break
		}
		for x := range f.rules.size {
			for column := cells[x]; column != 0; column &= column - 1 {
				c := at(x, bits.TrailingZeros32(column))
				if n := f.threaten(c, left); n > 0 {
					return n, c
				}
			}
		}
	}
	return 0, 0
}

// threaten plays a move and returns the number of plies,
// including it, in which it wins; 0 if no win is known.
func (f *field) threaten(c cell, depth int) int {
	f.Play(c.move())
	n := 0
	if f.outcome == engines.Ongoing {
		n = f.defend(depth)
	}
	f.undo()
	if n > 0 {
		n++
	}
	return n
}

// defend returns the number of plies in which the side not to move wins against
// every answer to its threat; 0 if no win is known or nothing is threatened.
func (f *field) defend(depth int) int {
	foe := f.turn.Other() // the attacker
	n := f.settled()
	switch {
	case n > 0:
		return 0
	case n < 0:
		return -n
	case f.counts[foe][wins] > 0:
		return f.answer(f.first(foe, wins), depth)
	case f.counts[foe][straightFour] == 0:
		return 0
	}
	worst := 4 // plies against any other answer
	replies := f.parries()
	for x := range f.rules.size {
		for column := replies[x]; column != 0; column &= column - 1 {
			n := f.answer(at(x, bits.TrailingZeros32(column)), depth)
			if n == 0 {
				return 0
			}
			worst = max(worst, n)
		}
	}
	return worst
}

// answer plays an answer and returns the number of plies, including
// it, in which the attack still wins; 0 if no win is known.
func (f *field) answer(c cell, depth int) int {
	f.Play(c.move())
	n := 0
	if f.outcome == engines.Ongoing {
		n, _ = f.attack(depth)
	}
	f.undo()
	if n > 0 {
		n++
	}
	return n
}

// prove looks for a win by threats at the root. line is valid until the next call.
func (f *field) prove() (line []engines.Move, plies int, visited int64) {
	if f.rootThrees == 0 {
		return nil, 0, 0
	}
	n, c := f.byThrees(f.rootThrees)
	if n > 0 {
		f.solver.line[0] = c.move()
		line = f.solver.line[:]
	}
	return line, n, f.solver.visited
}
