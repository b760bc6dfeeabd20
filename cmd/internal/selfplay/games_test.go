package selfplay

import (
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/games"
)

// Every tool takes every game of the catalogue, under its default rules.
func TestEveryGame(t *testing.T) {
	if testing.Short() {
		t.Skip("plays every game by every command")
	}
	t.Parallel()
	for _, game := range games.Games() {
		t.Run(game.Name, func(t *testing.T) {
			t.Parallel()
			with := func(tool string, args ...string) []string {
				return append([]string{tool, "--game", game.Name}, args...)
			}
			var start, after showJSON
			call(t, &start, with("show")...)
			if start.Outcome != "*" || len(start.Moves) == 0 || start.Board == "" {
				t.Fatalf("the initial position is %+v", start)
			}
			call(t, &after, with("show", "--moves", start.Moves[0])...)
			if after.Position == start.Position {
				t.Errorf("the position after %s is the same: %s", start.Moves[0], after.Position)
			}

			var p perftJSON
			call(t, &p, with("perft", "--depth", "2", "--divide")...)
			sum := uint64(0)
			for _, n := range p.Divide {
				sum += n
			}
			if sum != p.Nodes || len(p.Divide) != len(start.Moves) {
				t.Errorf("%d moves add up to %d, want %d moves and %d", len(p.Divide), sum, len(start.Moves), p.Nodes)
			}

			var terms map[string]any
			call(t, &terms, with("eval")...)
			if len(terms) == 0 {
				t.Error("no term")
			}
			var best struct {
				Move  *string
				Score *float64
				Nodes *int64
			}
			call(t, &best, with("best", "--limits", clitest.Quick(game))...)
			if best.Move == nil || best.Score == nil || best.Nodes == nil || p.Divide[*best.Move] == 0 {
				t.Errorf("best is %+v", best)
			}

			var more struct {
				Move  string
				Lines []struct {
					Move string
					Line []string
				}
			}
			call(t, &more, with("best", "--lines", "3", "--limits", clitest.Quick(game))...)
			if more.Move != *best.Move || len(more.Lines) == 0 || len(more.Lines) > 3 || more.Lines[0].Move != more.Move || more.Lines[0].Line[0] != more.Move {
				t.Errorf("best is %s, with three lines %+v", *best.Move, more)
			}

			var m struct {
				Wins, Draws, Losses int
				Pairs               [5]int
				FaultsA             int `json:"faults_a"`
				FaultsB             int `json:"faults_b"`
			}
			call(t, &m, with("match", "--a", game.DefaultPreset, "--b", game.DefaultPreset, "--pairs", "2", "--limits", clitest.Quick(game), "--discard")...)
			if m.Wins+m.Draws+m.Losses != 4 || m.Pairs != [5]int{2: 2} || m.FaultsA+m.FaultsB != 0 {
				t.Errorf("equal players are not even: %+v", m)
			}
			var b struct{ Runs []map[string]any }
			call(t, &b, with("bench", "--limits", clitest.Quick(game), "--seconds", "0.01")...)
			if len(b.Runs) == 0 {
				t.Fatal("bench says nothing")
			}
			if rate, ok := b.Runs[0]["games_per_second"].(float64); !ok || !(rate > 0) {
				t.Errorf("bench says %+v", b)
			}
		})
	}
}
