package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// field is a position as the player that sees threats searches it: for every free
// cell it keeps what a stone of either side would make there. A stone changes that
// only on its four lines, a few cells to each side, and a table says how. It is
// searched in place.
type field struct {
	rules   variant
	geo     *geometry
	outlook *outlook
	terms   fieldTerms
	lessons *[1 << 16]lesson // nil where nothing learned counts
	solver  solver
	blind   bool // sums are not kept: the searches for wins by threats ask for none

	// Positions of the searches for wins by threats: at a leaf and at the root.
	leafFours, rootThrees int64

	turn    engines.Side
	outcome engines.Outcome
	count   int
	area    int
	key     uint64
	stones  [2]grid
	lines   [maxLines]uint64 // the stones of a line, margin bits above; beyond its ends both. Black's in the low half
	makes   [maxCells]uint32 // of a free cell, four bits for each direction, black's in the low half; 0 for others
	sets    [2][classes]grid // the cells of a class; of quiet, the others
	counts  [2][classes]int16
	sum     [2]int32 // of what the free cells are worth, by side
	learned [2]worth // of what they are worth as learned, by side

	network *network // nil where it does not count
	totals  []valued // by stones of the trail, as far as totaled
	totaled int

	trail     [maxSize * maxSize]playedStone
	trailSize int
	changes   [maxChanges]change
	changed   int
	classed   [2 * maxChanges]classChange
	moved     int // of classed, how many count
}

// maxChanges bounds how many cells change in a game: each stone changes itself and so
// many on each of its lines.
const maxChanges = maxSize * maxSize * (1 + 4*2*reachExact)

// playedStone is what undo needs in addition to the changes of cells.
type playedStone struct {
	cell    cell
	key     uint64
	outcome engines.Outcome
	sum     [2]int32
	learned [2]worth
	changed int
	moved   int
}

// change is a cell as it was, and as it is now.
type change struct {
	cell       int32
	makes, now uint32
}

// classChange is a cell that came from one class to another.
type classChange struct {
	cell           int16
	side, was, now uint8
}

// lineMargin is how many bits of a line lie beyond its ends.
const lineMargin = reachExact

// deltas are the steps of directions between cells.
var deltas = [4]cell{stride, 1, stride + 1, stride - 1}

func newField(rules variant) *field {
	return &field{rules: rules, geo: geometryOf(rules.size), outlook: outlookOf(rules.exactFive), area: rules.size * rules.size}
}

// configure takes a checked vector. Call load before the next use.
func (f *field) configure(v []float64) {
	f.terms.set(v)
	f.lessons = nil
	if f.terms.learned != 0 || f.terms.likely != 0 {
		f.lessons = lessons()
	}
	f.network = nil
	if f.terms.network != 0 {
		f.network = networkWeights()
		if f.totals == nil {
			f.totals = make([]valued, maxSize*maxSize+1)
		}
	}
	f.leafFours, f.rootThrees = int64(v[pLeafFours]), int64(v[pRootThrees])
}

// load sets up a position and forgets how to undo.
func (f *field) load(s *state) {
	f.turn, f.outcome, f.count, f.stones, f.key = s.turn, s.outcome, s.count, s.stones, s.key
	f.trailSize, f.changed, f.moved = 0, 0, 0
	for line := range f.geo.lines {
		n := f.geo.empty[line].length()
		beyond := uint64(^((uint32(1)<<n - 1) << lineMargin))
		f.lines[line] = beyond | beyond<<32
	}
	for side := range f.stones {
		for x, column := range f.stones[side] {
			for ; column != 0; column &= column - 1 {
				for _, l := range f.geo.through[at(x, bits.TrailingZeros32(column))] {
					f.lines[l.line] |= lineBit(engines.Side(side), l.pos)
				}
			}
		}
	}
	clear(f.makes[:])
	f.sets, f.counts, f.sum, f.learned = [2][classes]grid{}, [2][classes]int16{}, [2]int32{}, [2]worth{}
	for x, column := range f.rules.board() {
		column &^= f.stones[black][x] | f.stones[white][x]
		for ; column != 0; column &= column - 1 {
			c, makes := at(x, bits.TrailingZeros32(column)), uint32(0)
			for d, l := range f.geo.through[c] {
				makes |= f.outlook.look(f.lines[l.line], int(l.pos)+lineMargin) << (4 * d)
			}
			f.change(c, makes)
		}
	}
	f.account(0)
	if f.network != nil {
		f.totaled, f.totals[0] = 0, valued{}
		follow(f.network, &f.totals[0].lanes, f.changes[:f.changed])
	}
	f.changed, f.moved = 0, 0
}

// lineBit is what a stone adds to a line of a field.
func lineBit(side engines.Side, pos uint8) uint64 { return 1 << (pos + lineMargin + 32*uint8(side)) }

// change notes that a stone on a cell makes something else.
func (f *field) change(c cell, now uint32) {
	// Field by field: a whole change would be put together elsewhere and copied, which
	// took a sixth of the time.
	old := &f.changes[f.changed]
	old.cell, old.makes, old.now = int32(c), f.makes[c], now
	f.changed++
	f.makes[c] = now
}

// account has classes and sums follow the changes from a place on.
func (f *field) account(from int) {
	for _, old := range f.changes[from:f.changed] {
		was, now := old.makes, f.makes[old.cell]
		if a, b := classOf[uint16(was)], classOf[uint16(now)]; a != b {
			f.classify(cell(old.cell), black, a, b)
		}
		if a, b := classOf[was>>16], classOf[now>>16]; a != b {
			f.classify(cell(old.cell), white, a, b)
		}
	}
	if f.blind {
		return
	}
	if f.terms.learned != 0 {
		f.relearn(from)
	}
	if f.terms.worths {
		f.reweigh(from)
	}
}

// classify moves a cell from one class to another.
func (f *field) classify(c cell, side engines.Side, was, now uint8) {
	f.classed[f.moved] = classChange{int16(c), uint8(side), was, now}
	f.moved++
	f.reclass(c, side, was, now)
}

// reclass is classify without a way back.
func (f *field) reclass(c cell, side engines.Side, was, now uint8) {
	f.sets[side][was].flip(c)
	f.counts[side][was]--
	f.sets[side][now].flip(c)
	f.counts[side][now]++
}

// Play puts a stone of the side to move.
func (f *field) Play(m engines.Move) {
	c, side := cellOf(m), f.turn
	f.trail[f.trailSize] = playedStone{c, f.key, f.outcome, f.sum, f.learned, f.changed, f.moved}
	f.trailSize++
	f.stones[side].flip(c)
	f.count++
	if f.class(c, side) == wins {
		f.outcome = engines.Win(side)
	} else if f.count == f.area && f.outcome == engines.Ongoing {
		f.outcome = engines.Draw
	}
	f.turn = side.Other()
	f.key ^= stoneKey(side, c) ^ turnKey(black) ^ turnKey(white)
	from := f.changed
	f.change(c, 0)
	for d, l := range f.geo.through[c] {
		f.lines[l.line] |= lineBit(side, l.pos)
		f.refresh(c, d, l)
	}
	f.account(from)
}

// class returns the class of a cell.
func (f *field) class(c cell, side engines.Side) uint8 {
	return classOf[uint16(f.makes[c]>>(16*side))]
}

// refresh looks at the free cells of a line near a cell again.
func (f *field) refresh(c cell, d int, l lineAt) {
	o, line, pos := f.outlook, f.lines[l.line], int(l.pos)+lineMargin
	first := c - cell(pos)*deltas[d] // of the line's bits
	shift := uint(4*d) & 31
	for free := o.free(line, pos); free != 0; free &= free - 1 {
		i := bits.TrailingZeros32(free)
		other := first + cell(i)*deltas[d]
		was := f.makes[other]
		if differs := (was>>shift ^ o.look(line, i)) & 0x000f000f; differs != 0 {
			f.change(other, was^differs<<shift)
		}
	}
}

// undo takes back the last Play.
func (f *field) undo() {
	f.trailSize--
	last := &f.trail[f.trailSize]
	f.turn = f.turn.Other()
	c := last.cell
	f.stones[f.turn].flip(c)
	f.count--
	f.key, f.outcome, f.sum, f.learned = last.key, last.outcome, last.sum, last.learned
	for _, l := range f.geo.through[c] {
		f.lines[l.line] &^= lineBit(f.turn, l.pos)
	}
	for _, was := range f.changes[last.changed:f.changed] {
		f.makes[was.cell] = was.makes
	}
	for _, was := range f.classed[last.moved:f.moved] {
		f.reclass(cell(was.cell), engines.Side(was.side), was.now, was.was)
	}
	f.changed, f.moved = last.changed, last.moved
	f.totaled = min(f.totaled, f.trailSize)
}

// Turn returns the side to move.
func (f *field) Turn() engines.Side { return f.turn }

// Key is the position's.
func (f *field) Key() uint64 { return f.key }

// Outcome tells whether the game has ended.
func (f *field) Outcome() engines.Outcome { return f.outcome }

// fours counts the cells where a side makes a four, one that stops nothing included.
func (f *field) fours(side engines.Side) int16 {
	n := &f.counts[side]
	return n[four] + n[fourThree] + n[straightFour]
}

// first returns the first cell of a class that is not empty.
func (f *field) first(side engines.Side, class int) cell { return f.sets[side][class].first() }

// Moves appends the candidates, by x, then y: a cell that wins, else the one that
// the opponent would win on, else one that makes an open four, else, against an
// opponent about to make one, what stops it or makes a four; else the free cells at
// most two from a stone. Whatever else is played loses by force, as far as threats
// say; see TestNothingWonIsLost.
func (f *field) Moves(buf []engines.Move) []engines.Move {
	me, foe := f.turn, f.turn.Other()
	switch {
	case f.outcome != engines.Ongoing:
		return buf
	case f.counts[me][wins] > 0:
		return append(buf, f.first(me, wins).move())
	case f.counts[foe][wins] > 0:
		return append(buf, f.first(foe, wins).move())
	case f.counts[me][straightFour] > 0:
		return append(buf, f.first(me, straightFour).move())
	}
	var g grid
	if f.counts[foe][straightFour] > 0 {
		g = f.parries()
	} else {
		g = near(&f.stones, f.rules.size, candidateDistance)
	}
	if f.rules.ring && f.turn == black && f.stones[black] == (grid{}) {
		g.intersect(f.rules.outerRings())
	}
	if g == (grid{}) {
		return append(buf, start(f.rules, f.turn, f.stones).move())
	}
	return g.appendMoves(buf)
}

const candidateDistance = 2

// parries returns the cells that may stop an open four of the opponent's: those on
// which it would make a four itself, since every other stone of its row is such a
// cell, and those on which the side to move makes one, which is answered first.
func (f *field) parries() (g grid) {
	for _, sets := range [2]*[classes]grid{&f.sets[black], &f.sets[white]} {
		for _, class := range [...]int{four, fourThree, straightFour} {
			for x := range f.rules.size {
				g[x] |= sets[class][x]
			}
		}
	}
	return g
}

// rank orders moves by how likely a player is to play them, as learned, or by what they
// would make for both sides, the own first.
func (f *field) rank(moves []engines.Move, ranks []int32) {
	if f.terms.likely != 0 {
		f.rankLikely(moves, ranks)
		return
	}
	me, foe := f.turn, f.turn.Other()
	own := &promising[me]
	for i, m := range moves {
		c := cellOf(m)
		makes, r := f.makes[c], int32(0)
		for range 4 {
			r += own[makes&15|makes>>12&0xf0]
			makes >>= 4
		}
		r += classRank[f.class(c, me)] + classRank[f.class(c, foe)]/2
		ranks[i] += r
	}
}

var classRank = [classes]int32{three: 1 << 15, threes: 1 << 17, four: 1 << 15, fourThree: 1 << 18, straightFour: 1 << 20, wins: 1 << 22}

// promising is the rank of what a cell makes on one line, by side to move.
var promising = func() (t [2][256]int32) {
	base := [16]int32{
		makesHalf1: 400, makesOpen1: 800, makesHalf2: 1200, makesBroken2: 2800, makesOpen2: 4000,
		makesHalf3: 4000, makesBroken3: 8000, makesOpen3: 9600, makesHalf4: 8000,
	}
	for p := range 256 {
		low, high := base[p&15], base[p>>4]
		t[black][p] = low + high/2
		t[white][p] = high + low/2
	}
	return t
}()
