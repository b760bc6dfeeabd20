package chess

import (
	"fmt"
	"math/bits"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

var kindNames = [noKind]string{"pawn", "knight", "bishop", "rook", "queen", "king"}

// Board describes the position, White at the bottom.
func (p *Position) Board(last engines.Move) board.Board {
	b := board.Board{
		Title: "Chess", Kind: board.Checkered, Width: 8, Height: 8, Files: board.Letters(8), Ranks: board.Falling(8),
		Sides: [2]board.Side{
			{Name: sideNames[0], Letter: "W", Tone: board.White},
			{Name: sideNames[1], Letter: "B", Tone: board.Black},
		},
		Caption: p.caption(),
	}
	b.FillGrid(func(x, y int) string { return squareName((7-y)<<3 | x) })
	for sq := range 64 {
		if letter := p.letter(sq); letter != 0 {
			side := int(p.sides[1] >> sq & 1)
			b.Pieces = append(b.Pieces, board.Piece{At: pictured(sq), Side: side, Kind: kindNames[p.kindAt(sq)], Letter: string(letter)})
		}
	}
	if p.checkers() != 0 {
		b.Marks = []board.Mark{{At: pictured(first(p.of(p.turn&1, king))), Kind: board.Check}}
	}
	p.material(&b)
	if last != 0 && piece(last) < noKind {
		b.Last = showing(last)
	}
	return b
}

// worth holds the standard values of the pieces in pawns.
var worth = [noKind]int{1, 3, 3, 5, 9, 0}

// material fills in the captured men and the lead in material. A side's missing men are those of the
// initial position that it does not have; a promoted pawn is not missing.
func (p *Position) material(b *board.Board) {
	var lead [2]int
	for side := range engines.Side(2) {
		promoted, captured := 0, ""
		for kind := king - 1; kind >= pawn; kind-- {
			n := bits.OnesCount64(p.of(side, kind))
			lead[side] += n * worth[kind]
			missing := men[kind] - n
			if kind == pawn {
				missing -= promoted
			}
			promoted += max(0, -missing)
			captured += strings.Repeat(string(letters[int(side)*6+kind]), max(0, missing))
		}
		b.Sides[side.Other()].Captured = captured
	}
	b.Sides[0].Lead, b.Sides[1].Lead = max(0, lead[0]-lead[1]), max(0, lead[1]-lead[0])
}

// men holds the number of a side's men of each kind in the initial position.
var men = [noKind]int{8, 2, 2, 2, 1, 1}

// pictured returns the place of a square in the picture.
func pictured(sq int) board.At { return board.At{X: sq & 7, Y: 7 - sq>>3&7} }

// showing returns a move in the form of the picture.
func showing(m engines.Move) *board.Move {
	from, to := pictured(origin(m)), pictured(target(m))
	seen := &board.Move{From: &from, To: &to}
	switch {
	case special(m) == castles:
		kingTo, rookTo := castled(m)
		to = pictured(kingTo)
		seen.Also = []board.At{pictured(rookTo)}
	case captures(m):
		seen.Taken = []board.At{pictured(takenSquare(m))}
	}
	return seen
}

// caption returns the side to move and castling rights, or the result.
func (p *Position) caption() string {
	if o := p.Outcome(); o != engines.Ongoing {
		return fmt.Sprintf("ended %s (%s)", o, p.Reason())
	}
	text := sideNames[p.turn&1] + " to move"
	if p.checkers() != 0 {
		text += ", in check"
	}
	text += ", castling " + p.rights()
	if p.target != noSquare {
		text += ", en passant " + squareName(int(p.target))
	}
	return text
}
