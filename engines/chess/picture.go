package chess

import (
	"fmt"

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
	for rooks := p.castling; rooks != 0; rooks &= rooks - 1 {
		b.Marks = append(b.Marks, board.Mark{At: pictured(first(rooks)), Kind: board.Right})
	}
	if p.target != noSquare {
		b.Marks = append(b.Marks, board.Mark{At: pictured(int(p.target)), Kind: board.Target})
	}
	if last != 0 && piece(last) < noKind {
		b.Last = showing(last)
	}
	return b
}

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
	return fmt.Sprintf("%s, castling %s", text, p.rights())
}
