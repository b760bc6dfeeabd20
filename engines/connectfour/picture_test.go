package connectfour

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// TestPictureShowsWinningFour expects the winning four and
// its last stone, which may lie above the forbidden cell.
func TestPictureShowsWinningFour(t *testing.T) {
	v, err := Game().Open(engines.Rules{"rows": "5", "cols": "6", "forbidden": "4:3"})
	if err != nil {
		t.Fatal(err)
	}
	ref := v.NewReferee()
	if err := ref.Reset("....../....../11..../222.../111x2. 2"); err != nil {
		t.Fatal(err)
	}
	before := ref.Board()
	ref.Play(4)
	b := ref.Board()
	if d := cmp.Diff(&board.Move{Text: "4", To: &board.At{X: 3, Y: 3}}, b.Last); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	four := []board.Line{{From: board.At{X: 0, Y: 3}, To: board.At{X: 3, Y: 3}, Kind: board.Row}}
	if d := cmp.Diff(four, b.Lines); d != "" || before.Lines != nil {
		t.Errorf("before: %v; (-want +got)\n%s", before.Lines, d)
	}
	if d := cmp.Diff([]board.Mark{{At: board.At{X: 3, Y: 4}, Kind: board.Forbidden}}, b.Marks); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if len(b.Pieces) != len(before.Pieces)+1 || b.Outcome != "0-1" || b.Reason != "four" {
		t.Errorf("%d pieces after %d, %s by %s", len(b.Pieces), len(before.Pieces), b.Outcome, b.Reason)
	}
}
