package gobang

import (
	"math/bits"

	"selfplaylab/engines"
)

// board is a position in the form of the search by lines. Each stone put or taken back updates
// the facts of its four lines; nothing is counted anew. It is searched in place and serves one
// search at a time.
type board struct {
	rules   variant
	geo     *geometry
	pool    *pool
	weights weights

	distance  int          // of candidates from a stone, in cells
	terminal  bool         // whether a five ends the game in the tree
	extend    bool         // whether completing or stopping a four uses no depth
	me        engines.Side // the side that searches: the score is its own, and defence weighs the other side's
	turn      engines.Side
	count     int
	area      int
	key       uint64
	stones    [2]grid
	content   [maxLines]line
	info      [maxLines]uint32 // ids in pool
	facts     [2]uint64        // sums of lineInfo.facts, by side
	sum       [2]int64         // side scores of the evaluators that add up lines
	trail     [maxCells]boardStep
	trailSize int
}

// boardStep is the state that undo restores.
type boardStep struct {
	cell  cell
	key   uint64
	info  [4]uint32
	facts [2]uint64
	sum   [2]int64
}

// newBoard returns a board with the default parameters. Call load before the first use.
func newBoard(rules variant) *board {
	b := &board{rules: rules, geo: geometryOf(rules.size), pool: newPool(rules.exactFive), area: rules.size * rules.size}
	b.configure(space.Default())
	return b
}

// configure sets the parameters from a checked vector. Call load before the next use.
func (b *board) configure(v []float64) {
	b.weights.set(v)
	b.distance = int(v[pDistance])
	b.terminal = v[pTerminal] == 0
	b.extend = b.terminal && v[pExtend] != 0
	if want := b.weights.evaluator == byPattern; want != b.pool.withPatterns {
		b.pool.withPatterns = want
		b.pool.reset()
	}
}

// load sets up a position. Earlier moves can no longer be undone.
func (b *board) load(s *state) {
	if b.pool.full() {
		b.pool.reset()
	}
	b.turn = s.turn
	b.count = s.count
	b.stones = s.stones
	b.key = s.key
	b.content, b.trailSize = b.geo.empty, 0
	for side := range b.stones {
		for x, column := range b.stones[side] {
			for ; column != 0; column &= column - 1 {
				for _, l := range b.geo.through[at(x, bits.TrailingZeros32(column))] {
					b.content[l.line] ^= stoneBit(engines.Side(side), l.pos)
				}
			}
		}
	}
	b.facts, b.sum = [2]uint64{}, [2]int64{}
	for line := range b.geo.lines {
		b.info[line] = b.pool.find(b.content[line])
		info := &b.pool.infos[b.info[line]]
		for side := range b.facts {
			b.facts[side] += info.facts[side]
			b.sum[side] += b.lineScore(info, side)
		}
	}
}

// lineScore returns the share of a line in a side score, for the evaluators that add up lines.
func (b *board) lineScore(info *lineInfo, side int) int64 {
	switch b.weights.evaluator {
	case bySum:
		return b.weights.line[present(info.facts[side])]
	case byPattern:
		return b.weights.line[info.kind[side]]
	}
	return 0
}

// Play puts a stone of the side to move.
func (b *board) Play(m engines.Move) {
	c, side := cellOf(m), b.turn
	st := &b.trail[b.trailSize]
	b.trailSize++
	st.cell = c
	st.key = b.key
	st.facts = b.facts
	st.sum = b.sum
	b.stones[side].flip(c)
	b.count++
	b.turn = side.Other()
	b.key ^= stoneKey(side, c) ^ turnKey(black) ^ turnKey(white)
	for i, l := range b.geo.through[c] {
		id := b.info[l.line]
		st.info[i] = id
		b.content[l.line] ^= stoneBit(side, l.pos)
		next := b.pool.next(id, int(l.pos)+maxSize*int(side), b.content[l.line])
		b.info[l.line] = next
		before, after := &b.pool.infos[id], &b.pool.infos[next]
		b.facts[0] += after.facts[0] - before.facts[0]
		b.facts[1] += after.facts[1] - before.facts[1]
		if b.weights.evaluator != byLargest {
			b.sum[0] += b.lineScore(after, 0) - b.lineScore(before, 0)
			b.sum[1] += b.lineScore(after, 1) - b.lineScore(before, 1)
		}
	}
}

// undo takes back the last Play.
func (b *board) undo() {
	b.trailSize--
	st := &b.trail[b.trailSize]
	b.turn = b.turn.Other()
	side, c := b.turn, st.cell
	b.stones[side].flip(c)
	b.count--
	b.key, b.facts, b.sum = st.key, st.facts, st.sum
	for i, l := range b.geo.through[c] {
		b.content[l.line] ^= stoneBit(side, l.pos)
		b.info[l.line] = st.info[i]
	}
}

// Turn returns the side to move.
func (b *board) Turn() engines.Side { return b.turn }

// Key returns a hash of the position and of the side that searches.
func (b *board) Key() uint64 { return b.key ^ uint64(b.me)*0x9e3779b97f4a7c15 }

// has reports whether any line holds a fact for side.
func (b *board) has(side engines.Side, fact int) bool { return b.facts[side]>>(8*fact)&0xff != 0 }

// Outcome returns the result, Ongoing before the end. Without terminal a five does not end the
// game, as in the source. (The source loops forever on a full board; here it is a draw.)
func (b *board) Outcome() engines.Outcome {
	if b.terminal {
		// The side that moved last has won first.
		if last := b.turn.Other(); b.has(last, won) {
			return engines.Win(last)
		}
		if b.has(b.turn, won) {
			return engines.Win(b.turn)
		}
	}
	if b.count == b.area {
		return engines.Draw
	}
	return engines.Ongoing
}

// present returns the set of shapes with a count above 0 in a sum of facts.
func present(facts uint64) uint64 {
	const low = 0x7f7f7f7f7f7f
	facts &= 1<<(8*shapes) - 1
	high := (facts&low + low | facts) &^ low & 0x808080808080
	return high >> 7 * 0x0102040810204080 >> 56 & (1<<shapes - 1)
}

// sideScore returns the side score: the sum of a side's shapes, or its largest, by the evaluator.
func (b *board) sideScore(side engines.Side) int64 {
	if b.weights.evaluator == byLargest {
		return b.weights.single[b.weights.largest[present(b.facts[side])]]
	}
	return b.sum[side]
}

// Eval returns the board score of the side that searches, negated when the other side is to move.
func (b *board) Eval() int32 {
	me, w := b.me, &b.weights
	var v int32
	if w.evaluator == byLargest {
		own := w.largest[present(b.facts[me])]
		foe := w.largest[present(b.facts[me.Other()])]
		moves := 1 ^ me ^ b.turn
		v = w.score[moves][own][foe]
	} else {
		v = w.boardScore(b.sum[me], b.sum[me.Other()], b.turn == me)
	}
	if b.turn != me {
		return -v
	}
	return v
}

// Moves appends the candidates, by x, then y. If a five ends the game, they are a winning cell
// if there is one, else the cells that stop an opponent about to win. Otherwise they are the
// free cells near a stone.
func (b *board) Moves(buf []engines.Move) []engines.Move {
	if b.count == b.area {
		return buf
	}
	var g grid
	switch foe := b.turn.Other(); {
	case b.terminal && b.has(b.turn, threat):
		g = b.winning(b.turn)
		return append(buf, g.first().move())
	case b.terminal && b.has(foe, threat):
		g = b.winning(foe)
	default:
		g = b.near()
	}
	if b.rules.ring && b.turn == black && b.stones[black] == (grid{}) {
		g.intersect(b.rules.outerRings())
	}
	if g == (grid{}) {
		return append(buf, b.start().move())
	}
	return g.appendMoves(buf)
}

// winning returns the cells where side completes a winning row.
func (b *board) winning(side engines.Side) (g grid) {
	for line := range b.geo.lines {
		for cells := b.pool.infos[b.info[line]].makes[side]; cells != 0; cells &= cells - 1 {
			c := b.geo.cells[line][bits.TrailingZeros32(cells)]
			g[c/stride] |= 1 << (c % stride)
		}
	}
	return g
}

// near returns the free cells within b.distance of a stone.
func (b *board) near() grid { return cellsNear(&b.stones, b.rules.size, b.distance) }

// cellsNear returns the free cells within a distance of 1 or 2 of a stone, also diagonally.
// n is the board's size.
func cellsNear(stones *[2]grid, n, distance int) (g grid) {
	full := uint32(1)<<n - 1
	var wide grid // stones and their neighbours in the column
	for x := range n {
		s := stones[black][x] | stones[white][x]
		w := s | s<<1 | s>>1
		if distance > 1 {
			w |= s<<2 | s>>2
		}
		wide[x] = w
	}
	for x := range n {
		w := wide[x]
		for d := 1; d <= distance; d++ {
			if x >= d {
				w |= wide[x-d]
			}
			if x+d < n {
				w |= wide[x+d]
			}
		}
		g[x] = w & full &^ (stones[black][x] | stones[white][x])
	}
	return g
}

// start returns the cell to play if no candidate is legal, as on an empty board. It is the
// centre, or under opening_ring the ring's cell next to it, or the first legal cell.
func (b *board) start() cell { return startCell(b.rules, b.turn, b.stones) }

// startCell returns the centre if it is legal, else
// the cell (1, middle), else the first legal cell.
func startCell(rules variant, turn engines.Side, stones [2]grid) cell {
	s := state{rules: rules, turn: turn, stones: stones}
	g, middle := s.allowed(), rules.size/2
	for _, c := range []cell{at(middle, middle), at(1, middle)} {
		if g.has(c) {
			return c
		}
	}
	return g.first()
}

// forced reports that a side can complete a row, so that the side to move wins or must stop it.
// It is always false without the parameter extend.
func (b *board) forced() bool {
	return b.extend && (b.facts[black]|b.facts[white])>>(8*threat) != 0
}

// rank adds to ranks the worth of each move's promises on its four lines, for both sides.
func (b *board) rank(moves []engines.Move, ranks []int32) {
	worth := &promiseWorth[b.turn]
	for i, m := range moves {
		var r int32
		for _, l := range b.geo.through[cellOf(m)] {
			info := &b.pool.infos[b.info[l.line]]
			if !info.promised {
				info.promises()
			}
			r += worth[info.promise[l.pos]]
		}
		ranks[i] += r
	}
}

// promiseWorth is the rank of a promise (see lineInfo), by side to move.
// The mover's half counts four times the other's.
// An open three is worth a killer move; a four is worth
// more; lesser promises are worth less than history.
var promiseWorth = func() (worth [2][256]int32) {
	base := [16]int32{
		0, 4, 16, 64, // no stone yet, in 1, 2 or more windows
		128, 256, 1 << 10, // one stone
		1 << 12, 1 << 14, 1 << 16, // two
		1 << 17, 1 << 22, 1 << 22, // three
		1 << 26, 1 << 26, 1 << 26, // four
	}
	for p := range 256 {
		low, high := base[p&15], base[p>>4]
		worth[black][p] = low + high/4
		worth[white][p] = high + low/4
	}
	return worth
}()
