package quoridor

import "selfplaylab/engines"

// route is a side's shortest path.
type route struct {
	h, v uint64 // walls that would cut it; every wall if there is no path without a jump over the frozen pawn
	dist uint8  // its length, or unreachable
	next uint8  // its first square, or none
}

// none is the square of a missing step.
const none = squares

// shortest returns side's shortest path from sq. Among equals it is the first in path order.
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

// step returns the first neighbour of sq in path order that
// lies in near, the layer one step closer to the goal.
// There must be one.
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
