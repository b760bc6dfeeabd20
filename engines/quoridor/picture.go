package quoridor

import (
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// Board returns the picture of the position, row 9 at the top. X moves up, O moves down.
func (b *Board) Board(last engines.Move) board.Board {
	p := board.Board{
		Title: "Quoridor", Kind: board.Rooms, Width: size, Height: size,
		Files: board.Letters(size), Ranks: board.Falling(size),
		Sides: [2]board.Side{
			{Name: "X", Letter: "X", Tone: board.Red},
			{Name: "O", Letter: "O", Tone: board.Blue},
		},
		Caption: b.caption(),
	}
	p.FillGrid(func(x, y int) string { return slotName(x, size-1-y) })
	for side := range 2 {
		for file := range size {
			row := (1 - side) * (size - 1)
			p.Marks = append(p.Marks, board.Mark{At: seen(row*size + file), Kind: board.Goal, Side: side})
		}
		p.Pieces = append(p.Pieces, board.Piece{At: seen(int(b.pawn[side])), Side: side, Kind: "pawn"})
		p.Counters = append(p.Counters, board.Counter{Side: side, Name: "walls", Value: int(b.walls[side])})
	}
	for m := b.h; m != 0; m &= m - 1 {
		p.Walls = append(p.Walls, seenWall(hWall|engines.Move(popLow(m))))
	}
	for m := b.v; m != 0; m &= m - 1 {
		p.Walls = append(p.Walls, seenWall(vWall|engines.Move(popLow(m))))
	}
	switch kind(last) {
	case pawnMove:
		to := seen(index(last))
		p.Last = &board.Move{To: &to}
	case hWall, vWall:
		wall := seenWall(last)
		p.Last = &board.Move{Wall: &wall}
	}
	return p
}

// seen returns the place of a square in the picture.
func seen(sq int) board.At { return board.At{X: sq % size, Y: size - 1 - sq/size} }

// seenWall returns the place of a wall in the picture.
func seenWall(m engines.Move) board.Wall {
	slot := index(m)
	if kind(m) == vWall {
		slot = transpose(slot)
	}
	// The middle of the wall is the post north-east of the slot's square.
	x, y := float64(slot&7)+0.5, float64(size-1-slot>>3)-0.5
	if kind(m) == hWall {
		return board.Wall{X1: x - 1, Y1: y, X2: x + 1, Y2: y}
	}
	return board.Wall{X1: x, Y1: y - 1, X2: x, Y2: y + 1}
}

// caption returns walls in hand and the side to move.
func (b *Board) caption() string {
	mover := "X (up)"
	if b.turn == engines.Second {
		mover = "O (down)"
	}
	return fmt.Sprintf("walls in hand: X %d, O %d; to move: %s", b.walls[0], b.walls[1], mover)
}
