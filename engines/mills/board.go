package mills

import "math/bits"

// The 24 points are the bits of a uint32: point 8*ring + p, ring 0
// outer, 1 middle, 2 inner, p clockwise from the top left corner.
// Even points are corners, odd points the middles of sides.
// A few shifts then answer a question about lines or neighbours
// for all points at once, because each ring turns in its own byte.
const (
	points = 24

	everywhere = 0xFFFFFF
	corners    = 0x555555
	middles    = 0xAAAAAA
	outerRing  = 0x0000FF
	middleRing = 0x00FF00
)

// pointNames are the points in order, as in moves.
var pointNames = [points]string{
	"a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4",
	"b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4",
	"c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4",
}

// clockwise moves every bit to the next point of its ring.
func clockwise(x uint32) uint32 { return x<<1&0xFEFEFE | x>>7&0x010101 }

// anticlockwise moves every bit to the point before it on its ring.
func anticlockwise(x uint32) uint32 { return x>>1&0x7F7F7F | x<<7&0x808080 }

// across returns the points one ring away from x along the spokes: the points with
// a radial line, which are all points with diagonals and the middles without.
func across(x, spokes uint32) uint32 { return (x<<8 | x>>8) & spokes }

// adjacent returns the points next to any of x.
func adjacent(x, spokes uint32) uint32 {
	return clockwise(x) | anticlockwise(x) | across(x, spokes)
}

// closers are the points that complete a line with two men of one set, by the kind of line.
// There are three kinds on a side of a square, by the place of the point, and the radial one.
// The points may be occupied.
type closers struct {
	middle uint32 // the middle of a side with a man on both its corners
	ahead  uint32 // a corner with men on the next two points clockwise
	behind uint32 // a corner with men on the two points before it
	spoke  uint32 // a point with men on the other two rings of its radial line
}

// closersOf returns the closers of a set of men.
func closersOf(men, spokes uint32) closers {
	prev, next := clockwise(men), anticlockwise(men) // a man before / after the point
	return closers{
		middle: prev & next & middles,
		ahead:  next & anticlockwise(next) & corners,
		behind: prev & clockwise(prev) & corners,
		spoke:  (men<<8 | men>>16) & (men<<16 | men>>8) & spokes,
	}
}

// any returns all closers.
func (c closers) any() uint32 { return c.middle | c.ahead | c.behind | c.spoke }

// number returns the number of lines that could be completed at the points in at.
func (c closers) number(at uint32) int {
	return count2(c.middle&at, c.ahead&at) + count2(c.behind&at, c.spoke&at)
}

// within returns the closers that a step completes. A step along a line does not close this line.
func (c closers) within(s steps) closers {
	radial, ring := s.outwards|s.inwards, s.clockwise|s.anticlockwise
	return closers{
		middle: c.middle & radial,
		ahead:  c.ahead & (radial | s.clockwise),
		behind: c.behind & (radial | s.anticlockwise),
		spoke:  c.spoke & ring,
	}
}

// steps are the points that a set of men can step to, by direction.
type steps struct{ clockwise, anticlockwise, outwards, inwards uint32 }

// stepsOf returns the steps of a set of men to free points.
func stepsOf(men, free, spokes uint32) steps {
	return steps{
		clockwise:     clockwise(men) & free,
		anticlockwise: anticlockwise(men) & free,
		outwards:      men >> 8 & spokes & free,
		inwards:       men << 8 & spokes & free,
	}
}

// number returns the number of steps.
func (s steps) number() int {
	return count2(s.clockwise, s.anticlockwise) + count2(s.outwards, s.inwards)
}

// closing returns the steps that complete a line: the
// steps to the points of c, except along the line itself.
func (s steps) closing(c closers) steps {
	sides := c.middle | c.ahead | c.behind
	return steps{
		clockwise:     s.clockwise & (c.ahead | c.spoke),
		anticlockwise: s.anticlockwise & (c.behind | c.spoke),
		outwards:      s.outwards & sides,
		inwards:       s.inwards & sides,
	}
}

// without returns the steps of s that are not in t.
func (s steps) without(t steps) steps {
	return steps{
		clockwise:     s.clockwise &^ t.clockwise,
		anticlockwise: s.anticlockwise &^ t.anticlockwise,
		outwards:      s.outwards &^ t.outwards,
		inwards:       s.inwards &^ t.inwards,
	}
}

// origins returns the men that make the steps.
func (s steps) origins() uint32 {
	return anticlockwise(s.clockwise) | clockwise(s.anticlockwise) | s.outwards<<8 | s.inwards>>8
}

// fullLines returns the complete lines of a set of men: the middle
// points of full sides, and the outer points of full radial lines.
func fullLines(men, spokes uint32) (sides, radials uint32) {
	sides = men & clockwise(men) & anticlockwise(men) & middles
	radials = men & (men >> 8) & (men >> 16) & spokes & outerRing
	return sides, radials
}

// inLines returns the men in a complete line.
func inLines(men, spokes uint32) uint32 {
	sides, radials := fullLines(men, spokes)
	return sides | clockwise(sides) | anticlockwise(sides) | radials*0x010101
}

// count returns the size of a set.
func count(x uint32) int { return bits.OnesCount32(x) }

// count2 returns the size of two sets together.
func count2(x, y uint32) int { return bits.OnesCount64(uint64(x) | uint64(y)<<32) }
