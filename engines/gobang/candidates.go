package gobang

import "selfplaylab/engines"

// Moves appends the candidates, by x, then y.
// They are the first of the following sets with a cell: a cell that wins; the cell on which the
// opponent would win; a cell that makes an open four; against an opponent about to make an open
// four, the cells that stop it or make a four; else all free cells at most two from a stone.
// Any other move loses by force, as far as threats tell: see TestNothingWonIsLost.
func (f *field) Moves(buf []engines.Move) []engines.Move {
	me, foe := f.turn, f.turn.Other()
	switch {
	case f.outcome != engines.Ongoing:
		return buf
	case f.counts[me][wins] > 0:
		return append(buf, f.first(me, wins).move())
	case f.counts[foe][wins] > 0:
		return append(buf, f.first(foe, wins).move())
	case f.counts[me][straightFour] > 0:
		return append(buf, f.first(me, straightFour).move())
	}
	var g grid
	if f.counts[foe][straightFour] > 0 {
		g = f.parries()
	} else {
		g = cellsNear(&f.stones, f.rules.size, candidateDistance)
	}
	if f.rules.ring && f.turn == black && f.stones[black] == (grid{}) {
		g.intersect(f.rules.outerRings())
	}
	if g == (grid{}) {
		return append(buf, startCell(f.rules, f.turn, f.stones).move())
	}
	return g.appendMoves(buf)
}

// candidateDistance is the largest distance of candidates from a stone, in cells.
const candidateDistance = 2

// parries returns the cells that may stop an open four of the opponent.
// They are the cells on which the opponent would make a four, because
// every other stone of its row is such a cell, and the cells on which
// the side to move makes a four, because a four is answered first.
func (f *field) parries() (g grid) {
	for _, sets := range [2]*[classes]grid{&f.sets[black], &f.sets[white]} {
		for _, class := range [...]int{four, fourThree, straightFour} {
			for x := range f.rules.size {
				g[x] |= sets[class][x]
			}
		}
	}
	return g
}

// rank adds to ranks the learned probability of each move,
// or without one the worth of its threats for both sides.
// The mover's threats count twice the other's.
func (f *field) rank(moves []engines.Move, ranks []int32) {
	if f.terms.likely != 0 {
		f.rankLikely(moves, ranks)
		return
	}
	me, foe := f.turn, f.turn.Other()
	own := &promising[me]
	for i, m := range moves {
		c := cellOf(m)
		makes, r := f.makes[c], int32(0)
		for range 4 {
			r += own[makes&15|makes>>12&0xf0]
			makes >>= 4
		}
		r += classRank[f.class(c, me)] + classRank[f.class(c, foe)]/2
		ranks[i] += r
	}
}

// rankLikely adds to ranks the learned probability of each move.
func (f *field) rankLikely(moves []engines.Move, ranks []int32) {
	me, foe := 16*f.turn, 16*f.turn.Other()
	for i, m := range moves {
		makes := f.makes[cellOf(m)]
		likely := int32(f.lessons[uint16(makes>>me)].own) + int32(f.lessons[uint16(makes>>foe)].foe)
		ranks[i] += likely * f.terms.likely / 1000
	}
}

// classRank is the rank of a cell's class; the other side's class counts half.
var classRank = [classes]int32{three: 1 << 15, threes: 1 << 17, four: 1 << 15, fourThree: 1 << 18, straightFour: 1 << 20, wins: 1 << 22}

// promising is the rank of a cell's threats on one line, by
// side to move; the index has black's in the low four bits.
var promising = func() (t [2][256]int32) {
	base := [16]int32{
		makesHalf1: 400, makesOpen1: 800, makesHalf2: 1200, makesBroken2: 2800, makesOpen2: 4000,
		makesHalf3: 4000, makesBroken3: 8000, makesOpen3: 9600, makesHalf4: 8000,
	}
	for p := range 256 {
		low, high := base[p&15], base[p>>4]
		t[black][p] = low + high/2
		t[white][p] = high + low/2
	}
	return t
}()
