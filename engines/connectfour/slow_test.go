package connectfour

import (
	"math/bits"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// slow is the game written as plainly as possible: cells from
// the top, and a walk in eight directions from the last stone.
type slow struct {
	cells [][]byte
	turn  int
	won   int // 1, 2, or 0
}

func newSlow(rows, cols, forbiddenRow, forbiddenCol int) *slow {
	s := &slow{}
	for range rows {
		s.cells = append(s.cells, []byte(strings.Repeat(".", cols)))
	}
	if forbiddenRow >= 0 {
		s.cells[forbiddenRow][forbiddenCol] = 'x'
	}
	return s
}

// landing returns the row, from the top, in which a stone lands, or -1.
func (s *slow) landing(col int) int {
	row := len(s.cells) - 1
	for row >= 0 && s.cells[row][col] != '.' {
		row--
	}
	return row
}

func (s *slow) moves() []int {
	var list []int
	if s.won != 0 {
		return nil
	}
	for c := range s.cells[0] {
		if s.landing(c) >= 0 {
			list = append(list, c)
		}
	}
	return list
}

func (s *slow) play(col int) {
	row := s.landing(col)
	s.cells[row][col] = byte('1' + s.turn)
	if s.four(row, col) {
		s.won = s.turn + 1
	}
	s.turn ^= 1
}

func (s *slow) four(row, col int) bool {
	for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
		if 1+s.run(row, col, d[0], d[1])+s.run(row, col, -d[0], -d[1]) >= 4 {
			return true
		}
	}
	return false
}

func (s *slow) run(row, col, down, right int) int {
	n := 0
	for r, c := row+down, col+right; r >= 0 && r < len(s.cells) && c >= 0 && c < len(s.cells[0]); r, c = r+down, c+right {
		if s.cells[r][c] != s.cells[row][col] {
			break
		}
		n++
	}
	return n
}

// completes returns the columns in which side could complete four now.
func (s *slow) completes(side int) []int {
	var list []int
	for c := range s.cells[0] {
		row := s.landing(c)
		if row < 0 {
			continue
		}
		s.cells[row][c] = byte('1' + side)
		if s.four(row, c) {
			list = append(list, c)
		}
		s.cells[row][c] = '.'
	}
	return list
}

// sensible returns the columns of Sensible: the first that wins, else the first in which
// the opponent would win, else those after which the opponent wins nowhere, else all.
func (s *slow) sensible() []int {
	if s.outcome() != engines.Ongoing {
		return nil
	}
	if wins := s.completes(s.turn); len(wins) > 0 {
		return wins[:1]
	}
	if parries := s.completes(s.turn ^ 1); len(parries) > 0 {
		return parries[:1]
	}
	var safe []int
	for _, c := range s.moves() {
		row := s.landing(c)
		s.cells[row][c] = byte('1' + s.turn)
		if len(s.completes(s.turn^1)) == 0 {
			safe = append(safe, c)
		}
		s.cells[row][c] = '.'
	}
	if safe == nil {
		return s.moves()
	}
	return safe
}

func (s *slow) outcome() engines.Outcome {
	switch {
	case s.won != 0:
		return engines.Win(engines.Side(s.won - 1))
	case len(s.moves()) == 0:
		return engines.Draw
	}
	return engines.Ongoing
}

func (s *slow) text() string {
	var rows []string
	for _, r := range s.cells {
		rows = append(rows, string(r))
	}
	return strings.Join(rows, "/") + " " + string(byte('1'+s.turn))
}

// playout plays at random to the end, with the draws of position.Playout.
func (s *slow) playout(r *mcts.Rand, care mcts.RolloutPolicy) engines.Outcome {
	for {
		fraction := r.Uint64()
		for range digits {
			if care > mcts.Careless && len(s.completes(s.turn)) > 0 {
				return engines.Win(engines.Side(s.turn))
			}
			if care == mcts.Careful && s.outcome() == engines.Draw {
				return engines.Draw
			}
			among := s.drawn(care)
			var c uint64
			c, fraction = bits.Mul64(fraction, uint64(len(among)))
			column := among[c]
			if must := s.completes(s.turn ^ 1); care == mcts.Decisive && len(must) > 0 {
				column = must[0]
			}
			if s.landing(column) < 0 {
				if s.outcome() == engines.Draw {
					return engines.Draw
				}
				continue
			}
			s.play(column)
			if s.won != 0 {
				return s.outcome()
			}
		}
	}
}

// drawn lists the columns from which a random game draws.
func (s *slow) drawn(care mcts.RolloutPolicy) (all []int) {
	for c := range s.cells[0] {
		all = append(all, c)
	}
	if care != mcts.Careful {
		return all
	}
	if must := s.completes(s.turn ^ 1); len(must) > 0 {
		return must[:1]
	}
	var open, safe, calm []int
	for _, c := range all {
		if s.landing(c) < 0 {
			continue
		}
		open = append(open, c)
		if ours, theirs := s.above(c, s.turn), s.above(c, s.turn^1); !theirs {
			if safe = append(safe, c); !ours {
				calm = append(calm, c)
			}
		}
	}
	for _, list := range [][]int{calm, safe} {
		if len(list) > 0 {
			return list
		}
	}
	return open
}

// above reports whether a side would win by the second
// landing cell of a column if the first stayed empty.
func (s *slow) above(c, side int) bool {
	first := s.landing(c)
	s.cells[first][c] = '*' // neither free nor a stone
	defer func() { s.cells[first][c] = '.' }()
	second := s.landing(c)
	if second < 0 {
		return false
	}
	s.cells[second][c] = byte('1' + side)
	defer func() { s.cells[second][c] = '.' }()
	return s.four(second, c)
}

// slowOf reads a position's text.
func slowOf(text string) *slow {
	board, turn, _ := strings.Cut(text, " ")
	s := &slow{turn: int(turn[0] - '1')}
	for _, row := range strings.Split(board, "/") {
		s.cells = append(s.cells, []byte(row))
	}
	return s
}
