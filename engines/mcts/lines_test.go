package mcts

import (
	"slices"
	"testing"

	"selfplaylab/engines"
)

// TestLinesFollowTree expects the root's children in the order of
// preference, the chosen move first, each with a line of the tree.
func TestLinesFollowTree(t *testing.T) {
	for _, final := range []Final{WinRate, Visits} {
		for _, threads := range []int{1, 3} {
			o := options()
			o.Final, o.Solver = final, true
			s := New[board](1 << 16)
			if err := s.Configure(o); err != nil {
				t.Fatal(err)
			}
			s.Threads(threads)
			s.Begin(&board{})
			r := s.Run(ctx, 3, engines.Limits{Playouts: 6000})
			children := s.Children()
			lines := s.PVs(100)
			if len(lines) != len(children) || lines[0].Moves[0] != r.Move || lines[0].Score != r.WinRate {
				t.Fatalf("%d lines of %d moves, the first %+v; played is %+v", len(lines), len(children), lines[0], r)
			}
			if three := s.PVs(3); len(three) != 3 || !slices.Equal(three[2].Moves, lines[2].Moves) {
				t.Errorf("three lines: %+v", three)
			}
			for i, l := range lines {
				at := slices.IndexFunc(children, func(c Child) bool { return c.Move == l.Moves[0] })
				if at < 0 || children[at].Visits != l.Visits || children[at].WinRate != l.Score {
					t.Errorf("line %+v is not of %+v", l, children)
				}
				if i > 0 && final == WinRate && l.Score > lines[i-1].Score || i > 0 && final == Visits && l.Visits > lines[i-1].Visits {
					t.Errorf("final %d: %+v comes after %+v", final, l, lines[i-1])
				}
				p := board{}
				for _, m := range l.Moves {
					if !slices.Contains(p.Moves(nil), m) {
						t.Fatalf("line %v cannot be played", l.Moves)
					}
					p.Play(m)
				}
			}
			if len(lines[0].Moves) < 3 {
				t.Errorf("the first line is %v", lines[0].Moves)
			}
		}
	}
}
