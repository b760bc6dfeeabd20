package mills

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/reports/board"
)

// TestPictureShowsMillAndCapture expects, for a step that
// closes a mill, its origin, the mill and the captured man.
func TestPictureShowsMillAndCapture(t *testing.T) {
	at := func(name string) board.At { return board.At{X: int(name[0] - 'a'), Y: int('7' - name[1])} }
	line := func(from, to string, kind board.LineKind) board.Line {
		return board.Line{From: at(from), To: at(to), Kind: kind}
	}
	d7 := at("d7")
	for _, c := range []struct {
		rules, position, move string
		want                  *board.Move
		lines                 []board.Line // besides the board's
		counters              int
	}{
		{"", "W.W...B./.W...B../....BBB. W 0 0", "d6-d7xd2", &board.Move{From: &board.At{X: 3, Y: 1}, To: &d7, Taken: []board.At{at("d2")}, Text: "d6-d7xd2"},
			[]board.Line{line("a7", "g7", board.Row)}, 0},
		{"", "......../......../........ W 12 12", "d7", &board.Move{To: &d7, Text: "d7"}, nil, 2},
		{"reform=restricted", "WWW...B./......B./....BBBB W 0 0 d7-d6 -", "g7-g4", &board.Move{From: &board.At{X: 6}, To: &board.At{X: 6, Y: 3}, Text: "g7-g4"},
			[]board.Line{line("d7", "d6", board.Banned)}, 0},
	} {
		s := open(t, c.rules)
		ref := newGame(s, nil, nil).referee
		if err := ref.Reset(c.position); err != nil {
			t.Fatal(err)
		}
		before := ref.Board()
		m, err := ref.ParseMove(c.move)
		if err != nil || !ref.Legal(m) {
			t.Fatalf("%s in %s: error %v", c.move, ref, err)
		}
		ref.Play(m)
		b := ref.Board()
		if d := cmp.Diff(c.want, b.Last); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.move, d)
		}
		if c.lines == nil || c.lines[0].Kind == board.Row {
			if d := cmp.Diff(c.lines, extra(b)); d != "" {
				t.Errorf("%s (-want +got)\n%s", c.move, d)
			}
		} else if d := cmp.Diff(c.lines, extra(before)); d != "" {
			t.Errorf("before %s (-want +got)\n%s", c.move, d)
		}
		if len(b.Counters) != c.counters || len(b.Places) != points {
			t.Errorf("%s: %d counters and %d points, want %d and %d", c.move, len(b.Counters), len(b.Places), c.counters, points)
		}
	}
}

func extra(b board.Board) (list []board.Line) {
	for _, l := range b.Lines {
		if l.Kind != board.Edge {
			list = append(list, l)
		}
	}
	return list
}
