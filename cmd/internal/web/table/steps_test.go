package table

import (
	"context"
	"strings"
	"testing"

	"selfplaylab/reports/board"
)

// TestStepsTouchBothEnds expects a move to be made by touching its start and its end; the captured
// man is touched only where there is a choice.
func TestStepsTouchBothEnds(t *testing.T) {
	for _, c := range []struct {
		game, position, move string
		steps                int
	}{
		{"chess", "", "e2e4", 2},
		{"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - -", "e4d5", 2},
		{"chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", 2},
		{"chess", "3rk3/4P3/8/8/8/8/8/4K3 w - -", "e7d8q", 2},
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1g1", 2},
		{"mills", "WW.....B/......../.......B W 10 10", "g7xa4", 2},
		{"mills", "WW.....B/......../.......x W 10 10", "g7xa4", 1},
		{"mills", "WW.W..BB/......../.....B.. W 0 0", "g4-g7xa4", 3},
	} {
		a, err := Ask(context.Background(), Question{Op: "show", Game: c.game, Position: c.position})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, l := range a.(Shown).Legal {
			if l.Move == c.move {
				if found = true; len(l.Steps) != c.steps {
					t.Errorf("%s %s: steps %v; want %d", c.game, c.move, l.Steps, c.steps)
				}
			}
		}
		if !found {
			t.Errorf("%s: %s is not legal in %s", c.game, c.move, c.position)
		}
	}
}

// TestUntouchableMovesAreListed expects the moves that no touch of the board makes, because they
// have buttons.
func TestUntouchableMovesAreListed(t *testing.T) {
	a, err := Ask(context.Background(), Question{Op: "show", Game: "chess", Position: "3rk3/4P3/8/8/8/8/8/4K3 w - -"})
	if err != nil {
		t.Fatal(err)
	}
	var buttons []string
	for _, l := range a.(Shown).Legal {
		if l.Button {
			buttons = append(buttons, l.Move)
		}
	}
	if got := strings.Join(buttons, " "); got != "e7d8r e7d8b e7d8n" {
		t.Errorf("buttons for %q", got)
	}
	one, two := board.At{X: 1}, board.At{X: 2}
	list := untouchable([]legalMoves{
		{Move: "pass"}, {Move: "wall", Wall: &board.Wall{}}, {Move: "step", Steps: []board.At{one, two}}, {Move: "place", Steps: []board.At{two}},
		{Move: "on", Steps: []board.At{two, one}},
	})
	for i, want := range []bool{true, false, false, false, true} {
		if list[i].Button != want {
			t.Errorf("%s: button %v", list[i].Move, list[i].Button)
		}
	}
}

// TestReadingRewritesMoves expects a move in another spelling to become the game's notation.
func TestReadingRewritesMoves(t *testing.T) {
	for _, c := range []struct{ game, text, move string }{
		{"chess", "Nf3", "g1f3"}, {"chess", "e2-e4", "e2e4"}, {"gobang", "7,7", "h8"}, {"quoridor", "e2", "e2"}, {"chess", "Nf6", ""}, {"mills", "d4", ""},
	} {
		a, err := Ask(context.Background(), Question{Op: "why", Game: c.game, Text: c.text})
		if read, ok := a.(map[string]string); err != nil || !ok || read["move"] != c.move || (read["why"] == "") != (c.move != "") {
			t.Errorf("%s %s: %v, %v; want %q", c.game, c.text, a, err, c.move)
		}
	}
}
