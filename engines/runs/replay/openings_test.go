package replay

import (
	"testing"

	"selfplaylab/engines/runs"
	"selfplaylab/reports/gamestats"
)

// TestOpeningsAtFindLines finds lines of one start position and of several, and cuts the moves
// after them.
func TestOpeningsAtFindLines(t *testing.T) {
	line := func(move, start string, next ...*gamestats.Line) *gamestats.Line {
		return &gamestats.Line{Move: move, Start: start, Next: next}
	}
	moves := func() *gamestats.Line { return line("a", "", line("b", ""), line("c", "")) }
	together := line("", "", moves())
	together.Starts = 3
	several := line("", "", line("", "", moves()), line("", "P q", moves()), together)
	for _, test := range []struct {
		tree        *gamestats.Line
		name        string
		move, start string // of the line found
		more        int    // lines cut off after its first next one
		board       *History
	}{
		{moves(), "", "a", "", 0, &History{}},
		{line("", "P q", moves()), "", "", "P q", 2, &History{Position: "P q"}},
		{line("", "P q", moves()), "P q", "", "P q", 2, &History{Position: "P q"}},
		{line("", "P q", moves()), "a b", "b", "", -1, &History{Position: "P q", Moves: "a b"}},
		{line("", "P q", moves()), "P q | a", "a", "", 0, &History{Position: "P q", Moves: "a"}},
		{several, "", "", "", 1, nil},
		{several, "start", "", "", 2, &History{}},
		{several, "start | a b", "b", "", -1, &History{Moves: "a b"}},
		{several, "P q | a", "a", "", 0, &History{Position: "P q", Moves: "a"}},
		{several, "*", "", "", 2, nil},
	} {
		o := &Openings{Tree: test.tree, head: &runs.Head{}}
		at, err := o.At(test.name, 1)
		if err != nil {
			t.Errorf("%q: %v", test.name, err)
			continue
		}
		more := -1
		if len(at.Tree.Next) > 0 {
			more = at.Tree.Next[0].More
		}
		if at.Line != test.name || at.Tree.Move != test.move || at.Tree.Start != test.start || more != test.more ||
			(at.Board == nil) != (test.board == nil) || at.Board != nil && *at.Board != *test.board {
			t.Errorf("%q: %+v, board %+v, %d cut off", test.name, at.Tree, at.Board, more)
		}
	}
	for _, name := range []string{"x", "a x", "Q | a"} {
		if at, err := (&Openings{Tree: several, head: &runs.Head{}}).At(name, 1); err == nil {
			t.Errorf("%q: %+v", name, at.Tree)
		}
	}
}
