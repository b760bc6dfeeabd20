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
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1c1", 2},
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

// TestCastlingTakesRookAlong expects the rook's place as a further one to touch. Under chess960 it is the
// only one if the king stays where it is or could step to the same place.
func TestCastlingTakesRookAlong(t *testing.T) {
	for _, c := range []struct{ rules, position, want string }{
		{"", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1-c1/a1 e1-g1/h1"},
		{"", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "e8-c8/a8 e8-g8/h8"},
		{"variant=chess960", "1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w EBeb -", "c1-b1 c1-g1/e1"},
		{"variant=chess960", "rk3r2/pppppppp/8/8/8/8/PPPPPPPP/RK3R2 w FAfa -", "b1-a1 b1-g1/f1"},
	} {
		a, err := Ask(context.Background(), Question{Op: "show", Game: "chess", Rules: c.rules, Position: c.position})
		if err != nil {
			t.Fatal(err)
		}
		shown := a.(Shown)
		name := func(at board.At) string { return shown.Places[8*at.Y+at.X].Name }
		var all []string
		for _, l := range shown.Legal {
			if strings.HasPrefix(l.Text, "O-O") {
				text := name(l.Steps[0]) + "-" + name(l.Steps[1])
				if l.Onto != nil {
					text += "/" + name(*l.Onto)
				}
				all = append(all, text)
			} else if l.Onto != nil {
				t.Errorf("%s takes a piece along", l.Text)
			}
		}
		slices.Sort(all)
		if got := strings.Join(all, " "); got != c.want {
			t.Errorf("%s: castling by %s, want %s", c.position, got, c.want)
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
	for _, c := range []struct{ position, moves, want string }{
		// Queens and rooks are exchanged and pawns promote: a promoted pawn is not captured, and the queen stays so.
		{"", "e2e4 d7d5 e4d5 d8d5 d1f3 d5f3 g1f3 h7h5 a2a4 h5h4 a4a5 h4h3 a5a6 h3g2 a6b7 g2h1q b7a8q", "pqpr PQPR 1"},
		{"4k3/8/8/8/8/8/P3p3/K7 b - - 3 40", "e2e1n a1b1", "qrrbbnnppppppp QRRBBNNPPPPPPP 40"}, // missing before the first move
	} {
		a, err := Ask(context.Background(), Question{Op: "show", Game: "chess", Position: c.position, Moves: c.moves})
		if err != nil {
			t.Fatal(err)
		}
		shown := a.(Shown)
		if got := fmt.Sprint(shown.Sides[0].Captured, " ", shown.Sides[1].Captured, " ", shown.Number); got != c.want {
			t.Errorf("%s %s: captured and number %s, want %s", c.position, c.moves, got, c.want)
		}
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
