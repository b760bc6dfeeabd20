package connectfour

import "selfplaylab/engines/mcts"

// forcing looks for wins by continuous fours: every stone threatens a four that
// must be stopped, until one threatens two, or stopping one does not stop another.
// It serves one search at a time.
// Quiet stones between the fours cost more than they gain.
type forcing struct {
	table []forced
	age   uint16 // results stored under another age do not count; 0 is never used
	left  int64  // positions it may still visit
}

// forced is the result of a position: the number of plies
// within which the side to move wins by continuous fours, or 0.
type forced struct {
	key   uint64
	age   uint16
	plies uint8
}

const (
	// forcedTable is the size of the table, a power of two: 256 KB.
	forcedTable = 1 << 14
	// foursMost is the maximum number of positions of one search.
	foursMost = 100
)

// newSolver returns a solver with an empty table.
func newSolver() mcts.Solver[position] { return &forcing{} }

// Forget drops all results.
func (f *forcing) Forget() {
	if f.age++; f.age == 0 {
		clear(f.table)
		f.age = 1
	}
}

// Wins looks for a win by continuous fours among at most foursMost positions. See mcts.Solver.
func (f *forcing) Wins(p *position, most int64) (plies int, spent int64) {
	return f.wins(p, min(most, foursMost))
}

// wins returns the number of plies within which the side to move wins by continuous fours. It
// returns 0 if the side does not, or if the proof needs more than most positions. spent is the
// number of positions visited.
func (f *forcing) wins(p *position, most int64) (plies int, spent int64) {
	if f.table == nil {
		f.table = make([]forced, forcedTable)
	}
	f.left = most
	me, other, free := p.cells()
	plies = f.search(me, other, free)
	return plies, most - max(f.left, 0)
}

// search is wins for the stones of the side to move, the other side's stones, and the free cells.
func (f *forcing) search(me, other, free cells) int {
	if f.left--; f.left < 0 {
		return 0
	}
	play := free.lowest()
	if !me.completing().and(play).none() {
		return 1
	}
	theirs := other.completing()
	if must := theirs.and(play); !must.none() {
		if must.count() > 1 {
			return 0
		}
		play = must
	}
	key := hash(me, other, free)
	slot := &f.table[key&(forcedTable-1)]
	if slot.key == key && slot.age == f.age {
		return int(slot.plies)
	}
	plies := 0
	for c := 0; c < maxSize && plies == 0; c++ {
		if bit := play.column(c); bit != 0 {
			plies = f.threaten(me, other, theirs, free, inColumn(c, bit))
		}
	}
	if plies > 0 || f.left >= 0 {
		*slot = forced{key: key, age: f.age, plies: uint8(plies)}
	}
	return plies
}

// threaten continues search after a stone on one cell, when the other side has fours on theirs.
func (f *forcing) threaten(me, other, theirs, free, cell cells) int {
	me, free = me.or(cell), free.not(cell)
	play := free.lowest()
	if !theirs.and(play).none() {
		return 0
	}
	stops := me.completing().and(play)
	switch stops.count() {
	case 0:
		return 0
	case 1:
		// The stone that stops it may itself threaten a four.
		if plies := f.search(me, other.or(stops), free.not(stops)); plies > 0 {
			return plies + 2
		}
		return 0
	}
	return 3
}
