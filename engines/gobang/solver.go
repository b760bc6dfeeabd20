package gobang

import "selfplaylab/engines"

// solver keeps the results of the searches for wins by threats, in tables of fixed size.
// A later result replaces an earlier one in the same slot.
type solver struct {
	fours     []solved // results with continuous fours
	threes    []solved // results with threes and fours
	dead      []uint64 // keys of positions without a four to continue with, from any search
	visited   int64    // positions of the current search
	budget    int64    // largest number of these
	line      [1]engines.Move
	exhausted bool   // the budget was used up: a win not found is unknown
	search    uint16 // number of the current search, from 1: results of other searches do not count
}

// forget begins a search with empty tables, apart from dead.
func (s *solver) forget() {
	if s.fours == nil {
		s.fours = make([]solved, solvedSlots)
		s.threes = make([]solved, solvedSlots)
		s.dead = make([]uint64, solvedSlots)
	}
	if s.search++; s.search == 0 {
		clear(s.fours)
		clear(s.threes)
		s.search = 1
	}
}

// solved is the result of one position: the number of plies in which the side to move
// wins by threats alone, 0 if it does not with at most depth threes, and the first move.
type solved struct {
	key         uint64
	plies, move int16
	search      uint16
	depth       int8
}

// knows reports whether slot holds a result of the position from the current search.
func (s *solver) knows(slot *solved, key uint64) bool {
	return slot.key == key && slot.search == s.search
}

// Size of the tables, in entries.
const (
	solvedBits  = 14
	solvedSlots = 1 << solvedBits
)
