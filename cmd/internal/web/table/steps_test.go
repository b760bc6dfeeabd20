package table

import (
	"context"
	"fmt"
	"slices"
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

// TestPromotionsNameTheirPiece expects the piece of each promotion, for the board's chooser, and no
// button.
func TestPromotionsNameTheirPiece(t *testing.T) {
	a, err := Ask(context.Background(), Question{Op: "show", Game: "chess", Position: "3rk3/4P3/8/8/8/8/8/4K3 w - -"})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, l := range a.(Shown).Legal {
		if l.Becomes != "" || l.Button {
			all = append(all, fmt.Sprint(l.Text, l.Becomes, l.Button))
		}
	}
	if got := strings.Join(all, " "); got != "exd8=Q+Qfalse exd8=R+Rfalse exd8=BBfalse exd8=NNfalse" {
		t.Errorf("promotions %q", got)
	}
}

// TestMovesAreListedInSAN expects the moves made, the legal ones and a decision as chess players
// write them, and the material beside the board.
func TestMovesAreListedInSAN(t *testing.T) {
	q := Question{Op: "show", Game: "chess", Moves: "e2e4 d7d5 e4d5 d8d5 b1c3"}
	a, err := Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	shown := a.(Shown)
	if got := strings.Join(shown.Texts, " "); got != "e4 d5 exd5 Qxd5 Nc3" {
		t.Errorf("moves %q", got)
	}
	if got := fmt.Sprint(shown.Sides[0].Captured, shown.Sides[1].Captured, shown.Sides[0].Lead); got != "pP0" {
		t.Errorf("captured %s", got)
	}
	q.Op, q.Limits = "lines", "depth=1"
	if a, err = Ask(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	d := a.(analysis)
	if !slices.ContainsFunc(shown.Legal, func(l legalMoves) bool { return l.Move == d.Move && l.Text == d.Text && d.Lines[0].Texts[0] == d.Text }) {
		t.Errorf("%s is written %s and %v", d.Move, d.Text, d.Lines)
	}
}

// TestChessSaysWhyMoveIsNotLegal expects the reason in the words of a chess player.
func TestChessSaysWhyMoveIsNotLegal(t *testing.T) {
	for _, c := range []struct{ position, move, why string }{
		{"4r1k1/8/8/8/8/8/4N3/4K3 w - -", "e2-c3", "your king would be in check"},
		{"4r1k1/8/8/8/8/8/8/4K2N w - -", "h1g3", "your king is in check"},
		{"4r1k1/8/8/8/8/8/8/4K2R w K -", "e1g1", "your king cannot castle out of check"},
		{"5rk1/8/8/8/8/8/8/4K2R w K -", "e1g1", "to castle,"},
		{"6k1/8/8/8/8/8/8/4K2R w - -", "e1g1", "king or rook has moved"},
		{"", "e2e5", "the pawn on e2 cannot reach e5"},
		{"", "g1e2", "your own piece stands on e2"},
		{"", "e4e5", "no piece stands on e4"},
		{"", "e7e5", "the piece on e7 is your opponent's"},
		{"6k1/4P3/8/8/8/8/8/4K3 w - -", "e7e8", "a pawn promotes on the last rank"},
	} {
		a, err := Ask(context.Background(), Question{Op: "why", Game: "chess", Position: c.position, Text: c.move})
		if read, ok := a.(map[string]string); err != nil || !ok || !strings.HasPrefix(read["why"], "Not legal: "+c.why) {
			t.Errorf("%s in %q: %v, %v; want %q", c.move, c.position, a, err, c.why)
		}
	}
}

// TestUntouchableMovesAreListed expects the moves that no touch of the board makes, because they
// have buttons.
func TestUntouchableMovesAreListed(t *testing.T) {
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
