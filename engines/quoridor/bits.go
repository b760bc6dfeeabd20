package quoridor

import "math/bits"

// Squares are numbered 9*row + file, a1 = 0, i9 = 80.
// A set of squares has two words: rows 1 to 7 are in lo
// at bit square+1, rows 8 and 9 in hi at bit square-63.
// With the offset of one bit, a shift by a row drops
// the squares that leave the word, without a mask.
const (
	size    = 9
	squares = size * size
	hiFirst = 7 * size // first square kept in hi
)

// set is a set of squares.
type set struct{ lo, hi uint64 }

// has reports whether the sets have a square in common.
func (s set) has(t set) bool { return s.lo&t.lo|s.hi&t.hi != 0 }

// Tables of the geometry. They are filled in when the program starts and never changed.
var (
	// squareBits is bit with an empty row before and after, for neighbours.
	squareBits [squares + 2*size]set

	bit      [squares]set    // each square alone
	goal     [2]set          // the goal row of each side
	block    [64]set         // the four squares a wall slot touches, by row-major slot
	hStops   [64]set         // squares whose step north the horizontal wall stops
	vStops   [64]set         // squares whose step east the vertical wall stops, by column-major slot
	hCuts    [squares]uint64 // horizontal walls that cut the step north of a square
	vCuts    [squares]uint64 // vertical walls that cut the step east of a square
	boxPosts [squares]uint64 // wall posts at a square's corners, row-major
	openN    set             // steps north inside the board
	openE    set             // steps east inside the board
)

// init fills in the tables, which are plainer as code than as 500 literals.
func init() {
	for sq := range squares {
		if sq < hiFirst {
			bit[sq].lo = 1 << (sq + 1)
		} else {
			bit[sq].hi = 1 << (sq - hiFirst)
		}
	}
	copy(squareBits[size:], bit[:])
	add := func(s *set, sq int) { s.lo |= bit[sq].lo; s.hi |= bit[sq].hi }
	for i := range size {
		add(&goal[0], 8*size+i)
		add(&goal[1], i)
	}
	for row := range size {
		for file := range size {
			sq := row*size + file
			if row < 8 {
				add(&openN, sq)
			}
			if file < 8 {
				add(&openE, sq)
			}
			for _, corner := range [4][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
				x, y := file+corner[0]-1, row+corner[1]-1
				if x >= 0 && x < 8 && y >= 0 && y < 8 {
					boxPosts[sq] |= 1 << (y*8 + x)
				}
			}
		}
	}
	for row := range 8 {
		for file := range 8 {
			sq, h, v := row*size+file, row*8+file, file*8+row
			add(&block[h], sq)
			add(&block[h], sq+1)
			add(&block[h], sq+size)
			add(&block[h], sq+size+1)
			add(&hStops[h], sq)
			add(&hStops[h], sq+1)
			add(&vStops[v], sq)
			add(&vStops[v], sq+size)
			hCuts[sq] |= 1 << h
			hCuts[sq+1] |= 1 << h
			vCuts[sq] |= 1 << v
			vCuts[sq+size] |= 1 << v
		}
	}
}

// transpose converts a row-major slot number to a column-major one and back.
func transpose(slot int) int { return slot&7<<3 | slot>>3 }

// graph holds the open steps of the board: from a
// square to the north, and from a square to the east.
// It is plain data.
type graph struct{ n, e set }

// withH returns the graph with a horizontal wall.
func (g graph) withH(slot int) graph {
	g.n.lo &^= hStops[slot].lo
	g.n.hi &^= hStops[slot].hi
	return g
}

// withV returns the graph with a vertical wall.
func (g graph) withV(slot int) graph {
	g.e.lo &^= vStops[slot].lo
	g.e.hi &^= vStops[slot].hi
	return g
}

// without returns the graph without the steps into and out of a square: a frozen pawn.
func (g graph) without(sq int) graph {
	b := bit[sq]
	g.n.lo &^= b.lo
	g.n.hi &^= b.hi
	g.e.lo &^= b.lo
	g.e.hi &^= b.hi
	if sq >= size {
		s := bit[sq-size]
		g.n.lo &^= s.lo
		g.n.hi &^= s.hi
	}
	if sq%size > 0 {
		w := bit[sq-1]
		g.e.lo &^= w.lo
		g.e.hi &^= w.hi
	}
	return g
}

// unreachable is the distance without a path. It is longer than any path.
const unreachable = 99

// layers is a flood from the goal: layers[k] holds every square within k steps of it.
type layers [squares + 1]set

// flood extends the flood in l, whose first from+1 layers
// are valid, until it covers the target or stops growing.
// It returns the distance of the target, or unreachable.
func (g *graph) flood(l *layers, from int, target set) int {
	nLo := g.n.lo
	nHi := g.n.hi
	eLo := g.e.lo
	eHi := g.e.hi
	lo, hi := l[from].lo, l[from].hi
	for k := from; ; {
		if lo&target.lo|hi&target.hi != 0 {
			return k
		}
		up := lo & nLo
		newLo := lo | up<<9 | (lo>>9|hi<<55)&nLo | (lo&eLo)<<1 | (lo>>1)&eLo
		newHi := hi | (hi&nHi)<<9 | up>>55 | (hi>>9)&nHi | (hi&eHi)<<1 | (hi>>1)&eHi
		if newLo == lo && newHi == hi {
			return unreachable
		}
		lo, hi = newLo, newHi
		k++
		if k >= len(l) {
			return unreachable // cannot happen: a path visits a square once
		}
		l[k] = set{lo, hi}
	}
}

// distance continues a flood whose layer k is from.
// It returns the distance of the target, 0 if the target is cut off.
func (g *graph) distance(from set, k int, target set) int {
	nLo := g.n.lo
	nHi := g.n.hi
	eLo := g.e.lo
	eHi := g.e.hi
	lo, hi := from.lo, from.hi
	for ; lo&target.lo|hi&target.hi == 0; k++ {
		up := lo & nLo
		newLo := lo | up<<9 | (lo>>9|hi<<55)&nLo | (lo&eLo)<<1 | (lo>>1)&eLo
		newHi := hi | (hi&nHi)<<9 | up>>55 | (hi>>9)&nHi | (hi&eHi)<<1 | (hi>>1)&eHi
		if newLo == lo && newHi == hi {
			return 0
		}
		lo, hi = newLo, newHi
	}
	return k
}

// reaches reports whether a pawn on target can reach the goal row, without regard to other pawns.
func (g *graph) reaches(goal, target set) bool {
	filled := g.fill(goal, target)
	return filled.has(target)
}

// fill grows from until it covers the target or stops growing, and returns it.
func (g *graph) fill(from, target set) set {
	nLo := g.n.lo
	nHi := g.n.hi
	eLo := g.e.lo
	eHi := g.e.hi
	lo, hi := from.lo, from.hi
	for lo&target.lo|hi&target.hi == 0 {
		up := lo & nLo
		newLo := lo | up<<9 | (lo>>9|hi<<55)&nLo | (lo&eLo)<<1 | (lo>>1)&eLo
		newHi := hi | (hi&nHi)<<9 | up>>55 | (hi>>9)&nHi | (hi&eHi)<<1 | (hi>>1)&eHi
		if newLo == lo && newHi == hi {
			break
		}
		lo, hi = newLo, newHi
	}
	return set{lo, hi}
}

// reachesAround is reaches with a pawn frozen on a square.
// The frozen pawn can be jumped straight over, where
// no wall or edge is in the way, but not entered.
func (g *graph) reachesAround(frozen int, goal, target set) bool {
	closed := g.without(frozen)
	filled := closed.fill(goal, target)
	for !filled.has(target) {
		before := filled
		for _, d := range [2]int{1, size} {
			if !g.open(frozen, d) || !g.open(frozen, -d) {
				continue
			}
			a, b := bit[frozen+d], bit[frozen-d]
			if filled.has(a) != filled.has(b) {
				filled = closed.fill(set{filled.lo | a.lo | b.lo, filled.hi | a.hi | b.hi}, target)
			}
		}
		if filled == before {
			return false
		}
	}
	return true
}

// The four directions in the order of the path search.
// Left and right are towards files a and i for both sides; forward depends on the side.
const (
	left = iota
	right
	forward
	back
)

// delta is the change of square by side and direction.
var delta = [2][4]int{{-1, 1, size, -size}, {-1, 1, -size, size}}

// open reports whether a pawn on sq can step by d, a
// change of square, within the board and through no wall.
func (g *graph) open(sq, d int) bool {
	switch d {
	case 1:
		return g.e.has(bit[sq])
	case -1:
		return sq%size > 0 && g.e.has(bit[sq-1])
	case size:
		return g.n.has(bit[sq])
	}
	return sq >= size && g.n.has(bit[sq-size])
}

// popLow returns the lowest element of a 64-slot set.
func popLow(m uint64) int { return bits.TrailingZeros64(m) }
