package quoridor

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// TestPictureShowsWallsAndLastMove expects walls at the
// places of their names, and a mark on the last move.
func TestPictureShowsWallsAndLastMove(t *testing.T) {
	ref := engines.NewReferee(newBoard(false), bounds)
	play := func(text string) board.Board {
		t.Helper()
		m, err := ref.ParseMove(text)
		if err != nil || !ref.Legal(m) {
			t.Fatalf("%s in %s: error %v", text, ref, err)
		}
		ref.Play(m)
		return ref.Board()
	}
	if err := ref.Reset(""); err != nil {
		t.Fatal(err)
	}
	h := board.Wall{X1: -0.5, Y1: 7.5, X2: 1.5, Y2: 7.5} // between a1, b1 and a2, b2
	v := board.Wall{X1: 7.5, Y1: -0.5, X2: 7.5, Y2: 1.5} // between h8, h9 and i8, i9
	for _, c := range []struct {
		move  string
		want  *board.Move
		walls []board.Wall
	}{
		{"a1h", &board.Move{Text: "a1h", Wall: &h}, []board.Wall{h}},
		{"h8v", &board.Move{Text: "h8v", Wall: &v}, []board.Wall{h, v}},
		{"e2", &board.Move{Text: "e2", To: &board.At{X: 4, Y: 7}}, []board.Wall{h, v}},
	} {
		b := play(c.move)
		if d := cmp.Diff(c.want, b.Last) + cmp.Diff(c.walls, b.Walls); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.move, d)
		}
	}
	ref.Penalty()
	b := ref.Board()
	if d := cmp.Diff(&board.Move{Text: "pass"}, b.Last); d != "" {
		t.Errorf("a lost turn (-want +got)\n%s", d)
	}
	want := []board.Counter{{Side: 0, Name: "walls", Value: 9}, {Side: 1, Name: "walls", Value: 9}}
	if d := cmp.Diff(want, b.Counters); d != "" || len(b.Pieces) != 2 || len(b.Marks) != 18 {
		t.Errorf("%d pawns, %d marks; counters (-want +got)\n%s", len(b.Pieces), len(b.Marks), d)
	}
}
