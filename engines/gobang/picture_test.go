package gobang

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	picture "selfplaylab/reports/board"
)

// TestPictureShowsWinningRow expects a winning row from end to end, with the last stone.
func TestPictureShowsWinningRow(t *testing.T) {
	for _, c := range []struct {
		rules, position, move string
		rows                  []picture.Line
	}{
		{"size=6", "BBBB../WWWW../....../....../....../...... B", "e6", []picture.Line{{From: picture.At{}, To: picture.At{X: 4}, Kind: picture.Row}}},
		{"size=6", "B...../.B..../..B.../....../....B./...... B", "d3", []picture.Line{{From: picture.At{}, To: picture.At{X: 4, Y: 4}, Kind: picture.Row}}},
		{"size=6", "B...../.B..../..B.../....../....../...... B", "d3", nil},
		{"size=6,exact_five=yes", "BBB.BB/....../....../....../....../...... B", "d6", nil},
	} {
		ref := open(t, c.rules).NewReferee()
		if err := ref.Reset(c.position); err != nil {
			t.Fatal(err)
		}
		before := ref.Board()
		m, err := ref.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		ref.Play(m)
		b := ref.Board()
		if d := cmp.Diff(c.rows, b.Lines); d != "" {
			t.Errorf("%s, %s: rows (-want +got)\n%s", c.position, c.move, d)
		}
		if b.Last == nil || cellString(at(b.Last.To.X, b.Last.To.Y), 6) != c.move || len(b.Pieces) != len(before.Pieces)+1 {
			t.Errorf("%s, %s: last move %+v, %d pieces after %d", c.position, c.move, b.Last, len(b.Pieces), len(before.Pieces))
		}
	}
}

func TestStarsOfPrintedBoards(t *testing.T) {
	for n, want := range map[int]int{5: 0, 9: 1, 14: 0, 15: 5, 19: 5} {
		if got := len(stars(n)); got != want {
			t.Errorf("%d dots on a board of %d, want %d", got, n, want)
		}
	}
	s := newState(variant{size: 15})
	if b := s.Board(engines.Move(0)); len(b.Marks) != 5 || b.Last != nil {
		t.Errorf("the empty board shows %v and %+v", b.Marks, b.Last)
	}
}
