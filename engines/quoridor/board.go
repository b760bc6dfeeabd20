// Package quoridor is the game of Quoridor (步步为营):
// the rules in two variants, notation, and a player.
// The player is greedy and weighs its shortest path against its
// best wall; within limits it looks ahead by package alphabeta.
package quoridor

import (
	"selfplaylab/engines"
)

// Moves have a kind in the high bits and a square or wall slot in the low byte.
// Horizontal walls are numbered by rows (8*row + file), vertical walls
// by files (8*file + row): the order in which the player scans each.
const (
	pawnMove engines.Move = 1 << 8
	hWall    engines.Move = 2 << 8
	vWall    engines.Move = 3 << 8
	// pass is a lost turn: forced when no move is legal, or the price of an illegal action.
	pass engines.Move = 4 << 8
)

// kind returns pawnMove, hWall, vWall or pass.
func kind(m engines.Move) engines.Move { return m &^ 0xff }

// index returns the square or wall slot.
func index(m engines.Move) int { return int(m & 0xff) }

const (
	wallsEach     = 10
	maxViolations = 3 // the third loses
)

// Reasons a game of Quoridor ends on the board.
const (
	reasonGoal       engines.Reason = "goal"
	reasonViolations engines.Reason = "violations"
)

// Board is a position under fixed rules. It is plain data, so a copy is a new position.
type Board struct {
	graph
	h, v         uint64 // walls placed: h by rows, v by files
	hFree, vFree uint64 // wall slots that overlap nothing (and, in standard rules, cross nothing)
	posts        uint64 // posts touched by a wall, row-major
	postsT       uint64 // the same, column-major
	pawn         [2]uint8
	walls        [2]uint8
	violations   [2]uint8
	turn         engines.Side
	standard     bool
}

// newBoard returns the initial position.
func newBoard(standard bool) Board {
	return Board{
		graph: graph{openN, openE},
		hFree: ^uint64(0), vFree: ^uint64(0),
		pawn:  [2]uint8{4, 76},
		walls: [2]uint8{wallsEach, wallsEach}, standard: standard,
	}
}

// Turn returns the side to move.
func (b *Board) Turn() engines.Side { return b.turn }

// Outcome returns the result, Ongoing until a pawn has
// arrived or a side has broken the rules three times.
func (b *Board) Outcome() engines.Outcome {
	switch {
	case b.pawn[0] >= 72:
		return engines.FirstWins
	case b.pawn[1] < 9:
		return engines.SecondWins
	case b.violations[0] >= maxViolations:
		return engines.SecondWins
	case b.violations[1] >= maxViolations:
		return engines.FirstWins
	}
	return engines.Ongoing
}

// Reason returns the reason of the game's end.
func (b *Board) Reason() engines.Reason {
	switch {
	case b.pawn[0] >= 72 || b.pawn[1] < 9:
		return reasonGoal
	case b.Outcome() != engines.Ongoing:
		return reasonViolations
	}
	return engines.NoReason
}

// Key returns a hash of pawns, walls, walls in hand and turn.
// Violations do not distinguish repetitions.
func (b *Board) Key() uint64 {
	small := uint64(b.pawn[0]) | uint64(b.pawn[1])<<8 | uint64(b.walls[0])<<16 |
		uint64(b.walls[1])<<24 | uint64(b.turn)<<32
	return engines.Mix(b.h ^ engines.Mix(b.v^engines.Mix(small)))
}

// Play makes a move, which must be legal.
func (b *Board) Play(m engines.Move) {
	switch i := index(m); kind(m) {
	case pawnMove:
		b.pawn[b.turn] = uint8(i)
	case hWall:
		b.placeH(i)
		b.walls[b.turn]--
	case vWall:
		b.placeV(i)
		b.walls[b.turn]--
	default:
		b.violations[b.turn]++
	}
	b.turn ^= 1
}

// fileA is the first slot of every row, fileH the last.
const (
	fileA uint64 = 0x0101010101010101
	fileH uint64 = fileA << 7
)

// spread returns m with its neighbours inside each byte.
func spread(m uint64) uint64 { return m | m<<1&^fileA | m>>1&^fileH }

// placeH places a horizontal wall without checks.
func (b *Board) placeH(slot int) {
	m := uint64(1) << slot
	b.h |= m
	b.graph = b.withH(slot)
	b.hFree &^= spread(m)
	if b.standard {
		b.vFree &^= 1 << transpose(slot)
	}
	t := uint64(1) << transpose(slot)
	b.posts |= spread(m)
	b.postsT |= t | t<<8 | t>>8
}

// placeV places a vertical wall without checks.
func (b *Board) placeV(slot int) {
	m := uint64(1) << slot
	b.v |= m
	b.graph = b.withV(slot)
	b.vFree &^= spread(m)
	if b.standard {
		b.hFree &^= 1 << transpose(slot)
	}
	t := uint64(1) << transpose(slot)
	b.postsT |= spread(m)
	b.posts |= t | t<<8 | t>>8
}

// Penalty counts an illegal action of the side to move and returns its effect.
// In the seed rules the turn is lost, and the third action loses;
// in the standard rules the first loses, and Penalty returns 0.
func (b *Board) Penalty() engines.Move {
	if b.standard {
		return 0
	}
	b.Play(pass)
	return pass
}
