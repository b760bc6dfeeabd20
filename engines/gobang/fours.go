package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// solver remembers what the searches for wins by threats found, in tables of fixed
// size.
type solver struct {
	fours     []solved // by continuous fours
	threes    []solved // by threes, too
	dead      []uint64 // keys of positions without a four to go on with, in any search
	visited   int64    // positions of the current search
	budget    int64    // of them
	line      [1]engines.Move
	exhausted bool   // the budget was: what was not found is not known
	search    uint16 // number of the current one, from 1: what others solved does not count
}

// solved is what is known about a position: in how many plies the side to move wins by
// threats alone, 0 if it does not within the allowed threes; and its first move.
type solved struct {
	key         uint64
	plies, move int16
	search      uint16
	depth       int8
}

const (
	solvedBits  = 14
	solvedSlots = 1 << solvedBits
)

// settled returns what threats that stand decide at once: in how many plies the
// side to move wins, or below 0, loses; 0 where more must be known.
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
		// The other side can only parry, and cannot parry both: a stone on each of
		// two lines lies where they cross, and that is taken.
		return 5
	}
	return 0
}

// byFours looks for a win of the side to move by continuous fours: each must be
// stopped on one cell, until one that cannot be. It returns in how many plies, 0 if
// there is none, or none within budget.
func (f *field) byFours(budget int64) int {
	f.dim(budget)
	defer f.see()
	return f.continueFours()
}

// dim begins a search for wins by threats, which asks for no sums, and see ends it.
func (f *field) dim(budget int64) {
	s := &f.solver
	s.visited, s.budget, s.exhausted = 0, budget, false
	f.blind = true
}

func (f *field) see() { f.blind = false }

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

// tryFour plays a four and what stops it, if anything does, and returns in how many
// plies it wins. What leads to a position that is known is not played.
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

// stop returns the cell that stops the four which a stone on a cell makes.
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

// knows reports whether a slot tells of a position.
func (s *solver) knows(slot *solved, key uint64) bool {
	return slot.key == key && slot.search == s.search
}

// forget begins a search, for which the tables of solved positions are empty.
func (s *solver) forget() {
	if s.fours == nil {
		s.fours, s.threes, s.dead = make([]solved, solvedSlots), make([]solved, solvedSlots), make([]uint64, solvedSlots)
	}
	if s.search++; s.search == 0 {
		clear(s.fours)
		clear(s.threes)
		s.search = 1
	}
}

// solve tells what threats decide: those that stand, and at leaves, continuous fours.
// Threes are looked at before the search only: with 30 positions of them at each node it
// scored 44 %, with 60 two plies above the leaves 41 % against itself without, at 10,000
// nodes (80 pairs each). Stopping threes without using depth lost more.
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

// prove looks for a win by threats at the root.
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

// forced reports that the side to move must stop a four.
func (f *field) forced() bool { return f.counts[f.turn.Other()][wins] > 0 }

// ready begins a search: it depends on no search before.
func (f *field) ready(*state) { f.solver.forget() }
