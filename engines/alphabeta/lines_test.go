package alphabeta

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplaylab/engines"
)

// TestOtherLinesAreMinimax expects, for all options, that the lines after the
// best are the best of the other moves, have minimax's values, and can be played.
func TestOtherLinesAreMinimax(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	var searches []*Search[toy, *toy]
	for _, o := range variations() {
		searches = append(searches, New[toy](o, Hooks[toy]{}))
	}
	checked := 0
	for trial := range 120 {
		root, depth, most := newToy(r, trial%2 == 0), 1+trial%5, trial%4
		if root.Outcome() != engines.Ongoing {
			continue
		}
		values := map[engines.Move]int32{}
		for _, m := range root.Moves(nil) {
			c := root
			c.Play(m)
			values[m] = reference(&c, 1, depth-1, 0, root.turn, nil)
			if c.turn != root.turn {
				values[m] = -values[m]
			}
		}
		for i, s := range searches {
			s.NewGame()
			got := s.Think(context.Background(), &root, nil, engines.Limits{Depth: depth})
			best, chosen := got.Score, got.Move
			var left []int32
			for m, v := range values {
				if m != chosen {
					left = append(left, v)
				}
			}
			slices.Sort(left)
			slices.Reverse(left)
			got.Line = slices.Clone(got.Line)
			lines := s.others(context.Background(), got, most, engines.Limits{Depth: depth})
			if len(lines) != min(most, len(left)) {
				t.Fatalf("trial %d: %d lines after the best, want %d of %d", trial, len(lines), most, len(left))
			}
			for n, l := range lines {
				if l.Score != left[n] || l.Score > best || values[l.Moves[0]] != l.Score || l.Moves[0] == chosen || l.Depth < got.Depth {
					t.Fatalf("trial %d depth %d options %+v: line %d is %+v after %d with %d; want %d, of %v", trial, depth, variations()[i], n+2, l, chosen, best, left[n], values)
				}
				checkLine(t, root, Result{Move: l.Moves[0], Line: l.Moves})
				checked++
			}
		}
	}
	if checked < 1000 {
		t.Errorf("%d lines checked", checked)
	}
}
