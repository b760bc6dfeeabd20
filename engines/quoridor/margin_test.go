package quoridor

import (
	"testing"

	"selfplaylab/engines"
)

// TestMarginIsLosersSteps expects the steps left to the
// loser, around the walls and through the other pawn.
// The margin is positive for the first side.
func TestMarginIsLosersSteps(t *testing.T) {
	for _, c := range []struct {
		position, move string
		want           float64
	}{
		{"e8 d9 10 10 0 h:- v:-", "e9", 8},
		{"e8 d2 10 10 0 h:- v:-", "e9", 1},
		{"a8 e2 10 10 1 h:- v:-", "e1", -1},
		{"e1 c2 10 10 1 h:- v:-", "c1", -8},
		{"e1 c2 8 10 1 h:d1,f1 v:-", "c1", -10}, // two steps aside, either way
	} {
		ref := engines.NewReferee[Board](newBoard(true), engines.Bounds{})
		if err := ref.Reset(c.position); err != nil {
			t.Fatal(err)
		}
		if margin, ok := engines.MarginOf(ref); ok {
			t.Errorf("%s: a game that goes on has margin %v", c.position, margin)
		}
		m, err := ref.ParseMove(c.move)
		if err != nil || !ref.Legal(m) {
			t.Fatalf("%s: move %s: %v", c.position, c.move, err)
		}
		ref.Play(m)
		if margin, ok := engines.MarginOf(ref); !ok || margin != c.want {
			o, why := ref.Result()
			t.Errorf("%s %s: ended %v by %q with margin %v (%t), want %v", c.position, c.move, o, why, margin, ok, c.want)
		}
	}
}
