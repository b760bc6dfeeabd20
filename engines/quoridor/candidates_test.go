package quoridor

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/engines"
)

// TestCandidatesBeginWithDecision expects the player's own
// decision first, with its numbers, and legal moves, each once.
func TestCandidatesBeginWithDecision(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many positions")
	}
	for _, standard := range []string{"seed", "standard"} {
		v, err := Game().Open(engines.Rules{"variant": standard})
		if err != nil {
			t.Fatal(err)
		}
		walls := 0
		for _, preset := range []string{"final", "v12.7", "bad"} {
			x, err := Game().Preset(preset)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(12) {
				walls += candidatesOfGame(t, v, x.Vector, seed)
			}
		}
		if walls < 100 {
			t.Errorf("%s: only %d decisions were walls", standard, walls)
		}
	}
}

// candidatesOfGame checks the decisions of a game and counts the walls among them.
func candidatesOfGame(t *testing.T, v engines.Variant, x []float64, seed uint64) (walls int) {
	t.Helper()
	open := v.Opening(rand.New(rand.NewPCG(seed, 1)), 6)
	ref, p := v.NewReferee(), v.NewPlayer()
	if err := ref.Reset(open.Position); err != nil {
		t.Fatal(err)
	}
	x = slices.Clone(x)
	x[coin] = 1 // a tossed coin depends on the seed
	if err := p.Configure(x); err != nil {
		t.Fatal(err)
	}
	if err := p.Reset(open.Position, 0); err != nil {
		t.Fatal(err)
	}
	moves := slices.Clone(open.Moves)
	for _, m := range moves {
		ref.Play(m)
	}
	for o, _ := ref.Result(); o == engines.Ongoing; o, _ = ref.Result() {
		d, err := p.Choose(context.Background(), moves, engines.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		list, err := v.Candidates(open.Position, moves, x, 300)
		if err != nil || len(list) == 0 || list[0].Move != d.Move {
			t.Fatalf("%s: the player makes %s; candidates %v, %v", ref, ref.MoveString(d.Move), list, err)
		}
		seen := map[engines.Move]bool{}
		for _, c := range list {
			if seen[c.Move] || !ref.Legal(c.Move) {
				t.Fatalf("%s: candidate %s is not legal, or there twice", ref, ref.MoveString(c.Move))
			}
			seen[c.Move] = true
		}
		if kind(d.Move) == hWall || kind(d.Move) == vWall {
			walls++
			values := terms(t, v, open.Position, moves, x)
			for i, name := range []string{"M2", "E2", "score_1", "score_2"} {
				if got := list[0].Terms[i]; got.Name != name || got.Value != values[name] {
					t.Fatalf("%s: %s of the best wall is %v, the decision says %v", ref, name, got, values[name])
				}
			}
		}
		ref.Play(d.Move)
		moves = append(moves, d.Move)
	}
	if short, err := v.Candidates(open.Position, open.Moves, x, 3); err != nil || len(short) != 3 {
		t.Errorf("%d candidates, %v: want 3", len(short), err)
	}
	return walls
}

func terms(t *testing.T, v engines.Variant, position string, moves []engines.Move, x []float64) map[string]any {
	t.Helper()
	list, err := v.Evaluate(position, moves, x)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	for _, term := range list {
		values[term.Name] = term.Value
	}
	return values
}
