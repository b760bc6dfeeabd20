package connectfour

import (
	"math/bits"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// prospect is what a careful random game keeps beside the position, for the cells
// to land on and for those right above them, which become cells to land on when
// somebody plays below. Of two sets of columns the first is in the low 16 bits, the
// second in the 16 bits above.
type prospect struct {
	wins [2]uint64 // by side: where a stone would complete four
	open uint64    // columns that are not full
	// The cells by line, as lines has stones.
	row, diag, anti [16]uint32
}

// playCarefully is a decisive random game in which a column is shunned while a
// four of either side lies above its landing cell: who plays there gives a win, or
// gives one's own away. Only a side to which nothing else is left does. So it is
// zugzwang that decides a game without forced moves, as it does between players
// who see one ply: what two of them cannot touch is settled by who runs out of
// other moves. It is written out like playUniformly.
func (p *Position) playCarefully(rng *mcts.Rand, o *prospect) engines.Outcome {
	me, opponent := &p.side[p.turn&1], &p.side[p.turn&1^1]
	mine, theirs := o.wins[p.turn&1], o.wins[p.turn&1^1]
	for {
		fraction := rng.Uint64()
		for n := digits; n > 0; n-- {
			if mine&0xffff != 0 {
				if me == &p.side[0] {
					return engines.FirstWins
				}
				return engines.SecondWins
			}
			if o.open == 0 {
				return engines.Draw
			}
			choice := o.open
			if must := theirs & 0xffff; must != 0 {
				choice = must & -must
			} else if calm := choice &^ ((mine | theirs) >> 16); calm != 0 {
				choice = calm
			} else if safe := choice &^ (theirs >> 16); safe != 0 {
				choice = safe
			}
			var k uint64
			k, fraction = bits.Mul64(fraction, uint64(bits.OnesCount64(choice)))
			c := members[choice&0xfff] >> (4 * k & 63) & 15
			free := uint32(p.free[c])
			r := uint64(bits.TrailingZeros32(free))
			free &= free - 1
			p.free[c] = uint16(free)

			// The cell is filled and no longer one to land on. What the stone
			// completes elsewhere, it threatens.
			here := uint32(1) << c
			stones, cells := &me.row[r&15], &o.row[r&15]
			line, targets := uint32(*stones)|here, *cells&^here
			*stones, *cells = uint16(line), targets
			mine |= uint64(uint32(gaps[line&0xfff]) * 0x10001 & targets)
			stones, cells = &me.diag[(r+c)&15], &o.diag[(r+c)&15]
			line, targets = uint32(*stones)|here, *cells&^here
			*stones, *cells = uint16(line), targets
			mine |= uint64(uint32(gaps[line&0xfff]) * 0x10001 & targets)
			stones, cells = &me.anti[(r-c)&15], &o.anti[(r-c)&15]
			line, targets = uint32(*stones)|here, *cells&^here
			*stones, *cells = uint16(line), targets
			mine |= uint64(uint32(gaps[line&0xfff]) * 0x10001 & targets)
			me.col[c] |= 1 << (r & 15)

			// In its column all moves up by a cell.
			column := uint64(0x10001) << c
			mine, theirs = mine&^column|mine&column>>16, theirs&^column|theirs&column>>16
			if free == 0 {
				o.open &^= column
			} else {
				r = uint64(bits.TrailingZeros32(free))
				mine |= uint64(gaps[me.col[c]&0xfff]>>(r&15)&1) << c
				o.watch(r, c, here|here<<16)
				if free &= free - 1; free != 0 {
					r = uint64(bits.TrailingZeros32(free))
					o.watch(r, c, here<<16)
					mine |= me.joins(r, c) << (c + 16)
					theirs |= opponent.joins(r, c) << (c + 16)
				}
			}
			me, opponent = opponent, me
			mine, theirs = theirs, mine
		}
	}
}

// advance makes the prospect of a position that of p, which came of it by a stone of
// side on row r of column c: what playCarefully does for a stone of its own.
func (o *prospect) advance(p *Position, side, r, c uint64) {
	me, opponent := &p.side[side], &p.side[side^1]
	mine, theirs := o.wins[side], o.wins[side^1]
	here := uint32(1) << c
	for _, line := range [...]struct {
		stones uint16
		cells  *uint32
	}{{me.row[r&15], &o.row[r&15]}, {me.diag[(r+c)&15], &o.diag[(r+c)&15]}, {me.anti[(r-c)&15], &o.anti[(r-c)&15]}} {
		*line.cells &^= here
		mine |= uint64(uint32(gaps[line.stones&0xfff]) * 0x10001 & *line.cells)
	}
	column := uint64(0x10001) << c
	mine, theirs = mine&^column|mine&column>>16, theirs&^column|theirs&column>>16
	free := uint32(p.free[c&15])
	if free == 0 {
		o.open &^= column
	} else {
		r = uint64(bits.TrailingZeros32(free))
		mine |= uint64(gaps[me.col[c&15]&0xfff]>>(r&15)&1) << c
		o.watch(r, c, here|here<<16)
		if free &= free - 1; free != 0 {
			r = uint64(bits.TrailingZeros32(free))
			o.watch(r, c, here<<16)
			mine |= me.joins(r, c) << (c + 16)
			theirs |= opponent.joins(r, c) << (c + 16)
		}
	}
	o.wins[side], o.wins[side^1] = mine, theirs
}

// watch changes for which of its two sets a cell is there.
func (o *prospect) watch(r, c uint64, change uint32) {
	o.row[r&15] ^= change
	o.diag[(r+c)&15] ^= change
	o.anti[(r-c)&15] ^= change
}

// foresee sets up a prospect.
func (p *Position) foresee(o *prospect) {
	for c := range uint64(p.cols) {
		free := p.free[c&15]
		if free == 0 {
			continue
		}
		o.open |= 1 << c
		r := uint64(bits.TrailingZeros16(free))
		o.watch(r, c, 1<<c)
		o.wins[0] |= p.side[0].completes(r, c) << c
		o.wins[1] |= p.side[1].completes(r, c) << c
		if free &= free - 1; free == 0 {
			continue
		}
		r = uint64(bits.TrailingZeros16(free))
		o.watch(r, c, 1<<(c+16))
		o.wins[0] |= p.side[0].joins(r, c) << (c + 16)
		o.wins[1] |= p.side[1].joins(r, c) << (c + 16)
	}
}

// joins is completes for a cell with a free one below, where nothing stands in a
// column.
func (l *lines) joins(r, c uint64) uint64 {
	across := gaps[l.row[r&15]&0xfff] | gaps[l.diag[(r+c)&15]&0xfff] | gaps[l.anti[(r-c)&15]&0xfff]
	return uint64(across>>(c&15)) & 1
}

// members[set] lists the columns of a set, four bits each, the lowest first.
var members = newMembers()

func newMembers() (table [1 << maxSize]uint64) {
	for set := range table {
		n := 0
		for c := range maxSize {
			if set>>c&1 == 1 {
				table[set] |= uint64(c) << n
				n += 4
			}
		}
	}
	return table
}
