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

	// Positions of the searches for wins by threats: at a leaf and at the root.
	leafFours, rootThrees int64

	turn    engines.Side
	outcome engines.Outcome
	count   int
	area    int
	key     uint64
	stones  [2]grid
	lines   [maxLines][2]uint32 // the stones of a line, margin bits above; beyond its ends both
	makes   [maxCells]uint32    // of a free cell, a byte for each direction as in outlook; 0 for others
	class   [maxCells][2]uint8
	sets    [2][classes]grid // the cells of a class, but quiet
	counts  [2][classes]int16
	sum     [2]int32 // of what the free cells are worth, by side
	learned [2]worth // of what they are worth as learned, by side

	trail     [MaxSize * MaxSize]playedStone
	trailSize int
	changes   [MaxSize * MaxSize * 4 * 2 * reachExact]change
	changed   int
}

// playedStone is what undo needs beside the changes of cells.
type playedStone struct {
	cell    cell
	key     uint64
	outcome engines.Outcome
	sum     [2]int32
	learned [2]worth
	changed int
}

// change is a cell as it was.
type change struct {
	cell  cell
	makes uint32
	class [2]uint8
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
	f.leafFours, f.rootThrees = int64(v[pLeafFours]), int64(v[pRootThrees])
}

// load sets up a position and forgets how to undo.
func (f *field) load(s *State) {
	f.turn, f.outcome, f.count, f.stones, f.key = s.turn, s.outcome, s.count, s.stones, s.key
	f.trailSize, f.changed = 0, 0
	for line := range f.geo.lines {
		n := f.geo.empty[line].length()
		beyond := ^((uint32(1)<<n - 1) << lineMargin)
		f.lines[line] = [2]uint32{beyond, beyond}
	}
	for side := range f.stones {
		for x, column := range f.stones[side] {
			for ; column != 0; column &= column - 1 {
				for _, l := range f.geo.through[at(x, bits.TrailingZeros32(column))] {
					f.lines[l.line][side] |= 1 << (l.pos + lineMargin)
				}
			}
		}
	}
	clear(f.makes[:])
	clear(f.class[:])
	f.sets, f.counts, f.sum, f.learned = [2][classes]grid{}, [2][classes]int16{}, [2]int32{}, [2]worth{}
	for x, column := range f.rules.board() {
		column &^= f.stones[black][x] | f.stones[white][x]
		for ; column != 0; column &= column - 1 {
			c := at(x, bits.TrailingZeros32(column))
			for d, l := range f.geo.through[c] {
				f.set(c, d, f.look(int(l.line), int(l.pos)))
			}
		}
	}
}

// look returns what a stone on a cell of a line makes there.
func (f *field) look(line, pos int) uint8 {
	o := f.outlook
	low, high, mask := pos+lineMargin-o.reach, pos+lineMargin+1, uint32(1)<<o.reach-1
	b, w := f.lines[line][black], f.lines[line][white]
	b = b>>low&mask | b>>high&mask<<o.reach
	w = w>>low&mask | w>>high&mask<<o.reach
	return o.makes[b|w<<(2*o.reach)]
}

// set notes what a stone on a free cell makes in one direction.
func (f *field) set(c cell, d int, makes uint8) {
	before := f.makes[c]
	was := uint8(before >> (8 * d))
	f.makes[c] ^= uint32(was^makes) << (8 * d)
	if f.terms.learned != 0 {
		f.relearn(before, f.makes[c])
	}
	f.sum[black] += f.terms.worth[makes&15] - f.terms.worth[was&15]
	f.sum[white] += f.terms.worth[makes>>4] - f.terms.worth[was>>4]
	if was&15 >= makesBroken3 || makes&15 >= makesBroken3 {
		f.classify(c, black, classOf[nibbles(f.makes[c])])
	}
	if was>>4 >= makesBroken3 || makes>>4 >= makesBroken3 {
		f.classify(c, white, classOf[nibbles(f.makes[c]>>4)])
	}
}

// nibbles joins the low four bits of each byte.
func nibbles(x uint32) uint16 {
	x &= 0x0f0f0f0f
	x = (x | x>>4) & 0x00ff00ff
	return uint16(x | x>>8)
}

// classify puts a cell into a class.
func (f *field) classify(c cell, side engines.Side, class uint8) {
	was := f.class[c][side]
	if was == class {
		return
	}
	f.class[c][side] = class
	if was != quiet {
		f.sets[side][was].flip(c)
		f.counts[side][was]--
	}
	if class != quiet {
		f.sets[side][class].flip(c)
		f.counts[side][class]++
	}
}

// Play puts a stone of the side to move.
func (f *field) Play(m engines.Move) {
	c, side := cellOf(m), f.turn
	f.trail[f.trailSize] = playedStone{c, f.key, f.outcome, f.sum, f.learned, f.changed}
	f.trailSize++
	f.stones[side].flip(c)
	f.count++
	if f.class[c][side] == wins {
		f.outcome = engines.Win(side)
	} else if f.count == f.area && f.outcome == engines.Ongoing {
		f.outcome = engines.Draw
	}
	f.turn = side.Other()
	f.key ^= stoneKey(side, c) ^ turnKey(black) ^ turnKey(white)
	f.leave(c)
	for d, l := range f.geo.through[c] {
		f.lines[l.line][side] |= 1 << (l.pos + lineMargin)
		f.refresh(c, d, int(l.line), int(l.pos))
	}
}

// leave takes a cell that is no longer free out of all counts.
func (f *field) leave(c cell) {
	f.remember(c)
	makes := f.makes[c]
	if f.terms.learned != 0 {
		f.relearn(makes, 0)
	}
	for range 4 {
		f.sum[black] -= f.terms.worth[makes&15]
		f.sum[white] -= f.terms.worth[makes>>4&15]
		makes >>= 8
	}
	f.makes[c] = 0
	f.classify(c, black, quiet)
	f.classify(c, white, quiet)
}

func (f *field) remember(c cell) {
	f.changes[f.changed] = change{c, f.makes[c], f.class[c]}
	f.changed++
}

// refresh looks at the free cells of a line near a cell again.
func (f *field) refresh(c cell, d, line, pos int) {
	reach := f.outlook.reach
	taken := f.lines[line][black] | f.lines[line][white]
	first := pos + lineMargin - reach
	for free := ^taken >> first & (1<<(2*reach+1) - 1); free != 0; free &= free - 1 {
		j := bits.TrailingZeros32(free) - reach
		other := c + cell(j)*deltas[d]
		if makes := f.look(line, pos+j); makes != uint8(f.makes[other]>>(8*d)) {
			f.remember(other)
			f.set(other, d, makes)
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
		f.lines[l.line][f.turn] &^= 1 << (l.pos + lineMargin)
	}
	for f.changed > last.changed {
		f.changed--
		was := &f.changes[f.changed]
		f.makes[was.cell] = was.makes
		f.classify(was.cell, black, was.class[black])
		f.classify(was.cell, white, was.class[white])
	}
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
			r += own[makes&255]
			makes >>= 8
		}
		r += classRank[f.class[c][me]] + classRank[f.class[c][foe]]/2
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
