package chess

import (
	"context"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
)

// walk calls f for every position of random games, chess960 among them.
func walk(t *testing.T, games int, f func(n *node, moves []engines.Move)) {
	rng, w := rand.New(rand.NewPCG(3, 4)), newWeights(gameSpace().Default())
	for game := range games {
		p := Position{free: game%2 == 1}
		text := initial
		if p.free {
			text = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w DFdf -"
		}
		if err := p.SetText(text); err != nil {
			t.Fatal(err)
		}
		n := newNode(&p, w)
		for range 120 {
			moves := n.Moves(nil)
			f(&n, moves)
			if n.Outcome() != engines.Ongoing {
				break
			}
			n.Play(moves[rng.IntN(len(moves))])
		}
	}
}

// TestNodeKeepsWhatMovesChange compares a node after many moves with a new one.
func TestNodeKeepsWhatMovesChange(t *testing.T) {
	walk(t, 40, func(n *node, moves []engines.Move) {
		if want := newNode(&n.Position, n.weights); *n != want {
			t.Fatalf("%s: %+v, want %+v", n.String(), *n, want)
		}
		if n.Outcome() != n.Position.Outcome() || len(moves) != len(n.Position.Moves(nil)) {
			t.Fatalf("%s: outcome %v, %d moves", n.String(), n.Outcome(), len(moves))
		}
	})
}

// exchanged returns what a side gains by an exchange on a square that it may decline, by the
// definition: it takes with its least valuable piece, or stops.
func exchanged(p *Position, to int, occupied uint64, side engines.Side, on int32) int32 {
	set := p.attackers(to, occupied) & occupied & p.sides[side]
	if set == 0 {
		return 0
	}
	kind := p.least(set)
	set &= p.kinds[kind]
	left := occupied &^ (set & -set)
	if kind == king && p.attackers(to, left)&left&p.sides[side^1] != 0 {
		return 0
	}
	return max(0, on-exchanged(p, to, left, side^1, kindWorth[kind]))
}

// TestKeepsAgreesWithWholeExchanges compares the shortened exchange with the definition.
func TestKeepsAgreesWithWholeExchanges(t *testing.T) {
	kept, lost := 0, 0
	walk(t, 60, func(n *node, moves []engines.Move) {
		for _, m := range moves {
			if !captures(m) && !promotes(m) {
				continue
			}
			to, us := target(m), n.turn&1
			occupied := n.occupied()&^bit(origin(m))&^bit(takenSquare(m)) | bit(to)
			gain := kindWorth[taken(m)] + promoted(m) - exchanged(&n.Position, to, occupied, us^1, kindWorth[becomes(m)])
			if n.keeps(m) != (gain >= 0) {
				t.Fatalf("%s %s: keeps %v, gain %d", n.String(), n.MoveString(m), n.keeps(m), gain)
			}
			if gain >= 0 {
				kept++
			} else {
				lost++
			}
		}
	})
	if kept < 500 || lost < 500 {
		t.Errorf("%d captures keep material, %d lose it: too few to tell", kept, lost)
	}
}

// TestPassNeedsPieces: a side in check, or with a single piece, does not pass; another one does, and
// its opponent is to move then.
func TestPassNeedsPieces(t *testing.T) {
	for text, want := range map[string]bool{
		"4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -":        false,
		"4k3/pppp4/8/8/8/8/PPPP4/4K2R w - -":       false,
		"4k3/pppp4/8/8/8/8/PPPP4/2N1K2R w - -":     true,
		"4k3/pppp4/8/8/8/8/PPPP4/4K2R b - -":       false,
		"4k3/pppp4/8/8/4r3/8/PPPP4/2N1K2R w - -":   false,
		"rnbqkbnr/ppp1pppp/8/8/3pP3/8/8/K7 b - e3": true,
	} {
		p := Position{}
		if err := p.SetText(text); err != nil {
			t.Fatal(err)
		}
		n := newNode(&p, newWeights(gameSpace().Default()))
		before := n
		if got := pass(&n); got != want || !got && n != before {
			t.Errorf("%s: passes %v, want %v", text, got, want)
		}
		if !want {
			continue
		}
		again := Position{}
		if err := again.SetText(n.String()); err != nil || n.turn == before.turn || again.Key() != n.Key() {
			t.Errorf("%s: %s after the pass, %v", text, n.String(), err)
		}
	}
}

// TestMasterSolvesKnownPositions expects the moves that win, and mates reported, within a number of nodes. In
// the positions of the first two the side to move would rather pass.
func TestMasterSolvesKnownPositions(t *testing.T) {
	s, err := read(engines.Rules{"variant": standard, "fifty": "50", "repetition": "3", "max_moves": "0"})
	if err != nil {
		t.Fatal(err)
	}
	p := newPlayer(s)
	preset, err := Game().Preset("master")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Configure(preset.Vector); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		position, move string
		mate           int
		nodes          int64
	}{
		{"8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", "e1f1", 0, 400_000},
		{"1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", "g5h6", 0, 400_000},
		{"2r3k1/pp3pp1/4p2p/3pP3/3P4/1P3N2/P4PPP/2R3K1 b - - 0 25", "c8c1", 3, 2_000},
		{"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4", "h5f7", 1, 1_000},
		{"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 3, 20_000},
		{"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5, 100_000},
	} {
		if err := p.Reset(c.position, 0); err != nil {
			t.Fatal(err)
		}
		d, err := p.Choose(context.Background(), nil, engines.Limits{Nodes: c.nodes})
		at := s.start
		if err := engines.SetUp[Position](&at, c.position, nil); err != nil {
			t.Fatal(err)
		}
		if err != nil || at.MoveString(d.Move) != c.move || c.mate > 0 && d.Mate != c.mate {
			t.Errorf("%s: %s, mate in %d plies, depth %d, %v; want %s, mate in %d", c.position, at.MoveString(d.Move), d.Mate, d.Depth, err, c.move, c.mate)
		}
	}
}
