package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// field is a position in the form of the player that sees threats. For every free cell it holds
// the threats that a stone of either side would make there. A stone changes these only on its
// four lines, a few cells to each side; the changes come from a table (see outlook). It is
// searched in place and serves one search at a time.
type field struct {
	rules   variant
	geo     *geometry
	outlook *outlook
	terms   fieldTerms
	lessons *[1 << 16]lesson // nil without learned weights
	solver  solver
	blind   bool // sums are not kept up, because searches for wins by threats need none

	// Budgets, in positions, of the searches for wins by threats: at a leaf and at the root.
	leafFours, rootThrees int64

	turn    engines.Side
	outcome engines.Outcome
	count   int
	area    int
	key     uint64
	stones  [2]grid
	lines   [maxLines]uint64 // stones, black's in the low half, from bit lineMargin; cells off the board have both
	makes   [maxCells]uint32 // threats of a free cell, 4 bits a direction, black's in the low half; 0 for other cells
	sets    [2][classes]grid // the free cells of each class, by side; the entry of quiet also has other cells
	counts  [2][classes]int16
	sum     [2]int32 // worths of all free cells, by side
	learned [2]worth // learned worths of all free cells, by side

	network *network // nil if its weight is 0
	totals  []valued // by number of stones on the trail, valid up to totaled
	totaled int

	trail     [maxSize * maxSize]playedStone
	trailSize int
	changes   [maxChanges]cellChange
	changed   int
	classed   [2 * maxChanges]classChange
	moved     int // length of classed in use
}

// maxChanges bounds the number of changed cells in a game: each stone changes
// its own cell and up to reachExact cells to both sides on each of its lines.
const maxChanges = maxSize * maxSize * (1 + 4*2*reachExact)

// playedStone is the state that undo restores besides the changes of cells.
type playedStone struct {
	cell    cell
	key     uint64
	outcome engines.Outcome
	sum     [2]int32
	learned [2]worth
	changed int
	moved   int
}

// classChange is a cell's change from one class to another.
type classChange struct {
	cell           int16
	side, was, now uint8
}

// lineMargin is the number of bits of a line before its first cell and after its last.
const lineMargin = reachExact

// deltas are the steps between neighbouring cells of each direction.
var deltas = [4]cell{stride, 1, stride + 1, stride - 1}

// newField returns a field without parameters. Call configure and load before the first use.
func newField(rules variant) *field {
	return &field{rules: rules, geo: geometryOf(rules.size), outlook: outlookOf(rules.exactFive), area: rules.size * rules.size}
}

// configure sets the parameters from a checked vector. Call load before the next use.
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

// load sets up a position. Earlier moves can no longer be undone.
func (f *field) load(s *state) {
	f.turn = s.turn
	f.outcome = s.outcome
	f.count = s.count
	f.stones = s.stones
	f.key = s.key
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
	f.sets = [2][classes]grid{}
	f.counts = [2][classes]int16{}
	f.sum = [2]int32{}
	f.learned = [2]worth{}
	for x, column := range f.rules.allCells() {
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

// lineBit returns the bit of a stone in a line of a field.
func lineBit(side engines.Side, pos uint8) uint64 { return 1 << (pos + lineMargin + 32*uint8(side)) }

// change records new threats of a cell.
func (f *field) change(c cell, now uint32) {
	// Fields are set one by one: a whole struct would
	// be built elsewhere and copied, which is slower.
	old := &f.changes[f.changed]
	old.cell = int32(c)
	old.makes = f.makes[c]
	old.now = now
	f.changed++
	f.makes[c] = now
}

// account updates classes and sums for the changes from index from on.
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

// classify moves a cell from one class to another and records it for undo.
func (f *field) classify(c cell, side engines.Side, was, now uint8) {
	f.classed[f.moved] = classChange{int16(c), uint8(side), was, now}
	f.moved++
	f.reclass(c, side, was, now)
}

// reclass moves a cell from one class to another.
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

// class returns the class of a free cell for a side.
func (f *field) class(c cell, side engines.Side) uint8 {
	return classOf[uint16(f.makes[c]>>(16*side))]
}

// refresh recomputes the threats of the free cells near c on line l, whose direction is d.
func (f *field) refresh(c cell, d int, l lineAt) {
	o := f.outlook
	line := f.lines[l.line]
	pos := int(l.pos) + lineMargin
	first := c - cell(pos)*deltas[d] // the cell of the line's bit 0
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
	f.key = last.key
	f.outcome = last.outcome
	f.sum = last.sum
	f.learned = last.learned
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

// Key returns the position's hash.
func (f *field) Key() uint64 { return f.key }

// Outcome returns the result, Ongoing before the end.
func (f *field) Outcome() engines.Outcome { return f.outcome }

// fours returns the number of cells on which a side makes a four, including fours that win
// nothing.
func (f *field) fours(side engines.Side) int16 {
	n := &f.counts[side]
	return n[four] + n[fourThree] + n[straightFour]
}

// first returns the first cell of a class. It panics if the class has no cell.
func (f *field) first(side engines.Side, class int) cell { return f.sets[side][class].first() }

// relearn updates the learned worths for the changes from index from on.
func (f *field) relearn(from int) {
	b, w := f.learned[black], f.learned[white]
	for _, old := range f.changes[from:f.changed] {
		was, now := old.makes, f.makes[old.cell]
		b.change(&f.lessons[uint16(was)], &f.lessons[uint16(now)])
		w.change(&f.lessons[was>>16], &f.lessons[now>>16])
	}
	f.learned = [2]worth{b, w}
}

// reweigh updates the sums of worths for the changes from index from on.
func (f *field) reweigh(from int) {
	b, w := f.sum[black], f.sum[white]
	for _, old := range f.changes[from:f.changed] {
		was, now := old.makes, f.makes[old.cell]
		b += f.terms.lines(now) - f.terms.lines(was)
		w += f.terms.lines(now>>16) - f.terms.lines(was>>16)
	}
	f.sum = [2]int32{b, w}
}

// set fills in the weights from a checked vector.
func (f *fieldTerms) set(v []float64) {
	f.learned = int32(v[pLearned])
	f.likely = int32(v[pLikely])
	f.network = int64(v[pNetwork])
	for i, p := range termParams {
		*p.of(f) = int32(v[pMakesOpen2+i])
	}
	f.worths = f.worth != [16]int32{}
}
