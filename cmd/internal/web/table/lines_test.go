package table

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestFirstLineIsDecision expects the decision of "best" as the first line. The other lines begin
// with other moves, give their values in the game's words, and can be played.
func TestFirstLineIsDecision(t *testing.T) {
	if testing.Short() {
		t.Skip("short: searches by every kind of player")
	}
	ctx := context.Background()
	for _, c := range []struct {
		game, moves, values, limits, says string
		most, want                        int
	}{
		{"gobang", "h8 h9 i9", "", "depth=3", " points", 5, 5},
		{"gobang", "h8 a1 h9 a3 h10 a5 h11 a7", "", "depth=2", "", 2, 0}, // the five is forced
		{"connectfour", "4 1 4 1 4 1", "", "playouts=400", "wins in 1 ply", 2, 2},
		{"mills", "a7 b6 d7 b4", "", "depth=3", " points", 0, defaultCandidates},
		{"connectfour", "4 4", "", "playouts=800", " chance of winning", 99, 10},
		{"quoridor", "e2 e8", "", "depth=2", " points", 3, 3},
		{"quoridor", "e2 e8", "look=always", "nodes=500", " points", 1, 1},
		{"quoridor", "e2 e8", "", "", "", 5, 0},        // it weighs by terms
		{"quoridor", "e2 e8", "", "time=1s", "", 5, 0}, // it knows its decision alone
		{"gobang", "", "", "depth=1", "", 3000, 0},     // the middle, and nothing else
		{"gobang", "h8 d4 l12 d12 l4 h1", "", "depth=1", " points", 3000, maxCandidates},
		{"mills", "", "", "depth=1", " points", 3000, 24},
	} {
		name := strings.Join([]string{c.game, c.moves, c.values, c.limits}, "|")
		q := Question{Op: "lines", Game: c.game, Moves: c.moves, Values: c.values, Limits: c.limits, Seed: 1, Most: c.most}
		a, err := Ask(ctx, q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		result := a.(analysis)
		if len(result.Lines) != c.want {
			t.Errorf("%s: %d lines, want %d: %+v", name, len(result.Lines), c.want, result.Lines)
			continue
		}
		q.Op = "best"
		b, err := Ask(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		best := b.(reply)
		best.Micros, result.Micros = 0, 0
		if !reflect.DeepEqual(best, result.reply) {
			t.Errorf("%s: %+v is not the decision %+v", name, result.reply, best)
		}
		var first []string
		for i, l := range result.Lines {
			if slices.Contains(first, l.Moves[0]) || len(l.Moves) > maxLine || (l.Depth > 0) == (l.Visits > 0) {
				t.Errorf("%s: line %d is %+v", name, i, l)
			}
			first = append(first, l.Moves[0])
			if _, err := Ask(ctx, Question{Op: "show", Game: c.game, Moves: strings.Join(append(strings.Fields(c.moves), l.Moves...), " ")}); err != nil {
				t.Errorf("%s: line %d: %v", name, i, err)
			}
		}
		if len(first) > 0 && (first[0] != best.Move || result.Lines[0].Says != result.Says || !strings.Contains(result.Says, c.says) || result.Lines[0].Score != best.Score) {
			t.Errorf("%s: the first line %+v is not the decision %+v", name, result.Lines[0], result)
		}
	}
}

// TestLinesRefuseInWords expects the reason for a question without an answer, and an empty list for
// an answer without lines.
func TestLinesRefuseInWords(t *testing.T) {
	for question, want := range map[string]string{
		`{"op": "lines", "game": "connectfour", "moves": "4 1 4 1 4 1 4"}`:          "the game is over",
		`{"op": "lines", "game": "gobang", "limits": "playouts=9"}`:                 "playouts",
		`{"op": "lines", "game": "mills", "preset": "nobody"}`:                      "nobody",
		`{"op": "lines", "game": "mills", "values": "nothing=1"}`:                   "nothing",
		`{"op": "lines", "game": "quoridor", "moves": "e2 e2"}`:                     "move 2",
		`{"op": "lines", "game": "quoridor", "moves": "e2 e8", "seed": "1"}`:        `"lines":[]`,
		`{"op": "lines", "game": "connectfour", "limits": "playouts=1", "most": 3}`: `"move":`,
	} {
		if got := string(Answer(context.Background(), []byte(question))); !json.Valid([]byte(got)) || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s in it", question, got, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Ask(ctx, Question{Op: "lines", Game: "gobang", Moves: "h8 h9", Limits: "depth=3"}); err == nil {
		t.Error("a question that nobody waits for is answered")
	}
}
