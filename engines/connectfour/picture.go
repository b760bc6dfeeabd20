package connectfour

import (
	"fmt"
	"math/bits"
	"strconv"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// Board returns the picture of the position, with the columns numbered below.
func (p *position) Board(last engines.Move) board.Board {
	rows, cols := int(p.rows), int(p.cols)
	b := board.Board{
		Title: "Connect four", Kind: board.Rack, Width: cols, Height: rows, Files: board.Rising(cols),
		Sides: [2]board.Side{
			{Name: "Side 1", Letter: "1", Tone: board.Red},
			{Name: "Side 2", Letter: "2", Tone: board.Blue},
		},
		Caption: fmt.Sprintf("side %d to move", p.turn+1),
	}
	b.FillGrid(func(x, _ int) string { return strconv.Itoa(x + 1) })
	for r := rows - 1; r >= 0; r-- {
		for c := range cols {
			at := p.seen(r, c)
			switch p.cell(r, c) {
			case '1':
				b.Pieces = append(b.Pieces, board.Piece{At: at, Side: 0, Kind: "disc"})
			case '2':
				b.Pieces = append(b.Pieces, board.Piece{At: at, Side: 1, Kind: "disc"})
			case 'x':
				b.Marks = append(b.Marks, board.Mark{At: at, Kind: board.Forbidden})
			}
		}
	}
	b.Lines = p.fours()
	if c := int(last) - 1; c >= 0 && c < cols {
		if r, ok := p.topmost(c); ok {
			b.Last = &board.Move{To: new(p.seen(r, c))}
		}
	}
	return b
}

// seen returns the place of a cell in the picture. r counts from the bottom.
func (p *position) seen(r, c int) board.At { return board.At{X: c, Y: int(p.rows) - 1 - r} }

// topmost returns the row of the last stone in a column; ok is false for an empty column.
func (p *position) topmost(c int) (row int, ok bool) {
	filled := p.side[0].col[c] | p.side[1].col[c]
	return bits.Len16(filled) - 1, filled != 0
}

// fours returns the lines of four or more stones, each from end to end.
func (p *position) fours() (list []board.Line) {
	for _, stone := range []byte{'1', '2'} {
		for r := range int(p.rows) {
			for c := range int(p.cols) {
				for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
					if p.holds(stone, r-d[0], c-d[1]) {
						continue // the line began earlier
					}
					n := 0
					for p.holds(stone, r+n*d[0], c+n*d[1]) {
						n++
					}
					if n >= 4 {
						list = append(list, board.Line{From: p.seen(r, c), To: p.seen(r+(n-1)*d[0], c+(n-1)*d[1]), Kind: board.Row})
					}
				}
			}
		}
	}
	return list
}

// holds reports whether a cell is on the board and has a side's stone.
func (p *position) holds(stone byte, r, c int) bool {
	return r >= 0 && r < int(p.rows) && c >= 0 && c < int(p.cols) && p.cell(r, c) == stone
}
