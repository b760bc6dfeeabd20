package table

import (
	"context"
	"testing"

	"selfplaylab/engines/games"
)

// TestFirstCandidateEqualsChoice expects the first candidate of a player to be as good as its
// choice by a search of the same depth, and immediate wins and losses to be marked.
func TestFirstCandidateEqualsChoice(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		game, moves, limits string
		want, end           string
	}{
		{"gobang", "h8 a1 h9 a3 h10 a5 h11 a7", "depth=2", "", "1-0, five"},
		{"connectfour", "4 1 4 1 4 1", "playouts=400", "4", "1-0, four"},
		{"mills", "a7 b6 d7 b4", "depth=2", "", ""},
		{"quoridor", "", "depth=2", "", ""},
		{"quoridor", "", "", "", ""},
	} {
		q := Question{Op: "candidates", Game: c.game, Moves: c.moves, Limits: c.limits, Seed: 1, Most: 5}
		a, err := Ask(ctx, q)
		if err != nil {
			t.Errorf("%s %s: %v", c.game, c.moves, err)
			continue
		}
		list := a.([]candidate)
		if len(list) != 5 || c.want != "" && list[0].Move != c.want || list[0].End != c.end {
			t.Errorf("%s %s: %+v", c.game, c.moves, list)
		}
		for i := range list[1:] {
			if list[i].worth < list[i+1].worth {
				t.Errorf("%s %s: not in order: %+v", c.game, c.moves, list)
			}
		}
		if c.game == "quoridor" && c.limits == "" && len(list[0].Terms) == 0 {
			t.Error("the greedy player tells no terms")
		}
	}
	if _, err := Ask(ctx, Question{Op: "candidates", Game: games.Names()[0], Limits: "nonsense=1"}); err == nil {
		t.Error("limits that are none are taken")
	}
}

// TestTermsReadAsWords expects numbers of equal lists in one row, missing values as words, and
// lists in a list of their own.
func TestTermsReadAsWords(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{[]any{0.25, 11.0 / 37, nil}, "0.25 0.297 –"},
		{[][]any{{0, 1, "B", 1300}, {2, 1, "W", 0}}, "0 1 B 1300, 2 1 W 0"},
		{[]int{}, ""}, {nil, "–"}, {"win", "win"}, {1.0 / 3, "0.333"},
	} {
		if got := value(c.value); got != c.want {
			t.Errorf("%v is written %q, want %q", c.value, got, c.want)
		}
	}
}

// TestClockFollowsMatchRules expects the clocks of a board to run by the rules of matches.
func TestClockFollowsMatchRules(t *testing.T) {
	for _, c := range []struct {
		q    Question
		left float64
		late bool
	}{
		{Question{Clock: "time=5s"}, 5000, false},
		{Question{Clock: "time=5s", Took: 5019, Made: 1}, 5000, false},
		{Question{Clock: "time=5s", Took: 5021, Made: 1}, 5000, true},
		{Question{Clock: "tc=60+2"}, 62000, false},
		{Question{Clock: "tc=60+2", Left: 60000, Took: 10000, Made: 1}, 52000, false},
		{Question{Clock: "tc=2/10", Left: 4000, Took: 1000, Made: 2}, 13000, false},
		{Question{Clock: "tc=60", Left: 500, Took: 600, Made: 9}, 0, true},
	} {
		c.q.Op = "clock"
		a, err := Ask(context.Background(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.(clockState); got.Left != c.left || got.Late != c.late {
			t.Errorf("%+v: %+v, want %v left, late %v", c.q, got, c.left, c.late)
		}
	}
	if _, err := Ask(context.Background(), Question{Op: "clock", Clock: "depth=3"}); err == nil {
		t.Error("a depth is taken for a clock")
	}
}
