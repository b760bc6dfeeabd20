package engines_test

import (
	"context"
	"math"
	"testing"

	"selfplaylab/engines"
)

// shopper is a player that knows seven moves, the best first.
type shopper struct{ engines.Player }

func (shopper) Choose(_ context.Context, _ []engines.Move, l engines.Limits) (engines.Decision, error) {
	return engines.Decision{Move: 1, Nodes: int64(l.Nodes)}, nil
}

func (shopper) PVs(_ context.Context, _ []engines.Move, l engines.Limits, count int) (d engines.Decision, list []engines.PV, err error) {
	for m := range min(count, 7) {
		list = append(list, engines.PV{Moves: []engines.Move{engines.Move(m + 1)}, Score: -float64(m)})
	}
	return engines.Decision{Move: 1, Nodes: l.Nodes}, list, nil
}

// TestDecide: each move is overlooked with the same chance, by seed and ply alone.
func TestDecide(t *testing.T) {
	const games, chance = 4000, .3
	count := map[engines.Move]int{}
	for seed := range uint64(games) {
		var first engines.Decision
		for i := range 2 {
			d, err := engines.Decide(t.Context(), shopper{}, seed, make([]engines.Move, 5), engines.Limits{Nodes: 9, Overlook: chance})
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
	left := 1.0
	for m := engines.Move(1); m <= 7; m++ {
		want := left * (1 - chance)
		if m == 7 {
			want = left // nothing is left to overlook it for
		}
		if got := float64(count[m]) / games; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/games) {
			t.Errorf("move %d was played in %.3f of the games, want %.3f", m, got, want)
		}
		left *= chance
	}
	if d, err := engines.Decide(t.Context(), shopper{}, 1, nil, engines.Limits{Nodes: 9}); err != nil || d.Move != 1 {
		t.Error("without overlook", d, err)
	}
}
