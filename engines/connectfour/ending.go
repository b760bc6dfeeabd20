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

// fours returns the cells that are part of four in a line, all in s.
func (s cells) fours() cells {
	return s.four(1).or(s.four(15)).or(s.four(16)).or(s.four(17))
}

// four is fours in one direction.
func (s cells) four(n uint) cells {
	pairs := s.and(s.down(n))
	first := pairs.and(pairs.down(2 * n))
	pairs = first.or(first.up(n))
	return pairs.or(pairs.up(2 * n))
}

// verdict is how a game ends with best play, for the side to move, and within how many
// plies. The zero value is a draw.
type verdict struct {
	class int8 // 1 won, 0 drawn, -1 lost
	plies uint8
}

// ending solves the end of a game exactly. What makes that cheap where a game is
// decided by who runs out of harmless moves:
//
//   - Nobody plays under the opponent's four, or leaves one open: nothing else need
//     be tried.
//   - Stones that can be in no four any more are all alike, so that games which
//     differ only in the order of idle moves meet in the table.
//   - Where every column has an even number of cells left, the side not to move may
//     always reply in the same column. So it gets every second cell of each, and
//     if that gives it a four, and the other cells none to the opponent, the game
//     is decided without a search (follow-up, as in Allis 1988, of all columns
//     together).
type ending struct {
	odd   cells // every second cell of each column, from the one filled first
	cols  int
	table []endEntry
	age   uint16 // what was stored under another one is forgotten; 0 is none
	left  int64  // nodes it may still search
	stop  func() bool
}

// stopEvery is how many positions pass between looks at the clock, at most: some
// 100 microseconds.
const stopEvery = 128

// endEntry is what is known of a position: class and kind of bound, and the move.
type endEntry struct {
	key   uint64
	age   uint16
	class int8
	bound endBound
	plies uint8
	size  uint8 // cells left
	move  uint8 // column, from 0
}

type endBound uint8

const (
	endExact endBound = iota
	endLower          // at least
	endUpper          // at most
)

// endTable is the size of the table, a power of two: 4 MB.
const endTable = 1 << 18

// forget forgets what was solved.
func (e *ending) forget() {
	if e.age++; e.age == 0 {
		clear(e.table)
		e.age = 1
	}
}

// likely is up to how many free waiting moves a search of most positions is likely to
// decide the game. In games of the careful player 8 such cells took 100 positions on
// average, 12 took 1,100 and 16 took 6,000; of games with 20, half were decided by
// 20,000.
func likely(most int64) int { return bits.Len64(uint64(most))*3/2 - 5 }

// calm counts the cells that can be filled before a side has to play under a four of
// either side.
func calm(me, other, free cells) int {
	fours := me.completing().or(other.completing()).and(free)
	n := 0
	for c := range maxSize {
		column := free.column(c)
		if four := fours.column(c); four != 0 {
			column &= four&-four - 1
			column &= column - 1
		}
		n += bits.OnesCount64(column)
	}
	return n
}

// solve returns the verdict on a position whose game goes on, and the nodes it took;
// ok is false if that would take more nodes than allowed.
func (e *ending) solve(p *position, nodes int64) (v verdict, spent int64, ok bool) {
	if e.table == nil {
		e.table = make([]endEntry, endTable)
	}
	e.left = nodes
	me, other, free := p.cells()
	e.cols, e.odd = int(p.cols), p.odd()
	v = e.search(me, other, free, -1, 1)
	return v, nodes - max(e.left, 0), e.left >= 0
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

// odd returns every second cell that is free, from the highest down: those that
// the side to move gets if the other always replies in the same column are the
// lower ones of such pairs.
func (p *position) odd() (set cells) {
	for c := range int(p.cols) {
		n := 0
		for r := int(p.rows) - 1; r >= 0; r-- {
			if p.free[c]>>r&1 == 1 {
				if n++; n&1 == 0 {
					set = set.or(inColumn(c, 1<<r))
				}
			}
		}
	}
	return set
}

// even reports whether every column has an even number of cells left: then the
// lowest of each is the lower of a pair.
func (e *ending) even(play cells) bool { return play.not(e.odd).none() }

var (
	endWon  = verdict{1, 1}
	endLost = verdict{-1, 2}
)

// search returns the verdict for the side to move, me, if its class is in [low,
// high]; else a bound of it.
func (e *ending) search(me, other, free cells, low, high int8) verdict {
	if e.left--; e.left < 0 {
		return verdict{}
	}
	if e.left%stopEvery == 0 && e.stop != nil && e.stop() {
		e.left = -1
		return verdict{}
	}
	play := free.lowest()
	if play.none() {
		return verdict{}
	}
	mine, theirs := me.completing().and(free), other.completing().and(free)
	if !mine.and(play).none() {
		return endWon
	}
	above := free.not(play).lowest()
	under := above.and(theirs) // what play would open
	choice := play
	if must := theirs.and(play); !must.none() {
		if must.count() > 1 {
			return endLost
		}
		choice = must
	}
	size := free.count()
	if e.even(play) {
		if v, ok := e.follow(me, other, free, size); ok {
			return v
		}
	}
	live, theirLive := me.or(free).fours(), other.or(free).fours()
	if live.none() {
		high = min(high, 0)
	}
	if theirLive.none() {
		low = max(low, 0)
	}
	if low >= high {
		return verdict{class: low}
	}
	key := endKey(me.and(live), other.and(theirLive), free)
	entry, first := e.find(key), -1
	if entry != nil {
		switch v := (verdict{entry.class, entry.plies}); {
		case entry.bound == endExact, entry.bound == endLower && v.class >= high, entry.bound == endUpper && v.class <= low:
			return v
		}
		first = int(entry.move)
	}

	// The columns, those first that make most threats; last those under a four of
	// one's own, for the opponent takes it away then.
	wasted := mine.and(above)
	var order [maxSize]struct {
		rank int
		cell cells
		col  uint8
	}
	n := 0
	for c := range e.cols {
		bit := choice.column(c)
		if bit == 0 || under.column(c) != 0 {
			continue
		}
		cell := inColumn(c, bit)
		rank := 8 * me.or(cell).completing().and(free).count()
		if wasted.column(c) != 0 {
			rank -= 64
		}
		if c == first {
			rank = 1000
		}
		i := n
		for ; i > 0 && order[i-1].rank < rank; i-- {
			order[i] = order[i-1]
		}
		order[i].rank, order[i].cell, order[i].col = rank, cell, uint8(c)
		n++
	}
	if n == 0 {
		return endLost
	}
	best, move, start := verdict{class: -2}, uint8(0), low
	for _, m := range order[:n] {
		v := e.search(other, me.or(m.cell), free.not(m.cell), -high, -max(low, best.class))
		if e.left < 0 {
			return verdict{}
		}
		v.class, v.plies = -v.class, v.plies+1
		if v.class > best.class {
			best, move = v, m.col
		} else if v.class == best.class && v.class < 0 {
			best.plies = max(best.plies, v.plies)
		}
		if best.class >= high {
			break
		}
	}
	bound := endExact
	switch {
	case best.class == 1, best.class == -1 && start == -1:
	case best.class >= high:
		bound = endLower
	case best.class <= start:
		bound = endUpper
	}
	e.store(endEntry{key: key, age: e.age, class: best.class, bound: bound, plies: best.plies, size: uint8(size), move: move})
	return best
}

// follow returns the verdict if the side not to move always replies in the same
// column where it can; ok if that wins.
func (e *ending) follow(me, other, free cells, size int) (verdict, bool) {
	if me.or(free.and(e.odd)).fours().none() && !other.or(free.not(e.odd)).fours().none() {
		return verdict{-1, uint8(size)}, true
	}
	return verdict{}, false
}

// endKey hashes a position. Each word is scattered by itself: where one is added before
// another is scattered, a stone more in both cancels out.
func endKey(me, other, free cells) (key uint64) {
	offset := uint64(0)
	for _, word := range [...]uint64{me.a, me.b, me.c, other.a, other.b, other.c, free.a, free.b, free.c} {
		offset += 0x9e3779b97f4a7c15
		key ^= engines.Mix(word + offset)
	}
	return key
}

func (e *ending) find(key uint64) *endEntry {
	at := key & (endTable - 2)
	for i := range uint64(2) {
		if entry := &e.table[at+i]; entry.key == key && entry.age == e.age {
			return entry
		}
	}
	return nil
}

// store keeps the larger of two positions and the later.
func (e *ending) store(entry endEntry) {
	at := entry.key & (endTable - 2)
	if old := &e.table[at]; old.age != e.age || old.key == entry.key || old.size <= entry.size {
		*old = entry
		return
	}
	e.table[at+1] = entry
}
