package connectfour

import (
	"math/bits"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// prospect is a position as a careful random game keeps it: with the fours there may
// be on the cells to land on and on those right above them, which become cells to
// land on when somebody plays below. Of two sets of columns the first is in the low
// 16 bits, the second in the 16 bits above.
type prospect struct {
	side [2]fourLines
	// The cells by line, as lines has stones.
	row, diag, anti [16]uint32
	free            [16]uint16 // as position has it
	wins            [2]uint64  // by side: where a stone would complete four
	open            uint64     // columns that are not full
	turn            uint8
}

// fourLines is a side's stones, and in each row and diagonal where one more would
// complete four.
type fourLines struct {
	lines
	rowFours, diagFours, antiFours [16]uint16
}

// fours returns bit c if a stone at a cell would complete four, its column aside.
func (f *fourLines) fours(r, c uint64) uint16 {
	return f.rowFours[r&15] | f.diagFours[(r+c)&15] | f.antiFours[(r-c)&15]
}

// play is a decisive random game, from a stone in column c on, in which a column is
// shunned while a four of either side lies above its landing cell: who plays there
// gives a win, or gives one's own away. Only a side to which nothing else is left
// does. So it is zugzwang that decides a game without forced moves, as it does
// between players who see one ply: what two of them cannot touch is settled by who
// runs out of other moves. It is written out like playUniformly. What is left of a
// random number is n digits of fraction.
func (p *prospect) play(c uint64, rng *mcts.Rand, fraction uint64, n int) engines.Outcome {
	me, opponent := &p.side[p.turn&1], &p.side[p.turn&1^1]
	mine, theirs := p.wins[p.turn&1], p.wins[p.turn&1^1]
	open := p.open
	for {
		free := uint32(p.free[c&15])
		r := uint64(bits.TrailingZeros32(free))
		free &= free - 1
		p.free[c&15] = uint16(free)

		// The cell is filled and no longer one to land on. What the stone
		// completes elsewhere, it threatens.
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
		mine |= uint64(found)
		stack := uint32(me.col[c&15]) | 1<<(r&31)
		me.col[c&15] = uint16(stack)

		// In its column all moves up by a cell.
		column := uint64(here) * 0x10001
		mine, theirs = mine&^column|mine&column>>16, theirs&^column|theirs&column>>16
		if free == 0 {
			open &^= column
		} else {
			r = uint64(bits.TrailingZeros32(free))
			mine |= uint64((stack<<3>>(r&31)&7+1)>>3) << (c & 63) // on top of three
			p.watch(r, c, here|here<<16)
			if free &= free - 1; free != 0 {
				r = uint64(bits.TrailingZeros32(free))
				p.watch(r, c, here<<16)
				mine |= uint64(me.fours(r, c)) << 16 & column
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
		mine, theirs = theirs, mine
		c, fraction = draw(among(open, mine, theirs), fraction)
	}
}

// among returns the columns that the side that has the fours mine draws from.
func among(open, mine, theirs uint64) uint64 {
	choice := open &^ ((mine | theirs) >> 16)
	if choice == 0 {
		if choice = open &^ (theirs >> 16); choice == 0 {
			choice = open
		}
	}
	// No branch foresees whether there is something to parry.
	must := theirs & 0xffff
	return choice&^uint64(int64(-must)>>63) | must&-must
}

// draw returns the column that a fraction stands for among a set of them, and the
// rest of the fraction.
func draw(set, fraction uint64) (c, rest uint64) {
	k, rest := bits.Mul64(fraction, uint64(bits.OnesCount64(set)))
	return members[set&0xfff] >> (4 * k & 63) & 15, rest
}

// watch changes for which of its two sets a cell is there.
func (p *prospect) watch(r, c uint64, change uint32) {
	p.row[r&15] ^= change
	p.diag[(r+c)&15] ^= change
	p.anti[(r-c)&15] ^= change
}

// start plays a whole careful random game.
func (p *prospect) start(rng *mcts.Rand) engines.Outcome {
	fraction, mine := rng.Uint64(), p.wins[p.turn&1]
	if mine&0xffff != 0 {
		return engines.Win(engines.Side(p.turn))
	}
	c, fraction := draw(among(p.open, mine, p.wins[p.turn&1^1]), fraction)
	return p.play(c, rng, fraction, digits-1)
}

// foresee sets up a prospect.
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
