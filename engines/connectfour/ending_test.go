package connectfour

import (
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

// TestEndingIsMinimax compares results of the ends of small
// boards with plain search, with and without a forbidden cell.
func TestEndingIsMinimax(t *testing.T) {
	if testing.Short() {
		t.Skip("short: solves many boards")
	}
	r := rand.New(rand.NewPCG(4, 4))
	var e ending
	seen := map[int8]int{}
	for range testmode.Times(100, 5) {
		rows, cols := 4+r.IntN(5), 4+r.IntN(5)
		p := boardOf(rows, cols, []int{r.IntN(rows), r.IntN(cols)})
		for left := 7 + r.IntN(7); int(p.left) > left && p.Outcome() == engines.Ongoing; {
			moves := p.Sensible(nil)
			p.Play(moves[r.IntN(len(moves))])
		}
		if p.Outcome() != engines.Ongoing {
			continue
		}
		e.forget()
		v, _, ok := e.solve(&p, 1<<30)
		want := int8(solve(&p).Points(p.Turn()) - 1)
		if !ok || v.class != want {
			t.Fatalf("%s: %+v, %v; best play gives %d", &p, v, ok, want)
		}
		if v.class != 0 && !ends(&p, p.Turn(), v.class, int(v.plies)) {
			t.Fatalf("%s: %+v, but not within as many plies", &p, v)
		}
		seen[v.class]++
	}
	for class := range int8(3) {
		if seen[class-1] < 10 {
			t.Errorf("verdicts %v: want at least 10 of %d", seen, class-1)
		}
	}
}

// TestEndingKeysTellPositionsApart has a win that was a draw under another position's key.
func TestEndingKeysTellPositionsApart(t *testing.T) {
	p := boardOf(5, 7, []int{0, 0})
	if err := p.SetText(".11..../122...2/221.212/1121121/2111x22 2"); err != nil {
		t.Fatal(err)
	}
	var e ending
	e.forget()
	if v, _, ok := e.solve(&p, 1<<30); !ok || v.class != 1 {
		t.Errorf("%s: %+v, %v; the side to move wins", &p, v, ok)
	}
}

// ends reports whether best play gives side a result within a number of plies.
func ends(p *position, side engines.Side, class int8, plies int) bool {
	want := engines.Win(side)
	if class < 0 {
		want = engines.Win(side.Other())
	}
	if p.Outcome() != engines.Ongoing || plies == 0 {
		return p.Outcome() == want
	}
	winner := engines.Win(p.Turn()) == want
	for _, m := range p.Moves(nil) {
		q := *p
		q.Play(m)
		if ends(&q, side, class, plies-1) == winner {
			return winner
		}
	}
	return !winner
}

// fours returns the cells that are part of four in a line, all in s.
func (c cells) fours() cells {
	return c.four(1).or(c.four(15)).or(c.four(16)).or(c.four(17))
}

// four returns the fours in one direction.
func (c cells) four(n uint) cells {
	pairs := c.and(c.down(n))
	first := pairs.and(pairs.down(2 * n))
	pairs = first.or(first.up(n))
	return pairs.or(pairs.up(2 * n))
}

// verdict is the result of a game with best play, for the side
// to move, and the number of plies within which it comes.
// The zero value is a draw.
type verdict struct {
	class int8 // 1 won, 0 drawn, -1 lost
	plies uint8
}

// ending solves the end of a game exactly: the reference for wins by fours.
// Three rules make this cheap where a game is decided by who runs out of harmless moves:
//
//   - Nobody plays under the opponent's four, or leaves one open. Other moves need no search.
//   - Stones that can be in no four any more are alike, so games that differ only in the order of idle moves meet in the
//     table.
//   - Where every column has an even number of cells left, the side not to move can always reply in the same column. It so
//     gets every second cell of each. If this gives it a four, and the other cells give the opponent none, the
//     game is decided without a search (follow-up, as in Allis 1988, of all columns together).
type ending struct {
	odd   cells // every second cell of each column, from the first to be filled
	cols  int
	table []endEntry
	age   uint16 // results of another age do not count; 0 is never used
	left  int64  // number of nodes that it may still search
}

// endEntry is the result of a position: class and kind of bound, and the move.
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

// forget drops all results.
func (e *ending) forget() {
	if e.age++; e.age == 0 {
		clear(e.table)
		e.age = 1
	}
}

// solve returns the result of a position before the end, and the number of nodes searched. ok
// is false if the search needs more than nodes.
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

// odd returns every second free cell, from the highest down.
// If the other side always replies in the same column,
// the side to move gets the lower cells of these pairs.
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

// even reports whether every column has an even number of cells left.
func (e *ending) even(play cells) bool { return play.not(e.odd).none() }

var (
	endWon  = verdict{1, 1}
	endLost = verdict{-1, 2}
)

// search returns the result for the side to move, me,
// if its class is in [low, high]; else a bound on it.
func (e *ending) search(me, other, free cells, low, high int8) verdict {
	if e.left--; e.left < 0 {
		return verdict{}
	}
	play := free.lowest()
	if play.none() {
		return verdict{}
	}
	ours, theirs := me.completing().and(free), other.completing().and(free)
	if !ours.and(play).none() {
		return endWon
	}
	above := free.not(play).lowest()
	under := above.and(theirs) // cells that play would open
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
	key := hash(me.and(live), other.and(theirLive), free)
	entry, first := e.find(key), -1
	if entry != nil {
		switch v := (verdict{entry.class, entry.plies}); {
		case entry.bound == endExact, entry.bound == endLower && v.class >= high, entry.bound == endUpper && v.class <= low:
			return v
		}
		first = int(entry.move)
	}

	// Columns that make most threats come first. Columns under an own four come last, because
	// the opponent then takes the four away.
	wasted := ours.and(above)
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

// follow returns the result if the side not to move always replies in the same column if it
// can. ok reports a win.
func (e *ending) follow(me, other, free cells, size int) (verdict, bool) {
	if me.or(free.and(e.odd)).fours().none() && !other.or(free.not(e.odd)).fours().none() {
		return verdict{-1, uint8(size)}, true
	}
	return verdict{}, false
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
