package quoridor

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// somewhere returns the position after random moves from the start, half of them steps.
func somewhere(r *rand.Rand, standard bool, plies int) (Board, []engines.Move) {
	o := opening(r, standard, plies)
	b := newBoard(standard)
	for _, m := range o.Moves {
		b.Play(m)
	}
	return b, o.Moves
}

// changed returns a vector with some values changed.
func changed(t *testing.T, v params.Vector, changes map[string]float64) params.Vector {
	t.Helper()
	v = slices.Clone(v)
	for name, value := range changes {
		i := space.Index(name)
		if i < 0 {
			t.Fatalf("no parameter %s", name)
		}
		v[i] = value
	}
	return v
}

// TestLookIsMinimax expects from the look-ahead with table,
// ordering and windows the value found by searching every line.
func TestLookIsMinimax(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 14))
	for n := range 12 {
		standard := n%2 == 0
		_, moves := somewhere(r, standard, 4+n)
		for depth := 1; depth <= 3; depth++ {
			var scores [2]float64
			for i, search := range []float64{0, 1} {
				p := newPlayer(t, standard, changed(t, preset(t, "final"), map[string]float64{"search": search}))
				d, err := p.Choose(context.Background(), moves, engines.Limits{Depth: depth})
				if err != nil {
					t.Fatal(err)
				}
				scores[i] = d.Score
			}
			if scores[0] != scores[1] {
				t.Errorf("after %v at depth %d: %v, minimax %v", moves, depth, scores[0], scores[1])
			}
		}
	}
}

// TestLookTriesWallsThatMatter expects legal moves, every
// step, and every wall that lengthens the opponent's path.
func TestLookTriesWallsThatMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 14))
	longer := 0
	for n := range 200 {
		b, _ := somewhere(r, n%2 == 0, 2+n%20)
		a := (&outlook{}).at(b)
		tried := a.Moves(nil)
		legal := b.Moves(nil)
		for _, m := range tried {
			if !slices.Contains(legal, m) {
				t.Fatalf("%s: %s is tried and not legal", &b, b.MoveString(m))
			}
		}
		before := a.distance(b.turn ^ 1)
		for _, m := range legal {
			after := a.at(b)
			after.Play(m)
			if kind(m) != pawnMove && after.distance(b.turn^1) <= before {
				continue
			}
			longer++
			if !slices.Contains(tried, m) {
				t.Errorf("%s: %s is not tried", &b, b.MoveString(m))
			}
		}
	}
	if longer < 1000 {
		t.Errorf("only %d moves that matter were met", longer)
	}
}

// TestKeptRoutesAreExact compares routes kept from the last position with new ones.
func TestKeptRoutesAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 14))
	o := &outlook{}
	o.set(preset(t, "final"))
	for n := range 100 {
		b, _ := somewhere(r, n%2 == 0, 2+n%4)
		a := o.at(b)
		for a.Outcome() == engines.Ongoing && n < 200 {
			fresh := o.at(a.Board)
			moves := a.Moves(nil)
			if want := fresh.Moves(nil); !slices.Equal(moves, want) {
				t.Fatalf("%s: moves %v, want %v", &a.Board, moves, want)
			}
			if r.IntN(4) > 0 && len(moves) > 1 {
				moves = moves[:2] // more steps than walls
			}
			m := moves[r.IntN(len(moves))]
			a.Play(m)
			if n%3 > 0 { // otherwise the next moves begin with unknown routes, or lengths only
				fresh = o.at(a.Board)
				if got, want := a.Eval(), fresh.Eval(); got != want {
					t.Fatalf("%s: after %s %d, want %d", &a.Board, a.MoveString(m), got, want)
				}
			}
			n += 3
		}
	}
}

// TestCostMatchesAllWalls compares the cost of the best wall
// with the result of trying every wall, also from the cache.
func TestCostMatchesAllWalls(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 14))
	o, costly := &outlook{}, 0
	for n := range 200 {
		b, _ := somewhere(r, n%2 == 0, 2+n%20)
		for side := range engines.Side(2) {
			a := o.at(b)
			before, most := a.distance(side), 0
			for _, wall := range appendWalls(nil, b.hFree, b.vFree) {
				after := b
				after.Play(wall)
				after.turn = b.turn
				if d := after.stepsLeft(side); d < farthest {
					most = max(most, d-before)
				}
			}
			if got, again := a.cost(side), a.cost(side); int(got) != most || again != got {
				t.Fatalf("%s: side %d: %d, then %d, want %d", &b, side, got, again, most)
			}
			if most > 1 {
				costly++
			}
		}
	}
	if costly < 100 {
		t.Errorf("only %d walls cost more than a step", costly)
	}
}

// TestLookEvalIsSymmetric expects opposite values for both sides, apart from the tempo.
func TestLookEvalIsSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	o := &outlook{}
	o.set(preset(t, "final"))
	for n := range 100 {
		b, _ := somewhere(r, n%2 == 0, 2+n%20)
		a := o.at(b)
		one := a.Eval()
		a.turn ^= 1
		if two := a.Eval(); one+two != 2*o.tempo {
			t.Errorf("%s: %d and %d", &b, one, two)
		}
	}
}

// TestLookSeesEnd expects that a pawn next to its goal arrives.
func TestLookSeesEnd(t *testing.T) {
	p := newPlayer(t, true, preset(t, "final"))
	if err := p.Reset("e7 e4 0 0 0 h:- v:-", 1); err != nil {
		t.Fatal(err)
	}
	d, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 4})
	if err != nil || d.Mate != 3 {
		t.Errorf("%+v, %v; want a win in 3", d, err)
	}
}

// TestLookBeatsGreedy expects that two plies ahead win clearly
// against the same weights without look-ahead, in both variants.
func TestLookBeatsGreedy(t *testing.T) {
	for _, standard := range []bool{false, true} {
		r := rand.New(rand.NewPCG(4, 14))
		won, games := 0, 0
		for range 20 {
			start, moves := somewhere(r, standard, 4)
			for side := range engines.Side(2) {
				if winner(t, start, moves, standard, side) == engines.Win(side) {
					won++
				}
				games++
			}
		}
		// 27 of 40 at even chances: 1.9 %.
		if won < 27 {
			t.Errorf("standard %v: won %d of %d games", standard, won, games)
		}
	}
}

// winner plays a game in which side looks two plies ahead, and returns its result.
func winner(t *testing.T, b Board, moves []engines.Move, standard bool, side engines.Side) engines.Outcome {
	t.Helper()
	history := slices.Clone(moves)
	players := [2]*player{newPlayer(t, standard, preset(t, "final")), newPlayer(t, standard, preset(t, "final"))}
	for range 200 {
		if b.Outcome() != engines.Ongoing {
			break
		}
		limits := engines.Limits{}
		if b.turn == side {
			limits.Depth = 2
		}
		d, err := players[b.turn].Choose(context.Background(), history, limits)
		if err != nil {
			t.Fatal(err)
		}
		b.Play(d.Move)
		history = append(history, d.Move)
	}
	return b.Outcome()
}

func BenchmarkLook(b *testing.B) {
	p := newPlayer(b, true, preset(b, "final"))
	nodes := int64(0)
	for b.Loop() {
		d, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 4})
		if err != nil {
			b.Fatal(err)
		}
		nodes += d.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
