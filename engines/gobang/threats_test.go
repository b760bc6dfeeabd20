package gobang

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/engines"
)

// claims returns the number of plies in which a solver
// says that the side to move wins, 0 without a claim.
type claims func(*field) int

// holds checks a claim by the rules alone: after some move, and every answer
// on any free cell, the remaining claim is shorter by at least two plies.
func holds(f *field, says claims, plies int) bool {
	me := f.turn
	all := f.rules.allCells()
	for _, m := range all.appendMoves(nil) {
		if f.stones[black].has(cellOf(m)) || f.stones[white].has(cellOf(m)) {
			continue
		}
		f.Play(m)
		ok := f.outcome == engines.Win(me)
		if !ok && plies > 1 && f.outcome == engines.Ongoing {
			ok = answered(f, says, plies-2)
		}
		f.undo()
		if ok {
			return true
		}
	}
	return false
}

// answered reports whether, after every answer, a win within plies is claimed and holds.
func answered(f *field, says claims, plies int) bool {
	all := f.rules.allCells()
	for _, m := range all.appendMoves(nil) {
		if f.stones[black].has(cellOf(m)) || f.stones[white].has(cellOf(m)) {
			continue
		}
		f.Play(m)
		n := 0
		if f.outcome == engines.Ongoing {
			n = says(f)
		}
		ok := n > 0 && n <= plies && holds(f, says, n)
		f.undo()
		if !ok {
			return false
		}
	}
	return true
}

// tactical returns a position with threats: stones near each other on a small board, without a win.
func tactical(r *rand.Rand, rules variant) state {
	s, b := newState(rules), newBoard(rules)
	b.load(&s)
	for range 6 + r.IntN(16) {
		m := randomMove(r, b, &s)
		next := s
		if next.Play(m); next.outcome == engines.Ongoing {
			s = next
			b.Play(m)
		}
	}
	return s
}

// fieldOf returns a field of a position, ready to search.
func fieldOf(t testing.TB, s *state) *field {
	f := newField(s.rules)
	f.configure(preset(t, "master"))
	f.load(s)
	f.ready(s)
	return f
}

// threatened yields positions with threats, in short tests a
// third of the number, on boards of size or the sizes after it.
func threatened(t *testing.T, seed uint64, positions, size, sizes int) iter.Seq2[state, *field] {
	if testing.Short() {
		positions /= 3
	}
	r := rand.New(rand.NewPCG(seed, 1))
	return func(yield func(state, *field) bool) {
		for range positions {
			s := tactical(r, variant{size: size + r.IntN(sizes), exactFive: r.IntN(3) == 0})
			if !yield(s, fieldOf(t, &s)) {
				return
			}
		}
	}
}

// TestWinsByFoursAreReal proves every win by fours and its length against all answers.
func TestWinsByFoursAreReal(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many boards")
	}
	long := 0
	for s, f := range threatened(t, 22, 200, 6, 3) {
		says := func(f *field) int { return f.byFours(1000) }
		n := says(f)
		if n > 3 {
			long++
		}
		if n > 0 && !holds(f, says, n) {
			t.Fatalf("claims a win in %d plies\n%s", n, s.Board(0).Text())
		}
	}
	if long == 0 {
		t.Error("no win of more than three plies among the positions")
	}
}

// TestSearchForFoursForgets expects that results of earlier positions
// change neither the result of a search nor its number of positions.
func TestSearchForFoursForgets(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many boards")
	}
	r := rand.New(rand.NewPCG(34, 1))
	rules := variant{size: 9}
	used := newField(rules)
	var plies, visited int64
	for range 300 {
		s := tactical(r, rules)
		for _, budget := range []int64{3, 200} {
			fresh := fieldOf(t, &s)
			want := fresh.byFours(budget)
			used.load(&s)
			used.ready(&s)
			if got := used.byFours(budget); got != want || used.solver.visited != fresh.solver.visited {
				t.Fatalf("%d plies, %d positions; afresh %d plies, %d positions", got, used.solver.visited, want, fresh.solver.visited)
			}
			plies += int64(want)
			visited += fresh.solver.visited - 1
		}
	}
	if plies == 0 || visited == 0 {
		t.Error("no position had fours to follow")
	}
}

// wonByThrees proves a win by the rules: it plays the solver's moves against every answer on
// any free cell until there is a winning row.
func wonByThrees(f *field) bool {
	me := f.turn
	n, c := f.byThrees(3000)
	if n == 0 {
		return false
	}
	f.Play(c.move())
	defer f.undo()
	if f.outcome != engines.Ongoing || n == 1 {
		return f.outcome == engines.Win(me)
	}
	s := state{rules: f.rules, turn: f.turn, stones: f.stones}
	for _, m := range s.Moves(nil) {
		f.Play(m)
		ok := f.outcome == engines.Ongoing && wonByThrees(f)
		f.undo()
		if !ok {
			return false
		}
	}
	return true
}

func TestWinsByThreesAreReal(t *testing.T) {
	beyondFours := 0
	for s, f := range threatened(t, 23, 150, 7, 2) {
		n, _ := f.byThrees(3000)
		if n == 0 {
			continue
		}
		if f.byFours(3000) == 0 {
			beyondFours++
		}
		if n <= 9 && !wonByThrees(f) {
			t.Fatalf("claims a win within %d plies\n%s", n, s.Board(0).Text())
		}
	}
	if beyondFours == 0 {
		t.Error("fours alone won everything")
	}
}

// winsWithin reports whether the side to move wins within 1 or 3
// plies against every answer, by trying all moves of the rules.
func winsWithin(s state, plies int) bool {
	for _, m := range s.Moves(nil) {
		next := s
		if next.Play(m); next.outcome == engines.Win(s.turn) {
			return true
		}
	}
	if plies == 1 {
		return false
	}
	for _, m := range s.Moves(nil) {
		next := s
		if next.Play(m); next.outcome == engines.Ongoing && losesWithin(next, plies-1) {
			return true
		}
	}
	return false
}

// losesWithin reports whether every move of the side to move loses.
func losesWithin(s state, plies int) bool {
	for _, m := range s.Moves(nil) {
		next := s
		if next.Play(m); next.outcome != engines.Ongoing || !winsWithin(next, plies-1) {
			return false
		}
	}
	return true
}

// TestNothingWonIsLost: every move that a field leaves out against a threat loses to the
// threat.
func TestNothingWonIsLost(t *testing.T) {
	left := map[int]int{}
	for s, f := range threatened(t, 24, 150, 6, 2) {
		foe := s.turn.Other()
		plies := 0
		switch {
		case f.counts[s.turn][wins] > 0:
			continue
		case f.counts[foe][wins] > 0:
			plies = 1
		case f.counts[s.turn][straightFour] > 0:
			continue
		case f.counts[foe][straightFour] > 0:
			plies = 3
		default:
			continue
		}
		kept := f.Moves(nil)
		for _, m := range s.Moves(nil) {
			if slices.Contains(kept, m) {
				continue
			}
			next := s
			if next.Play(m); next.outcome != engines.Ongoing || !winsWithin(next, plies) {
				t.Fatalf("%s is no candidate and does not lose in %d plies\n%s", s.MoveString(m), plies+1, s.Board(0).Text())
			}
			left[plies]++
		}
	}
	if left[1] == 0 || left[3] == 0 {
		t.Errorf("excluded moves against fours and threes: %v", left)
	}
}

// TestClassesMatchBoard compares the threats of a stone with those found on the board after it
// is played.
func TestClassesMatchBoard(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many positions")
	}
	seen := map[uint8]int{}
	for s, f := range threatened(t, 25, 300, 6, 5) {
		me := s.turn
		if f.counts[me][wins] > 0 {
			continue
		}
		for _, m := range s.Moves(nil) {
			class := f.class(cellOf(m), me)
			next := s
			next.Play(m)
			threats := len(slowWinning(mirror(&next), colourOf(me)))
			want := map[bool]int{class == four || class == fourThree: 1, class == straightFour: 2}[true]
			if min(threats, 2) != want {
				t.Fatalf("%s is of class %d and threatens %d fives\n%s", s.MoveString(m), class, threats, s.Board(0).Text())
			}
			if class == three || class == threes || class == fourThree {
				f.Play(m)
				if n := f.counts[me][straightFour]; n == 0 && class != fourThree {
					t.Fatalf("%s is of class %d and threatens no open four\n%s", s.MoveString(m), class, s.Board(0).Text())
				}
				f.undo()
			}
			seen[class]++
		}
	}
	for class := quiet; class < wins; class++ {
		if seen[uint8(class)] == 0 {
			t.Errorf("no cell of class %d", class)
		}
	}
}

// TestMasterWinsWhereItSaysSo continues after the player announces a win, against itself with a
// larger budget and against random moves: it wins within the announced number of plies.
func TestMasterWinsWhereItSaysSo(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	game, proven := open(t, "size=9"), 0
	p := configured(t, game, preset(t, "master"))
	for range 40 {
		s := tactical(r, variant{size: 9})
		if err := p.Reset(s.String(), 0); err != nil {
			t.Fatal(err)
		}
		var history []engines.Move
		side, left := s.turn, 0
		for s.outcome == engines.Ongoing {
			var m engines.Move
			if s.turn == side {
				d, err := p.Choose(context.Background(), history, engines.Limits{Nodes: 3000})
				if err != nil {
					t.Fatal(err)
				}
				if m = d.Move; left == 0 && d.Mate <= 0 {
					break
				}
				if left == 0 {
					proven++
					left = d.Mate
				}
			} else if list := s.Moves(nil); r.IntN(2) == 0 {
				m = list[r.IntN(len(list))]
			} else {
				f := fieldOf(t, &s)
				list = f.Moves(nil)
				m = list[r.IntN(len(list))]
			}
			history = append(history, m)
			s.Play(m)
		}
		if left > 0 && s.outcome != engines.Win(side) {
			t.Fatalf("a win in %d plies was not won\n%s", left, s.Board(0).Text())
		}
	}
	if proven == 0 {
		t.Error("no win proven")
	}
}
