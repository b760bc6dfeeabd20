package quoridor

import (
	"slices"

	"selfplaylab/engines"
)

// The slow reference has the rules and the greedy player by the
// sentences of the specification, without bitboards and shortcuts.
// The fast code must agree with it in every position.

type refBoard struct {
	b        *Board
	noN, noE [squares]bool
}

func newRef(b *Board) *refBoard {
	r := &refBoard{b: b}
	for slot := range 64 {
		row, file := slot/8, slot%8
		if b.h>>slot&1 != 0 {
			r.stopN(row, file)
		}
		if b.v>>(file*8+row)&1 != 0 {
			r.stopE(row, file)
		}
	}
	return r
}

func (r *refBoard) stopN(row, file int) { r.noN[row*9+file], r.noN[row*9+file+1] = true, true }
func (r *refBoard) stopE(row, file int) { r.noE[row*9+file], r.noE[(row+1)*9+file] = true, true }

func (r *refBoard) with(m engines.Move) *refBoard {
	c := *r
	if i := index(m); kind(m) == hWall {
		c.stopN(i/8, i%8)
	} else {
		c.stopE(i%8, i/8)
	}
	return &c
}

// open by row and file, so that edges need no trick.
func (r *refBoard) open(sq, d int) bool {
	row, file := sq/9, sq%9
	switch d {
	case 1:
		return file < 8 && !r.noE[sq]
	case -1:
		return file > 0 && !r.noE[sq-1]
	case 9:
		return row < 8 && !r.noN[sq]
	}
	return row > 0 && !r.noN[sq-9]
}

func refDirs(side engines.Side) [4]int {
	if side == 0 {
		return [4]int{-1, 1, 9, -9}
	}
	return [4]int{-1, 1, -9, 9}
}

func refGoal(side engines.Side, sq int) bool {
	if side == 0 {
		return sq/9 == 8
	}
	return sq/9 == 0
}

// path returns the squares after the start of a shortest
// path, or nil, by breadth-first search with a queue.
func (r *refBoard) path(side engines.Side, from int) []int {
	parent := map[int]int{from: -1}
	queue := []int{from}
	for len(queue) > 0 {
		sq := queue[0]
		queue = queue[1:]
		if refGoal(side, sq) {
			var p []int
			for ; parent[sq] >= 0; sq = parent[sq] {
				p = append([]int{sq}, p...)
			}
			return p
		}
		for _, d := range refDirs(side) {
			if _, seen := parent[sq+d]; r.open(sq, d) && !seen {
				parent[sq+d] = sq
				queue = append(queue, sq+d)
			}
		}
	}
	return nil
}

// refLength returns a path's number of steps, one less if it runs over the other pawn.
func refLength(p []int, other int) int {
	n := len(p)
	for _, sq := range p {
		if sq == other {
			n--
		}
	}
	return n
}

// legalWall applies the path test of either rule set to squares.
func (r *refBoard) legalWall(m engines.Move) bool {
	b := r.b
	w := r.with(m)
	me, enemy := b.turn, b.turn.Other()
	if b.standard {
		return w.path(me, int(b.pawn[me])) != nil && w.path(enemy, int(b.pawn[enemy])) != nil
	}
	frozen := int(b.pawn[me])
	seen := map[int]bool{int(b.pawn[enemy]): true}
	stack := []int{int(b.pawn[enemy])}
	for len(stack) > 0 {
		sq := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if refGoal(enemy, sq) {
			return true
		}
		for _, d := range refDirs(enemy) {
			if !w.open(sq, d) {
				continue
			}
			to := sq + d
			if to == frozen {
				if !w.open(frozen, d) {
					continue
				}
				to = frozen + d
			}
			if !seen[to] {
				seen[to] = true
				stack = append(stack, to)
			}
		}
	}
	return false
}

// walls lists every slot that overlaps (or in standard
// rules crosses) no wall, in the order of the scan.
func (r *refBoard) walls(horizontalFirst bool) []engines.Move {
	b := r.b
	has := func(m uint64, a, c int) bool { return a >= 0 && a < 8 && c >= 0 && c < 8 && m>>(a*8+c)&1 != 0 }
	var h, v []engines.Move
	for row := range 8 {
		for file := range 8 {
			crossed := b.standard && has(b.v, file, row)
			if !has(b.h, row, file-1) && !has(b.h, row, file) && !has(b.h, row, file+1) && !crossed {
				h = append(h, hWall|engines.Move(row*8+file))
			}
		}
	}
	for file := range 8 {
		for row := range 8 {
			crossed := b.standard && has(b.h, row, file)
			if !has(b.v, file, row-1) && !has(b.v, file, row) && !has(b.v, file, row+1) && !crossed {
				v = append(v, vWall|engines.Move(file*8+row))
			}
		}
	}
	if horizontalFirst {
		return append(h, v...)
	}
	return append(v, h...)
}

func (r *refBoard) moves() []engines.Move {
	b := r.b
	if b.Outcome() != engines.Ongoing {
		return nil
	}
	moves := b.pawnMoves(nil) // proven by perft
	if b.walls[b.turn] > 0 {
		for _, m := range r.walls(true) {
			if r.legalWall(m) {
				moves = append(moves, m)
			}
		}
	}
	if len(moves) == 0 {
		moves = []engines.Move{pass}
	}
	return moves
}

// decide is the greedy player, with every wall measured by two full searches.
func (r *refBoard) decide(p *player, horizontalFirst bool) decision {
	b := r.b
	me, enemy := b.turn, b.turn.Other()
	mySq, enemySq := int(b.pawn[me]), int(b.pawn[enemy])
	d := decision{m: unreachable, e: unreachable}
	ours, theirs := r.path(me, mySq), r.path(enemy, enemySq)
	if ours != nil {
		d.m = refLength(ours, enemySq)
	}
	if theirs != nil {
		d.e = refLength(theirs, mySq)
	}
	step := r.step(ours)
	if b.walls[me] > 0 && (step == 0 || !refGoal(me, index(step))) {
		best := 0
		for _, m := range r.walls(horizontalFirst) {
			w := r.with(m)
			p1, p2 := w.path(me, mySq), w.path(enemy, enemySq)
			if p1 == nil || p2 == nil || !r.legalWall(m) {
				continue
			}
			m2, e2 := refLength(p1, enemySq), refLength(p2, mySq)
			if d.wall == 0 || e2-m2 > best {
				best, d.wall, d.m2, d.e2 = e2-m2, m, m2, e2
			}
		}
	}
	if d.wall != 0 {
		d.s1, d.s2 = p.scores(d.m, d.e, d.m2, d.e2, int(b.walls[me]), int(b.walls[enemy]))
	}
	switch {
	case d.wall != 0 && (step == 0 || d.s1 < d.s2):
		d.move = d.wall
	case step != 0:
		d.move = step
	default:
		d.move = pass
	}
	return d
}

func (r *refBoard) step(path []int) engines.Move {
	b := r.b
	me, enemy := int(b.pawn[b.turn]), int(b.pawn[b.turn^1])
	legal := b.pawnMoves(nil)
	to := -1
	if len(path) > 0 {
		to = path[0]
		if to == enemy {
			dirs := refDirs(b.turn)
			away := me - enemy
			tries := []int{dirs[0], dirs[1], away}
			if enemy/9 == me/9 {
				tries = []int{dirs[2], away, dirs[3]}
			}
			to = -1
			if r.open(enemy, enemy-me) {
				to = enemy + enemy - me
			} else {
				for _, d := range tries {
					if to < 0 && r.open(me, d) {
						to = me + d
					}
				}
			}
		}
	}
	if m := pawnMove | engines.Move(to); to >= 0 && slices.Contains(legal, m) {
		return m
	}
	best, bestLength := engines.Move(0), unreachable+1
	for _, m := range legal {
		n := unreachable
		if p := r.path(b.turn, index(m)); p != nil || refGoal(b.turn, index(m)) {
			n = len(p)
		}
		if n < bestLength {
			best, bestLength = m, n
		}
	}
	return best
}
