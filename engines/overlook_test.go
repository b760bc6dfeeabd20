package engines_test

import (
	"context"
	"math"
	"testing"

	"selfplaylab/engines"
)

// shopper is a player that knows some moves, the best first.
type shopper struct {
	engines.Player
	moves int
	mate  int // of its best move
}

func (s shopper) Choose(_ context.Context, _ []engines.Move, l engines.Limits) (engines.Decision, error) {
	return engines.Decision{Move: 1, Nodes: l.Nodes}, nil
}

func (s shopper) PVs(_ context.Context, _ []engines.Move, l engines.Limits, count int) (d engines.Decision, list []engines.PV, err error) {
	for m := range min(count, s.moves) {
		list = append(list, engines.PV{Moves: []engines.Move{engines.Move(m + 1)}, Score: -float64(m)})
	}
	list[0].Mate = s.mate
	return engines.Decision{Move: 1, Nodes: l.Nodes}, list, nil
}

// TestMovesAreOverlookedByChance expects each of the best quarter of the moves to be overlooked
// with the same chance, by seed and ply alone.
func TestMovesAreOverlookedByChance(t *testing.T) {
	const games, chance, seen = 4000, .3, 3 // the best three of ten moves
	count := map[engines.Move]int{}
	for seed := range uint64(games) {
		var first engines.Decision
		for i := range 2 {
			d, err := engines.Decide(t.Context(), shopper{moves: 10}, seed, make([]engines.Move, 5), engines.Limits{Nodes: 9, Overlook: chance})
			if err != nil || d.Nodes != 9 || d.Score != 1-float64(d.Move) && d.Move > 1 {
				t.Fatal(d, err)
			}
			if i > 0 && d != first {
				t.Fatalf("%+v, then %+v", first, d)
			}
			first = d
		}
		count[first.Move]++
	}
	left := (1 - chance) / (1 - math.Pow(chance, seen)) // it looks again after the last
	for m := engines.Move(1); m <= 10; m++ {
		want := left
		if m > seen {
			want = 0
		}
		if got := float64(count[m]) / games; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/games) {
			t.Errorf("move %d was played in %.3f of the games, want %.3f", m, got, want)
		}
		left *= chance
	}
	if d, err := engines.Decide(t.Context(), shopper{moves: 10}, 1, nil, engines.Limits{Nodes: 9}); err != nil || d.Move != 1 {
		t.Error("without overlook", d, err)
	}
}

// TestPlainMovesAreSeen expects the best move from a player with few moves, and from a player that
// can win at once.
func TestPlainMovesAreSeen(t *testing.T) {
	for _, c := range []struct {
		player shopper
		other  bool // may play another move than its best
	}{
		{shopper{moves: 4}, false},
		{shopper{moves: 5}, true},
		{shopper{moves: 100, mate: 1}, false},
		{shopper{moves: 100, mate: 3}, true},
	} {
		other := false
		for seed := range uint64(100) {
			d, err := engines.Decide(t.Context(), c.player, seed, nil, engines.Limits{Depth: 1, Overlook: .9})
			if err != nil {
				t.Fatal(err)
			}
			other = other || d.Move != 1
		}
		if other != c.other {
			t.Errorf("%d moves, mate %d: other moves than the best: %v", c.player.moves, c.player.mate, other)
		}
	}
}
