package gobang

import (
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

const stoneLetters = "BW" // by side

// SetText reads the rows from y = 0, the top, joined by '/',
// of '.', 'B' and 'W', then the side to move: ".../.../... W".
// Each side may have any number of stones, because positions are set up for study.
// Only one side may have a winning row; it has then won, whichever side is to move.
func (s *state) SetText(text string) error {
	next, n := newState(s.rules), s.rules.size
	board, turn, ok := strings.Cut(text, " ")
	if !ok || turn != "B" && turn != "W" {
		return fmt.Errorf("no side to move; end with %q or %q", " B", " W")
	}
	rows := strings.Split(board, "/")
	if len(rows) != n {
		return fmt.Errorf("%d rows on a board of size %d; set the rule size=%d or give %d rows", len(rows), n, len(rows), n)
	}
	for y, row := range rows {
		if len(row) != n {
			return fmt.Errorf("row y=%d has %d cells; want %d", y, len(row), n)
		}
		for x := range n {
			switch row[x] {
			case '.':
			case 'B':
				next.put(black, at(x, y))
			case 'W':
				next.put(white, at(x, y))
			default:
				return fmt.Errorf("cell %d,%d is %q; want '.', 'B' or 'W'", x, y, row[x])
			}
		}
	}
	if turn == "W" {
		next.turn = white
		next.key ^= turnKey(black) ^ turnKey(white)
	}
	if err := next.settle(); err != nil {
		return err
	}
	*s = next
	return nil
}

// settle sets the outcome of a position that was set up. It refuses winning rows of both sides.
func (s *state) settle() error {
	var won [2]bool
	for side := range s.stones {
		for _, m := range s.stones[side].appendMoves(nil) {
			won[side] = won[side] || s.wins(engines.Side(side), cellOf(m))
		}
	}
	switch {
	case won[black] && won[white]:
		return fmt.Errorf("both sides have five in a row; the game ends with the first")
	case won[black]:
		s.outcome = engines.FirstWins
	case won[white]:
		s.outcome = engines.SecondWins
	case s.count == s.rules.size*s.rules.size:
		s.outcome = engines.Draw
	}
	return nil
}

// letter returns the cell as it appears in position texts.
func (s *state) letter(c cell) byte {
	switch {
	case s.stones[black].has(c):
		return stoneLetters[black]
	case s.stones[white].has(c):
		return stoneLetters[white]
	}
	return '.'
}

// String returns the text that SetText reads.
func (s *state) String() string {
	var b strings.Builder
	for y := range s.rules.size {
		if y > 0 {
			b.WriteByte('/')
		}
		for x := range s.rules.size {
			b.WriteByte(s.letter(at(x, y)))
		}
	}
	b.WriteByte(' ')
	b.WriteByte(stoneLetters[s.turn])
	return b.String()
}

// ParseMove reads a cell as "h8", file and rank from the
// bottom left, or as Gomocup's "x,y" from 0 at the top left.
func (s *state) ParseMove(text string) (engines.Move, error) {
	n := s.rules.size
	x, y, ok := parseXY(text)
	if !ok {
		x, y, ok = parseFileRank(text, n)
	}
	if !ok {
		return 0, engines.ParseError("move", text,
			"want a cell such as h8 (file, then rank from the bottom), or x,y counted from 0 at the top left")
	}
	if x < 0 || y < 0 || x >= n || y >= n {
		return 0, engines.ParseError("move", text,
			fmt.Sprintf("not on the board of size %d: a1 to %s, or 0,0 to %d,%d", n, cellString(at(n-1, 0), n), n-1, n-1))
	}
	return at(x, y).move(), nil
}

// parseXY reads "x,y".
func parseXY(text string) (x, y int, ok bool) {
	before, after, comma := strings.Cut(text, ",")
	if !comma {
		return 0, 0, false
	}
	x, ok = parseNumber(before)
	if !ok {
		return 0, 0, false
	}
	y, ok = parseNumber(after)
	return x, y, ok
}

// parseFileRank reads "h8".
func parseFileRank(text string, size int) (x, y int, ok bool) {
	if len(text) < 2 || text[0] < 'a' || text[0] > 'z' {
		return 0, 0, false
	}
	rank, ok := parseNumber(text[1:])
	return int(text[0] - 'a'), size - rank, ok
}

// parseNumber reads digits without a sign or leading zeros.
func parseNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text && n >= 0
}

// MoveString returns m as "h8", or "#" and the number if it is no cell of the board.
func (s *state) MoveString(m engines.Move) string {
	c := cellOf(m)
	if !s.rules.holds(c) {
		return "#" + strconv.FormatUint(uint64(m), 10)
	}
	return cellString(c, s.rules.size)
}

// cellString returns a cell as "h8".
func cellString(c cell, size int) string {
	x, y := c.xy()
	return string(rune('a'+x)) + strconv.Itoa(size-y)
}
