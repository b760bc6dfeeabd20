package mills

import "math/bits"

// The 24 points are the bits of a uint32: point 8*ring + p, ring 0 outer, 1
// middle, 2 inner, p clockwise from the top left corner. Even points are
// corners, odd ones the middles of sides. Every question about lines and
// neighbours is then a few shifts for all points at once, each ring turning in
// its own byte; a table of lines a point would ask them one by one.
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

// across returns the points one ring away from x along the spokes: the points
// that have a radial line, every one with diagonals, else the middles.
func across(x, spokes uint32) uint32 { return (x<<8 | x>>8) & spokes }

// adjacent returns the points next to any of x.
func adjacent(x, spokes uint32) uint32 {
	return clockwise(x) | anticlockwise(x) | across(x, spokes)
}

// closers are the points that complete a line with two men of one set, by the
// line they complete: three kinds of line on a side of a square, told apart by
// where on it the point is, and the radial ones. Whether the points are free is
// not asked.
type closers struct {
	middle uint32 // the middle of a side with a man on both its corners
	ahead  uint32 // a corner with men on the next two points clockwise
	behind uint32 // a corner with men on the two points before it
	spoke  uint32 // a point with men on the other two rings of its radial line
}

func closersOf(men, spokes uint32) closers {
	prev, next := clockwise(men), anticlockwise(men) // a man before / after the point
	return closers{
		middle: prev & next & middles,
		ahead:  next & anticlockwise(next) & corners,
		behind: prev & clockwise(prev) & corners,
		spoke:  (men<<8 | men>>16) & (men<<16 | men>>8) & spokes,
	}
}

func (c closers) any() uint32 { return c.middle | c.ahead | c.behind | c.spoke }

// number returns how many lines could be completed at one of the points in at.
func (c closers) number(at uint32) int {
	return count2(c.middle&at, c.ahead&at) + count2(c.behind&at, c.spoke&at)
}

// within keeps of c what a step completes: one that does not run along the line.
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

func stepsOf(men, free, spokes uint32) steps {
	return steps{
		clockwise:     clockwise(men) & free,
		anticlockwise: anticlockwise(men) & free,
		outwards:      men >> 8 & spokes & free,
		inwards:       men << 8 & spokes & free,
	}
}

func (s steps) number() int {
	return count2(s.clockwise, s.anticlockwise) + count2(s.outwards, s.inwards)
}

// closing returns the steps that complete a line: those of s that end where c
// says, leaving out the one line that a step runs along and so cannot close.
func (s steps) closing(c closers) steps {
	sides := c.middle | c.ahead | c.behind
	return steps{
		clockwise:     s.clockwise & (c.ahead | c.spoke),
		anticlockwise: s.anticlockwise & (c.behind | c.spoke),
		outwards:      s.outwards & sides,
		inwards:       s.inwards & sides,
	}
}

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

// fullLines returns the complete lines of a set of men: the middle points of
// full sides, and the outer points of full radial lines.
func fullLines(men, spokes uint32) (sides, radials uint32) {
	sides = men & clockwise(men) & anticlockwise(men) & middles
	radials = men & (men >> 8) & (men >> 16) & spokes & outerRing
	return sides, radials
}

// inLines returns the men that stand in a complete line.
func inLines(men, spokes uint32) uint32 {
	sides, radials := fullLines(men, spokes)
	return sides | clockwise(sides) | anticlockwise(sides) | radials*0x010101
}

func count(x uint32) int { return bits.OnesCount32(x) }

// count2 counts two sets at once.
func count2(x, y uint32) int { return bits.OnesCount64(uint64(x) | uint64(y)<<32) }
