package chess

import (
	"context"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
)

// quietly returns the value of a leaf by the definition of Tactics, without bounds and order.
// It gives up at a mate, whose value depends on the ply, and when left is used up.
func quietly(n *node, left *int) int32 {
	if *left--; len(n.Moves(nil)) == 0 {
		*left = 0
	}
	if *left <= 0 {
		return 0
	}
	moves := tactics(n, nil, -1<<30)
	best := int32(-1 << 30)
	if !forced(n) {
		best = n.Eval()
	}
	for _, m := range moves {
		child := *n
		child.Play(m)
		best = max(best, -quietly(&child, left))
	}
	return best
}

// TestScoreIncludesCaptures expects at depth 1 the best score
// of all moves, each followed by all captures of Tactics.
func TestScoreIncludesCaptures(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many positions")
	}
	s, err := read(engines.Rules{"variant": standard, "fifty": "50", "repetition": "0", "max_moves": "0"})
	if err != nil {
		t.Fatal(err)
	}
	p, rng, tried := newPlayer(s), rand.New(rand.NewPCG(1, 2)), 0
	if err := p.Configure(gameSpace().Default()); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		n := newNode(&s.start, newWeights(gameSpace().Default()))
		var history []engines.Move
		for range 8 {
			moves := n.Moves(nil)
			m := moves[rng.IntN(len(moves))]
			history = append(history, m)
			n.Play(m)
			if len(n.Moves(nil)) == 0 {
				break
			}
		}
		want, left := int32(-1<<30), 5_000
		for _, m := range n.Moves(nil) {
			child := n
			child.Play(m)
			if n.checks|child.checks != 0 { // checks are searched deeper
				left = 0
			}
			want = max(want, -quietly(&child, &left))
		}
		if left <= 0 {
			continue
		}
		tried++
		if err := p.Reset("", 0); err != nil {
			t.Fatal(err)
		}
		d, err := p.Choose(context.Background(), history, engines.Limits{Depth: 1})
		if err != nil || d.Score != float64(want) {
			t.Errorf("%s: score %v, %v; want %d", n.String(), d.Score, err, want)
		}
	}
	if tried < 10 {
		t.Errorf("only %d positions without checks, mates and long lines", tried)
	}
}

// TestDecisionAllocatesNothing expects no allocation after the first decision.
func TestDecisionAllocatesNothing(t *testing.T) {
	s, err := read(engines.Rules{"variant": standard, "fifty": "50", "repetition": "3", "max_moves": "0"})
	if err != nil {
		t.Fatal(err)
	}
	p := newPlayer(s)
	if err := p.Configure(gameSpace().Default()); err != nil {
		t.Fatal(err)
	}
	for _, position := range []string{"", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"} {
		if err := p.Reset(position, 0); err != nil {
			t.Fatal(err)
		}
		think := func() {
			if _, err := p.Choose(context.Background(), nil, engines.Limits{Nodes: 3000}); err != nil {
				t.Fatal(err)
			}
		}
		think()
		if n := testing.AllocsPerRun(3, think); n != 0 {
			t.Errorf("%q: %v allocations a decision", position, n)
		}
	}
}
