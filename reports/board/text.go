package board

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Text returns the board in letters, several lines that each end with a line feed. A piece has
// its own letter or its side's; a free place is ".", a forbidden one "x". Caption is at the
// end. The last move is not marked.
func (b Board) Text() string {
	var s strings.Builder
	switch b.Kind {
	case Rooms:
		b.rooms(&s)
	case Network:
		b.network(&s)
	case Rack:
		b.rows(&s, 0, 3)
	default:
		b.rows(&s, 2, 2)
	}
	if b.Caption != "" {
		s.WriteString(b.Caption + "\n")
	}
	return s.String()
}

// letters returns the character of each place, by y, then x: a letter, "." for a free place and
// " " if there is no place.
func (b *Board) letters() [][]byte {
	grid := make([][]byte, b.Height)
	for y := range grid {
		grid[y] = []byte(strings.Repeat(" ", b.Width))
	}
	put := func(at At, letter byte) {
		if at.Y >= 0 && at.Y < len(grid) && at.X >= 0 && at.X < b.Width {
			grid[at.Y][at.X] = letter
		}
	}
	for _, p := range b.Places {
		put(p.At, '.')
	}
	for _, m := range b.Marks {
		if m.Kind == Forbidden {
			put(m.At, 'x')
		}
	}
	for _, p := range b.Pieces {
		put(p.At, b.letter(p))
	}
	return grid
}

// letter returns the letter of a piece.
func (b *Board) letter(p Piece) byte {
	if letter := cmp.Or(p.Letter, b.Sides[p.Side&1].Letter); letter != "" {
		return letter[0]
	}
	return '?'
}

// rows writes a line for each row, with a label of width margin and places of width wide.
func (b *Board) rows(s *strings.Builder, margin, wide int) {
	for y, row := range b.letters() {
		fmt.Fprintf(s, "%*s", margin, label(b.Ranks, y))
		for _, letter := range row {
			fmt.Fprintf(s, "%*c", wide, letter)
		}
		s.WriteByte('\n')
	}
	if b.Files == nil {
		return
	}
	fmt.Fprintf(s, "%*s", margin, "")
	for x := range b.Width {
		fmt.Fprintf(s, "%*s", wide, label(b.Files, x))
	}
	s.WriteByte('\n')
}

// label returns the i-th label, "" if there is none.
func label(labels []string, i int) string {
	if i < len(labels) {
		return labels[i]
	}
	return ""
}

// rooms writes squares three characters wide in a
// frame, with heavy strokes for the walls between them.
func (b *Board) rooms(s *strings.Builder) {
	frame := "   +" + strings.Repeat("---+", b.Width) + "\n"
	s.WriteString(frame)
	for y, row := range b.letters() {
		fmt.Fprintf(s, "%2s |", label(b.Ranks, y))
		for x, letter := range row {
			if letter == '.' {
				letter = ' '
			}
			fmt.Fprintf(s, " %c ", letter)
			switch {
			case x == b.Width-1:
				s.WriteString("|\n")
			case b.walled(float64(x)+0.5, float64(y)):
				s.WriteString("┃")
			default:
				s.WriteByte(' ')
			}
		}
		if y < b.Height-1 {
			b.passages(s, y)
		}
	}
	s.WriteString(frame + "  ")
	for x := range b.Width {
		fmt.Fprintf(s, "%4s", label(b.Files, x))
	}
	s.WriteByte('\n')
}

// passages writes the line between a row of rooms and the next.
func (b *Board) passages(s *strings.Builder, y int) {
	s.WriteString("   |")
	for x := range b.Width {
		if x > 0 {
			s.WriteString("·")
		}
		if b.walled(float64(x), float64(y)+0.5) {
			s.WriteString("━━━")
		} else {
			s.WriteString("   ")
		}
	}
	s.WriteString("|\n")
}

// walled reports whether a wall passes through a point.
func (b *Board) walled(x, y float64) bool {
	return slices.ContainsFunc(b.Walls, func(w Wall) bool {
		return min(w.X1, w.X2) <= x && x <= max(w.X1, w.X2) && min(w.Y1, w.Y2) <= y && y <= max(w.Y1, w.Y2)
	})
}

// left is the width of the labels to the left of a network.
const left = 3

// network writes points four columns and two lines apart, with strokes for the edges between them.
func (b *Board) network(s *strings.Builder) {
	canvas := make([][]byte, 2*b.Height-1)
	for i := range canvas {
		canvas[i] = []byte(strings.Repeat(" ", left+4*(b.Width-1)+1))
	}
	for _, l := range b.Lines {
		if l.Kind == Edge {
			stroke(canvas, l)
		}
	}
	for y, row := range b.letters() {
		copy(canvas[2*y], label(b.Ranks, y))
		for x, letter := range row {
			if letter != ' ' {
				canvas[2*y][left+4*x] = letter
			}
		}
	}
	for _, line := range canvas {
		s.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	if b.Files != nil {
		s.WriteString("  ")
		for x := range b.Width {
			fmt.Fprintf(s, "%*s", min(4, 2+2*x), label(b.Files, x))
		}
		s.WriteByte('\n')
	}
}

// stroke draws an edge along a row, a file or a diagonal.
func stroke(canvas [][]byte, l Line) {
	dx, dy := cmp.Compare(l.To.X, l.From.X), cmp.Compare(l.To.Y, l.From.Y)
	mark := byte('/')
	switch {
	case dy == 0:
		mark = '-'
	case dx == 0:
		mark = '|'
	case dx == dy:
		mark = '\\'
	}
	column, line := left+4*l.From.X, 2*l.From.Y
	stepX, stepY := 2*dx, dy // a diagonal leaves a column free on each side of its stroke
	if dy == 0 {
		stepX = dx
	}
	for column != left+4*l.To.X || line != 2*l.To.Y {
		column, line = column+stepX, line+stepY
		canvas[line][column] = mark
	}
}
