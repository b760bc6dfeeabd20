package connectfour

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// textWant describes the text of a position.
const textWant = "want rows from the top joined by /, of . 1 2 and at most one x, then the side to move, such as ..../..../.x../12.. 1"

// String returns the position in the form of SetText: the rows from the top
// joined by "/", with "." for an empty cell, 1 and 2 for the sides' stones
// and x for the forbidden cell, then a space and the side to move, 1 or 2.
func (p *position) String() string {
	var s strings.Builder
	for r := int(p.rows) - 1; r >= 0; r-- {
		for c := range int(p.cols) {
			s.WriteByte(p.cell(r, c))
		}
		if r > 0 {
			s.WriteByte('/')
		}
	}
	s.WriteByte(' ')
	s.WriteByte('1' + p.turn)
	return s.String()
}

// cell returns a cell's letter. r counts from the bottom.
func (p *position) cell(r, c int) byte {
	switch {
	case p.side[0].row[r]>>c&1 != 0:
		return '1'
	case p.side[1].row[r]>>c&1 != 0:
		return '2'
	case p.forbidden == uint8(r<<4|c):
		return 'x'
	}
	return '.'
}

// SetText sets the position, also a finished one, and keeps the rules. It also reads the columns
// of all moves so far, a digit each, as collections of positions write them: 4453.
// The rules must allow the board; where a size is random, every size from 4 to 12 is allowed.
// The stones must be such as are dropped in turn, and
// only the side that moved last may have four in a line.
// After an error p is unchanged.
func (p *position) SetText(text string) error {
	if columns := strings.TrimSpace(text); columns != "" && strings.Trim(columns, "123456789") == "" {
		return p.setColumns(columns)
	}
	grid, turn, err := splitText(text)
	if err != nil {
		return err
	}
	q, err := readBoard(p.rules, grid)
	if err != nil {
		return err
	}
	q.turn = turn
	if err := q.fill(grid); err != nil {
		return err
	}
	*p = q
	return nil
}

// setColumns plays the columns of all moves so far. After an error p is unchanged.
func (p *position) setColumns(columns string) error {
	q := p.rules.initial()
	for i := range len(columns) {
		m, err := q.ParseMove(columns[i : i+1])
		switch {
		case err != nil:
			return fmt.Errorf("move %d: %w", i+1, err)
		case q.outcome != engines.Ongoing || !q.Legal(m):
			return fmt.Errorf("move %d: column %d is full, or the game is over", i+1, m)
		}
		q.Play(m)
	}
	*p = q
	return nil
}

// splitText returns the rows from the top, all of one length, and the side to move.
func splitText(text string) (grid []string, turn uint8, err error) {
	board, side, ok := strings.Cut(strings.TrimSpace(text), " ")
	side = strings.TrimSpace(side)
	if !ok || side != "1" && side != "2" {
		return nil, 0, errors.New(textWant)
	}
	grid = strings.Split(board, "/")
	if n, m := len(grid), len(grid[0]); n < minSize || n > maxSize || m < minSize || m > maxSize {
		return nil, 0, fmt.Errorf("board of %d rows of %d columns; want %d to %d of each", n, m, minSize, maxSize)
	}
	for i, row := range grid {
		if len(row) != len(grid[0]) {
			return nil, 0, fmt.Errorf("row %d has %d columns and row 0 has %d; want as many in each", i, len(row), len(grid[0]))
		}
		if at := strings.IndexFunc(row, func(r rune) bool { return !strings.ContainsRune(".12x", r) }); at >= 0 {
			return nil, 0, fmt.Errorf("row %d: %q at column %d; %s", i, row[at], at, textWant)
		}
	}
	return grid, side[0] - '1', nil
}

// readBoard returns the empty board of the rows.
func readBoard(law rules, grid []string) (position, error) {
	cell := uint8(noCell)
	for r, row := range grid {
		for c := range len(row) {
			if row[c] != 'x' {
				continue
			}
			if cell != noCell {
				return position{}, fmt.Errorf("forbidden cells at %s and %d:%d; want at most one", cellText(cell), r, c)
			}
			cell = uint8(r<<4 | c)
		}
	}
	if err := law.admit(len(grid), len(grid[0]), cell); err != nil {
		return position{}, err
	}
	return law.board(len(grid), len(grid[0]), cell), nil
}

// fill drops the stones of the rows on an empty board whose turn is set.
func (p *position) fill(grid []string) error {
	var count [2]int
	top := len(grid) - 1
	for r := 0; r <= top; r++ {
		for c := range int(p.cols) {
			letter := grid[top-r][c]
			if letter != '1' && letter != '2' {
				continue
			}
			if below := p.free[c] & (1<<r - 1); below != 0 {
				return fmt.Errorf("stone at row %d, column %d floats above an empty cell", top-r, c)
			}
			side := letter - '1'
			p.free[c] &^= 1 << r
			p.left--
			count[side]++
			p.side[side].drop(uint64(r), uint64(c))
		}
	}
	if surplus := count[0] - count[1]; surplus != int(p.turn) {
		return fmt.Errorf("%d stones of side 1 and %d of side 2 with side %d to move; want equally many when 1 is to move and one more of 1 "+
			"when 2 is",
			count[0], count[1], p.turn+1)
	}
	return p.conclude()
}

// conclude sets the outcome by the stones.
func (p *position) conclude() error {
	last := p.turn ^ 1
	switch {
	case p.side[p.turn&1].four():
		return fmt.Errorf("side %d is to move and has four in a line already", p.turn+1)
	case p.side[last&1].four():
		p.outcome = engines.Win(engines.Side(last))
	case p.left == 0:
		p.outcome = engines.Draw
	}
	return nil
}

// four reports whether any line has four.
func (l *lines) four() bool {
	for i := range l.row {
		if hasFour(uint64(l.row[i]) | uint64(l.diag[i])<<16 | uint64(l.anti[i])<<32 | uint64(l.col[i])<<48) {
			return true
		}
	}
	return false
}

// ParseMove reads a column, counted from 1.
func (p *position) ParseMove(text string) (engines.Move, error) {
	n, err := strconv.ParseUint(text, 10, 8)
	if err != nil || n < 1 || n > uint64(p.cols) {
		return 0, engines.ParseError("move", text, fmt.Sprintf("want a column from 1 to %d", p.cols))
	}
	return engines.Move(n), nil
}

// MoveString returns the column, counted from 1.
func (p *position) MoveString(m engines.Move) string { return strconv.Itoa(int(m)) }
