package gobang

import (
	"math/bits"
	"sync"
)

// The threats that a stone on a free cell would make on one line.
// All stones of the row lie on this line, and the new stone is one of them.
// Higher values are stronger.
const (
	makesNothing = iota
	makesHalf1   // a stone that can become a half2 at most
	makesOpen1   // a stone that can become more
	makesHalf2   // two that can become a half3 at most
	makesBroken2 // two that can become a broken3 at most
	makesOpen2   // two that can become an open3
	makesHalf3   // three that can become a half4 at most
	makesBroken3 // a three of which one cell makes an open4
	makesOpen3   // three that more cells make an open4
	makesHalf4   // a four that one cell completes
	makesOpen4   // four that more cells complete
	makesFive    // a winning row
	threatKinds  // the number of threats
)

// The classes of a free cell, by all threats that a stone would make on its four lines.
// Higher values are stronger.
const (
	quiet        = iota // none
	three               // a three that threatens an open four
	threes              // two or more of them
	four                // a four that one cell stops
	fourThree           // and a three
	straightFour        // a four, or two, that nothing stops
	wins                // a winning row
	classes             // the number of classes
)

// classOf is the class of a cell by its threats on four lines, four bits each.
var classOf = func() *[1 << 16]uint8 {
	var t [1 << 16]uint8
	for i := range t {
		var n [16]int
		for d := range 4 {
			n[i>>(4*d)&15]++
		}
		threats := n[makesBroken3] + n[makesOpen3]
		switch {
		case n[makesFive] > 0:
			t[i] = wins
		case n[makesOpen4] > 0 || n[makesHalf4] > 1:
			t[i] = straightFour
		case n[makesHalf4] > 0 && threats > 0:
			t[i] = fourThree
		case n[makesHalf4] > 0:
			t[i] = four
		case threats > 1:
			t[i] = threes
		case threats > 0:
			t[i] = three
		}
	}
	return &t
}()

// outlook is a table of the threats that a stone
// makes, by the cells up to reach on each side of it.
// A cell has two bits in two planes, black's and white's; a cell off the board has both.
// It is shared and never changed.
type outlook struct {
	reach int
	makes []uint8 // black's in the low four bits, white's in the high

	// low selects the bits before a cell, and high the bits after
	// it, shifted down by one; both select in each half of a line.
	// fold is the shift that puts white's bits above black's, and mask selects both.
	low, high uint64
	fold      uint
	mask      uint32
}

// look returns the threats of a stone on bit i of a line of a field: black's
// in the low four bits, white's in the low four bits of the high half.
func (o *outlook) look(line uint64, i int) uint32 {
	line >>= uint(i-o.reach) & 63 // the mask tells the compiler that the shift is in range
	line = line&o.low | line>>1&o.high
	m := uint32(o.makes[uint32(line|line>>(o.fold&63))&o.mask])
	return (m | m<<12) & 0x000f000f
}

// free returns the free cells within reach of bit i of a line of a field.
func (o *outlook) free(line uint64, i int) uint32 {
	return ^uint32(line|line>>32) & ((1<<(2*o.reach+1) - 1) << (i - o.reach))
}

// Numbers of cells to each side of a stone that determine its threats: the
// rows of five through it, and one cell more where six in a row do not win.
const (
	reachFree  = 4
	reachExact = 5
)

// outlooks are the tables without and with exactFive, built on first use.
var outlooks [2]struct {
	once sync.Once
	outlook
}

// outlookOf returns the table for a rule.
func outlookOf(exactFive bool) *outlook {
	i, reach := 0, reachFree
	if exactFive {
		i, reach = 1, reachExact
	}
	o := &outlooks[i]
	o.once.Do(func() { o.outlook = newOutlook(reach, exactFive) })
	return &o.outlook
}

// newOutlook computes the table.
func newOutlook(reach int, exactFive bool) outlook {
	plane := 1 << (2 * reach)
	known := map[uint32]uint8{}
	side := func(own, foe int) uint8 {
		s := surroundings{own: around(own, reach) | 1<<reach, foe: around(foe, reach), reach: reach, exact: exactFive}
		return s.makes(known)
	}
	low := (uint64(1)<<reach - 1) * (1 | 1<<32)
	o := outlook{reach, make([]uint8, plane*plane), low, low << reach, uint(32 - 2*reach), uint32(plane*plane - 1)}
	for b := range plane {
		for w := range plane {
			o.makes[b|w*plane] = side(b&^w, w) | side(w&^b, b)<<4
		}
	}
	return o
}

// around spreads cells to both sides of a stone and leaves the stone's own bit 0.
func around(cells, reach int) uint32 {
	low := cells & (1<<reach - 1)
	return uint32(low | cells>>reach<<(reach+1))
}

// surroundings are the cells around a stone, which is at bit reach.
type surroundings struct {
	own, foe uint32 // foe: of the opponent or off the board
	reach    int
	exact    bool // six in a row do not win
}

// makes returns the threat of the own stones that include the middle one. known caches results.
func (s surroundings) makes(known map[uint32]uint8) uint8 {
	key := s.own<<16 | s.foe
	if m, ok := known[key]; ok {
		return m
	}
	m := uint8(makesFive)
	if !s.wins() {
		m = s.threatens(known)
	}
	known[key] = m
	return m
}

// wins reports whether the stone in the middle is part of a winning row.
func (s surroundings) wins() bool {
	n := bits.TrailingZeros32(^(s.own >> s.reach)) + bits.LeadingZeros32(^(s.own << (32 - s.reach)))
	return n == 5 || n > 5 && !s.exact
}

// threatens returns the threat, short of a win, by
// the largest threat that one more stone makes of it.
func (s surroundings) threatens(known map[uint32]uint8) uint8 {
	var best uint8
	var cells int // cells that make it
	for free := (1<<(2*s.reach+1) - 1) &^ (s.own | s.foe); free != 0; free &= free - 1 {
		next := s
		next.own |= free & -free
		switch m := next.makes(known); {
		case m > best:
			best, cells = m, 1
		case m == best:
			cells++
		}
	}
	switch {
	case best == makesFive && cells > 1:
		return makesOpen4
	case best == makesFive:
		return makesHalf4
	case best == makesOpen4 && cells > 1:
		return makesOpen3
	case best == makesOpen4:
		return makesBroken3
	}
	return weaker[best]
}

// weaker is the threat of a stone by the largest threat that the next stone can make.
var weaker = [threatKinds]uint8{
	makesHalf4: makesHalf3, makesOpen3: makesOpen2, makesBroken3: makesBroken2, makesHalf3: makesHalf2,
	makesOpen2: makesOpen1, makesBroken2: makesOpen1, makesHalf2: makesHalf1,
}
