package connectfour

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

// TestWinsByFoursAreReal proves every win by fours on small
// boards, and its number of plies, by an exact search.
func TestWinsByFoursAreReal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var f forcing
	var e ending
	wins := map[int]int{} // by plies
	for range 3000 {
		rows, cols := 4+r.IntN(5), 4+r.IntN(5)
		p := boardOf(rows, cols, []int{r.IntN(rows), r.IntN(cols)})
		for left := 6 + r.IntN(16); int(p.left) > left && p.Outcome() == engines.Ongoing; {
			moves := p.Sensible(nil)
			p.Play(moves[r.IntN(len(moves))])
		}
		if p.Outcome() != engines.Ongoing {
			continue
		}
		f.Forget()
		plies, _ := f.wins(&p, int64(1+r.IntN(200)))
		if plies == 0 {
			continue
		}
		e.forget()
		if v, _, ok := e.solve(&p, 1<<30); !ok || v.class != 1 {
			t.Fatalf("%s: a win in %d plies, but %+v, %v by an exact search", &p, plies, v, ok)
		}
		if plies <= 7 && !ends(&p, p.Turn(), 1, plies) {
			t.Fatalf("%s: a win, but not in %d plies", &p, plies)
		}
		wins[plies]++
	}
	for _, plies := range []int{1, 3, 5, 7} {
		if wins[plies] < 10 {
			t.Errorf("wins by plies %v: want at least 10 in %d", wins, plies)
		}
	}
}

// TestFoursMatchSlowSearch compares wins by fours on
// large boards with the same search written plainly.
func TestFoursMatchSlowSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many boards")
	}
	r := rand.New(rand.NewPCG(6, 6))
	var f forcing
	wins := map[int]int{}
	for range testmode.Times(500, 2) {
		p := newPosition(9+r.IntN(4), 9+r.IntN(4), uint8(r.IntN(9)<<4|r.IntN(9)), rules{})
		for left := int(p.left) - 10 - r.IntN(60); int(p.left) > left && p.Outcome() == engines.Ongoing; {
			moves := p.Sensible(nil)
			p.Play(moves[r.IntN(len(moves))])
		}
		if p.Outcome() != engines.Ongoing {
			continue
		}
		f.Forget()
		plies, _ := f.wins(&p, 1<<20)
		want := slowOf(p.String()).fours()
		if (plies > 0) != (want > 0) || plies < want {
			t.Fatalf("%s: a win in %d plies by fours, plainly in %d", &p, plies, want)
		}
		wins[want]++
	}
	for _, plies := range []int{0, 1, 3, 5, 7, 9} {
		if wins[plies] < 2 {
			t.Errorf("wins by plies %v: want at least 2 in %d", wins, plies)
		}
	}
}

// fours returns the number of plies in which the side to move wins by continuous fours, or 0.
func (s *slow) fours() int {
	me := s.turn
	if len(s.completes(me)) > 0 {
		return 1
	}
	among, best := s.moves(), 0
	if must := s.completes(me ^ 1); len(must) > 0 {
		among = must
	}
	for _, c := range among {
		q := slowOf(s.text())
		q.play(c)
		threats := q.completes(me)
		if len(threats) == 0 || len(q.completes(me^1)) > 0 {
			continue
		}
		n := 3
		if len(threats) == 1 {
			q.play(threats[0])
			if n = q.fours(); n > 0 {
				n += 2
			}
		}
		if n > 0 && (best == 0 || n < best) {
			best = n
		}
	}
	return best
}

// TestTreeProvesFours has a win in 15 plies by fours from a recorded game. The tree proves it
// with a number of playouts that do not show the win without fours.
func TestTreeProvesFours(t *testing.T) {
	g := lostGames(t)[4]
	p := boardOf(g.Rows, g.Cols, g.Forbidden)
	for _, text := range strings.Fields(g.Moves)[:9] {
		m, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(engines.Move(m))
	}
	for change, proven := range map[string]bool{"fours=off": false, "fours=on": true} {
		d := choose(t, chooser(t, "", p.String(), 1, "master", change), engines.Limits{Playouts: 500})
		if (d.Mate > 0) != proven {
			t.Errorf("%s: %+v; want a win proven: %v", change, d, proven)
		}
	}
}
