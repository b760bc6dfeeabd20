package referee

import (
	"cmp"
	"slices"
	"strings"

	"selfplaylab/reports/board"
)

// draw returns a board of squares for a text whose
// lines are equally long, and other texts unchanged.
func draw(f *file, at *answer) board.Board {
	b := board.Board{Title: f.Title, Kind: board.Squares}
	b.Sides[0] = board.Side{Name: f.Sides[0], Letter: f.Letters[:1], Tone: board.Black}
	b.Sides[1] = board.Side{Name: f.Sides[1], Letter: f.Letters[1:], Tone: board.White}
	lines := strings.Split(strings.TrimRight(at.Board, "\n"), "\n")
	uneven := func(line string) bool { return len(line) != len(lines[0]) || strings.ContainsFunc(line, notASCII) }
	if at.Board == "" || len(lines[0]) > 26 || slices.ContainsFunc(lines, uneven) {
		b.Caption = cmp.Or(strings.TrimRight(at.Board, "\n"), at.Position)
		return b
	}
	b.Width, b.Height = len(lines[0]), len(lines)
	b.Files, b.Ranks = board.Letters(b.Width), board.Falling(b.Height)
	b.FillGrid(func(x, y int) string { return b.Files[x] + b.Ranks[y] })
	for y, line := range lines {
		for x := range len(line) {
			if letter := line[x : x+1]; !strings.Contains(empty, letter) {
				b.Pieces = append(b.Pieces, board.Piece{At: board.At{X: x, Y: y}, Side: f.side(letter), Kind: "piece", Letter: letter})
			}
		}
	}
	return b
}

// changes returns the visible part of a move between two boards: the place where
// a piece of the mover arrived, and the pieces that disappeared or changed.
func changes(before, after board.Board, mover int) *board.Move {
	m := &board.Move{}
	var moved board.Piece
	for _, free := range []bool{true, false} { // a free place comes first, because other pieces may have been turned over
		for _, p := range after.Pieces {
			if old, taken := before.PieceAt(p.At); m.To == nil && p.Side == mover && taken != free && old != p {
				m.To, moved = &p.At, p
			}
		}
	}
	for _, p := range after.Pieces {
		old, taken := before.PieceAt(p.At)
		switch {
		case old == p || !taken && m.To != nil && *m.To == p.At:
		case taken:
			m.Taken = append(m.Taken, p.At)
		default:
			m.Also = append(m.Also, p.At)
		}
	}
	for _, old := range before.Pieces {
		_, still := after.PieceAt(old.At)
		switch {
		case still:
		case m.To != nil && m.From == nil && old.Side == mover && old.Letter == moved.Letter:
			m.From = &old.At
		default:
			m.Taken = append(m.Taken, old.At)
		}
	}
	return m
}

// notASCII reports whether c is not printable ASCII.
func notASCII(c rune) bool { return c < ' ' || c > '~' }

// side returns the side of a piece by its letter: the
// second side if the letter is that side's or a small one.
func (f *file) side(letter string) int {
	switch {
	case letter == f.Letters[:1]:
		return 0
	case letter == f.Letters[1:], letter != strings.ToUpper(letter):
		return 1
	}
	return 0
}

// empty are the characters of a board's text for an empty place.
const empty = ".-_ "
