package gobang

import (
	"fmt"

	"selfplaylab/engines"
	picture "selfplaylab/reports/board"
)

// Board returns the picture of the position, with last as the last move.
func (s *state) Board(last engines.Move) picture.Board {
	n := s.rules.size
	b := picture.Board{
		Title: "Gobang", Kind: picture.Lattice, Width: n, Height: n,
		Files: picture.Letters(n), Ranks: picture.Falling(n),
		Sides: [2]picture.Side{
			{Name: "Black", Letter: stoneLetters[:1], Tone: picture.Black},
			{Name: "White", Letter: stoneLetters[1:], Tone: picture.White},
		},
		Caption: s.caption(),
	}
	b.FillGrid(func(x, y int) string { return cellString(at(x, y), n) })
	for side := range s.stones {
		for _, m := range s.stones[side].appendMoves(nil) {
			b.Pieces = append(b.Pieces, picture.Piece{At: pictureAt(cellOf(m)), Side: side, Kind: "stone"})
		}
	}
	if s.outcome != engines.Draw {
		b.Lines = s.rows()
	}
	b.Marks = stars(n)
	if c := cellOf(last); s.rules.holds(c) {
		b.Last = &picture.Move{To: new(pictureAt(c))}
	}
	return b
}

// pictureAt returns the place of a cell in the picture.
func pictureAt(c cell) picture.At {
	x, y := c.xy()
	return picture.At{X: x, Y: y}
}

// caption returns the side to move, and the result after the end.
func (s *state) caption() string {
	text := fmt.Sprintf("%c to move", stoneLetters[s.turn])
	if s.outcome != engines.Ongoing {
		text += fmt.Sprintf("; over: %v by %s", s.outcome, s.Reason())
	}
	return text
}

// rows returns the winning rows, each from end to end.
func (s *state) rows() (list []picture.Line) {
	for side := range s.stones {
		for _, m := range s.stones[side].appendMoves(nil) {
			x, y := cellOf(m).xy()
			for _, d := range directions {
				n := 1 + s.run(engines.Side(side), x, y, d[0], d[1])
				first := s.run(engines.Side(side), x, y, -d[0], -d[1]) == 0
				if first && (n == 5 || n > 5 && !s.rules.exactFive) {
					end := picture.At{X: x + (n-1)*d[0], Y: y + (n-1)*d[1]}
					list = append(list, picture.Line{From: picture.At{X: x, Y: y}, To: end, Kind: picture.Row})
				}
			}
		}
	}
	return list
}

// stars returns the dots of boards with a middle cell: on 15 x 15 the five of a printed board.
func stars(n int) (list []picture.Mark) {
	if n%2 == 0 || n < 9 {
		return nil
	}
	places := []int{n / 2}
	if n >= 13 {
		places = []int{3, n / 2, n - 4}
	}
	for _, y := range places {
		for _, x := range places {
			if (x == n/2) == (y == n/2) {
				list = append(list, picture.Mark{At: picture.At{X: x, Y: y}, Kind: picture.Star})
			}
		}
	}
	return list
}
