package connectfour

import (
	"math/bits"

	"selfplaylab/engines"
)

// Bounds of rows and columns.
const (
	minSize = 4
	maxSize = 12
)

// lines holds one side's stones four times, so that every line through a cell is one
// word: bit c of row[r], of diag[(r+c)%16] and of anti[(r-c)%16], and bit r of col[c].
// Rows count from the bottom, columns from the left.
// Two lines may share a word.
// On 12 columns their stones are then five or more columns apart, so no four arises across them.
type lines struct {
	row, diag, anti, col [16]uint16
}

// position is a board and the side to move.
// It is plain data of 300 bytes, so a copy is a new position.
// The zero value is not a board.
//
// A test for four needs only the lines through the last stone.
// With stones stored by line these are four words,
// tested side by side in one uint64, in 20 instructions.
// On bitboards of 12 columns, three words each, a test takes about 80; a whole move takes 55.
type position struct {
	side [2]lines
	free [16]uint16 // cells that may still be filled, by column; bit r is row r

	rows, cols uint8
	forbidden  uint8 // row<<4 | column, or noCell
	turn       uint8
	left       uint8 // cells that may still be filled
	outcome    engines.Outcome

	rules rules
}

// noCell marks a board without a forbidden cell.
const noCell = 0xff

// newPosition returns an empty board of the given size with the first side to move.
func newPosition(rows, cols int, forbidden uint8, law rules) position {
	p := position{
		rows: uint8(rows), cols: uint8(cols), forbidden: forbidden,
		left: uint8(rows * cols), rules: law,
	}
	for c := range cols {
		p.free[c] = 1<<rows - 1
	}
	if forbidden != noCell {
		p.free[forbidden&15] &^= 1 << (forbidden >> 4)
		p.left--
	}
	return p
}

// Moves appends the columns that are not full, counted from 1, from the left; none after the end.
func (p *position) Moves(buf []engines.Move) []engines.Move {
	if p.outcome != engines.Ongoing {
		return buf
	}
	for c := range p.cols {
		if p.free[c&15] != 0 {
			buf = append(buf, engines.Move(c)+1)
		}
	}
	return buf
}

// Legal reports whether m is a column that is not full, before the end of the game.
func (p *position) Legal(m engines.Move) bool {
	return p.outcome == engines.Ongoing && m >= 1 && m <= engines.Move(p.cols) && p.free[m-1] != 0
}

// Play drops a stone of the side to move. The move must be legal.
func (p *position) Play(m engines.Move) {
	c := uint64(m-1) & 15
	free := uint32(p.free[c])
	r := uint64(bits.TrailingZeros32(free)) & 15
	p.free[c] = uint16(free & (free - 1))
	p.left--
	four := p.side[p.turn&1].drop(r, c)
	switch {
	case four:
		p.outcome = engines.Win(engines.Side(p.turn & 1))
	case p.left == 0:
		p.outcome = engines.Draw
	}
	p.turn ^= 1
}

// drop adds a stone and reports whether it completes four. There must be no four before it.
func (l *lines) drop(r, c uint64) bool {
	row := uint64(l.row[r&15]) | 1<<(c&63)
	diag := uint64(l.diag[(r+c)&15]) | 1<<(c&63)
	anti := uint64(l.anti[(r-c)&15]) | 1<<(c&63)
	col := uint64(l.col[c&15]) | 1<<(r&63)
	l.row[r&15], l.diag[(r+c)&15] = uint16(row), uint16(diag)
	l.anti[(r-c)&15], l.col[c&15] = uint16(anti), uint16(col)
	return hasFour(row | diag<<16 | anti<<32 | col<<48)
}

// hasFour reports whether four neighbouring bits are set.
// The top four bits of each 16 are never set, so one word holds four lines.
func hasFour(line uint64) bool {
	pairs := line & (line >> 1)
	return pairs&(pairs>>2) != 0
}

// Turn returns the side to move. After the end it is the side that would have moved next.
func (p *position) Turn() engines.Side { return engines.Side(p.turn) }

// Outcome returns the result, Ongoing until a side has four in a line or the board is full.
func (p *position) Outcome() engines.Outcome { return p.outcome }

// Reason returns the reason of the game's end.
func (p *position) Reason() engines.Reason {
	switch p.outcome {
	case engines.Ongoing:
		return engines.NoReason
	case engines.Draw:
		return full
	}
	return four
}

// Reasons a game ends on the board.
const (
	four engines.Reason = "four" // four or more in a line
	full engines.Reason = "full" // draw: no cell is left
)

// Penalty returns 0: an illegal move loses the game.
func (p *position) Penalty() engines.Move { return 0 }

// Key returns a hash of stones, board and side to move.
func (p *position) Key() uint64 {
	h := engines.Mix(uint64(p.rows)<<24 | uint64(p.cols)<<16 | uint64(p.forbidden)<<8 | uint64(p.turn) + 1)
	for i := 0; i < maxSize; i += 2 {
		word := uint64(p.side[0].col[i]) | uint64(p.side[1].col[i])<<16 |
			uint64(p.side[0].col[i+1])<<32 | uint64(p.side[1].col[i+1])<<48
		h = engines.Mix(h ^ word)
	}
	return h
}

// rules restricts the boards of a game. It is plain data, because positions have a copy.
type rules struct {
	rows, cols uint8 // 0 for random
	cell       uint8 // forbidden: row from the top <<4 | column, noCell, or anyCell
}

// random is the value of a rule that every opening draws anew.
const random = "random"

// anyCell is a forbidden cell drawn with each opening.
const anyCell = 0xfe
