package games_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

// TestLinesDoNotChangeDecision requests several lines of every preset of every game. The
// decision stays the same, and each line begins with another legal move.
func TestLinesDoNotChangeDecision(t *testing.T) {
	for _, game := range games.Games() {
		v, err := game.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		limits := map[string]engines.Limits{engines.BudgetPlayouts: {Playouts: 600}, engines.BudgetDepth: {Depth: 3}}
		for _, preset := range game.Presets {
			for kind, l := range limits {
				if _, keeps := game.Budget(kind); !keeps {
					continue
				}
				o := v.Opening(rand.New(rand.NewPCG(5, 5)), game.OpeningPlies)
				var decisions [2]engines.Decision
				var lines []engines.PV
				for i := range decisions {
					p := v.NewPlayer()
					if err := p.Configure(preset.Vector); err != nil {
						t.Fatal(err)
					}
					if err := p.Reset(o.Position, 1); err != nil {
						t.Fatal(err)
					}
					if i == 0 {
						decisions[i], err = p.Choose(context.Background(), o.Moves, l)
					} else {
						decisions[i], lines, err = engines.PVs(context.Background(), p, o.Moves, l, 4)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				if decisions[0] != decisions[1] || len(lines) == 0 || len(lines) > 4 || lines[0].Moves[0] != decisions[0].Move || lines[0].Score != decisions[0].Score {
					t.Errorf("%s %s: %+v is played, with lines %+v: %+v", game.Name, preset.Name, decisions[0], decisions[1], lines)
				}
				if len(lines) < 2 {
					t.Errorf("%s %s: only one line", game.Name, preset.Name)
				}
				seen := map[engines.Move]bool{}
				for i, l := range lines {
					ref := v.NewReferee()
					if err := ref.Reset(o.Position); err != nil {
						t.Fatal(err)
					}
					for _, m := range o.Moves {
						ref.Play(m)
					}
					if seen[l.Moves[0]] || !ref.Legal(l.Moves[0]) {
						t.Errorf("%s %s: line %d begins with a move that is not legal or told before: %+v", game.Name, preset.Name, i, lines)
					}
					seen[l.Moves[0]] = true
				}
			}
		}
	}
}
