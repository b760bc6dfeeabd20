// Package quoridor is the game of Quoridor (步步为营): the rules in two
// variants, notation, and a player: greedy, weighing its shortest path against its
// best wall, or, within limits, looking ahead (package alphabeta). It keeps no
// matches.
package quoridor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// Moves are a kind in the high bits and a square or wall slot in the low byte.
// Horizontal walls are numbered by rows (8*row + file), vertical walls by files
// (8*file + row): the order in which the player scans each.
const (
	pawnMove engines.Move = 1 << 8
	hWall    engines.Move = 2 << 8
	vWall    engines.Move = 3 << 8
	// pass is the lost turn: forced when nothing is legal, or the price of an
	// illegal action.
	pass engines.Move = 4 << 8
)

func kind(m engines.Move) engines.Move { return m &^ 0xff }
func index(m engines.Move) int         { return int(m & 0xff) }

const (
	wallsEach     = 10
	maxViolations = 3 // the third loses
)

// Reasons a game of Quoridor ends by on the board.
const (
	reasonGoal       engines.Reason = "goal"
	reasonViolations engines.Reason = "violations"
)

// Board is a position under fixed rules: plain data, copied by assignment.
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

// Outcome tells whether a pawn has arrived or a side has broken the rules three
// times.
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

// Reason says why the game has ended.
func (b *Board) Reason() engines.Reason {
	switch {
	case b.pawn[0] >= 72 || b.pawn[1] < 9:
		return reasonGoal
	case b.Outcome() != engines.Ongoing:
		return reasonViolations
	}
	return engines.NoReason
}

// Key hashes pawns, walls, walls in hand and turn; violations are not part of a
// repetition.
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

// Penalty counts an illegal action of the side to move: in the seed rules the
// turn is lost and the third loses; in the standard rules the first loses.
func (b *Board) Penalty() engines.Move {
	if b.standard {
		return 0
	}
	b.Play(pass)
	return pass
}

// Moves lists pawn moves (left, right, forward, back), horizontal walls by
// rows, vertical walls by files, or the forced pass alone.
func (b *Board) Moves(buf []engines.Move) []engines.Move {
	if b.Outcome() != engines.Ongoing {
		return buf
	}
	n := len(buf)
	buf = b.pawnMoves(buf)
	if b.walls[b.turn] > 0 {
		h, v := b.legalWalls()
		buf = appendWalls(buf, h, v)
	}
	if len(buf) == n {
		buf = append(buf, pass)
	}
	return buf
}

func (b *Board) pawnMoves(buf []engines.Move) []engines.Move {
	me, enemy := int(b.pawn[b.turn]), int(b.pawn[b.turn^1])
	for _, d := range delta[b.turn] {
		if !b.open(me, d) {
			continue
		}
		switch {
		case me+d != enemy:
			buf = append(buf, pawnMove|engines.Move(me+d))
		case b.open(enemy, d):
			buf = append(buf, pawnMove|engines.Move(enemy+d))
		case b.standard:
			for _, s := range delta[b.turn] {
				if s != d && s != -d && b.open(enemy, s) {
					buf = append(buf, pawnMove|engines.Move(enemy+s))
				}
			}
		}
	}
	return buf
}

// Legal reports whether Moves would list m.
func (b *Board) Legal(m engines.Move) bool {
	if b.Outcome() != engines.Ongoing {
		return false
	}
	switch kind(m) {
	case pawnMove:
		var buf [5]engines.Move
		return slices.Contains(b.pawnMoves(buf[:0]), m)
	case hWall, vWall:
		return m&^0x33f == 0 && b.legalWall(m)
	case pass:
		var buf [140]engines.Move
		return m == pass && b.Moves(buf[:0])[0] == pass
	}
	return false
}

func (b *Board) legalWall(m engines.Move) bool {
	free := b.hFree
	if kind(m) == vWall {
		free = b.vFree
	}
	return b.walls[b.turn] > 0 && free>>index(m)&1 != 0 && b.keepsPaths(m)
}

// keepsPaths reports whether the rules' path test holds after wall m.
func (b *Board) keepsPaths(m engines.Move) bool {
	g := b.graph
	if kind(m) == hWall {
		g = g.withH(index(m))
	} else {
		g = g.withV(index(m))
	}
	me, enemy := b.turn, b.turn^1
	if b.standard {
		return g.reaches(goal[me], bit[b.pawn[me]]) && g.reaches(goal[enemy], bit[b.pawn[enemy]])
	}
	return g.reachesAround(int(b.pawn[me]), goal[enemy], bit[b.pawn[enemy]])
}

// legalWalls returns the legal wall slots of the side to move, which must have
// walls in hand.
//
// A wall can only cut the board if it joins a barrier at two of its three
// posts: another wall, the edge or, in the seed rules, the frozen pawn. And it
// can only cut a path that exists if it crosses it. Few slots meet both, and
// those are tried one by one.
func (b *Board) legalWalls() (h, v uint64) {
	g := b.graph
	me, enemy := b.turn, b.turn^1
	target := bit[b.pawn[enemy]]
	var l layers
	var mine route
	if b.standard {
		if !g.reaches(goal[me], bit[b.pawn[me]]) || !g.reaches(goal[enemy], target) {
			return 0, 0
		}
		mine = g.shortest(&l, me, int(b.pawn[me]))
	} else {
		frozen := int(b.pawn[me])
		if !g.reachesAround(frozen, goal[enemy], target) {
			return 0, 0
		}
		g = g.without(frozen)
	}
	theirs := g.shortest(&l, enemy, int(b.pawn[enemy]))
	badH, badV := b.breaking(b.hFree&(mine.h|theirs.h), b.vFree&(mine.v|theirs.v))
	return b.hFree &^ badH, b.vFree &^ badV
}

// breaking returns those of some free wall slots that fail the rules' path test, which
// the board passes without them. Only walls that join a barrier at two posts are tried.
func (b *Board) breaking(h, v uint64) (badH, badV uint64) {
	posts, postsT := b.posts, b.postsT
	if !b.standard {
		frozen := int(b.pawn[b.turn])
		posts |= boxPosts[frozen]
		postsT |= boxPosts[transposeSquare(frozen)]
	}
	h &= joins(posts)
	v &= joins(postsT)
	for ; h != 0; h &= h - 1 {
		if i := popLow(h); !b.keepsPaths(hWall | engines.Move(i)) {
			badH |= 1 << i
		}
	}
	for ; v != 0; v &= v - 1 {
		if i := popLow(v); !b.keepsPaths(vWall | engines.Move(i)) {
			badV |= 1 << i
		}
	}
	return badH, badV
}

// appendWalls appends the walls of some slots: horizontal, then vertical.
func appendWalls(buf []engines.Move, h, v uint64) []engines.Move {
	for ; h != 0; h &= h - 1 {
		buf = append(buf, hWall|engines.Move(popLow(h)))
	}
	for ; v != 0; v &= v - 1 {
		buf = append(buf, vWall|engines.Move(popLow(v)))
	}
	return buf
}

func transposeSquare(sq int) int { return sq%size*size + sq/size }

// joins returns the wall slots of which at least two posts are touched. posts
// runs along the walls: row-major for horizontal walls.
func joins(posts uint64) uint64 {
	low := posts<<1&^fileA | fileA
	high := posts>>1&^fileH | fileH
	return low&posts | low&high | posts&high
}

// route is a side's shortest path.
type route struct {
	h, v uint64 // the walls that would cut it; every wall where there is none (the frozen pawn must be jumped)
	dist uint8  // its length, or unreachable
	next uint8  // its first square, or none
}

// none is no square.
const none = squares

// shortest returns side's shortest path from sq, the first in path order.
func (g *graph) shortest(l *layers, side engines.Side, sq int) route {
	l[0] = goal[side]
	d := g.flood(l, 0, bit[sq])
	r := route{dist: uint8(d), next: none}
	if d == unreachable {
		r.h, r.v = ^uint64(0), ^uint64(0)
		return r
	}
	for ; d > 0; d-- {
		next := g.step(&l[d-1], side, sq)
		if d == int(r.dist) {
			r.next = uint8(next)
		}
		switch low := min(sq, next); next - sq {
		case 1, -1:
			r.v |= vCuts[low]
		default:
			r.h |= hCuts[low]
		}
		sq = next
	}
	return r
}

// step returns the first neighbour of sq in path order that lies in near, the
// layer one step closer to the goal. There must be one.
func (g *graph) step(near *set, side engines.Side, sq int) int {
	row := squareBits[sq : sq+2*size+1 : sq+2*size+1] // row[size] is sq itself
	e := set{g.e.lo & near.lo, g.e.hi & near.hi}
	if e.has(row[size-1]) { // never from file a: file i has no step east
		return sq - 1
	}
	if g.e.has(row[size]) && near.has(row[size+1]) {
		return sq + 1
	}
	if side == engines.First {
		if g.n.has(row[size]) && near.has(row[2*size]) {
			return sq + size
		}
		return sq - size
	}
	if g.n.has(row[0]) && near.has(row[0]) {
		return sq - size
	}
	return sq + size
}

// String returns the position as "PAWN0 PAWN1 WALLS0 WALLS1 TURN h:LIST v:LIST".
func (b *Board) String() string {
	return fmt.Sprintf("%s %s %d %d %d h:%s v:%s", squareName(int(b.pawn[0])), squareName(int(b.pawn[1])),
		b.walls[0], b.walls[1], b.turn, wallList(b.h, false), wallList(b.v, true))
}

// wallList names the walls of m in the order of their names.
func wallList(m uint64, vertical bool) string {
	if m == 0 {
		return "-"
	}
	var names []string
	for file := range 8 {
		for row := range 8 {
			slot := row*8 + file
			if vertical {
				slot = transpose(slot)
			}
			if m>>slot&1 != 0 {
				names = append(names, slotName(file, row))
			}
		}
	}
	return strings.Join(names, ",")
}

func slotName(file, row int) string { return string([]byte{byte('a' + file), byte('1' + row)}) }
func squareName(sq int) string      { return slotName(sq%size, sq/size) }

// parseSquare reads a file letter and a rank, both below limit.
func parseSquare(text string, limit int) (file, row int, ok bool) {
	if len(text) != 2 {
		return 0, 0, false
	}
	file, row = int(text[0])-'a', int(text[1])-'1'
	return file, row, file >= 0 && file < limit && row >= 0 && row < limit
}

// SetText sets the position from the text String writes.
func (b *Board) SetText(text string) error {
	f := strings.Fields(text)
	if len(f) != 7 {
		return fmt.Errorf("want 7 fields, such as %q", "e1 e9 10 10 0 h:- v:-")
	}
	n := newBoard(b.standard)
	for side := range 2 {
		file, row, ok := parseSquare(f[side], size)
		if !ok {
			return fmt.Errorf("pawn %q: want a square a1 to i9", f[side])
		}
		n.pawn[side] = uint8(row*size + file)
		walls, err := strconv.Atoi(f[2+side])
		if err != nil || walls < 0 || walls > wallsEach {
			return fmt.Errorf("walls in hand %q: want 0 to %d", f[2+side], wallsEach)
		}
		n.walls[side] = uint8(walls)
	}
	if n.pawn[0] == n.pawn[1] {
		return fmt.Errorf("both pawns on %s", f[0])
	}
	switch f[4] {
	case "0", "1":
		n.turn = engines.Side(f[4][0] - '0')
	default:
		return fmt.Errorf("side to move %q: want 0 or 1", f[4])
	}
	placed := 0
	for i, prefix := range []string{"h:", "v:"} {
		list, ok := strings.CutPrefix(f[5+i], prefix)
		if !ok {
			return fmt.Errorf("walls %q: want %sLIST, or %s- for none", f[5+i], prefix, prefix)
		}
		count, err := n.placeList(list, prefix == "v:")
		if err != nil {
			return err
		}
		placed += count
	}
	if used := 2*wallsEach - int(n.walls[0]) - int(n.walls[1]); placed > used {
		return fmt.Errorf("%d walls on the board, but only %d have left the hands", placed, used)
	}
	*b = n
	return nil
}

func (b *Board) placeList(list string, vertical bool) (int, error) {
	if list == "-" {
		return 0, nil
	}
	count := 0
	for name := range strings.SplitSeq(list, ",") {
		file, row, ok := parseSquare(name, 8)
		if !ok {
			return 0, fmt.Errorf("wall %q: want a1 to h8", name)
		}
		slot := row*8 + file
		switch {
		case !vertical && b.hFree>>slot&1 != 0:
			b.placeH(slot)
		case vertical && b.vFree>>transpose(slot)&1 != 0:
			b.placeV(transpose(slot))
		default:
			return 0, fmt.Errorf("wall %s overlaps or crosses another", name)
		}
		count++
	}
	return count, nil
}

// ParseMove reads a pawn's square ("e2"), a wall ("e3h", "e3v") or "pass".
func (b *Board) ParseMove(text string) (engines.Move, error) {
	if text == "pass" {
		return pass, nil
	}
	if file, row, ok := parseSquare(text, size); ok {
		return pawnMove | engines.Move(row*size+file), nil
	}
	if len(text) == 3 {
		if file, row, ok := parseSquare(text[:2], 8); ok {
			switch slot := row*8 + file; text[2] {
			case 'h':
				return hWall | engines.Move(slot), nil
			case 'v':
				return vWall | engines.Move(transpose(slot)), nil
			}
		}
	}
	return 0, engines.ParseError("move", text, "want a square (e2), a wall (e3h, e3v; a1 to h8) or pass")
}

// MoveString returns m as ParseMove reads it.
func (b *Board) MoveString(m engines.Move) string {
	switch i := index(m); kind(m) {
	case pawnMove:
		return squareName(i)
	case hWall:
		return slotName(i&7, i>>3) + "h"
	case vWall:
		return slotName(i>>3, i&7) + "v"
	}
	return "pass"
}
