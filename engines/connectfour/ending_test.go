package connectfour

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
	"selfplaylab/engines/testmode"
)

// TestEndingIsMinimax compares verdicts on the ends of small boards with plain
// search, with and without a forbidden cell.
func TestEndingIsMinimax(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var e ending
	seen := map[int8]int{}
	for range testmode.Times(100, 10) {
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

// TestEndingKeysDiffer: this win was a draw under another position's key.
func TestEndingKeysDiffer(t *testing.T) {
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

// ends reports whether best play gives side a result within so many plies.
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

// TestEndingSeesLostGames: with the nodes that a tenth of a second buys, zugzwang is
// proven earlier than the players did that lost by it.
func TestEndingSeesLostGames(t *testing.T) {
	var e ending
	for i, earlier := range map[int]int{1: 8, 2: 14} { // game, plies
		g := lostGames(t)[i]
		p := boardOf(g.Rows, g.Cols, g.Forbidden)
		seen, proven := -1, -1
		for n, text := range strings.Fields(g.Moves) {
			if (n%2 == 0) == g.First {
				if proven < 0 && g.Shown[n/2] == 0 {
					proven = n
				}
				me, other, free := p.cells()
				if seen < 0 && calm(me, other, free) < 25 {
					e.forget()
					if v, _, ok := e.solve(&p, 130_000); ok && v.class < 0 {
						seen = n
					}
				}
			}
			m, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			p.Play(engines.Move(m))
		}
		if seen < 0 || proven-seen < earlier {
			t.Errorf("game %d: lost from ply %d on, the player saw it at ply %d; want it seen %d plies earlier", i, seen, proven, earlier)
		}
	}
}

// TestEndingKeepsLimits: what is solved counts, and a search that ends by solving
// tells how the game ends.
func TestEndingKeepsLimits(t *testing.T) {
	g := lostGames(t)[2]
	p := boardOf(g.Rows, g.Cols, g.Forbidden)
	for _, text := range strings.Fields(g.Moves)[:75] {
		m, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(engines.Move(m))
	}
	for _, preset := range []string{"master", "grandmaster"} {
		for _, limits := range []engines.Limits{{Playouts: 50_000}, {Nodes: 50_000}, {Playouts: 6000}, {Playouts: 40}} {
			var results [2]mcts.Result
			for i := range results {
				set, err := settings(vector(t, preset, "ending=on"))
				if err != nil {
					t.Fatal(err)
				}
				s := mcts.New[position](1 << 16)
				s.Ends(newSolver)
				if err := s.Configure(set.Options); err != nil {
					t.Fatal(err)
				}
				s.Begin(&p)
				results[i] = s.Run(context.Background(), 1, limits)
			}
			r := results[0]
			if results[0] != results[1] {
				t.Errorf("%s, %v: %+v, then %+v", preset, limits, results[0], results[1])
			}
			work := r.Playouts
			if limits.Nodes > 0 {
				work = r.Nodes
			}
			if most := limits.Playouts + limits.Nodes + maxSize; work+r.Exact/4 > most {
				t.Errorf("%s, %v: %+v is more than %d", preset, limits, r, most)
			}
			if lost := r.Mate < 0 && r.WinRate == 0; lost != (limits.Playouts != 40) {
				t.Errorf("%s, %v: %+v; want a loss proven, but by 40 playouts", preset, limits, r)
			}
		}
	}
}
