package connectfour

import (
	"math/bits"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// outlook is the data of a decisive random game besides the position: for
// each side the columns where it could complete four, and the landing cells.
// A ply updates the lines of two cells, the filled and the next, and no other columns.
type outlook struct {
	wins [2]uint64 // bit c for column c
	// The landing cells by line, in the form of lines.
	row, diag, anti [16]uint16
}

// playDecisively plays a random game in which a side completes a four or stops one where it can.
// No random move wins then, so the loop needs no test for four.
// It is written out like playUniformly.
func (p *position) playDecisively(rng *mcts.Rand, o *outlook) engines.Outcome {
	me, opponent := &p.side[p.turn&1], &p.side[p.turn&1^1]
	ours, theirs := o.wins[p.turn&1], o.wins[p.turn&1^1]
	columns := uint64(p.cols)
	for {
		fraction := rng.Uint64()
		for n := digits; n > 0; n-- {
			if ours != 0 {
				if me == &p.side[0] {
					return engines.FirstWins
				}
				return engines.SecondWins
			}
			var c uint64
			c, fraction = bits.Mul64(fraction, columns)
			if theirs != 0 {
				c = uint64(bits.TrailingZeros64(theirs))
			}
			free := uint32(p.free[c&15])
			if free == 0 {
				if p.full() {
					return engines.Draw
				}
				continue
			}
			r := uint64(bits.TrailingZeros32(free))
			free &= free - 1
			p.free[c&15] = uint16(free)

			// The cell is filled and no longer a landing cell.
			// Fours that the stone prepares on other columns' landing cells become threats.
			stones, targets := &me.row[r&15], &o.row[r&15]
			line := uint64(*stones) | 1<<(c&63)
			target := uint64(*targets) &^ (1 << (c & 63))
			*stones, *targets = uint16(line), uint16(target)
			threats := uint64(gaps[line&0xfff]) & target
			stones, targets = &me.diag[(r+c)&15], &o.diag[(r+c)&15]
			line = uint64(*stones) | 1<<(c&63)
			target = uint64(*targets) &^ (1 << (c & 63))
			*stones, *targets = uint16(line), uint16(target)
			threats |= uint64(gaps[line&0xfff]) & target
			stones, targets = &me.anti[(r-c)&15], &o.anti[(r-c)&15]
			line = uint64(*stones) | 1<<(c&63)
			target = uint64(*targets) &^ (1 << (c & 63))
			*stones, *targets = uint16(line), uint16(target)
			threats |= uint64(gaps[line&0xfff]) & target
			me.col[c&15] |= 1 << (r & 15)
			ours = ours&^(1<<(c&63)) | threats
			theirs &^= 1 << (c & 63)
			if free != 0 {
				r = uint64(bits.TrailingZeros32(free))
				o.row[r&15] |= 1 << (c & 15)
				o.diag[(r+c)&15] |= 1 << (c & 15)
				o.anti[(r-c)&15] |= 1 << (c & 15)
				ours |= me.completes(r, c) << (c & 63)
				theirs |= opponent.completes(r, c) << (c & 63)
			}
			me, opponent = opponent, me
			ours, theirs = theirs, ours
		}
	}
}

// advance sets the outlook after a stone of side on row r of
// column c, which leads to p. o is the outlook before the stone.
func (o *outlook) advance(p *position, side, r, c uint64) {
	me, opponent := &p.side[side], &p.side[side^1]
	ours, theirs := o.wins[side], o.wins[side^1]
	for _, line := range [...]struct{ stones, cells *uint16 }{
		{&me.row[r&15], &o.row[r&15]}, {&me.diag[(r+c)&15], &o.diag[(r+c)&15]}, {&me.anti[(r-c)&15], &o.anti[(r-c)&15]},
	} {
		*line.cells &^= 1 << c
		ours |= uint64(gaps[*line.stones&0xfff] & *line.cells)
	}
	// The threats of these lines lie in other columns, because the cell is taken.
	theirs &^= 1 << c
	if free := p.free[c&15]; free != 0 {
		r = uint64(bits.TrailingZeros16(free))
		o.row[r&15] |= 1 << c
		o.diag[(r+c)&15] |= 1 << c
		o.anti[(r-c)&15] |= 1 << c
		ours |= me.completes(r, c) << c
		theirs |= opponent.completes(r, c) << c
	}
	o.wins[side], o.wins[side^1] = ours, theirs
}

// look sets o to the outlook of a position.
func (p *position) look(o *outlook) {
	for c := range uint64(p.cols) {
		free := p.free[c&15]
		if free == 0 {
			continue
		}
		r := uint64(bits.TrailingZeros16(free))
		o.row[r&15] |= 1 << (c & 15)
		o.diag[(r+c)&15] |= 1 << (c & 15)
		o.anti[(r-c)&15] |= 1 << (c & 15)
		o.wins[0] |= p.side[0].completes(r, c) << c
		o.wins[1] |= p.side[1].completes(r, c) << c
	}
}

// Sensible appends the columns worth a search: a column that wins, else a column that stops the
// opponent's win, else those after which the opponent cannot win on top of the stone, else all
// columns. A column left out loses at once or is no better than the listed ones.
func (p *position) Sensible(buf []engines.Move) []engines.Move {
	if p.outcome != engines.Ongoing {
		return buf
	}
	me, opponent := &p.side[p.turn&1], &p.side[p.turn&1^1]
	var parry engines.Move
	safe := buf
	for c := range uint64(p.cols) {
		free := p.free[c&15]
		if free == 0 {
			continue
		}
		r := uint64(bits.TrailingZeros16(free))
		if me.completes(r, c) != 0 {
			return append(buf, engines.Move(c)+1)
		}
		if parry == 0 && opponent.completes(r, c) != 0 {
			parry = engines.Move(c) + 1
		}
		free &= free - 1
		if free == 0 || opponent.completes(uint64(bits.TrailingZeros16(free)), c) == 0 {
			safe = append(safe, engines.Move(c)+1)
		}
	}
	switch {
	case parry != 0:
		return append(buf, parry)
	case len(safe) > len(buf):
		return safe
	}
	return p.Moves(buf)
}

// completes returns 1 if a stone at a cell would complete a four, else 0.
func (l *lines) completes(r, c uint64) uint64 {
	across := gaps[l.row[r&15]&0xfff] | gaps[l.diag[(r+c)&15]&0xfff] | gaps[l.anti[(r-c)&15]&0xfff]
	up := gaps[l.col[c&15]&0xfff]
	return uint64(across>>(c&15)|up>>(r&15)) & 1
}

// gaps[line] has the clear bits of a line that would
// make four neighbouring bits: xxx_, xx_x, x_xx, _xxx.
var gaps = newGaps()

// newGaps returns the table gaps.
func newGaps() (table [1 << maxSize]uint16) {
	for line := range uint64(1 << maxSize) {
		for i := range maxSize {
			if line>>i&1 == 0 && hasFour(line|1<<i) {
				table[line] |= 1 << i
			}
		}
	}
	return table
}

// digits is the number of columns drawn from one random number.
// The bias of the twelfth is below one in a million.
const digits = 12

// full reports whether every column is full.
func (p *position) full() bool {
	for i := range p.free {
		if p.free[i] != 0 {
			return false
		}
	}
	return true
}
