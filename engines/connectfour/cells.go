package connectfour

import (
	"math/bits"

	"selfplaylab/engines"
)

// cells is a set of cells: four columns a word, column c in the 16 bits from bit
// 16*(c%4), its lowest cell in the lowest bit. The top four bits of each column are
// no cells, so that no line runs over from one column to the next. It is a struct
// and no array, since those are not kept in registers: a search is 2.5 times faster.
type cells struct{ a, b, c uint64 }

func (s cells) and(o cells) cells { return cells{s.a & o.a, s.b & o.b, s.c & o.c} }
func (s cells) or(o cells) cells  { return cells{s.a | o.a, s.b | o.b, s.c | o.c} }
func (s cells) not(o cells) cells { return cells{s.a &^ o.a, s.b &^ o.b, s.c &^ o.c} }
func (s cells) none() bool        { return s.a|s.b|s.c == 0 }

func (s cells) count() int {
	return bits.OnesCount64(s.a) + bits.OnesCount64(s.b) + bits.OnesCount64(s.c)
}

// column returns the cells of a column.
func (s cells) column(c int) uint64 {
	w := s.a
	switch c >> 2 {
	case 1:
		w = s.b
	case 2:
		w = s.c
	}
	return w >> (16 * (c & 3)) & 0xffff
}

// inColumn is a set of cells of one column.
func inColumn(c int, set uint64) (s cells) {
	set <<= 16 * (c & 3)
	switch c >> 2 {
	case 0:
		s.a = set
	case 1:
		s.b = set
	default:
		s.c = set
	}
	return s
}

// up moves every cell by n bits, fewer than 64: 16 to the next column, 17 and 15 along
// the diagonals, 1 upwards.
func (s cells) up(n uint) cells {
	return cells{s.a << (n & 63), s.b<<(n&63) | s.a>>((64-n)&63), s.c<<(n&63) | s.b>>((64-n)&63)}
}

// down is up the other way.
func (s cells) down(n uint) cells {
	return cells{s.a>>(n&63) | s.b<<((64-n)&63), s.b>>(n&63) | s.c<<((64-n)&63), s.c >> (n & 63)}
}

// lowest returns the lowest cell of each column.
func (s cells) lowest() cells { return cells{lowest(s.a), lowest(s.b), lowest(s.c)} }

// lowest is the lowest bit of each 16, of which the top one is clear.
func lowest(w uint64) uint64 {
	const one, top = 0x0001_0001_0001_0001, 0x8000_8000_8000_8000
	return w &^ ((w | top) - one)
}

// completing returns the cells, stones or not, that lie in a line with three of s.
func (s cells) completing() cells {
	found := cells{s.a << 1 & (s.a << 2) & (s.a << 3), s.b << 1 & (s.b << 2) & (s.b << 3), s.c << 1 & (s.c << 2) & (s.c << 3)}
	return found.or(s.completes(15)).or(s.completes(16)).or(s.completes(17))
}

// completes is completing in one direction.
func (s cells) completes(n uint) cells {
	up, down := s.up(n), s.down(n)
	up2, down2 := up.and(s.up(2*n)), down.and(s.down(2*n)) // two before, two after
	return up2.and(s.up(3 * n).or(down)).or(down2.and(s.down(3 * n).or(up)))
}

// cells returns the stones of the side to move and of the other, and the cells
// that are free.
func (p *position) cells() (me, other, free cells) {
	for c := range maxSize {
		me = me.or(inColumn(c, uint64(p.side[p.turn&1].col[c])))
		other = other.or(inColumn(c, uint64(p.side[p.turn&1^1].col[c])))
		free = free.or(inColumn(c, uint64(p.free[c])))
	}
	return me, other, free
}

// hash hashes a position. Each word is scattered by itself: where one is added before
// another is scattered, a stone more in both cancels out.
func hash(me, other, free cells) (key uint64) {
	offset := uint64(0)
	for _, word := range [...]uint64{me.a, me.b, me.c, other.a, other.b, other.c, free.a, free.b, free.c} {
		offset += 0x9e3779b97f4a7c15
		key ^= engines.Mix(word + offset)
	}
	return key
}
