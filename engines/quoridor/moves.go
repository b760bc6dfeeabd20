package quoridor

import (
	"slices"

	"selfplaylab/engines"
)

// Moves appends pawn moves (left, right, forward, back), horizontal
// walls by rows and vertical walls by files, or the forced pass alone.
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

// pawnMoves appends the legal pawn moves of the side to move.
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

// Legal reports whether Moves lists m.
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

// legalWall reports whether the side to move may set wall m.
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

// legalWalls returns the legal wall slots of the side to move, which must have walls in hand.
//
// A wall cuts the board only if it joins a barrier at two of its three
// posts: another wall, the edge or, in the seed rules, the frozen pawn.
// It cuts an existing path only if it crosses the path.
// Few slots meet both conditions, and each is tried.
func (b *Board) legalWalls() (h, v uint64) {
	g := b.graph
	me, enemy := b.turn, b.turn^1
	target := bit[b.pawn[enemy]]
	var l layers
	var ours route
	if b.standard {
		if !g.reaches(goal[me], bit[b.pawn[me]]) || !g.reaches(goal[enemy], target) {
			return 0, 0
		}
		ours = g.shortest(&l, me, int(b.pawn[me]))
	} else {
		frozen := int(b.pawn[me])
		if !g.reachesAround(frozen, goal[enemy], target) {
			return 0, 0
		}
		g = g.without(frozen)
	}
	theirs := g.shortest(&l, enemy, int(b.pawn[enemy]))
	badH, badV := b.breaking(b.hFree&(ours.h|theirs.h), b.vFree&(ours.v|theirs.v))
	return b.hFree &^ badH, b.vFree &^ badV
}

// breaking returns the free wall slots among h and v that fail the rules' path test.
// The board must pass the test without them.
// Only walls that join a barrier at two posts are tried.
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

// joins returns the wall slots with at least two touched posts.
// posts runs along the walls: row-major for horizontal walls.
func joins(posts uint64) uint64 {
	low := posts<<1&^fileA | fileA
	high := posts>>1&^fileH | fileH
	return low&posts | low&high | posts&high
}

// transposeSquare exchanges row and file.
func transposeSquare(sq int) int { return sq%size*size + sq/size }
