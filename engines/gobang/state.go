package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// Board sizes.
const (
	minSize = 5
	maxSize = 22

	stride = 32 // a cell is stride*x + y, so cells sort by x, then y
)

// black moves first.
const (
	black = engines.First
	white = engines.Second
)

// cell is one point of the board.
type cell int

// at returns the cell in column x and row y.
func at(x, y int) cell { return cell(stride*x + y) }

// xy returns the column and the row.
func (c cell) xy() (x, y int) { return int(c) / stride, int(c) % stride }

// move returns the cell as a Move, which is never 0.
func (c cell) move() engines.Move { return engines.Move(c + 1) }

// cellOf returns the cell of a Move.
func cellOf(m engines.Move) cell { return cell(m) - 1 }

// grid is a set of cells: bit y of word x.
type grid [maxSize]uint32

// has reports whether the set has a cell.
func (g *grid) has(c cell) bool { return g[uint(c)/stride]>>(uint(c)%stride)&1 != 0 }

// flip adds a missing cell, or removes an existing one.
func (g *grid) flip(c cell) { g[uint(c)/stride] ^= 1 << (uint(c) % stride) }

// variant holds the rules that a user chose.
type variant struct {
	size      int
	exactFive bool // six and more in a row do not win
	ring      bool // black's first stone must lie in the outer two rings
}

// state is a position by the rules, as the referee keeps it.
// The zero value is not a position; newState makes one.
type state struct {
	rules   variant
	turn    engines.Side
	outcome engines.Outcome
	stones  [2]grid
	count   int // stones on the board
	key     uint64
}

// newState returns the empty board with black to move.
func newState(rules variant) state { return state{rules: rules, key: turnKey(black)} }

// stoneKey returns the part of the key that a stone adds.
func stoneKey(side engines.Side, c cell) uint64 {
	return engines.Mix(uint64(c)<<1 | uint64(side) | 1<<20)
}

// turnKey returns the part of the key that the side to move adds.
func turnKey(side engines.Side) uint64 { return engines.Mix(uint64(side) | 1<<21) }

// Turn returns the side to move.
func (s *state) Turn() engines.Side { return s.turn }

// Outcome returns the result, Ongoing before a five or a full board.
func (s *state) Outcome() engines.Outcome { return s.outcome }

// Key returns a hash of the stones and the side to move.
func (s *state) Key() uint64 { return s.key }

// Reasons a game ends on the board.
const (
	reasonFive engines.Reason = "five" // five in a row
	full       engines.Reason = "full" // no free cell: draw
)

// Reason returns the reason of the game's end.
func (s *state) Reason() engines.Reason {
	switch s.outcome {
	case engines.Ongoing:
		return engines.NoReason
	case engines.Draw:
		return full
	}
	return reasonFive
}

// allowed returns the cells where the side to move may play.
func (s *state) allowed() grid {
	g := s.rules.allCells()
	if s.rules.ring && s.turn == black && s.stones[black] == (grid{}) {
		g = s.rules.outerRings()
	}
	for x := range g {
		g[x] &^= s.stones[black][x] | s.stones[white][x]
	}
	return g
}

// allCells returns all cells of the board.
func (v variant) allCells() (g grid) {
	for x := range v.size {
		g[x] = 1<<v.size - 1
	}
	return g
}

// outerRings returns the cells at most one away from the border.
func (v variant) outerRings() (g grid) {
	n := v.size
	for x := range n {
		g[x] = 1<<n - 1
		if x >= 2 && x < n-2 {
			g[x] = 3 | 3<<(n-2)
		}
	}
	return g
}

// Moves appends every legal cell, by x, then y; none after the end.
func (s *state) Moves(buf []engines.Move) []engines.Move {
	if s.outcome != engines.Ongoing {
		return buf
	}
	g := s.allowed()
	return g.appendMoves(buf)
}

// appendMoves appends the cells of a set as moves, by x, then y.
func (g *grid) appendMoves(buf []engines.Move) []engines.Move {
	for x, column := range g {
		for ; column != 0; column &= column - 1 {
			buf = append(buf, at(x, bits.TrailingZeros32(column)).move())
		}
	}
	return buf
}

// Legal reports whether Moves lists m.
func (s *state) Legal(m engines.Move) bool {
	c := cellOf(m)
	if s.outcome != engines.Ongoing || !s.rules.holds(c) {
		return false
	}
	g := s.allowed()
	return g.has(c)
}

// holds reports whether c is a cell of the board.
func (v variant) holds(c cell) bool {
	return c >= 0 && int(c) < stride*v.size && int(c)%stride < v.size
}

// Play puts a stone of the side to move. The move must be legal.
func (s *state) Play(m engines.Move) {
	c := cellOf(m)
	s.put(s.turn, c)
	s.key ^= turnKey(s.turn)
	if s.wins(s.turn, c) {
		s.outcome = engines.Win(s.turn)
	} else if s.count == s.rules.size*s.rules.size {
		s.outcome = engines.Draw
	}
	s.turn = s.turn.Other()
	s.key ^= turnKey(s.turn)
}

// put adds a stone without changing the turn.
func (s *state) put(side engines.Side, c cell) {
	s.stones[side].flip(c)
	s.count++
	s.key ^= stoneKey(side, c)
}

// directions are the four lines through a cell, as steps in x and y.
var directions = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// wins reports whether the stone of side on c is part of a winning row.
func (s *state) wins(side engines.Side, c cell) bool {
	x, y := c.xy()
	for _, d := range directions {
		n := 1 + s.run(side, x, y, d[0], d[1]) + s.run(side, x, y, -d[0], -d[1])
		if n == 5 || n > 5 && !s.rules.exactFive {
			return true
		}
	}
	return false
}

// run returns the number of stones of side next to (x, y) in one direction.
func (s *state) run(side engines.Side, x, y, dx, dy int) (n int) {
	for {
		x, y = x+dx, y+dy
		if x < 0 || y < 0 || x >= s.rules.size || y >= s.rules.size || !s.stones[side].has(at(x, y)) {
			return n
		}
		n++
	}
}

// Penalty returns 0: an illegal move loses the game.
func (s *state) Penalty() engines.Move { return 0 }

// first returns the first cell of a set. It panics if the set is empty.
func (g *grid) first() cell {
	for x, column := range g {
		if column != 0 {
			return at(x, bits.TrailingZeros32(column))
		}
	}
	panic("gobang: no cell in an empty set")
}

// intersect removes the cells outside other.
func (g *grid) intersect(other grid) {
	for x := range g {
		g[x] &= other[x]
	}
}
