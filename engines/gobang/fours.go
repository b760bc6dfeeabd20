package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// settled returns the decision by threats on the board: the number of plies in which the side to
// move wins, the negative number of plies in which it loses, or 0 if the decision needs a search.
func (f *field) settled() int {
	me, foe := &f.counts[f.turn], &f.counts[f.turn.Other()]
	switch {
	case me[wins] > 0:
		return 1
	case foe[wins] > 1:
		return -2
	case foe[wins] > 0:
		return 0
	case me[straightFour] > 0:
		return 3
	case me[fourThree]+me[threes] > 0 && f.fours(f.turn.Other()) == 0:
		// The other side can stop only one of the two threats: a stone on both lines would have
		// to be where they cross, and this cell is taken.
		return 5
	}
	return 0
}

// byFours searches for a win of the side to move by continuous fours, each stopped on one cell,
// until one cannot be stopped. It returns the number of plies, or 0 if there is no such win or
// the budget, in positions, is too small to find it.
func (f *field) byFours(budget int64) int {
	f.dim(budget)
	defer f.see()
	return f.continueFours()
}

// dim begins a search for wins by threats, during which sums are not updated. see ends it.
func (f *field) dim(budget int64) {
	s := &f.solver
	s.visited, s.budget, s.exhausted = 0, budget, false
	f.blind = true
}

// see ends the search that dim began.
func (f *field) see() { f.blind = false }

// continueFours is byFours within a search.
func (f *field) continueFours() int {
	s, me, foe := &f.solver, f.turn, f.turn.Other()
	s.visited++
	if n := f.settled(); n != 0 {
		return max(n, 0)
	}
	cells := f.fourCells(me)
	if f.counts[foe][wins] > 0 {
		must := f.first(foe, wins)
		cells = grid{}
		if f.class(must, me) >= four {
			cells[must/stride] = 1 << (must % stride)
		}
	}
	if cells == (grid{}) {
		s.dead[f.key>>(64-solvedBits)] = f.key
		return 0
	}
	slot := &s.fours[f.key>>(64-solvedBits)]
	if s.knows(slot, f.key) {
		return int(slot.plies)
	}
	if s.visited >= s.budget {
		s.exhausted = true
		return 0
	}
	best := 0
	for x := range f.rules.size {
		for column := cells[x]; column != 0 && best == 0; column &= column - 1 {
			best = f.tryFour(at(x, bits.TrailingZeros32(column)))
		}
	}
	if best > 0 || !s.exhausted {
		*slot = solved{key: f.key, plies: int16(best), search: s.search}
	}
	return best
}

// fourCells returns the cells where a side makes a four that one cell stops.
func (f *field) fourCells(side engines.Side) (g grid) {
	for x := range f.rules.size {
		g[x] = f.sets[side][four][x] | f.sets[side][fourThree][x]
	}
	return g
}

// tryFour plays a four and its answer, if there is one,
// and returns the number of plies in which it wins, or 0.
// A known result of the position after both saves playing them.
func (f *field) tryFour(c cell) int {
	if f.class(c, f.turn) == straightFour {
		return 3
	}
	s, stop := &f.solver, f.stop(c)
	key := f.key ^ stoneKey(f.turn, c) ^ stoneKey(f.turn.Other(), stop)
	n := 0
	if slot := &s.fours[key>>(64-solvedBits)]; s.knows(slot, key) {
		s.visited++
		n = int(slot.plies)
	} else if s.dead[key>>(64-solvedBits)] == key {
		s.visited++
	} else {
		f.Play(c.move())
		f.Play(stop.move())
		if f.outcome == engines.Ongoing {
			n = f.continueFours()
		}
		f.undo()
		f.undo()
	}
	if n > 0 {
		n += 2
	}
	return n
}

// stop returns the cell that stops the four made by a stone on c.
func (f *field) stop(c cell) cell {
	d, shift := 0, 16*f.turn
	for f.makes[c]>>shift>>(4*d)&15 != makesHalf4 {
		d++
	}
	l := f.geo.through[c][d]
	line, pos := f.lines[l.line]|lineBit(f.turn, l.pos), int(l.pos)+lineMargin
	for free := f.outlook.free(line, pos); free != 0; free &= free - 1 {
		if i := bits.TrailingZeros32(free); f.outlook.look(line, i)>>shift&15 == makesFive {
			return c + cell(i-pos)*deltas[d]
		}
	}
	panic("gobang: nothing stops a four that one cell stops")
}

// solve returns the decision by threats at a node: by
// settled, and at leaves also by continuous fours.
// A positive number of plies is a win of the side to
// move, a negative one a loss, and 0 no decision.
// visited is the number of positions searched for it.
// Threes are searched at the root only, because searching
// them at leaves cost more nodes than it gained.
func (f *field) solve(depth int) (plies int, visited int64) {
	if n := f.settled(); n != 0 {
		return n, 0
	}
	if me := &f.counts[f.turn]; depth > 0 || f.leafFours == 0 || me[four]+me[fourThree] == 0 {
		return 0, 0
	}
	n := f.byFours(f.leafFours)
	return n, f.solver.visited - 1
}

// forced reports that the side to move must stop a four.
func (f *field) forced() bool { return f.counts[f.turn.Other()][wins] > 0 }

// ready begins a search that depends on no search before.
func (f *field) ready(*state) { f.solver.forget() }
