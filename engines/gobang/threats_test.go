package gobang

import (
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
)

// claims are what a solver says of a position: in how many plies the side to move
// wins, 0 if it does not know.
type claims func(*field) int

// holds checks a claim by the rules alone: there is a move after which, whatever
// the other side answers, on any free cell, the claim that is left is shorter by two
// plies at least.
func holds(f *field, says claims, plies int) bool {
	me := f.turn
	all := f.rules.board()
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

// answered reports whether after every answer a win within so many plies is claimed
// and holds.
func answered(f *field, says claims, plies int) bool {
	all := f.rules.board()
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

// tactical makes positions with threats: stones near each other, on a small board,
// nobody having won.
func tactical(r *rand.Rand, rules variant) State {
	for {
		s, b := newState(rules), newBoard(rules)
		b.load(&s)
		for range 6 + r.IntN(16) {
			m := randomMove(r, b, &s)
			if next := s; true {
				if next.Play(m); next.outcome != engines.Ongoing {
					continue
				}
			}
			s.Play(m)
			b.Play(m)
		}
		return s
	}
}

func TestFoursAreReal(t *testing.T) {
	games := 200
	if testing.Short() {
		games = 50
	}
	r := rand.New(rand.NewPCG(22, 1))
	found := map[int]int{}
	for range games {
		s := tactical(r, variant{size: 6 + r.IntN(4), exactFive: r.IntN(3) == 0})
		f := newField(s.rules)
		f.configure(preset(t, "master"))
		f.load(&s)
		f.solver.forget()
		says := func(f *field) int { return f.byFours(1000) }
		n := says(f)
		found[n]++
		if n > 0 && !holds(f, says, n) {
			t.Fatalf("claims a win in %d plies\n%s", n, s.Board(0).Text())
		}
	}
	t.Log(found)
}
