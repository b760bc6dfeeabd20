package connectfour

import (
	"math/bits"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// prospect is a position in a careful random game.
// It has the fours that stones would complete on the landing cells and on
// the cells right above them, which become landing cells by a stone below.
// Of two sets of columns, the first is in the low 16 bits, the second in the 16 bits above.
// It is plain data.
type prospect struct {
	side [2]fourLines
	// The landing cells by line, in the form of lines.
	row, diag, anti [16]uint32
	free            [16]uint16 // as position has it
	wins            [2]uint64  // by side: columns in which a stone would complete four
	open            uint64     // columns that are not full
	turn            uint8
}

// fourLines holds a side's stones, and the cells of each
// row and diagonal where one more would complete four.
type fourLines struct {
	lines
	rowFours, diagFours, antiFours [16]uint16
}

// fours returns bit c if a stone at a cell would complete four, without regard to its column.
func (f *fourLines) fours(r, c uint64) uint16 {
	return f.rowFours[r&15] | f.diagFours[(r+c)&15] | f.antiFours[(r-c)&15]
}

// play plays a decisive random game from a stone in column c on.
// A column with a four of either side above its landing cell is avoided,
// because a stone there gives a win to the opponent or gives an own win away.
// A side plays there only without another column.
// So zugzwang decides games without forced moves, as between players who see one ply.
// The loop is written out like playUniformly.
// fraction is the rest of a random number, with n more digits.
func (p *prospect) play(c uint64, rng *mcts.Rand, fraction uint64, n int) engines.Outcome {
	me, opponent := &p.side[p.turn&1], &p.side[p.turn&1^1]
	ours, theirs := p.wins[p.turn&1], p.wins[p.turn&1^1]
	open := p.open
	for {
		free := uint32(p.free[c&15])
		r := uint64(bits.TrailingZeros32(free))
		free &= free - 1
		p.free[c&15] = uint16(free)

		// The cell is filled and no longer a landing cell.
		// Fours that the stone prepares elsewhere become threats.
		here := uint32(1) << (c & 31)
		line, targets := uint32(me.row[r&15])|here, p.row[r&15]&^here
		me.row[r&15], p.row[r&15] = uint16(line), targets
		fours := gaps[line&0xfff]
		me.rowFours[r&15] = fours
		found := uint32(fours) * 0x10001 & targets
		line, targets = uint32(me.diag[(r+c)&15])|here, p.diag[(r+c)&15]&^here
		me.diag[(r+c)&15], p.diag[(r+c)&15] = uint16(line), targets
		fours = gaps[line&0xfff]
		me.diagFours[(r+c)&15] = fours
		found |= uint32(fours) * 0x10001 & targets
		line, targets = uint32(me.anti[(r-c)&15])|here, p.anti[(r-c)&15]&^here
		me.anti[(r-c)&15], p.anti[(r-c)&15] = uint16(line), targets
		fours = gaps[line&0xfff]
		me.antiFours[(r-c)&15] = fours
		found |= uint32(fours) * 0x10001 & targets
		ours |= uint64(found)
		stack := uint32(me.col[c&15]) | 1<<(r&31)
		me.col[c&15] = uint16(stack)

		// In its column, all sets move up by a cell.
		column := uint64(here) * 0x10001
		ours, theirs = ours&^column|ours&column>>16, theirs&^column|theirs&column>>16
		if free == 0 {
			open &^= column
		} else {
			r = uint64(bits.TrailingZeros32(free))
			ours |= uint64((stack<<3>>(r&31)&7+1)>>3) << (c & 63) // on top of three
			p.watch(r, c, here|here<<16)
			if free &= free - 1; free != 0 {
				r = uint64(bits.TrailingZeros32(free))
				p.watch(r, c, here<<16)
				ours |= uint64(me.fours(r, c)) << 16 & column
				theirs |= uint64(opponent.fours(r, c)) << 16 & column
			}
		}
		if n == 0 {
			fraction, n = rng.Uint64(), digits
		}
		n--
		if theirs&0xffff != 0 {
			if me == &p.side[0] {
				return engines.SecondWins
			}
			return engines.FirstWins
		}
		if open == 0 {
			return engines.Draw
		}
		me, opponent = opponent, me
		ours, theirs = theirs, ours
		c, fraction = draw(among(open, ours, theirs), fraction)
	}
}

// among returns the columns from which a side draws.
// ours are the fours it can complete, theirs the opponent's.
func among(open, ours, theirs uint64) uint64 {
	choice := open &^ ((ours | theirs) >> 16)
	if choice == 0 {
		if choice = open &^ (theirs >> 16); choice == 0 {
			choice = open
		}
	}
	// The branch is unpredictable, so it is avoided.
	must := theirs & 0xffff
	return choice&^uint64(int64(-must)>>63) | must&-must
}

// draw returns the column of a set that a fraction selects, and the rest of the fraction.
func draw(set, fraction uint64) (c, rest uint64) {
	k, rest := bits.Mul64(fraction, uint64(bits.OnesCount64(set)))
	return members[set&0xfff] >> (4 * k & 63) & 15, rest
}

// watch moves a cell between its two sets, by the bits of change.
func (p *prospect) watch(r, c uint64, change uint32) {
	p.row[r&15] ^= change
	p.diag[(r+c)&15] ^= change
	p.anti[(r-c)&15] ^= change
}

// start plays a whole careful random game, which changes p.
func (p *prospect) start(rng *mcts.Rand) engines.Outcome {
	fraction, ours := rng.Uint64(), p.wins[p.turn&1]
	if ours&0xffff != 0 {
		return engines.Win(engines.Side(p.turn))
	}
	c, fraction := draw(among(p.open, ours, p.wins[p.turn&1^1]), fraction)
	return p.play(c, rng, fraction, digits-1)
}

// foresee sets o to the prospect of a position.
func (p *position) foresee(o *prospect) {
	o.free, o.turn = p.free, p.turn
	for i := range o.side {
		side := &o.side[i]
		side.lines = p.side[i]
		for n := range 16 {
			side.rowFours[n], side.diagFours[n], side.antiFours[n] = gaps[side.row[n]&0xfff], gaps[side.diag[n]&0xfff], gaps[side.anti[n]&0xfff]
		}
	}
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
		o.wins[0] |= uint64(o.side[0].fours(r, c)) << 16 & (0x10000 << c)
		o.wins[1] |= uint64(o.side[1].fours(r, c)) << 16 & (0x10000 << c)
	}
}

// members[set] has the columns of a set, four bits each, the lowest first.
var members = newMembers()

// newMembers returns the table members.
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
